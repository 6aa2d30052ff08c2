import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draftContract } from "../../../src/contract/draft.js";
import { digestOf, readArguments } from "../../../src/sut/ledger/arguments.js";

/** What the executor's JSON Schema makes of a request, in the contract's terms. */
function executorSays(request: string): ReturnType<typeof draftContract.interpret> {
  const read = readArguments(request);
  if (read.kind === "invalid") return read;
  const { job, copies } = read.args;
  return { kind: "valid", key: job, digest: digestOf(read.args), weight: copies };
}

describe("the contract's rules and the executor's schema", () => {
  it("agree on generated valid requests", () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(1 << 16), (key, variant) => {
        const request = draftContract.requests.valid(key, variant);
        expect(executorSays(request)).toEqual(draftContract.interpret(request));
      }),
      { numRuns: 2000 },
    );
  });

  it("agree on generated requests that are nearly valid", () => {
    fc.assert(
      fc.property(fc.nat(1 << 16), (pick) => {
        const request = draftContract.requests.invalid(pick);
        expect(executorSays(request)).toEqual(draftContract.interpret(request));
      }),
      { numRuns: 5000 },
    );
  });

  it("agree on any JSON, and on objects with the right fields and any values", () => {
    const field = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom("JOB-001", "river", 2, "2", true, 0, 10, 2.5, "JOB-１２３"),
    );
    const nearly = fc.record({ job: field, topic: field, copies: field }, { requiredKeys: [] });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          nearly.map((value) => JSON.stringify(value)),
          fc.string(),
        ),
        (request) => {
          expect(executorSays(request)).toEqual(draftContract.interpret(request));
        },
      ),
      { numRuns: 5000 },
    );
  });
});
