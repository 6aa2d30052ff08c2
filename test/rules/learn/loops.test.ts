import { describe, expect, it } from "vitest";
import { learn } from "../../../src/rules/learn/learn.js";
import type { Trace } from "../../../src/rules/trace.js";
import { call, conversation } from "./trace-fixture.js";

const search = call("search_shop", { q: "sofa" });
const other = call("search_shop", { q: "table" });

function times(count: number, each: typeof search) {
  return Array.from({ length: count }, () => each);
}

function learnt(...traces: readonly Trace[]) {
  return learn(traces, { hints: { destructive: [], readonly: [] }, rules: [] });
}

describe("loops", () => {
  it("limits the calls to twice what the conversation needed, where that stops the loop", () => {
    // Two different calls, one of them ten times: two were needed.
    expect(learnt(conversation("1", ["hi", other, ...times(10, search)]))).toMatchObject([
      { rule: { claim: { kind: "max_tool_calls", most: 4 } }, confidence: 0.8 },
    ]);
    // Four in all, one needed: a limit of two.
    expect(learnt(conversation("1", ["hi", ...times(4, search)]))).toMatchObject([
      { rule: { claim: { most: 2 } }, confidence: 0.5 },
    ]);
  });

  it("keeps the limit below the loop and not below what other conversations needed", () => {
    const loop = conversation("1", ["hi", ...times(6, search)]);
    const healthy = (count: number) =>
      conversation("2", ["hi", ...Array.from({ length: count }, (_, q) => call("search_shop", { q }))]);
    expect(learnt(loop, healthy(5))).toMatchObject([{ rule: { claim: { most: 5 } }, confidence: 0.65 }]);
    const [loose] = learnt(loop, healthy(9));
    expect(loose).toMatchObject({ rule: { claim: { most: 9 } }, confidence: 0.4 });
    expect(loose?.warnings).toHaveLength(2);
  });

  it("tells where it began to look like a loop", () => {
    const [candidate] = learnt(conversation("1", ["hi", ...times(2, search)], ["and?", ...times(3, search)]));
    expect(candidate?.evidence).toEqual([
      {
        text: 'conversation "1": "search_shop" 5 times in a row in turns 1 to 2 with {"q":"sofa"}',
        // The fourth call is the second of turn 2.
        at: { file: "recorded.json", line: 22, column: 3, endLine: 22, endColumn: 9 },
      },
    ]);
  });

  it.each([
    ["three in a row", times(3, search)],
    ["another call in between", [...times(3, search), other, ...times(3, search)]],
    ["arguments that the trace does not tell", times(9, call("search_shop"))],
    ["calls that only asked for more input", times(9, call("search_shop", {}, "nothing_happened"))],
  ])("takes no loop from %s", (_what, calls) => {
    expect(learnt(conversation("1", ["hi", ...calls]))).toEqual([]);
  });

  it("is less sure where the tool asks how far something is", () => {
    const poll = call("get_job_status", { job: 1 });
    expect(learnt(conversation("1", ["hi", ...times(6, poll)]))).toMatchObject([{ confidence: 0.5 }]);
  });
});
