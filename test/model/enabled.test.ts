import { describe, expect, it } from "vitest";
import { enabled, type Workload } from "../../src/model/enabled.js";
import type { Action, AttemptName, Fault } from "../../src/model/vocabulary.js";
import { initialWorld, type World } from "../../src/model/world.js";
import {
  advance,
  call,
  cancel,
  empty,
  expire,
  finish,
  type ledger,
  limit,
  removePolicy,
  retry,
  river2,
  river3,
  shapeless,
  submit,
  three,
  without,
  worldAfter,
} from "./fixture.js";

const hang: Fault = { kind: "checker_hangs", stage: "check" };

const workload: Workload = {
  requests: [river2, river3],
  contexts: [call("c1"), call("c2", "t2")],
  faultPlans: [[], [hang]],
  driverFaults: [{ kind: "receipt_ignored" }, { kind: "busy", stage: "execute" }],
  limits: [{ kind: "limit", maxCopies: 1 }, { kind: "remove" }],
  maxAttempts: 3,
  maxPolicyChanges: 2,
  maxCrashes: 1,
};

/** No submissions, so that the rest can be written down. */
const noMore: Workload = { ...workload, maxAttempts: 0 };

const observe: Action = { kind: "observe" };
const crash: Action = { kind: "crash", where: { kind: "parked" } };

function crashAt(attempt: AttemptName, at: (typeof ledger.crashPoints)[number]): Action {
  return { kind: "crash", where: { kind: "at", attempt, at } };
}

function of(world: World, kind: Action["kind"], bounds: Workload = workload): readonly Action[] {
  return enabled(world, bounds).filter((action) => action.kind === kind);
}

describe("what is enabled", () => {
  it("is, in an empty world, each request in each context under each plan, then what an operator does", () => {
    const plan = (faults: readonly Fault[]): readonly Action[] =>
      [river2, river3].flatMap((request) =>
        [call("c1"), call("c2", "t2")].map(
          (context): Action => ({ kind: "submit", attempt: "a1", request, context, faults }),
        ),
      );
    expect(enabled(empty, workload)).toEqual([
      ...plan([]),
      ...plan([hang]),
      limit(1),
      removePolicy,
      { kind: "arm", fault: { kind: "receipt_ignored" } },
      { kind: "arm", fault: { kind: "busy", stage: "execute" } },
      crash,
      observe,
    ]);
  });

  it("is for a parked attempt to go on, to be cancelled, and to be killed at any point", () => {
    expect(enabled(worldAfter(empty, submit("a1", river2)), noMore)).toEqual([
      advance("a1"),
      finish("a1"),
      cancel("a1"),
      limit(1),
      removePolicy,
      { kind: "arm", fault: { kind: "receipt_ignored" } },
      { kind: "arm", fault: { kind: "busy", stage: "execute" } },
      crash,
      crashAt("a1", "inside_transaction"),
      crashAt("a1", "after_commit"),
      crashAt("a1", "before_receipt"),
      crashAt("a1", "after_receipt"),
      observe,
    ]);
  });

  it("is for a blocked attempt to be expired, and for a cancelled one no further cancel", () => {
    const hung = worldAfter(empty, submit("a1", river2, hang), submit("a2", river2), cancel("a2"));
    expect(enabled(hung, { ...noMore, maxPolicyChanges: 0, driverFaults: [], maxCrashes: 0 })).toEqual([
      expire("a1"),
      cancel("a1"),
      advance("a2"),
      finish("a2"),
      observe,
    ]);
    expect(enabled(hung, noMore).filter(({ kind }) => kind === "crash")).toEqual([
      crash,
      crashAt("a2", "inside_transaction"),
      crashAt("a2", "after_commit"),
      crashAt("a2", "before_receipt"),
      crashAt("a2", "after_receipt"),
    ]);
  });

  it("is a retry under each plan of every call whose attempt is over", () => {
    const world = worldAfter(empty, submit("a1", shapeless), submit("a2", river2));
    expect(of(world, "retry")).toEqual([retry("a3", "a1"), retry("a3", "a1", hang)]);
    expect(of(world, "submit")).toHaveLength(8);
  });

  it("gives a new attempt the next name after the largest", () => {
    const world = worldAfter(empty, submit("a7", shapeless), submit("a2", shapeless));
    expect(of(world, "retry").map((action) => "attempt" in action && action.attempt)).toEqual([
      "a8",
      "a8",
      "a8",
      "a8",
    ]);
    expect(of(world, "submit")[0]).toMatchObject({ attempt: "a8" });
  });

  it("is no attempt beyond the bound", () => {
    const two = worldAfter(empty, submit("a1", shapeless), submit("a2", shapeless));
    const full = worldAfter(two, submit("a3", shapeless));
    expect(of(two, "submit")).toHaveLength(8);
    expect([of(full, "submit"), of(full, "retry")]).toEqual([[], []]);
  });

  it("is no change of policy beyond the bound, and no removal of what is not there", () => {
    expect(of(worldAfter(empty, removePolicy), "change_policy")).toEqual([limit(1)]);
    expect(of(worldAfter(empty, limit(1)), "change_policy")).toEqual([limit(1), removePolicy]);
    expect(of(worldAfter(empty, limit(1), limit(1)), "change_policy")).toEqual([]);
  });

  it("is no crash beyond the bound", () => {
    const restarted = worldAfter(empty, crash, { kind: "restart" });
    expect(of(restarted, "crash")).toEqual([]);
    expect(of(restarted, "crash", { ...workload, maxCrashes: 2 })).toEqual([crash]);
  });

  it("is to arm at a free stage and to disarm what is armed", () => {
    const armed = worldAfter(empty, { kind: "arm", fault: { kind: "receipt_ignored" } });
    expect(of(armed, "arm")).toEqual([{ kind: "arm", fault: { kind: "busy", stage: "execute" } }]);
    expect(of(armed, "disarm")).toEqual([{ kind: "disarm", fault: { kind: "receipt_ignored" } }]);
  });

  it("is, of an executor that is down, to restart it and to look", () => {
    expect(enabled(worldAfter(empty, submit("a1", river2), crash), workload)).toEqual([
      { kind: "restart" },
      observe,
    ]);
  });

  it.each([
    { key: "abilities", word: "cancel", kind: "cancel" },
    { key: "abilities", word: "policy", kind: "change_policy" },
    { key: "abilities", word: "crash", kind: "crash" },
  ] as const)("is nothing that the profile does not claim: $word", ({ key, word, kind }) => {
    const bare = worldAfter(initialWorld(without(key, word), three, "drafts"), submit("a1", river2));
    expect(of(bare, kind)).toEqual([]);
    expect(of(worldAfter(empty, submit("a1", river2)), kind)).not.toEqual([]);
  });

  it("is no fault and no crash point that the profile does not claim", () => {
    const noBusy = initialWorld(without("faults", "busy"), three, "drafts");
    expect(of(noBusy, "arm")).toEqual([{ kind: "arm", fault: { kind: "receipt_ignored" } }]);
    const noPoint = initialWorld(without("crashPoints", "after_commit", "before_receipt"), three, "drafts");
    expect(of(worldAfter(noPoint, submit("a1", river2)), "crash")).toEqual([
      crash,
      crashAt("a1", "inside_transaction"),
      crashAt("a1", "after_receipt"),
    ]);
  });
});
