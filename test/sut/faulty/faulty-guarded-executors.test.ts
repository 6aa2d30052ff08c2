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

  it("needs every action of its witness", async () => {
    for (const [index] of bug.witness.entries()) {
      const found = await broken(benchOf(port), repaired(bug.witness.toSpliced(index, 1)));
      const caught = found.filter((promise) => bug.caughtBy.includes(promise));
      expect(caught, `without action ${index + 1}`).toEqual([]);
    }
  });
});
