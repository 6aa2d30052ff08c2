import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { draftContract } from "../../../src/contract/draft.js";
import type { Action } from "../../../src/model/vocabulary.js";
import { createBudget } from "../../../src/properties/budget.js";
import { countsAsFound, failsLike, shownWhere } from "../../../src/properties/fails-like.js";
import { repaired } from "../../../src/properties/minimise-repair.js";
import { type Bench, executeRun } from "../../../src/properties/run.js";
import { promiseIds } from "../../../src/properties/verdict.js";
import { faultyRuledExecutors } from "../../../src/sut/faulty/ruled/faulty-ruled-executors.js";
import type { Port } from "../../../src/sut/port.js";
import { openRuledPort } from "../../../src/sut/ruled/system.js";

const folder = mkdtempSync(join(tmpdir(), "faulty-ruled-"));
const budget = createBudget(7500);
afterAll(() => {
  budget.close();
  rmSync(folder, { recursive: true, force: true });
});

const benchOf = (port: Port): Bench => ({
  port,
  contract: draftContract,
  policy: { kind: "limit", maxCopies: 3 },
  budget,
});
const options = () => ({ directory: mkdtempSync(join(folder, "store-")), budgetMs: 5000 });
const sound = openRuledPort(options());
afterAll(() => sound.stop());

/** Broken promises, in the epilogue too: it asks nobody for an approval, so it stands for no step of the list. */
async function broken(bench: Bench, actions: readonly Action[]) {
  const { verdict, end, history } = await executeRun(bench, actions);
  expect(end.kind).toBe("judged");
  expect(history.filter(({ kind }) => kind === "skipped")).toEqual([]);
  return verdict.violations.filter((violation) => countsAsFound(bench, violation, actions));
}

describe("the table of faulty ruled executors", () => {
  it("names each once, and promises that a ruled executor can be asked about", () => {
    const names = faultyRuledExecutors.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { caughtBy } of faultyRuledExecutors) {
      expect(caughtBy.length).toBeGreaterThan(0);
      expect(promiseIds).toEqual(expect.arrayContaining([...caughtBy]));
    }
  });
});

describe.each(faultyRuledExecutors.map((bug) => [bug.name, bug] as const))("%s", (_, bug) => {
  const faulty = benchOf(bug.open(options()));
  afterAll(() => faulty.port.stop());

  it("breaks a promise of its row by its witness, and the sound executor keeps all", async () => {
    const found = await broken(faulty, bug.witness);
    const promises = found.map(({ promise }) => promise);
    const isCaught = promises.some((promise) => bug.caughtBy.includes(promise));
    expect(isCaught, `broken: ${promises.join(", ") || "nothing"}`).toBe(true);
    expect(await broken(benchOf(sound), bug.witness)).toEqual([]);
  });

  it("needs every action of its witness", async () => {
    const caught = (await broken(faulty, bug.witness)).filter(({ promise }) =>
      bug.caughtBy.includes(promise),
    );
    for (const violation of caught) {
      const fails = failsLike(faulty, violation.promise, shownWhere(violation, bug.witness));
      for (const [index] of bug.witness.entries()) {
        const rest = repaired(bug.witness.toSpliced(index, 1));
        expect(await fails(rest), `${violation.promise} without action ${index + 1}`).not.toBe("same");
      }
    }
  });
});
