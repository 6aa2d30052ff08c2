import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { attempt } from "../../../bench/explore/threads.js";
import { executorProgram } from "../../../src/explore/schedules/executor-program.js";
import { exploreSchedules } from "../../../src/explore/schedules/source-dpor.js";
import { request } from "../../../src/sut/faulty/witness-steps.js";
import { Refusal } from "../../../src/sut/ledger/refusals.js";
import { stages as sound } from "../../../src/sut/ledger/stages.js";
import { openLedgerPort } from "../../../src/sut/ledger/system.js";
import { type Opener, withBench } from "../executor-bench.js";

describe("an executor that reports no footprints", () => {
  it("has every interleaving executed", async () => {
    const withoutFootprints: Opener = (options) => ({
      ...openLedgerPort(options),
      footprints: { kind: "none" },
    });
    await withBench(withoutFootprints, async (bench) => {
      const program = executorProgram(bench, [attempt("a1"), attempt("a2", request.otherKey)]);
      const search = await exploreSchedules(program, { ...unlimited, repeat: "none" });
      // Two threads of four steps each: 8! / (4! 4!). With footprints it is 2, the orders of the receipts.
      expect(search.executions).toEqual({ complete: 70, blocked: 0, repeated: 0 });
    });
  });
});

describe("an executor that depends on more than the schedule", () => {
  /** A ledger with one step that goes by how often it was taken since the beginning of time. */
  const counting =
    (what: "refuses" | "writes another digest"): Opener =>
    (options) => {
      let calls = 0;
      const variant = {
        stages: () =>
          what === "refuses"
            ? {
                check: async (...given: Parameters<typeof sound.check>) => {
                  await sound.check(...given);
                  // The first execution takes two: the attempt and its retry in the epilogue.
                  if (++calls > 2) throw new Refusal("input_rejected", "batch_limit");
                },
              }
            : { digest: () => String(++calls) },
      };
      return openLedgerPort({ ...options, variant });
    };

  it.each([
    // The check belongs to the submission, the first step.
    { what: "refuses", difference: { schedule: [0], at: 0, what: "seen" } },
    // No step shows the digest; the store does, in the end.
    { what: "writes another digest", difference: { schedule: [0, 0, 0, 0], at: 4, what: "ending" } },
  ] as const)("is told as such with the step: one that $what", async ({ what, difference }) => {
    await withBench(counting(what), async (bench) => {
      const program = executorProgram(bench, [attempt("a1")]);
      const search = await exploreSchedules(program, { ...unlimited, repeat: "each" });
      expect(search.outcome).toMatchObject({ kind: "nondeterministic", difference });
    });
  });
});
