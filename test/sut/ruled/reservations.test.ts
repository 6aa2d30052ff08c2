import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { DriverFault } from "../../../src/model/vocabulary.js";
import { endingOf, eventsOf, idempotent, openRuledBench, outcomeOf, rule, throwAt } from "./ruled-bench.js";

const bench = openRuledBench();
afterAll(() => bench.close());
beforeEach(async () => {
  await bench.begin();
  await bench.rules([rule(idempotent)]);
});

const reserved = "t1 JOB-001 reserved d-a1";
const done = "t1 JOB-001 done d-a1";

describe("a reservation", () => {
  it("stands before the first checkpoint, is settled with the commit, and refuses every other call of its key", async () => {
    await bench.submit("a1");
    expect(await bench.reservations()).toEqual([reserved]);
    expect(await bench.call("a2")).toBe("blocked/duplicate_transaction");
    // Settled before the next checkpoint.
    expect(await bench.advance("a1")).toMatchObject({ kind: "parked", at: "after_business" });
    expect(await bench.reservations()).toEqual([done]);
    await bench.advance("a1");
    expect(eventsOf(await bench.advance("a1"))).toEqual([
      "arguments_valid",
      "input_allowed",
      "rules_passed",
      "key_reserved",
      "business_started",
      "effect_committed",
      "output_started",
      "output_allowed",
    ]);
    expect(await bench.call("a3", { topic: "forest" })).toBe("blocked/duplicate_transaction");
    expect((await bench.store()).effects).toHaveLength(1);
  });

  it("lets one of twelve charges execute and refuses eleven", async () => {
    // The article's case: 12 concurrent charges of one order.
    const names = Array.from({ length: 12 }, (_, index) => `a${index + 1}` as const);
    const entered = [];
    for (const name of names) entered.push(endingOf(await bench.submit(name)));
    expect(entered).toEqual(["parked", ...Array.from({ length: 11 }, () => "blocked/duplicate_transaction")]);
    expect(await bench.finish("a1")).toBe("accepted/ok");
  });

  it("is of a tenant and a key, in whose order it is seen", async () => {
    await bench.submit("a1", { tenant: "t2" });
    await bench.submit("a2", { job: "JOB-002" });
    await bench.submit("a3");
    expect(await bench.reservations()).toEqual([
      "t1 JOB-001 reserved d-a3",
      "t1 JOB-002 reserved d-a2",
      "t2 JOB-001 reserved d-a1",
    ]);
    expect([await bench.finish("a1"), await bench.finish("a2"), await bench.finish("a3")]).toEqual([
      "accepted/ok",
      "accepted/ok",
      "accepted/ok",
    ]);
  });

  it("is settled without a trace in those made meanwhile", async () => {
    await bench.submit("a1");
    await bench.submit("a2", { job: "JOB-002" });
    await bench.finish("a1");
    expect(await bench.reservations()).toEqual([done, "t1 JOB-002 reserved d-a2"]);
  });

  it("is asked for whatever the other rules wait for", async () => {
    await bench.rules([rule(idempotent), rule({ kind: "forbid" }, { said: ["weather"], fromTurn: 2 })]);
    await bench.submit("a1");
    expect(await bench.call("a2")).toBe("blocked/duplicate_transaction");
  });

  it("is asked for by a rule with a condition once that holds, and not before", async () => {
    await bench.rules([rule(idempotent, { said: ["pay"] })]);
    await bench.call("a1");
    expect(await bench.reservations()).toEqual([]);
    await bench.say("pay it");
    expect(await bench.call("a2")).toBe("accepted/ok");
    expect(await bench.call("a3")).toBe("blocked/duplicate_transaction");
  });

  it("is done as well where its call met an effect made before there was a rule", async () => {
    await bench.rules([]);
    await bench.call("a9");
    await bench.rules([rule(idempotent)]);
    expect(await bench.call("a1")).toBe("accepted/ok");
    expect(await bench.reservations()).toEqual([done]);
  });

  it("is given back by a cancel or a throw before the business step", async () => {
    await bench.submit("a1");
    await bench.port.cancel("a1");
    expect(await bench.finish("a1")).toBe("cancelled");
    expect(await bench.reservations()).toEqual([]);
    await bench.submit("a2", { faults: throwAt("before_business") });
    expect(await bench.finish("a2")).toBe("error/before_business");
    expect(await bench.reservations()).toEqual([]);
    expect(await bench.call("a3")).toBe("accepted/ok");
  });

  it("is given back by a throw right after it was made", async () => {
    const progress = await bench.submit("a1", { faults: throwAt("after_reserve") });
    expect(outcomeOf(progress)).toMatchObject({
      status: "error",
      code: "after_reserve",
      effectExists: false,
    });
    expect(eventsOf(progress)).toEqual(["arguments_valid", "input_allowed", "rules_passed", "key_reserved"]);
    expect(await bench.reservations()).toEqual([]);
  });

  const failures: readonly (readonly [DriverFault, string])[] = [
    [{ kind: "effect_ignored" }, "effect_not_written"],
    [{ kind: "busy", stage: "execute" }, "busy"],
    [{ kind: "commit_refused", stage: "execute" }, "commit_refused"],
    [{ kind: "disk_full", stage: "execute" }, "disk_full"],
    [{ kind: "read_only", stage: "execute" }, "read_only"],
  ];
  it.each(failures)("is given back by %o: nothing happened, and that is proven", async (fault, code) => {
    expect(await bench.call("a1", { faults: [fault] })).toBe(`error/${code}`);
    expect(await bench.reservations()).toEqual([]);
    expect(await bench.call("a2")).toBe("accepted/ok");
  });

  it("is given back by a throw inside the transaction, and by a policy that changed", async () => {
    expect(await bench.call("a1", { faults: throwAt("inside_transaction") })).toBe(
      "error/inside_transaction",
    );
    expect(await bench.reservations()).toEqual([]);
    await bench.submit("a2");
    await bench.port.setPolicy({ kind: "limit", maxCopies: 3 });
    expect(await bench.finish("a2")).toBe("policy_changed/policy_changed");
    expect(await bench.reservations()).toEqual([]);
  });

  it("is unknown after an error that proves nothing, and goes on refusing", async () => {
    expect(await bench.call("a1", { faults: throwAt("after_commit") })).toBe("error/after_commit");
    expect(await bench.reservations()).toEqual(["t1 JOB-001 unknown d-a1"]);
    expect(await bench.call("a2")).toBe("blocked/duplicate_transaction");
    await bench.reconcile();
    expect(await bench.reservations()).toEqual([done]);
  });

  it("stays reserved where settling it throws: what was going on is an error, what had failed keeps its code", async () => {
    expect(await bench.call("a1", { faults: throwAt("before_settle") })).toBe("error/before_settle");
    expect(await bench.reservations()).toEqual([reserved]);
    expect((await bench.store()).effects).toHaveLength(1);
    const faults = [...throwAt("inside_transaction"), ...throwAt("before_settle")];
    expect(await bench.call("a2", { job: "JOB-002", faults })).toBe("error/inside_transaction");
    expect(await bench.reservations()).toEqual([reserved, "t1 JOB-002 reserved d-a2"]);
    await bench.reconcile();
    expect(await bench.reservations()).toEqual([done]);
  });

  it("does not depend on what becomes of output and receipt", async () => {
    expect(await bench.call("a1", { faults: [{ kind: "bad_output" }] })).toBe(
      "output_rejected/output_contract",
    );
    expect(await bench.call("a2", { job: "JOB-002", faults: [{ kind: "receipt_aborted" }] })).toBe(
      "audit_unavailable",
    );
    expect(await bench.reservations()).toEqual([done, "t1 JOB-002 done d-a2"]);
  });
});

describe("a crash", () => {
  it("before the effect leaves the key reserved, and the restart gives it back", async () => {
    await bench.submit("a1");
    await bench.crash();
    expect(await bench.reservations()).toEqual([reserved]);
    expect(await bench.restart()).toBe("up");
    expect(await bench.reservations()).toEqual([]);
    expect(await bench.call("a2")).toBe("accepted/ok");
  });

  it("right after the key was reserved is settled by the restart too", async () => {
    expect(await bench.crashEntering("a1", "after_reserve")).toEqual({ kind: "crashed" });
    expect(await bench.reservations()).toEqual([reserved]);
    await bench.restart();
    expect(await bench.reservations()).toEqual([]);
  });

  it.each(["after_commit", "before_settle"] as const)(
    "at %s leaves effect and reserved key; the restart makes it done",
    async (at) => {
      await bench.submit("a1");
      expect(await bench.crashAt("a1", at)).toEqual({ kind: "crashed" });
      expect(await bench.reservations()).toEqual([reserved]);
      expect((await bench.store()).effects).toHaveLength(1);
      await bench.restart();
      expect(await bench.reservations()).toEqual([done]);
      expect(await bench.call("a2")).toBe("blocked/duplicate_transaction");
    },
  );

  it("inside the transaction leaves no effect, and the restart gives the key back", async () => {
    await bench.submit("a1");
    await bench.crashAt("a1", "inside_transaction");
    expect(await bench.reservations()).toEqual([reserved]);
    await bench.restart();
    expect(await bench.reservations()).toEqual([]);
  });

  it("at a point that is not passed is a plain advance", async () => {
    await bench.rules([]);
    await bench.submit("a1");
    expect(await bench.crashAt("a1", "before_settle")).toMatchObject({
      kind: "missed",
      progress: { kind: "parked", at: "after_business" },
    });
  });
});

describe("reconciling", () => {
  it("leaves alone what an attempt under way has reserved, also where it cannot be read", async () => {
    await bench.submit("a1");
    await bench.reconcile();
    expect(await bench.reservations()).toEqual([reserved]);
    await bench.damage();
    await bench.reconcile();
    expect(await bench.reservations()).toEqual(["t1 JOB-001 unreadable d-a1"]);
  });

  it("tells by the effects what a damaged ledger held, also of rows that were done", async () => {
    await bench.call("a1");
    await bench.call("a2", {
      job: "JOB-002",
      faults: [...throwAt("inside_transaction"), ...throwAt("before_settle")],
    });
    await bench.damage();
    expect(await bench.reservations()).toEqual(["t1 JOB-001 unreadable d-a1", "t1 JOB-002 unreadable d-a2"]);
    await bench.reconcile();
    expect(await bench.reservations()).toEqual([done]);
  });
});

describe("a ledger that cannot be read", () => {
  it("is an error for the keys that it holds, before any other refusal, and hides no other key", async () => {
    await bench.call("a1");
    await bench.damage();
    await bench.rules([rule({ kind: "forbid" }, { said: ["order"] }), rule(idempotent)]);
    await bench.say("my order");
    const progress = await bench.submit("a2");
    expect(outcomeOf(progress)).toMatchObject({
      status: "error",
      code: "ledger_unreadable",
      effectExists: true,
    });
    expect(eventsOf(progress)).toEqual(["arguments_valid", "input_allowed"]);
    expect(await bench.call("a3", { job: "JOB-002" })).toBe("blocked/forbidden_tool");
    await bench.rules([rule(idempotent)]);
    expect(await bench.call("a4", { job: "JOB-003" })).toBe("accepted/ok");
  });

  it("is nobody's business where no idempotent rule is on", async () => {
    await bench.call("a1");
    await bench.damage();
    await bench.rules([]);
    expect(await bench.call("a2")).toBe("accepted/ok");
    expect(await bench.reservations()).toEqual(["t1 JOB-001 unreadable d-a1"]);
  });

  it("is settled by the attempts under way all the same", async () => {
    await bench.submit("a1");
    await bench.submit("a2", { job: "JOB-002", faults: throwAt("inside_transaction") });
    await bench.damage();
    expect(await bench.finish("a1")).toBe("accepted/ok");
    expect(await bench.finish("a2")).toBe("error/inside_transaction");
    expect(await bench.reservations()).toEqual([done]);
  });

  it("is settled at a restart", async () => {
    await bench.call("a1");
    await bench.submit("a2", { job: "JOB-002" });
    await bench.damage();
    await bench.crash();
    await bench.restart();
    expect(await bench.reservations()).toEqual([done]);
  });
});
