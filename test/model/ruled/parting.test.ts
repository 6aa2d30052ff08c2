import { describe, expect, it } from "vitest";
import { decidingStage, partingStage } from "../../../src/model/parting.js";
import type { Predicted } from "../../../src/model/predicted.js";
import type { Sight } from "../../../src/model/sight.js";
import type { Code, Profile, Stage, StageEvent, Status } from "../../../src/model/vocabulary.js";
import { ledger } from "../fixture.js";
import { guarded } from "../guarded/fixture.js";
import { begun, committed, complete, reserved, ruled, ruledIn, without } from "./fixture.js";

function ends(status: Status, code: Code, events: readonly StageEvent[], receiptNumber = 1) {
  const released = status === "accepted" ? "acceptable" : "nothing";
  const outcome = {
    kind: "completed",
    receiptNumber,
    status,
    code,
    events,
    effectExists: false,
    released,
  } as const;
  return { kind: "ended", attempt: "a1", outcome } as const;
}

const seen = { kind: "seen", revision: 1 } as const;
const standing: Extract<Predicted, { kind: "parked" }> = {
  kind: "parked",
  attempt: "a1",
  at: "before_business",
  snapshotRevision: seen,
};
const valid: readonly StageEvent[] = ["arguments_valid"];
const allowed: readonly StageEvent[] = [...valid, "input_allowed"];
const granted: readonly StageEvent[] = [...allowed, "capability_granted"];
const matched: readonly StageEvent[] = [...granted, "approval_matched"];
const profiles = { ledger, ruled, guarded };
/** All the way of a guarded attempt. */
const approved: readonly StageEvent[] = [
  ...matched,
  "business_started",
  "effect_committed",
  "output_started",
  "output_allowed",
];

describe("the stage at which an attempt parts that should have come to its business", () => {
  it.each<readonly [keyof typeof profiles, string, Sight, Stage]>([
    ["ledger", "no shape", ends("input_rejected", "shape", []), "check"],
    ["ledger", "a limit", ends("input_rejected", "batch_limit", valid), "check"],
    ["ledger", "another refusal", ends("blocked", "forbidden_tool", allowed), "check"],
    ["ledger", "all its way", ends("accepted", "ok", complete), "check"],
    ["ruled", "no shape", ends("input_rejected", "shape", []), "check"],
    ["ruled", "a limit", ends("input_rejected", "batch_limit", valid), "check"],
    ["ruled", "a rule", ends("blocked", "forbidden_tool", allowed), "rules"],
    ["ruled", "a ledger that cannot be read", ends("error", "ledger_unreadable", allowed), "rules"],
    ["ruled", "a throw after the reservation", ends("error", "after_reserve", reserved), "reserve"],
    ["ruled", "a business that had begun", ends("policy_changed", "policy_changed", begun), "reserve"],
    ["guarded", "a capability", ends("permission_denied", "capability", allowed), "capability"],
    ["guarded", "an approval", ends("waiting_for_approval", "approval_required", granted), "approval"],
    ["guarded", "a run that has ended", ends("blocked", "run_ended", []), "check"],
  ])("in %s by %s", (name, _, sight, stage) => {
    expect(partingStage(standing, sight, profiles[name])).toBe(stage);
  });

  it("is the check where only the policy that it saw is another", () => {
    const other: Sight = { ...standing, snapshotRevision: { kind: "seen", revision: 2 } };
    for (const profile of [ledger, ruled, guarded])
      expect(partingStage(standing, other, profile)).toBe("check");
  });

  it("is the stage whose checker it waits for, if it is on that way", () => {
    const hangs = (on: string): Sight => ({ kind: "blocked", attempt: "a1", on });
    expect(partingStage(standing, hangs("capability"), guarded)).toBe("capability");
    expect(partingStage(standing, hangs("check"), ruled)).toBe("check");
    expect(partingStage(standing, hangs("output"), ruled)).toBe("reserve");
    expect(partingStage(standing, hangs("output"), ledger)).toBe("check");
  });

  it.each<readonly [Profile, Stage]>([
    [ledger, "check"],
    [ruled, "reserve"],
    [without("layers", "reserve"), "rules"],
    [without("layers", "rules", "reserve", "check"), "check"],
    [guarded, "approval"],
  ])("is the last one before the business where nothing tells", (profile, stage) => {
    const untold: Sight = {
      kind: "ended",
      attempt: "a1",
      outcome: { kind: "unknown", cause: "after_receipt" },
    };
    expect(partingStage(standing, untold, profile)).toBe(stage);
    expect(partingStage(standing, { kind: "cancel_too_late", attempt: "a1" }, profile)).toBe(stage);
    expect(partingStage(standing, { ...standing, at: "output_check" }, profile)).toBe(stage);
    expect(decidingStage(standing, profile)).toBe(stage);
    const silent = { ...profile, abilities: profile.abilities.filter((word) => word !== "stage_events") };
    expect(partingStage(standing, ends("blocked", "forbidden_tool", allowed), silent)).toBe(stage);
  });

  it("is that of the checkpoint elsewhere, whatever was seen", () => {
    const business: Predicted = { ...standing, at: "after_business" };
    expect(partingStage(business, ends("blocked", "forbidden_tool", allowed), ruled)).toBe("execute");
    expect(partingStage({ ...standing, at: "output_check" }, standing, ruled)).toBe("output");
    expect(decidingStage({ ...standing, at: "before_request" }, guarded)).toBe("approval");
  });
});

describe("the stage at which two ends part", () => {
  /** What was due, what was seen: the stage that says the word that was due, or that ends the attempt. */
  it.each<readonly [keyof typeof profiles, string, Predicted, Sight, Stage]>([
    [
      "ruled",
      "the validation",
      ends("accepted", "ok", complete),
      ends("input_rejected", "shape", []),
      "validate",
    ],
    [
      "ruled",
      "the check",
      ends("accepted", "ok", complete),
      ends("input_rejected", "batch_limit", valid),
      "check",
    ],
    [
      "ruled",
      "the rules",
      ends("accepted", "ok", complete),
      ends("blocked", "forbidden_tool", allowed),
      "rules",
    ],
    ["ruled", "the reservation", ends("accepted", "ok", complete), ends("error", "x", ruledIn), "reserve"],
    ["ruled", "the business", ends("accepted", "ok", complete), ends("error", "x", reserved), "execute"],
    ["ruled", "the effect", ends("accepted", "ok", complete), ends("error", "x", begun), "execute"],
    ["ruled", "the output", ends("accepted", "ok", complete), ends("error", "x", committed), "output"],
    [
      "ruled",
      "a refusal by a rule",
      ends("blocked", "forbidden_tool", allowed),
      ends("accepted", "ok", complete),
      "rules",
    ],
    [
      "ruled",
      "the rule that refuses",
      ends("blocked", "forbidden_tool", allowed),
      ends("blocked", "too_many_calls", allowed),
      "rules",
    ],
    [
      "ruled",
      "a refusal by the check",
      ends("input_rejected", "batch_limit", valid),
      ends("accepted", "ok", complete),
      "check",
    ],
    [
      "ruled",
      "a throw after the reservation",
      ends("error", "after_reserve", reserved),
      ends("accepted", "ok", complete),
      "reserve",
    ],
    [
      "ruled",
      "a throw at the settling",
      ends("error", "before_settle", committed),
      ends("accepted", "ok", complete),
      "reserve",
    ],
    [
      "ruled",
      "a throw before the business, with a key",
      ends("error", "before_business", reserved),
      ends("accepted", "ok", complete),
      "execute",
    ],
    [
      "ruled",
      "a throw before the business, without",
      ends("error", "before_business", ruledIn),
      ends("accepted", "ok", complete),
      "execute",
    ],
    [
      "ruled",
      "a throw after the commit",
      ends("error", "after_commit", committed),
      ends("accepted", "ok", complete),
      "output",
    ],
    [
      "ruled",
      "the end after the rules",
      ends("cancelled", "x", ruledIn),
      ends("accepted", "ok", complete),
      "execute",
    ],
    [
      "ruled",
      "the end after the reservation",
      ends("cancelled", "x", reserved),
      ends("accepted", "ok", complete),
      "execute",
    ],
    [
      "ruled",
      "a receipt's number",
      ends("accepted", "ok", complete),
      ends("accepted", "ok", complete, 2),
      "receipt",
    ],
    [
      "ledger",
      "the end after the check",
      ends("error", "before_business", allowed),
      ends("accepted", "ok", complete),
      "execute",
    ],
    [
      "ledger",
      "another end after the check",
      ends("cancelled", "x", allowed),
      ends("accepted", "ok", complete),
      "execute",
    ],
    ["guarded", "the run", ends("blocked", "run_ended", []), ends("accepted", "ok", approved), "run"],
    [
      "guarded",
      "a throw at the run",
      ends("error", "after_step", []),
      ends("accepted", "ok", approved),
      "run",
    ],
    ["guarded", "a shape", ends("input_rejected", "shape", []), ends("accepted", "ok", approved), "validate"],
    [
      "guarded",
      "the capability",
      ends("permission_denied", "capability", allowed),
      ends("accepted", "ok", approved),
      "capability",
    ],
    [
      "guarded",
      "the capability that is granted",
      ends("accepted", "ok", matched),
      ends("permission_denied", "capability", allowed),
      "capability",
    ],
    [
      "guarded",
      "the approval",
      ends("waiting_for_approval", "approval_required", granted),
      ends("accepted", "ok", approved),
      "approval",
    ],
    [
      "guarded",
      "the approval that matches",
      ends("accepted", "ok", matched),
      ends("accepted", "ok", granted),
      "approval",
    ],
    [
      "guarded",
      "a throw before the request",
      ends("error", "before_request", granted),
      ends("accepted", "ok", approved),
      "approval",
    ],
    [
      "guarded",
      "a throw after the request",
      ends("error", "after_request", granted),
      ends("accepted", "ok", approved),
      "approval",
    ],
    [
      "guarded",
      "a throw before a business that nobody had to approve",
      ends("error", "before_business", granted),
      ends("accepted", "ok", approved),
      "execute",
    ],
    [
      "ruled",
      "a reuse",
      ends("accepted", "ok", [...begun, "effect_reused"]),
      ends("error", "x", begun),
      "execute",
    ],
    [
      "guarded",
      "the end after the approval",
      ends("cancelled", "x", matched),
      ends("accepted", "ok", approved),
      "execute",
    ],
  ])("is that of what was due: %s, %s", (name, _, due, sight, stage) => {
    expect(partingStage(due, sight, profiles[name])).toBe(stage);
  });

  it("is told from the due end alone where no events are shown", () => {
    const silent = without("abilities", "stage_events");
    const due = ends("blocked", "forbidden_tool", allowed);
    expect(partingStage(due, ends("accepted", "ok", []), silent)).toBe("rules");
    expect(partingStage(ends("blocked", "x", []), due, ruled)).toBe("validate");
  });

  it.each<readonly [Predicted, Stage]>([
    [ends("blocked", "forbidden_tool", allowed), "rules"],
    [ends("accepted", "ok", complete), "receipt"],
    [ends("error", "after_reserve", reserved), "reserve"],
    [ends("key_conflict", "key_conflict", begun), "execute"],
    [{ kind: "blocked", attempt: "a1", on: "output" }, "output"],
    [{ kind: "cancel_delivered", attempt: "a1", at: "before_business" }, "execute"],
    [{ kind: "cancel_too_late", attempt: "a1" }, "release"],
  ])("is owed by the stage that decides %j", (due, stage) => {
    expect(decidingStage(due, ruled)).toBe(stage);
  });
});
