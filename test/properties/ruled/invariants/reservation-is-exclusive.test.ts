import { describe, expect, it } from "vitest";
import type { Outcome, RuleSetting } from "../../../../src/model/vocabulary.js";
import { forbidden, once, rule } from "../../../model/ruled/fixture.js";
import {
  advanced,
  advanceTo,
  advanceToEnd,
  auditUnavailable,
  changedRequest,
  crashedAt,
  crashedAtRest,
  effect,
  invalid,
  observed,
  otherKey,
  receipt,
  restarted,
  store,
  unknown,
  valid,
} from "../../history.js";
import {
  begins,
  breach,
  commits,
  ends,
  endsAtOnce,
  enters,
  lastOf,
  occurs,
  outcome,
  passage,
  passes,
  refuses,
  rulesSet,
  said,
  type Telling,
} from "../history.js";

const promise = "reservation-is-exclusive";
const keyed = [begins, rulesSet([once])];
const effects = [effect()];
const after = store({ effects });

/** a2 executed after a1; the event that shows it is so many before the last. */
function twice(history: Telling, before = 0) {
  return {
    at: lastOf(...history) - before,
    sentence: "a2 executed under JOB-001 of t1, which a1 had executed under.",
    expected: "duplicate_transaction",
    seen: "both executed",
  };
}

const accepted = (events: typeof passage.committed | typeof passage.reused) =>
  outcome("a2", "accepted", "ok", events);

describe("reservation-is-exclusive", () => {
  it("allows one attempt to execute and every other to be refused", () => {
    const history = [
      ...keyed,
      commits("a1"),
      refuses("a2", "duplicate_transaction"),
      refuses("a3", "ledger_unreadable"),
    ];
    expect(breach(promise, ...history)).toBe("nothing");
    expect(occurs(promise, ...history)).toBe(true);
  });

  it.each<[string, Outcome]>([
    ["commits again", accepted(passage.committed)],
    ["meets the effect again", accepted(passage.reused)],
    ["commits and throws", outcome("a2", "error", "after_commit", passage.committed)],
    ["commits, though its audit fails", auditUnavailable(passage.committed)],
  ])("forbids that another %s", (_, end) => {
    const history = [...keyed, commits("a1"), ends("a2", end, { effects })];
    // The store is read once more behind the end.
    expect(breach(promise, ...history)).toEqual(twice(history, 1));
  });

  it("forbids it to other arguments under the key, too", () => {
    const history = [
      ...keyed,
      commits("a1"),
      ends("a2", accepted(passage.committed), {}, { contract: changedRequest }),
    ];
    expect(breach(promise, ...history)).toEqual(twice(history, 1));
  });

  it("sees what an attempt that tells nothing did by its receipt, or by the effect that came with it", () => {
    const written = { effects, receipts: [receipt(1, "a2", { events: passage.committed })] };
    const byReceipt = [...keyed, commits("a1"), ends("a2", unknown(), written)];
    expect(breach(promise, ...byReceipt)).toEqual(twice(byReceipt, 1));
    const reverted = { effects, receipts: [receipt(1, "a2", { events: passage.begun })] };
    expect(breach(promise, ...keyed, commits("a1"), ends("a2", unknown(), reverted))).toBe("nothing");
    // a2's effect appears while it moves, a1's a step later: neither tells its caller anything.
    const byEffect = [
      ...keyed,
      passes("a1"),
      observed(store()),
      passes("a2"),
      observed(store()),
      advanceTo("a1", "after_business", after),
      advanceTo("a2", "after_business", store({ effects: [...effects, effect()] })),
      advanceToEnd("a2", unknown(), store({ effects: [...effects, effect()] })),
    ];
    expect(breach(promise, ...byEffect)).toEqual(twice(byEffect, 1));
  });

  it("forbids it while the first is still under way behind its commit", () => {
    const held = [passes("a1"), observed(store()), advanceTo("a1", "after_business", after)];
    const history = [...keyed, ...held, ends("a2", accepted(passage.reused), { effects })];
    expect(breach(promise, ...history)).toEqual(twice(history, 1));
  });

  it("forbids it after a crash that struck the first behind its commit", () => {
    const struck = [passes("a1"), observed(store()), crashedAt("after_commit", "a1"), observed(after)];
    const again = [...keyed, ...struck, restarted, ends("a2", accepted(passage.reused), { effects })];
    expect(breach(promise, ...again)).toEqual(twice(again, 1));
    const heeded = [...keyed, ...struck, restarted, refuses("a2", "duplicate_transaction")];
    expect(breach(promise, ...heeded)).toBe("nothing");
  });

  it("forbids it to an attempt that is lost, as soon as its effect is seen", () => {
    const both = store({ effects: [...effects, effect({ digest: "D2" })] });
    const history = [
      ...keyed,
      commits("a1"),
      passes("a2"),
      observed(after),
      crashedAt("inside_transaction", "a2"),
      observed(both),
    ];
    expect(breach(promise, ...history)).toEqual(twice(history));
    const harmless = [
      ...keyed,
      commits("a1"),
      passes("a2"),
      observed(after),
      crashedAtRest("a2"),
      observed(after),
    ];
    expect(breach(promise, ...harmless)).toBe("nothing");
  });

  it.each<[string, Telling]>([
    ["was rolled back", [ends("a1", outcome("a1", "error", "inside_transaction", passage.begun))]],
    ["gave its key back", [endsAtOnce("a1", outcome("a1", "error", "after_reserve", passage.reserved))]],
    ["was refused", [refuses("a1", "duplicate_transaction")]],
    ["was lost before its effect", [passes("a1"), observed(store()), crashedAtRest("a1"), observed(store())]],
    ["is under way before its effect", [passes("a1"), observed(store())]],
    ["executed under another key", [commits("a1", { contract: otherKey })]],
    ["executed in another tenant", [commits("a1", { tenant: "t2" })]],
  ])("allows the next to execute where the first %s", (_, first) => {
    expect(breach(promise, ...keyed, ...first, commits("a2"))).toBe("nothing");
  });

  it("guards what was called while the rule was active, and nothing else", () => {
    const from = (fromTurn: number): RuleSetting => [rule(once.claim, { fromTurn })];
    const before = [begins, rulesSet(from(1)), commits("a1"), said("hello"), observed(after)];
    expect(breach(promise, ...before, commits("a2"))).toBe("nothing");
    const afterwards = [...keyed, commits("a1"), rulesSet([]), observed(after), commits("a2")];
    expect(breach(promise, ...afterwards)).toBe("nothing");
    // a1 executed under the rule, a2 without it, and a3 under it again: that is a1's key.
    const again = [...afterwards, rulesSet([once]), observed(after), commits("a3")];
    expect(breach(promise, ...again)).toEqual({
      ...twice(again, 1),
      sentence: "a3 executed under JOB-001 of t1, which a1 had executed under.",
    });
  });

  it("is vacuous until two calls have to reserve one key", () => {
    expect(occurs(promise, ...keyed, commits("a1"))).toBe(false);
    expect(occurs(promise, begins, commits("a1"), commits("a2"))).toBe(false);
    expect(occurs(promise, begins, rulesSet([forbidden]), passes("a1"), passes("a2"))).toBe(false);
    expect(occurs(promise, ...keyed, commits("a1"), enters("a2", { contract: otherKey }))).toBe(false);
    expect(occurs(promise, ...keyed, commits("a1"), enters("a2", { tenant: "t2" }))).toBe(false);
    expect(
      occurs(promise, ...keyed, enters("a1", { contract: invalid }), enters("a2", { contract: invalid })),
    ).toBe(false);
    // One that the check refuses comes to no ledger.
    expect(
      occurs(promise, ...keyed, commits("a1"), enters("a2", { contract: valid("JOB-001", "D4", 4) })),
    ).toBe(false);
    expect(occurs(promise, ...keyed, enters("a1"), enters("a2"))).toBe(true);
    expect(occurs(promise, begins, enters("a1"), rulesSet([once]), observed(store()), enters("a2"))).toBe(
      false,
    );
  });

  it("tells of the attempt that ends second, whichever was submitted first", () => {
    const history = [
      ...keyed,
      passes("a1"),
      observed(store()),
      commits("a2"),
      advanced("a1"),
      advanceToEnd("a1", outcome("a1", "accepted", "ok", passage.reused), after).slice(1),
    ];
    expect(breach(promise, ...history)).toEqual({
      ...twice(history, 1),
      sentence: "a1 executed under JOB-001 of t1, which a2 had executed under.",
    });
  });
});
