import { describe, expect, it } from "vitest";
import type { Action, Policy } from "../../src/model/vocabulary.js";
import { initialWorld } from "../../src/model/world.js";
import {
  advance,
  begun,
  empty,
  finish,
  ledger,
  limit,
  removePolicy,
  retry,
  river2,
  river3,
  submit,
  take,
  worldAfter,
} from "./fixture.js";

const stale = "before_business advance ended policy_changed/policy_changed";

describe("an empty world", () => {
  it("has revision 1 where the policy starts with a limit", () => {
    expect(initialWorld(ledger, { kind: "limit", maxCopies: 5 }, "drafts")).toEqual({
      profile: ledger,
      tool: "drafts",
      rules: [],
      turns: [],
      calls: 0,
      reservations: [],
      ruleChanges: 0,
      damages: 0,
      executor: "up",
      policy: { kind: "present", revision: 1, maxCopies: 5 },
      revision: 1,
      effects: [],
      receipts: [],
      armed: [],
      attempts: [],
      // A ledger has no runs, no approvals and no capabilities, and never looks at the harness's clock.
      consent: { steps: [], requests: [], decisions: [], uses: [], escalations: [] },
      held: [],
      decisionsMade: 0,
      capabilities: [],
      clock: 0,
      policyChanges: 0,
      crashes: 0,
    });
  });

  it("has used no revision where it starts without a policy", () => {
    const { policy, revision } = initialWorld(ledger, { kind: "remove" }, "drafts");
    expect([policy, revision]).toEqual([{ kind: "missing" }, 0]);
  });
});

describe("a change of policy", () => {
  const rows: readonly {
    readonly why: string;
    readonly changes: readonly Action[];
    readonly policy: Policy;
    readonly revision: number;
  }[] = [
    {
      why: "takes the next revision",
      changes: [limit(1)],
      policy: { kind: "present", revision: 2, maxCopies: 1 },
      revision: 2,
    },
    {
      why: "takes one for the same limit, too",
      changes: [limit(3)],
      policy: { kind: "present", revision: 2, maxCopies: 3 },
      revision: 2,
    },
    { why: "takes none for a removal", changes: [removePolicy], policy: { kind: "missing" }, revision: 1 },
    {
      why: "goes on from the largest ever after a removal",
      changes: [limit(1), removePolicy, limit(3)],
      policy: { kind: "present", revision: 3, maxCopies: 3 },
      revision: 3,
    },
    {
      why: "may remove what is not there",
      changes: [removePolicy, removePolicy],
      policy: { kind: "missing" },
      revision: 1,
    },
  ];

  it.each(rows)("$why", ({ changes, policy, revision }) => {
    const { world, events } = take(empty, ...changes);
    expect(world).toEqual({ ...empty, policy, revision, policyChanges: changes.length });
    expect(events).toEqual([]);
  });

  it("is named by what it leaves", () => {
    expect(take(empty, limit(1), removePolicy).transitions).toEqual([
      "idle change_policy present",
      "idle change_policy missing",
    ]);
  });
});

describe("an attempt that was checked under an older policy", () => {
  it.each([
    { why: "a stricter one (P: changed rule inserts nothing)", changes: [limit(1)] },
    { why: "a looser one (P: relaxed rule still requires fresh check)", changes: [limit(4)] },
    { why: "the same again", changes: [limit(3)] },
    { why: "one that restores the old value (P: 3, 1, 3)", changes: [limit(1), limit(3)] },
    { why: "none at all (P: missing policy does not insert)", changes: [removePolicy] },
    { why: "one set after a removal", changes: [removePolicy, limit(3)] },
  ])("commits nothing under $why", ({ changes }) => {
    const checked = worldAfter(empty, submit("a1", river2), ...changes);
    const { world, events, transitions } = take(checked, finish("a1"));
    expect(transitions).toEqual([stale]);
    expect(events).toEqual([
      {
        kind: "ended",
        attempt: "a1",
        outcome: {
          kind: "completed",
          receiptNumber: 1,
          status: "policy_changed",
          code: "policy_changed",
          events: begun,
          effectExists: false,
          released: "nothing",
        },
      },
    ]);
    expect(world.effects).toEqual([]);
    expect(
      world.receipts.map(({ status, code, events, effectExists }) => [status, code, events, effectExists]),
    ).toEqual([["policy_changed", "policy_changed", begun, false]]);
  });

  it.each([
    { kind: "effect_ignored" },
    { kind: "disk_full", stage: "execute" },
    { kind: "commit_refused", stage: "execute" },
    { kind: "throw_at", at: "inside_transaction" },
  ] as const)("inserts nothing, so that $kind does not matter", (fault) => {
    expect(take(empty, submit("a1", river2, fault), limit(3), advance("a1")).transitions.at(-1)).toBe(stale);
  });

  it.each(["busy", "read_only"] as const)("is not told so when the transaction cannot begin: %s", (kind) => {
    const { transitions } = take(
      empty,
      submit("a1", river2, { kind, stage: "execute" }),
      limit(3),
      advance("a1"),
    );
    expect(transitions.at(-1)).toBe(`before_business advance ended error/${kind}`);
  });

  it("replays an effect that its key has, whatever the policy now says", () => {
    const both = worldAfter(empty, submit("a1", river2), submit("a2", river2), finish("a1"));
    for (const change of [limit(1), limit(9), removePolicy]) {
      expect(take(both, change, advance("a2")).transitions.at(-1)).toBe(
        "before_business advance parked after_business via effect_reused",
      );
    }
  });

  it("conflicts on its key before the policy is looked at", () => {
    const { transitions } = take(
      empty,
      submit("a1", river2),
      submit("a2", river3),
      finish("a1"),
      limit(1),
      advance("a2"),
    );
    expect(transitions.at(-1)).toBe("before_business advance ended key_conflict/key_conflict");
  });

  it("does not mind a change after its commit", () => {
    const { world } = take(empty, submit("a1", river2), advance("a1"), limit(1), finish("a1"));
    expect(world.receipts.map(({ status }) => status)).toEqual(["accepted"]);
  });
});

describe("a fresh attempt", () => {
  it("commits under the revision that it saw", () => {
    const { world, events } = take(empty, limit(1), limit(2), submit("a1", river2), advance("a1"));
    expect(events.map((event) => ("snapshotRevision" in event ? event.snapshotRevision : event))).toEqual([
      { kind: "seen", revision: 3 },
      { kind: "seen", revision: 3 },
    ]);
    expect(world.effects.map(({ revision }) => revision)).toEqual([3]);
  });

  it("is refused first where the check has been tightened; the effect stays", () => {
    const { world, transitions } = take(
      empty,
      submit("a1", river2),
      finish("a1"),
      limit(1),
      retry("a2", "a1"),
    );
    expect(transitions.at(-1)).toBe("new submit ended input_rejected/batch_limit");
    expect(world.effects.map(({ digest }) => digest)).toEqual(["river-2"]);
    expect(world.receipts.map(({ status, effectExists }) => [status, effectExists])).toEqual([
      ["accepted", true],
      ["input_rejected", true],
    ]);
  });
});
