import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { guardedContract } from "../../../src/contract/guarded/toolbox.js";
import type { Action } from "../../../src/model/vocabulary.js";
import { createBudget } from "../../../src/properties/budget.js";
import { countsAsFound } from "../../../src/properties/fails-like.js";
import { repaired } from "../../../src/properties/minimise-repair.js";
import { type Bench, executeRun } from "../../../src/properties/run.js";
import { faultyGuardedExecutors } from "../../../src/sut/faulty/guarded/faulty-guarded-executors.js";
import { openGuardedPort } from "../../../src/sut/guarded/system.js";
import type { Port } from "../../../src/sut/port.js";

const folder = mkdtempSync(join(tmpdir(), "faulty-guarded-"));
const budget = createBudget(7500);
afterAll(() => {
  budget.close();
  rmSync(folder, { recursive: true, force: true });
});

const benchOf = (port: Port): Bench => ({
  port,
  contract: guardedContract,
  policy: { kind: "limit", maxCopies: 3 },
  budget,
});
const options = () => ({ directory: mkdtempSync(join(folder, "store-")), budgetMs: 5000 });
const sound = openGuardedPort(options());
afterAll(() => sound.stop());

/**
 * The shortest lists that a search of the machine itself found for each mistake. An action of a list is at most one
 * of its steps, so no list may be shorter; where the same mistake can be told from decisions earlier than from
 * effects, the earlier one.
 */
const lengthsSearched: Readonly<Record<string, number>> = {
  "asks-for-external-calls-only": 2,
  "asks-for-writes-only": 2,
  "takes-ask-for-allow": 2,
  "takes-the-role-from-the-arguments": 1,
  "matches-the-approval-by-its-tool": 4,
  "matches-the-approval-without-its-digest": 4,
  "matches-the-approval-without-its-tool": 4,
  "matches-the-approval-without-its-call": 4,
  "matches-the-approval-without-its-tenant": 4,
  "mints-a-call-id-on-resume": 4,
  "normalises-after-the-approval": 4,
  "takes-a-grant-for-whatever-waits": 5,
  "survives-a-policy-change": 3,
  "ignores-the-expiry": 4,
  "is-valid-at-its-expiry": 4,
  "does-not-look-at-the-clock-in-the-transaction": 6,
  "does-not-look-for-a-no-in-the-transaction": 5,
  "lets-a-later-grant-overwrite-a-denial": 3,
  "lets-a-grant-outlive-a-denial": 3,
  "takes-a-denial-for-an-answer": 4,
  "forgets-a-denial-when-the-policy-stops-asking": 5,
  "ignores-a-denial-of-an-older-request": 5,
  "spends-no-approval-of-a-keyless-call": 6,
  "spends-the-approval-in-a-transaction-of-its-own": 7,
  "spends-the-approval-only-on-a-commit": 10,
  "binds-a-call-only-when-asked": 4,
  "binds-a-call-not-again-in-the-transaction": 4,
  "records-a-forged-decision": 1,
  "lets-anybody-decide": 1,
  "lets-the-requester-decide": 1,
  "believes-an-echo-of-other-arguments": 1,
  "believes-a-tampered-text": 1,
  "keeps-requests-in-memory": 2,
  "keeps-decisions-in-memory": 3,
  "restarts-the-expiry": 3,
  "loses-the-gate-at-restart": 4,
  "loses-a-grant-on-a-round-trip": 3,
  "refuses-a-genuine-text": 2,
  "asks-for-ever": 2,
  "opens-a-request-without-a-second-look": 4,
  "refuses-a-redelivery-as-expired": 6,
  "caches-a-capability": 5,
  "checks-the-capability-before-the-wait-only": 5,
  "lets-a-grant-outweigh-a-missing-right": 4,
  "takes-a-throwing-check-for-a-pass": 1,
  "runs-a-later-step-meanwhile": 1,
  "runs-an-approved-call-under-an-aborted-signal": 4,
  "regenerates-without-bound": 5,
  "releases-the-hidden-part": 5,
  "retries-a-refusal": 3,
};

it("knows how long a list each mistake takes at least", () => {
  expect(Object.keys(lengthsSearched).sort()).toEqual(faultyGuardedExecutors.map(({ name }) => name).sort());
});

describe.each(faultyGuardedExecutors.map((bug) => [bug.name, bug] as const))("%s", (_, bug) => {
  const port = bug.open(options());
  afterAll(() => port.stop());
  const broken = async (bench: Bench, actions: readonly Action[]) => {
    const { verdict, end } = await executeRun(bench, actions);
    expect(end.kind).toBe("judged");
    // What is driven in the end grants and repeats; a witness shows everything in its own steps.
    return verdict.violations
      .filter((violation) => countsAsFound(bench, violation, actions))
      .map(({ promise }) => promise);
  };

  it("breaks a promise of its row by its witness, which the sound executor keeps", async () => {
    const found = await broken(benchOf(port), bug.witness);
    const isCaught = found.some((promise) => bug.caughtBy.includes(promise));
    expect(isCaught, `broken: ${found.join(", ") || "nothing"}`).toBe(true);
    expect(await broken(benchOf(sound), bug.witness)).toEqual([]);
  });

  it("has a witness no shorter than the search of the machine allows", () => {
    expect(bug.witness.length).toBeGreaterThanOrEqual(lengthsSearched[bug.name] ?? Number.POSITIVE_INFINITY);
  });

  it("needs every action of its witness", async () => {
    for (const [index] of bug.witness.entries()) {
      const found = await broken(benchOf(port), repaired(bug.witness.toSpliced(index, 1)));
      const caught = found.filter((promise) => bug.caughtBy.includes(promise));
      expect(caught, `without action ${index + 1}`).toEqual([]);
    }
  });
});
