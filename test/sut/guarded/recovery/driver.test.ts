import { describe, expect, it } from "vitest";
import type { Code, Status } from "../../../../src/model/vocabulary.js";
import { type DriverFacts, nextOf } from "../../../../src/sut/guarded/recovery/driver.js";

const facts = (
  status: Status,
  code: Code,
  more: Partial<{ isIdempotent: boolean; showsEffect: boolean; tries: number; isGranted: boolean }> = {},
): DriverFacts => {
  const { isIdempotent = true, showsEffect = false, tries = 1, isGranted = false } = more;
  return { isIdempotent, isGranted, receipt: { kind: "written", status, code, showsEffect, tries } };
};

describe("a driver", () => {
  it.each([
    // Refused: never the same call.
    { why: "a refused shape", given: facts("input_rejected", "shape"), next: "rests" },
    { why: "a missing right", given: facts("permission_denied", "capability"), next: "rests" },
    { why: "a run that waits", given: facts("blocked", "run_waiting"), next: "rests" },
    { why: "a no", given: facts("approval_refused", "denied"), next: "rests" },
    { why: "a grant taken back", given: facts("approval_refused", "revoked"), next: "rests" },
    {
      why: "other arguments",
      given: facts("approval_refused", "digest_mismatch", { isGranted: true }),
      next: "rests",
    },
    { why: "a taken key", given: facts("key_conflict", "key_conflict"), next: "rests" },
    { why: "a rejected output", given: facts("output_rejected", "secret"), next: "rests" },
    { why: "a question", given: facts("clarification_needed", "question"), next: "rests" },
    { why: "an escalation", given: facts("escalated", "impact"), next: "rests" },
    { why: "a cancel", given: facts("cancelled", "cancelled"), next: "rests" },
    { why: "success", given: facts("accepted", "ok"), next: "rests" },
    // Nothing until an external event.
    { why: "a wait", given: facts("waiting_for_approval", "approval_required"), next: "rests" },
    {
      why: "a wait that was granted",
      given: facts("waiting_for_approval", "approval_required", { isGranted: true }),
      next: "repeats",
    },
    {
      why: "an expired request, granted anew",
      given: facts("approval_refused", "expired", { isGranted: true }),
      next: "repeats",
    },
    { why: "a stale request", given: facts("approval_refused", "policy_changed"), next: "rests" },
    // The same call, at most twice.
    {
      why: "a changed policy",
      given: facts("policy_changed", "policy_changed", { tries: 2 }),
      next: "repeats",
    },
    {
      why: "a policy that changed a third time",
      given: facts("policy_changed", "policy_changed", { tries: 3 }),
      next: "rests",
    },
    {
      why: "an error without effect, of a call without a key",
      given: facts("error", "busy", { isIdempotent: false }),
      next: "repeats",
    },
    { why: "a third error", given: facts("error", "busy", { tries: 3 }), next: "rests" },
    // Only what can be repeated and asked about.
    {
      why: "an error after the commit",
      given: facts("error", "after_commit", { showsEffect: true }),
      next: "repeats",
    },
    {
      why: "the same of a call without a key",
      given: facts("error", "after_commit", { showsEffect: true, isIdempotent: false }),
      next: "rests",
    },
  ])("$next after $why", ({ given, next }) => {
    expect(nextOf(given)).toBe(next);
  });

  it("repeats what nobody knows the end of only if it can be repeated and asked about", () => {
    const unknown = { receipt: { kind: "none" }, isGranted: true } as const;
    expect(nextOf({ ...unknown, isIdempotent: true })).toBe("repeats");
    expect(nextOf({ ...unknown, isIdempotent: false })).toBe("rests");
  });
});
