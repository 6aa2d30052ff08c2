import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  allowOthers,
  budget,
  eventsOf,
  forbid,
  idempotent,
  openRuledBench,
  outcomeOf,
  rule,
} from "./ruled-bench.js";

const bench = openRuledBench();
afterAll(() => bench.close());
beforeEach(() => bench.begin());

describe("the rules stage", () => {
  it("lets everything pass without rules, and reserves nothing", async () => {
    await bench.submit("a1");
    await bench.advance("a1");
    await bench.advance("a1");
    const ended = await bench.advance("a1");
    expect(eventsOf(ended)).toEqual([
      "arguments_valid",
      "input_allowed",
      "rules_passed",
      "business_started",
      "effect_committed",
      "output_started",
      "output_allowed",
    ]);
    expect(await bench.reservations()).toEqual([]);
  });

  it.each([
    [forbid, "forbidden_tool"],
    [allowOthers, "tool_not_allowed"],
    [budget(0), "too_many_calls"],
  ])(
    "refuses by %j with %s, before the first checkpoint, with a receipt that has the key",
    async (claim, code) => {
      await bench.rules([rule(claim)]);
      const progress = await bench.submit("a1");
      expect(outcomeOf(progress)).toMatchObject({
        kind: "completed",
        status: "blocked",
        code,
        effectExists: false,
      });
      expect(eventsOf(progress)).toEqual(["arguments_valid", "input_allowed"]);
      const { receipts, effects } = await bench.store();
      expect(receipts).toMatchObject([{ status: "blocked", code, key: { kind: "key", key: "JOB-001" } }]);
      expect(effects).toEqual([]);
    },
  );

  it("gives the code of the first of several: duplicate, forbidden, not allowed, too many", async () => {
    const late = [rule(budget(0)), rule(allowOthers), rule(forbid)];
    await bench.rules([rule(idempotent)]);
    await bench.submit("a1");
    await bench.rules([...late, rule(idempotent)]);
    expect(await bench.call("a2")).toBe("blocked/duplicate_transaction");
    // Another key is no duplicate.
    expect(await bench.call("a3", { job: "JOB-002" })).toBe("blocked/forbidden_tool");
    await bench.rules(late.slice(0, 2));
    expect(await bench.call("a4")).toBe("blocked/tool_not_allowed");
    await bench.rules(late.slice(0, 1));
    expect(await bench.call("a5")).toBe("blocked/too_many_calls");
  });

  it("comes after validation and check, which count nothing and keep their codes", async () => {
    await bench.rules([rule(forbid)]);
    expect(await bench.call("a1", { topic: "sea" })).toBe("input_rejected/topic");
    expect(await bench.call("a2", { copies: 4 })).toBe("input_rejected/batch_limit");
    await bench.rules([rule(budget(1))]);
    expect(await bench.call("a3")).toBe("accepted/ok");
    expect(await bench.call("a4")).toBe("blocked/too_many_calls");
  });

  it("counts every call that came to it, refused ones, lost ones and other tenants' too", async () => {
    await bench.rules([rule(forbid)]);
    await bench.call("a1");
    await bench.rules([rule(budget(3))]);
    await bench.submit("a2", { tenant: "t2" });
    await bench.crash();
    await bench.restart();
    // Two calls came before these: the third may pass, the fourth may not.
    expect(await bench.call("a3", { tenant: "t2" })).toBe("accepted/ok");
    expect(await bench.call("a4")).toBe("blocked/too_many_calls");
  });
});

describe("a condition", () => {
  it("holds once one of its words was said, whatever the case of the letters, and goes on holding", async () => {
    await bench.rules([rule(forbid, { said: ["refund", "Order"] })]);
    expect(await bench.call("a1")).toBe("accepted/ok");
    await bench.say("where is my ORDER");
    expect(await bench.call("a2")).toBe("blocked/forbidden_tool");
    // The article's way around a guard that knows only the turn it is in.
    await bench.say("how is the weather");
    expect(await bench.call("a3")).toBe("blocked/forbidden_tool");
  });

  it("finds no word across two texts", async () => {
    await bench.rules([rule(forbid, { said: ["order"] })]);
    await bench.say("or", "der");
    expect(await bench.call("a1")).toBe("accepted/ok");
  });

  it("holds from its turn on; before anything is said there is no turn", async () => {
    await bench.rules([rule(forbid, { fromTurn: 1 })]);
    expect(await bench.call("a1")).toBe("accepted/ok");
    await bench.rules([rule(forbid, { fromTurn: 2 })]);
    await bench.say("hello");
    expect(await bench.call("a2")).toBe("accepted/ok");
    await bench.say("hello again");
    expect(await bench.call("a3")).toBe("blocked/forbidden_tool");
  });

  it("holds only when both parts do, each in its own time", async () => {
    await bench.rules([rule(forbid, { said: ["order"], fromTurn: 2 })]);
    await bench.say("my order");
    expect(await bench.call("a1")).toBe("accepted/ok");
    await bench.say("hello");
    expect(await bench.call("a2")).toBe("blocked/forbidden_tool");
  });

  it("is judged anew by the whole conversation when the rules change, and after a restart", async () => {
    await bench.say("my order", "hello");
    await bench.rules([rule(forbid, { said: ["order"] })]);
    expect(await bench.call("a1")).toBe("blocked/forbidden_tool");
    await bench.crash();
    await bench.restart();
    expect(await bench.call("a2")).toBe("blocked/forbidden_tool");
    await bench.rules([rule(forbid, { fromTurn: 3 })]);
    expect(await bench.call("a3")).toBe("accepted/ok");
  });
});

describe("a change of rules", () => {
  const before = rule(forbid);

  it("replaces the whole set, also by an empty one", async () => {
    expect(await bench.rules([before])).toBe("taken");
    expect(
      await bench.rules([rule(budget(1), { said: ["order"] }), rule(allowOthers, { fromTurn: 9 })]),
    ).toBe("taken");
    expect(await bench.call("a1")).toBe("accepted/ok");
    await bench.rules([before]);
    expect(await bench.rules([])).toBe("taken");
    expect(await bench.call("a2")).toBe("accepted/ok");
  });

  it.each(["unknown_key", "broken_file"] as const)(
    "is refused with the flaw %s, and the set stays",
    async (flaw) => {
      await bench.rules([before]);
      const sets = [
        [],
        [rule(budget(5))],
        [rule(budget(5)), rule(idempotent, { said: ["order"] })],
        [rule(budget(5), { fromTurn: 2 })],
      ];
      for (const to of sets) expect(await bench.rules(to, flaw)).toBe("refused");
      expect(await bench.call("a1")).toBe("blocked/forbidden_tool");
      await bench.crash();
      await bench.restart();
      expect(await bench.call("a2")).toBe("blocked/forbidden_tool");
    },
  );

  it("takes back no reservation, and asks for none where no idempotent rule is on", async () => {
    await bench.rules([rule(idempotent)]);
    await bench.submit("a1");
    await bench.rules([]);
    expect(await bench.call("a2", { topic: "forest" })).toBe("accepted/ok");
    expect(await bench.reservations()).toEqual(["t1 JOB-001 reserved d-a1"]);
    // The effect that it met came from another request.
    expect(await bench.finish("a1")).toBe("key_conflict/key_conflict");
    expect(await bench.reservations()).toEqual([]);
  });
});
