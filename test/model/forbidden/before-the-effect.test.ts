import { describe } from "vitest";
import { begun, committed, river2, river3, river4, shapeless, valid } from "../fixture.js";
import { advanced, completed, ended, parked, submitted } from "../history.js";
import {
  accepted,
  acceptedText,
  divergesThere,
  entered,
  executed,
  type Forbidden,
  output,
} from "./forbidden.js";

const outcomes: readonly Forbidden[] = [
  {
    why: "true is taken for a count",
    start: [submitted("a1", shapeless)],
    wrong: parked("a1", "before_business"),
    stage: "validate",
    allowed: "completed input_rejected/shape, events none, effectExists false, receipt 1",
    seen: "parked at before_business, policy r1 seen",
  },
  {
    why: "another code than the contract's",
    start: [submitted("a1", shapeless)],
    wrong: ended("a1", completed(1, "input_rejected", "job", [], false)),
    stage: "validate",
    allowed: "completed input_rejected/shape, events none, effectExists false, receipt 1",
    seen: "completed input_rejected/job, events none, effectExists false, receipt 1",
  },
  {
    why: "the same code with another status",
    start: [submitted("a1", shapeless)],
    wrong: ended("a1", completed(1, "error", "shape", [], false)),
    stage: "validate",
    allowed: "completed input_rejected/shape, events none, effectExists false, receipt 1",
    seen: "completed error/shape, events none, effectExists false, receipt 1",
  },
  {
    why: "more copies than the limit",
    start: [submitted("a1", river4)],
    wrong: parked("a1", "before_business"),
    stage: "check",
    allowed: "completed input_rejected/batch_limit, events arguments_valid, effectExists false, receipt 1",
    seen: "parked at before_business, policy r1 seen",
  },
  {
    why: "a refusal of what is allowed",
    start: [submitted("a1", river3)],
    wrong: ended("a1", completed(1, "input_rejected", "batch_limit", valid, false)),
    stage: "check",
    allowed: "parked at before_business, policy r1 seen",
    seen: "completed input_rejected/batch_limit, events arguments_valid, effectExists false, receipt 1",
  },
  {
    why: "a snapshot of a revision that never was",
    start: [submitted("a1", river2)],
    wrong: parked("a1", "before_business", 2),
    stage: "check",
    allowed: "parked at before_business, policy r1 seen",
    seen: "parked at before_business, policy r2 seen",
  },
  {
    why: "no snapshot at all",
    start: [submitted("a1", river2)],
    wrong: { kind: "parked", attempt: "a1", at: "before_business", snapshotRevision: { kind: "none" } },
    stage: "check",
    allowed: "parked at before_business, policy r1 seen",
    seen: "parked at before_business, no policy seen",
  },
  {
    why: "a checkpoint passed over",
    start: [submitted("a1", river2)],
    wrong: parked("a1", "after_business"),
    stage: "check",
    allowed: "parked at before_business, policy r1 seen",
    seen: "parked at after_business, policy r1 seen",
  },
  {
    why: "a checker that never answers counts as passed",
    start: [submitted("a1", river2, { kind: "checker_hangs", stage: "check" })],
    wrong: parked("a1", "before_business"),
    stage: "check",
    allowed: "blocked on check",
    seen: "parked at before_business, policy r1 seen",
  },
  {
    why: "an attempt that hangs where it should not",
    start: [submitted("a1", river2)],
    wrong: { kind: "blocked", attempt: "a1", on: "a lock" },
    stage: "check",
    allowed: "parked at before_business, policy r1 seen",
    seen: "blocked on a lock",
  },
  {
    why: "a hung output checker counts as passed",
    start: [
      submitted("a1", river2, { kind: "checker_hangs", stage: "output" }),
      ...output.slice(1),
      advanced("a1"),
    ],
    wrong: ended("a1", accepted),
    stage: "output",
    allowed: "blocked on output",
    seen: acceptedText,
  },
  {
    why: "a stale snapshot commits (P: the naive insert)",
    start: [...entered, { kind: "policy_set", setting: { kind: "limit", maxCopies: 1 } }, advanced("a1")],
    wrong: parked("a1", "after_business"),
    stage: "execute",
    allowed:
      "completed policy_changed/policy_changed, events arguments_valid input_allowed business_started, effectExists false, receipt 1",
    seen: "parked at after_business, policy r1 seen",
  },
  {
    why: "a busy store is called a policy change",
    start: [
      submitted("a1", river2, { kind: "busy", stage: "execute" }),
      parked("a1", "before_business"),
      advanced("a1"),
    ],
    wrong: ended("a1", completed(1, "policy_changed", "policy_changed", begun, false)),
    stage: "execute",
    allowed:
      "completed error/busy, events arguments_valid input_allowed business_started, effectExists false, receipt 1",
    seen: "completed policy_changed/policy_changed, events arguments_valid input_allowed business_started, effectExists false, receipt 1",
  },
  {
    why: "an error where there is none",
    start: [...entered, advanced("a1")],
    wrong: ended("a1", completed(1, "error", "busy", begun, false)),
    stage: "execute",
    allowed: "parked at after_business, policy r1 seen",
    seen: "completed error/busy, events arguments_valid input_allowed business_started, effectExists false, receipt 1",
  },
  {
    why: "effect_committed before COMMIT",
    start: [
      submitted("a1", river2, { kind: "commit_refused", stage: "execute" }),
      parked("a1", "before_business"),
      advanced("a1"),
    ],
    wrong: ended("a1", completed(1, "error", "commit_refused", committed, false)),
    stage: "execute",
    allowed:
      "completed error/commit_refused, events arguments_valid input_allowed business_started, effectExists false, receipt 1",
    seen: "completed error/commit_refused, events arguments_valid input_allowed business_started effect_committed, effectExists false, receipt 1",
  },
  {
    why: "a key conflict is replayed",
    start: [...executed, submitted("a2", river3), parked("a2", "before_business"), advanced("a2")],
    wrong: parked("a2", "after_business"),
    stage: "execute",
    allowed:
      "completed key_conflict/key_conflict, events arguments_valid input_allowed business_started, effectExists true, receipt 1",
    seen: "parked at after_business, policy r1 seen",
  },
  {
    why: "a replay says that it committed",
    start: [
      ...executed,
      submitted("a2", river2),
      parked("a2", "before_business"),
      advanced("a2"),
      parked("a2", "after_business"),
      advanced("a2"),
      parked("a2", "output_check"),
      advanced("a2"),
    ],
    wrong: ended("a2", accepted),
    stage: "execute",
    allowed:
      "completed accepted/ok, events arguments_valid input_allowed business_started effect_reused output_started output_allowed, effectExists true, receipt 1, acceptable value released",
    seen: acceptedText,
  },
];

describe("a history with the wrong end: up to the effect", () => {
  divergesThere(outcomes);
});
