import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { draftContract } from "../../src/contract/draft.js";
import { guardedContract } from "../../src/contract/guarded/toolbox.js";
import type { ToolContract } from "../../src/contract/tool.js";
import { actionKinds } from "../../src/model/vocabulary.js";
import { createBudget } from "../../src/properties/budget.js";
import { wordsOf } from "../../src/properties/chooser.js";
import { planActions } from "../../src/properties/planner.js";
import { executeRun } from "../../src/properties/run.js";
import { actionSchema } from "../../src/report/action-schema.js";
import { eventSchema } from "../../src/report/event-schema.js";
import { openGuardedPort } from "../../src/sut/guarded/system.js";
import type { Port } from "../../src/sut/port.js";
import { openRuledPort } from "../../src/sut/ruled/system.js";

const folder = mkdtempSync(join(tmpdir(), "schemas-"));
const budget = createBudget(7500);
afterAll(() => {
  budget.close();
  rmSync(folder, { recursive: true, force: true });
});

const policy = { kind: "limit", maxCopies: 3 } as const;
const systems: readonly (readonly [
  string,
  (options: { directory: string; budgetMs: number }) => Port,
  ToolContract,
])[] = [
  ["guarded", openGuardedPort, guardedContract],
  ["ruled", openRuledPort, draftContract],
];

const planned = new Set<string>();

describe.each(systems)("a report about %s", (_, open, contract) => {
  const port = open({ directory: mkdtempSync(join(folder, "store-")), budgetMs: 5000 });
  afterAll(() => port.stop());

  it("reads back every action and every event as it was written", async () => {
    const next = wordsOf(1);
    for (let run = 0; run < 60; run++) {
      const mask = next();
      const drawn = Array.from({ length: 25 }, next);
      const { actions } = planActions({ profile: port.profile, contract, policy }, mask, drawn);
      for (const action of actions) {
        planned.add(action.kind);
        expect(actionSchema.parse(JSON.parse(JSON.stringify(action)))).toEqual(action);
      }
      if (run % 10 > 0) continue;
      const { history } = await executeRun({ port, contract, policy, budget }, actions);
      for (const event of history)
        expect(eventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(event);
    }
  });
});

describe("reports", () => {
  it("have been read with every kind of action in them", () => {
    expect([...planned].sort()).toEqual([...actionKinds].sort());
  });
});
