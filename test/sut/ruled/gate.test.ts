import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { budget, forbid, idempotent, openRuledBench, rule, throwAt } from "./ruled-bench.js";

const bench = openRuledBench();
afterAll(() => bench.close());
beforeEach(() => bench.begin());

describe("the gate", () => {
  it("has nothing to say of no call, whatever the trace hides", async () => {
    await bench.rules([rule(forbid)]);
    expect(await bench.gate()).toEqual([]);
    expect(await bench.gate("unnamed_call")).toEqual([]);
    await bench.say("hello");
    expect(await bench.gate("no_arguments")).toEqual([]);
  });

  it("judges what the guard let pass and what it refused by the rules as they are now", async () => {
    await bench.call("a1");
    await bench.rules([rule(budget(1))]);
    await bench.call("a2");
    expect(await bench.gate()).toEqual(["allow", "too_many_calls"]);
    await bench.rules([rule(forbid)]);
    expect(await bench.gate()).toEqual(["forbidden_tool", "forbidden_tool"]);
    await bench.rules([]);
    expect(await bench.gate()).toEqual(["allow", "allow"]);
  });

  it("refuses the article's call that comes a turn after its trigger, as the guard does", async () => {
    await bench.rules([rule(forbid, { said: ["order"] })]);
    await bench.say("where is my order", "never mind, how is the weather");
    expect(await bench.call("a1")).toBe("blocked/forbidden_tool");
    expect(await bench.gate()).toEqual(["forbidden_tool"]);
  });

  it("knows at a call only what had been said by then", async () => {
    await bench.rules([rule(forbid, { said: ["order"] })]);
    await bench.call("a1");
    await bench.say("hello");
    await bench.call("a2");
    await bench.say("my order");
    await bench.call("a3");
    expect(await bench.gate()).toEqual(["allow", "allow", "forbidden_tool"]);
    // A call before anything was said is in no turn.
    await bench.rules([rule(forbid, { fromTurn: 1 })]);
    expect(await bench.gate()).toEqual(["allow", "forbidden_tool", "forbidden_tool"]);
  });

  it("finds a duplicate of a call that happened or may have, of the same tenant and key", async () => {
    await bench.call("a1");
    await bench.call("a2", { job: "JOB-002", faults: throwAt("after_commit") });
    await bench.submit("a3", { job: "JOB-003" });
    await bench.call("a4", { tenant: "t2" });
    for (const [name, job] of [
      ["a5", "JOB-001"],
      ["a6", "JOB-002"],
      ["a7", "JOB-003"],
    ] as const) {
      await bench.call(name, { job });
    }
    await bench.rules([rule(idempotent)]);
    const duplicate = "duplicate_transaction";
    expect(await bench.gate()).toEqual(["allow", "allow", "allow", "allow", duplicate, duplicate, duplicate]);
  });

  it("takes calls that are known to have done nothing for no first of two", async () => {
    await bench.rules([rule(forbid)]);
    await bench.call("a1", { job: "JOB-001" });
    await bench.rules([]);
    await bench.call("a2", { job: "JOB-002", faults: throwAt("inside_transaction") });
    await bench.submit("a3", { job: "JOB-003" });
    await bench.port.cancel("a3");
    await bench.finish("a3");
    for (const [name, job] of [
      ["a4", "JOB-001"],
      ["a5", "JOB-002"],
      ["a6", "JOB-003"],
    ] as const) {
      await bench.call(name, { job });
    }
    await bench.rules([rule(idempotent)]);
    expect(await bench.gate()).toEqual(["allow", "allow", "allow", "allow", "allow", "allow"]);
  });

  it("takes a lost call for one that may have happened, also after a restart", async () => {
    await bench.submit("a1");
    await bench.crash();
    await bench.restart();
    await bench.call("a2");
    await bench.rules([rule(idempotent)]);
    expect(await bench.gate()).toEqual(["allow", "duplicate_transaction"]);
  });

  it("knows what became of a call whose receipt could not be written", async () => {
    const faults = [...throwAt("inside_transaction"), { kind: "busy", stage: "receipt" } as const];
    expect(await bench.call("a1", { faults })).toBe("audit_unavailable");
    await bench.crash();
    await bench.restart();
    await bench.call("a2");
    await bench.rules([rule(idempotent)]);
    expect(await bench.gate()).toEqual(["allow", "allow"]);
  });

  it("is inconclusive about an unnamed call only where a rule that is on is about tools", async () => {
    await bench.call("a1");
    await bench.call("a2");
    for (const claim of [forbid, idempotent, { kind: "allow_others" } as const]) {
      await bench.rules([rule(claim, { said: ["order"] })]);
      expect(await bench.gate("unnamed_call")).toEqual(["allow", "allow"]);
    }
    await bench.rules([rule(budget(2))]);
    expect(await bench.gate("unnamed_call")).toEqual(["allow", "allow"]);
    await bench.rules([rule(idempotent)]);
    expect(await bench.gate("unnamed_call")).toEqual(["allow", "unnamed_call"]);
    // What is refused whatever its name is no matter of doubt.
    await bench.rules([rule(idempotent), rule(budget(1))]);
    expect(await bench.gate("unnamed_call")).toEqual(["allow", "too_many_calls"]);
  });

  it("is inconclusive about a call without arguments only where its key would be asked for", async () => {
    await bench.call("a1");
    expect(await bench.gate("no_arguments")).toEqual(["allow"]);
    await bench.rules([rule(idempotent)]);
    expect(await bench.gate("no_arguments")).toEqual(["no_arguments"]);
    await bench.rules([rule(idempotent), rule(forbid)]);
    expect(await bench.gate("no_arguments")).toEqual(["forbidden_tool"]);
  });
});
