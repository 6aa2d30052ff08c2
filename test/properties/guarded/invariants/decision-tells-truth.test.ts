import { describe, expect, it } from "vitest";
import type {
  Decision,
  DecisionAnswer,
  DecisionRefusal,
  Happening,
} from "../../../../src/model/vocabulary.js";
import { guarded } from "../../../model/guarded/fixture.js";
import { decided, decisionRow, genuine, requestRow } from "../../../model/guarded/history.js";
import { happened } from "../../history.js";
import {
  asked,
  asks,
  breach,
  denied,
  denies,
  executes,
  granted,
  grants,
  lastOf,
  occurs,
  policyAt,
  read,
  requested,
  type Stored,
  spent,
  verdictOn,
} from "../history.js";

const promise = "decision-tells-truth";
const yes = genuine("d9");
const no = genuine("d9", "deny");

function refusedAs(code: DecisionRefusal): DecisionAnswer {
  return { kind: "refused", code };
}
const late: Happening = { kind: "clock_set", now: 2 };
const changes: Happening = { kind: "policy_set", setting: { kind: "limit", maxCopies: 3 } };

/** Decides on a store; the store then holds one decision row more if it was `recorded`. */
function decides(before: readonly Happening[], stored: Stored, decision: Decision, answer: DecisionAnswer) {
  const { decisions = [] } = stored;
  const { request, verdict, by } = decision;
  const row = { ...decisionRow, number: decisions.length + 1, request, verdict, approver: by.approver };
  const after = answer.kind === "recorded" ? { ...stored, decisions: [...decisions, row] } : stored;
  return [...before, decided(decision, answer), read(after)];
}

function otherwise(
  history: readonly Happening[],
  expected: string,
  seen: string,
  verdict = "grant",
  request = 1,
) {
  return {
    at: lastOf(history),
    sentence: `d9, a ${verdict} of request ${request}, was answered otherwise than it deserves.`,
    expected,
    seen,
  };
}

const shown = (parts: Partial<Decision["shown"]>): Decision => ({
  ...yes,
  shown: { ...yes.shown, ...parts },
});
const by = (parts: Partial<Decision["by"]>): Decision => ({ ...yes, by: { ...yes.by, ...parts } });
const two: Stored = { ...asked, requests: [requestRow, requested(2, { requestedAt: 2, expiresAt: 4 })] };
const expiredThenTwo = [...asks, late, read(asked), read(two)];

type Row = readonly [why: DecisionRefusal, decision: Decision, before: readonly Happening[], stored: Stored];
const refusals: readonly Row[] = [
  ["no_such_request", { ...yes, request: 1001 }, asks, asked],
  ["tenant_mismatch", by({ tenant: "t9" }), asks, asked],
  ["not_entitled", by({ roles: [] }), asks, asked],
  ["not_entitled", by({ roles: ["editor"] }), asks, asked],
  ["not_entitled", by({ approver: "p1" }), asks, asked],
  ["tool_mismatch", shown({ tool: "other_tool" }), asks, asked],
  ["call_mismatch", shown({ callId: "c-other" }), asks, asked],
  ["call_mismatch", shown({ runId: "r2" }), asks, asked],
  ["digest_mismatch", shown({ digest: "0".repeat(64) }), asks, asked],
  ["already_used", yes, executes, spent],
  ["already_used", no, executes, spent],
  ["already_denied", yes, denies, denied],
  ["already_denied", no, denies, denied],
  ["superseded", yes, expiredThenTwo, two],
  ["already_granted", yes, grants, granted],
  ["expired", yes, [...asks, late, read(asked)], asked],
  [
    "policy_changed",
    yes,
    [...asks, changes, read({ ...asked, policy: policyAt(2) })],
    { ...asked, policy: policyAt(2) },
  ],
  [
    "policy_changed",
    yes,
    [...asks, changes, read({ ...asked, policy: { kind: "missing" } })],
    { ...asked, policy: { kind: "missing" } },
  ],
];

describe("decision-tells-truth", () => {
  it.each(refusals)("allows to refuse as %s, and forbids to record it", (why, decision, before, stored) => {
    const refused = decides(before, stored, decision, refusedAs(why));
    expect(breach(promise, refused)).toBe("nothing");
    expect(occurs(promise, refused)).toBe(true);
    const recorded = decides(before, stored, decision, { kind: "recorded" });
    expect(breach(promise, recorded)).toEqual(
      otherwise(recorded, `refused: ${why}`, "recorded", decision.verdict, decision.request),
    );
  });

  // Consent is narrow, refusal broad: a no may come after a yes, name an old request, one that is dead, or one
  // that was disclosed under another policy.
  it.each<[string, Decision, readonly Happening[], Stored]>([
    ["a yes to what waits", yes, asks, asked],
    ["a yes at the last moment", yes, [...asks, { kind: "clock_set", now: 1 }, read(asked)], asked],
    ["a yes to the latest request", { ...yes, request: 2 }, expiredThenTwo, two],
    ["a no to what waits", no, asks, asked],
    ["a no after a yes", no, grants, granted],
    ["a no to an old request", no, expiredThenTwo, two],
    ["a no to an expired request", no, [...asks, late, read(asked)], asked],
    [
      "a no under another policy",
      no,
      [...asks, changes, read({ ...asked, policy: policyAt(2) })],
      { ...asked, policy: policyAt(2) },
    ],
  ])("allows to record %s, and forbids to refuse it", (_, decision, before, stored) => {
    expect(breach(promise, decides(before, stored, decision, { kind: "recorded" }))).toBe("nothing");
    const refused = decides(before, stored, decision, refusedAs("expired"));
    expect(breach(promise, refused)).toEqual(
      otherwise(refused, "recorded", "refused: expired", decision.verdict, decision.request),
    );
  });

  it("does not ask for the very reason of a refusal, which the machine does", () => {
    expect(breach(promise, decides(asks, asked, by({ roles: [] }), refusedAs("expired")))).toBe("nothing");
  });

  it("lets the requester approve where nobody claims a separate approver", () => {
    const { abilities } = guarded;
    const profile = { ...guarded, abilities: abilities.filter((ability) => ability !== "separate_approver") };
    const history = decides(asks, asked, by({ approver: "p1" }), { kind: "recorded" });
    expect(verdictOn(happened(...history), [promise], profile).violations).toEqual([]);
  });
});
