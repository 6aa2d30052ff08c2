import { describe, expect, it } from "vitest";
import type { DecisionAnswer, Happening } from "../../../../src/model/vocabulary.js";
import { page, region } from "../../../model/guarded/fixture.js";
import {
  accepted,
  advanced,
  decided,
  decisionRow,
  effectRow,
  ended,
  genuine,
  parked,
  settled,
  submitted,
  unaudited,
  useRow,
  waiting,
} from "../../../model/guarded/history.js";
import {
  asked,
  asks,
  breach,
  denied,
  deniedRow,
  denies,
  endsAtOnce,
  executes,
  granted,
  grants,
  lastOf,
  moves,
  occurs,
  policyAt,
  read,
  refused,
  requested,
  resumes,
  sameCall,
  spent,
  starts,
} from "../history.js";

const promise = "denied-stays-denied";

const revoked = { ...granted, decisions: [decisionRow, { ...deniedRow, number: 2 }] };
/** a2 stands before its business when its call is denied after all; events 12 and 13. */
const revokesThere: readonly Happening[] = [...resumes, decided(genuine("d2", "deny")), read(revoked)];

function wentOn(history: readonly Happening[], seen: string) {
  return {
    at: lastOf(history),
    sentence: "a2 went on although somebody had said no to its call.",
    expected: "approval_refused, nothing executed and nothing released",
    seen,
  };
}

describe("denied-stays-denied", () => {
  it("allows a denied call to be refused", () => {
    const history = [...denies, ...endsAtOnce("a2", 2, refused, denied, page, sameCall)];
    expect(breach(promise, history)).toBe("nothing");
    expect(occurs(promise, history)).toBe(true);
  });

  it.each([
    ["denied before anybody approved it", [...denies, submitted("a2", page, sameCall)]],
    ["denied after it was granted and while it stood before its business", [...revokesThere, advanced("a2")]],
  ] as const)("forbids a call to execute that was %s", (_, before) => {
    const history = [...before, parked("a2", "after_business")];
    expect(breach(promise, history)).toEqual(wentOn(history, "parked at after_business"));
  });

  it("forbids it to come to its output", () => {
    const history = [...revokesThere, advanced("a2"), parked("a2", "output_check")];
    expect(breach(promise, history)).toEqual(wentOn(history, "parked at output_check"));
  });

  it("allows it to stand before its business: the no may come while it stands there", () => {
    expect(breach(promise, [...denies, ...starts("a2", "before_business", denied, page, sameCall)])).toBe(
      "nothing",
    );
  });

  it("forbids it to end with a value, or with the word that it executed", () => {
    const released = [
      ...denies,
      submitted("a2", page, sameCall),
      ended("a2", 2, { ...accepted, events: [] }),
    ];
    expect(breach(promise, released)).toEqual(wentOn(released, "completed accepted/ok"));
    for (const event of ["effect_committed", "effect_reused"] as const) {
      const end = unaudited(["receipt_write"], ["business_started", event]);
      const history = [...revokesThere, advanced("a2"), settled("a2", end)];
      expect(breach(promise, history)).toEqual(wentOn(history, "audit_unavailable (receipt_write)"));
    }
  });

  it("forbids its effect, whoever moved", () => {
    const stored = { ...denied, uses: [useRow], effects: [effectRow] };
    const history = [...denies, submitted("a2", page, { callId: "c-a9" }), read(stored)];
    expect(breach(promise, history)).toEqual({
      at: lastOf(history),
      sentence: "While a2 moved, a call executed to which somebody had said no.",
      expected: "no effect of a denied call",
      seen: " of t1: digest page-search, body slow, revision 1",
    });
  });

  it("forbids to ask about it again, even when its request is dead", () => {
    const policy = policyAt(2);
    const second = requested(2, { revision: 2 });
    const history = [
      ...denies,
      { kind: "policy_set", setting: { kind: "limit", maxCopies: 3 } } as const,
      read({ ...denied, policy }),
      ...starts("a2", "before_request", { ...denied, policy }, page, sameCall),
      advanced("a2"),
      ended("a2", 2, waiting),
      read({ ...denied, requests: [...(denied.requests ?? []), second], policy }),
    ];
    expect(breach(promise, history)).toEqual({
      at: lastOf(history),
      sentence: "A call was asked about again after somebody had said no.",
      expected: "no request of call c-a1 after the no",
      seen: "request 2",
    });
  });

  const turnedAway: DecisionAnswer = { kind: "refused", code: "expired" };
  it("forbids to turn a no away, however old its request is", () => {
    const late = { kind: "clock_set", now: 5 } as const;
    const history = [...asks, late, read(asked), decided(genuine("d1", "deny"), turnedAway), read(asked)];
    expect(breach(promise, history)).toEqual({
      at: lastOf(history),
      sentence: "A no to a call that had not been used was turned away.",
      expected: "d1 recorded",
      seen: "refused: expired",
    });
  });

  it("counts a no that was turned away", () => {
    const said = [...asks, decided(genuine("d1", "deny"), turnedAway)];
    const history = [...said, submitted("a2", page, sameCall), parked("a2", "after_business")];
    expect(breach(promise, history)).toEqual(wentOn(history, "parked at after_business"));
  });

  it("counts a no that was recorded before a crash struck its handler", () => {
    const crashes: readonly Happening[] = [
      ...asks,
      { kind: "decision_held", ...genuine("d1", "deny") },
      read(asked),
      {
        kind: "crashed",
        advancing: { kind: "decision", decision: "d1", at: "after_decision" },
        lost: [],
        lostDecisions: ["d1"],
      },
      { kind: "restarted", result: "up" },
    ];
    const goesOn = [submitted("a2", page, sameCall), parked("a2", "after_business")];
    const recorded = [...crashes, read(denied), ...goesOn];
    expect(breach(promise, recorded)).toEqual(wentOn(recorded, "parked at after_business"));
    // Killed before it was recorded, it was never said.
    expect(breach(promise, [...crashes, read(asked), ...goesOn])).toBe("nothing");
  });
});

describe("denied-stays-denied is vacuous", () => {
  const goesOn = [submitted("a2", page, sameCall), parked("a2", "after_business")];
  const byNobody = { approver: "approver-1", tenant: "t1", roles: [] };

  it.each([
    ["while nobody said anything", asks],
    ["when somebody said yes", grants],
    [
      "when the no came from somebody without the role",
      [...asks, decided({ ...genuine("d1", "deny"), by: byNobody })],
    ],
    [
      "when the no came from another tenant",
      [...asks, decided({ ...genuine("d1", "deny"), by: { ...genuine("d1").by, tenant: "t9" } })],
    ],
    [
      "when the no was shown another digest",
      [
        ...asks,
        decided({ ...genuine("d1", "deny"), shown: { ...genuine("d1").shown, digest: "page-other" } }),
      ],
    ],
  ] as const)("%s, and the call goes on", (_, before) => {
    expect(occurs(promise, before)).toBe(false);
    expect(breach(promise, [...before, ...goesOn])).toBe("nothing");
  });

  it("when the call had been used before the no", () => {
    const answer: DecisionAnswer = { kind: "refused", code: "already_used" };
    const history = [
      ...executes,
      decided(genuine("d2", "deny"), answer),
      read(spent),
      ...moves("a2", "output_check", spent),
      advanced("a2"),
      ended("a2", 2, accepted),
    ];
    expect(breach(promise, history)).toBe("nothing");
    expect(occurs(promise, history)).toBe(false);
  });
});

describe("a no", () => {
  it("is to the whole call, and to no other", () => {
    const others = [{ callId: "c-a2" }, { ...sameCall, runId: "r2" }, { ...sameCall, tenant: "t2" }];
    for (const saying of others) {
      const history = [...denies, submitted("a2", page, saying), parked("a2", "after_business")];
      expect(breach(promise, history)).toBe("nothing");
    }
    const otherTool = [...denies, submitted("a2", region, sameCall), parked("a2", "output_check")];
    expect(breach(promise, otherTool)).toEqual(wentOn(otherTool, "parked at output_check"));
  });

  it("may name an earlier request of the call than the latest", () => {
    const requests = [requested(1), requested(2, { requestedAt: 2, expiresAt: 4 })];
    const both = { ...asked, requests };
    const history = [
      ...asks,
      { kind: "clock_set", now: 2 } as const,
      read(asked),
      read(both),
      decided(genuine("d1", "deny")),
      read({ ...both, decisions: [deniedRow] }),
      submitted("a2", page, sameCall),
      parked("a2", "after_business"),
    ];
    expect(breach(promise, history)).toEqual(wentOn(history, "parked at after_business"));
  });
});
