import { describe, expect, it } from "vitest";
import type { Action } from "../../src/model/vocabulary.js";
import { createTrials } from "../../src/properties/minimise-trials.js";

const observe: Action = { kind: "observe" };
const arm: Action = { kind: "arm", fault: { kind: "busy", stage: "execute" } };
const armAgain: Action = { fault: { stage: "execute", kind: "busy" }, kind: "arm" };
const armOther: Action = { kind: "arm", fault: { kind: "busy", stage: "receipt" } };

const trialsOf = (...known: readonly (readonly Action[])[]) => {
  const asked: (readonly Action[])[] = [];
  const trials = createTrials({
    fails: async (list) => {
      asked.push(list);
      return "same";
    },
    budget: { candidates: 9 },
    known,
  });
  return { trials, asked };
};

describe("trials", () => {
  it("ask about a list once, in whatever order its properties stand", async () => {
    const { trials, asked } = trialsOf();
    expect(await trials.fails([arm])).toBe(true);
    expect(await trials.fails([armAgain])).toBe(false);
    expect(asked).toEqual([[arm]]);
    expect(trials.tried()).toBe(1);
    expect(trials.spent()).toBe(false);
  });

  it("ask about lists of other actions, another order or another length", async () => {
    const { trials, asked } = trialsOf();
    const lists = [[arm], [armOther], [arm, observe], [observe, arm], [arm, arm], []];
    for (const list of lists) expect(await trials.fails(list)).toBe(true);
    expect(asked).toEqual(lists);
  });

  it("do not ask about known lists, nor count them", async () => {
    const { trials, asked } = trialsOf([arm], [observe]);
    expect(await trials.fails([armAgain])).toBe(false);
    expect(await trials.fails([observe])).toBe(false);
    expect(asked).toEqual([]);
    expect(trials.tried()).toBe(0);
  });

  it("are not spent by a list that was tried before", async () => {
    const trials = createTrials({ fails: async () => "other", budget: { candidates: 1 } });
    expect(await trials.fails([arm])).toBe(false);
    expect(await trials.fails([arm])).toBe(false);
    expect(trials.spent()).toBe(false);
    expect(await trials.fails([])).toBe(false);
    expect(trials.spent()).toBe(true);
    expect(trials.tried()).toBe(1);
  });
});
