import { describe, expect, it } from "vitest";
import type { Happening, Outcome } from "../../src/model/vocabulary.js";
import {
  begun,
  committed,
  complete,
  forest1,
  reused,
  river2,
  river3,
  river4,
  shapeless,
  shown,
  valid,
} from "./fixture.js";
import {
  advanced,
  cancelled,
  cancelRequested,
  completed,
  delivered,
  draft,
  ended,
  follow,
  observed,
  parked,
  receiptRow,
  submitted,
  tooLate,
  unaudited,
  unknown,
} from "./history.js";

/** A right beginning, the event that the machine does not allow after it, and what it says of that. */
type Forbidden = {
  readonly why: string;
  readonly start: readonly Happening[];
  readonly wrong: Happening;
  readonly stage: string;
  readonly allowed: string;
  readonly seen: string;
};

const entered: readonly Happening[] = [submitted("a1", river2), parked("a1", "before_business")];
const executed: readonly Happening[] = [...entered, advanced("a1"), parked("a1", "after_business")];
const output: readonly Happening[] = [...executed, advanced("a1"), parked("a1", "output_check")];
const accepted = completed(1, "accepted", "ok", complete, true);
const released: readonly Happening[] = [...output, advanced("a1"), ended("a1", accepted)];
const acceptedText =
  "completed accepted/ok, events arguments_valid input_allowed business_started effect_committed output_started output_allowed, effectExists true, receipt 1, acceptable value released";
const row = receiptRow(1, "a1", "accepted", "ok", complete, true);
const crashed: Happening = { kind: "crashed", advancing: { kind: "idle" }, lost: ["a1"] };
const hungAtCheck: readonly Happening[] = [
  submitted("a1", river2, { kind: "checker_hangs", stage: "check" }),
  { kind: "blocked", attempt: "a1", on: "check" },
];

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
  {
    why: "a bad copy passes",
    start: [submitted("a1", river2, { kind: "bad_output" }), ...output.slice(1), advanced("a1")],
    wrong: ended("a1", accepted),
    stage: "output",
    allowed:
      "completed output_rejected/output_contract, events arguments_valid input_allowed business_started effect_committed output_started, effectExists true, receipt 1",
    seen: acceptedText,
  },
  {
    why: "a good value is refused",
    start: [...output, advanced("a1")],
    wrong: ended("a1", completed(1, "output_rejected", "output_contract", shown, true)),
    stage: "output",
    allowed: acceptedText,
    seen: "completed output_rejected/output_contract, events arguments_valid input_allowed business_started effect_committed output_started, effectExists true, receipt 1",
  },
  {
    why: "the output check is passed over in the events of an accepted attempt",
    start: [...output, advanced("a1")],
    wrong: ended("a1", completed(1, "accepted", "ok", committed, true)),
    stage: "output",
    allowed: acceptedText,
    seen: "completed accepted/ok, events arguments_valid input_allowed business_started effect_committed, effectExists true, receipt 1, acceptable value released",
  },
  {
    why: "the events of two attempts in one list",
    start: [...output, advanced("a1")],
    wrong: ended("a1", completed(1, "accepted", "ok", [...complete, "output_allowed"], true)),
    stage: "receipt",
    allowed: acceptedText,
    seen: "completed accepted/ok, events arguments_valid input_allowed business_started effect_committed output_started output_allowed output_allowed, effectExists true, receipt 1, acceptable value released",
  },
  {
    why: "the number of another receipt",
    start: [...output, advanced("a1")],
    wrong: ended("a1", completed(2, "accepted", "ok", complete, true)),
    stage: "receipt",
    allowed: acceptedText,
    seen: acceptedText.replace("receipt 1", "receipt 2"),
  },
  {
    why: "effectExists of another key",
    start: [...output, advanced("a1")],
    wrong: ended("a1", completed(1, "accepted", "ok", complete, false)),
    stage: "receipt",
    allowed: acceptedText,
    seen: acceptedText.replace("effectExists true", "effectExists false"),
  },
  {
    why: "another value than the one that was checked",
    start: [...output, advanced("a1")],
    wrong: { ...ended("a1", accepted), releasedIs: "unacceptable" },
    stage: "release",
    allowed: acceptedText,
    seen: acceptedText.replace("acceptable value", "unacceptable value"),
  },
  {
    why: "a released value of a refused output",
    start: [submitted("a1", river2, { kind: "bad_output" }), ...output.slice(1), advanced("a1")],
    wrong: {
      ...ended("a1", completed(1, "output_rejected", "output_contract", shown, true)),
      releasedIs: "unacceptable",
    },
    stage: "release",
    allowed:
      "completed output_rejected/output_contract, events arguments_valid input_allowed business_started effect_committed output_started, effectExists true, receipt 1",
    seen: "completed output_rejected/output_contract, events arguments_valid input_allowed business_started effect_committed output_started, effectExists true, receipt 1, unacceptable value released",
  },
  {
    why: "an ignored receipt is called accepted (T: lastrowid)",
    start: [submitted("a1", river2, { kind: "receipt_ignored" }), ...output.slice(1), advanced("a1")],
    wrong: ended("a1", accepted),
    stage: "receipt",
    allowed:
      "audit_unavailable, causes receipt_write, events arguments_valid input_allowed business_started effect_committed output_started output_allowed",
    seen: acceptedText,
  },
  {
    why: "an audit failure where the receipt was written",
    start: [...output, advanced("a1")],
    wrong: ended("a1", unaudited(["receipt_write"], complete)),
    stage: "receipt",
    allowed: acceptedText,
    seen: "audit_unavailable, causes receipt_write, events arguments_valid input_allowed business_started effect_committed output_started output_allowed",
  },
  {
    why: "an audit failure without the driver's error",
    start: [submitted("a1", river4, { kind: "receipt_aborted" })],
    wrong: ended("a1", unaudited(["receipt_write"], valid)),
    stage: "receipt",
    allowed: "audit_unavailable, causes receipt_write driver, events arguments_valid",
    seen: "audit_unavailable, causes receipt_write, events arguments_valid",
  },
  {
    why: "an audit failure seen where the attempt should stand",
    start: [submitted("a1", river4, { kind: "receipt_aborted" })],
    wrong: parked("a1", "before_business"),
    stage: "receipt",
    allowed: "audit_unavailable, causes receipt_write driver, events arguments_valid",
    seen: "parked at before_business, policy r1 seen",
  },
  {
    why: "an answer after the throw behind the receipt",
    start: [submitted("a1", river4, { kind: "throw_at", at: "after_receipt" })],
    wrong: ended("a1", completed(1, "input_rejected", "batch_limit", valid, false)),
    stage: "release",
    allowed: "unknown/after_receipt",
    seen: "completed input_rejected/batch_limit, events arguments_valid, effectExists false, receipt 1",
  },
  {
    why: "a stand where the caller should be in the dark",
    start: [submitted("a1", river4, { kind: "throw_at", at: "after_receipt" })],
    wrong: parked("a1", "before_business"),
    stage: "release",
    allowed: "unknown/after_receipt",
    seen: "parked at before_business, policy r1 seen",
  },
  {
    why: "an end that should be a stand",
    start: [...output, advanced("a1")],
    wrong: parked("a1", "output_check"),
    stage: "receipt",
    allowed: acceptedText,
    seen: "parked at output_check, policy r1 seen",
  },
];

const unheard: Outcome = completed(1, "cancelled", "cancelled", committed, true);

const cancels: readonly Forbidden[] = [
  {
    why: "the cancel is swallowed and the way goes on",
    start: [...executed, cancelRequested("a1"), advanced("a1")],
    wrong: parked("a1", "output_check"),
    stage: "output",
    allowed: "cancel delivered at after_business",
    seen: "parked at output_check, policy r1 seen",
  },
  {
    why: "the cancel before business is swallowed",
    start: [...entered, cancelRequested("a1"), advanced("a1")],
    wrong: parked("a1", "after_business"),
    stage: "execute",
    allowed: "cancel delivered at before_business",
    seen: "parked at after_business, policy r1 seen",
  },
  {
    why: "the cancel is swallowed and the attempt accepted: too late, says the harness",
    start: [...output, cancelRequested("a1"), advanced("a1"), tooLate("a1")],
    wrong: ended("a1", accepted),
    stage: "output",
    allowed: "cancel delivered at output_check",
    seen: acceptedText,
  },
  {
    why: "a cancel is too late twice",
    start: [...output, cancelRequested("a1"), advanced("a1"), tooLate("a1")],
    wrong: tooLate("a1"),
    stage: "output",
    allowed: "cancel delivered at output_check",
    seen: "cancel too late",
  },
  {
    why: "a cancel is too late, then delivered",
    start: [...output, cancelRequested("a1"), advanced("a1"), tooLate("a1")],
    wrong: delivered("a1", "output_check"),
    stage: "output",
    allowed: "cancel delivered at output_check",
    seen: "cancel delivered at output_check",
  },
  {
    why: "a cancel is delivered where the attempt does not stand",
    start: [...executed, cancelRequested("a1"), advanced("a1")],
    wrong: delivered("a1", "before_business"),
    stage: "output",
    allowed: "cancel delivered at after_business",
    seen: "cancel delivered at before_business",
  },
  {
    why: "a cancel is delivered that nobody asked for",
    start: [...executed, advanced("a1")],
    wrong: delivered("a1", "after_business"),
    stage: "output",
    allowed: "parked at output_check, policy r1 seen",
    seen: "cancel delivered at after_business",
  },
  {
    why: "a cancel is too late that nobody asked for",
    start: [...output, advanced("a1")],
    wrong: tooLate("a1"),
    stage: "receipt",
    allowed: acceptedText,
    seen: "cancel too late",
  },
  {
    why: "a delivered cancel becomes a result",
    start: [...executed, cancelRequested("a1"), advanced("a1"), delivered("a1", "after_business")],
    wrong: ended("a1", unheard),
    stage: "release",
    allowed: "cancelled",
    seen: "completed cancelled/cancelled, events arguments_valid input_allowed business_started effect_committed, effectExists true, receipt 1",
  },
  {
    why: "a delivered cancel rejects with a reason of the executor's own",
    start: [...executed, cancelRequested("a1"), advanced("a1"), delivered("a1", "after_business")],
    wrong: ended("a1", { kind: "cancelled", reason: "other", errorText: "stopped" }),
    stage: "release",
    allowed: "cancelled",
    seen: "cancelled for another reason than the caller's",
  },
  {
    why: "an audit failure loses the cancellation",
    start: [
      submitted("a1", river2, { kind: "receipt_ignored" }),
      parked("a1", "before_business"),
      cancelRequested("a1"),
      advanced("a1"),
      delivered("a1", "before_business"),
    ],
    wrong: ended("a1", unaudited(["receipt_write"], ["arguments_valid", "input_allowed"])),
    stage: "receipt",
    allowed: "audit_unavailable, causes cancelled receipt_write, events arguments_valid input_allowed",
    seen: "audit_unavailable, causes receipt_write, events arguments_valid input_allowed",
  },
  {
    why: "a cancel hides an audit failure",
    start: [
      submitted("a1", river2, { kind: "receipt_ignored" }),
      parked("a1", "before_business"),
      cancelRequested("a1"),
      advanced("a1"),
      delivered("a1", "before_business"),
    ],
    wrong: ended("a1", cancelled),
    stage: "receipt",
    allowed: "audit_unavailable, causes cancelled receipt_write, events arguments_valid input_allowed",
    seen: "cancelled",
  },
  {
    why: "a cancel acts on a hung checker",
    start: [...hungAtCheck, cancelRequested("a1"), { kind: "expired", attempt: "a1" }],
    wrong: ended("a1", cancelled),
    stage: "release",
    allowed: "cancel too late",
    seen: "cancelled",
  },
];

const strangers: readonly Forbidden[] = [
  {
    why: "another attempt moves than the one that was advanced",
    start: [...entered, submitted("a2", forest1), parked("a2", "before_business"), advanced("a1")],
    wrong: parked("a2", "after_business"),
    stage: "control",
    allowed: "a1 parked at after_business, policy r1 seen",
    seen: "a2 parked at after_business, policy r1 seen",
  },
  {
    why: "another attempt gets no answer than the one that was advanced",
    start: [...entered, submitted("a2", forest1), parked("a2", "before_business"), advanced("a1")],
    wrong: ended("a2", unknown("timeout")),
    stage: "control",
    allowed: "a1 parked at after_business, policy r1 seen",
    seen: "a2 unknown/timeout",
  },
  {
    why: "an attempt moves by itself",
    start: entered,
    wrong: parked("a1", "after_business"),
    stage: "control",
    allowed: "nothing",
    seen: "a1 parked at after_business, policy r1 seen",
  },
  {
    why: "an attempt ends twice",
    start: released,
    wrong: ended("a1", accepted),
    stage: "control",
    allowed: "nothing",
    seen: `a1 ${acceptedText}`,
  },
  {
    why: "an attempt that has ended is left without an answer",
    start: released,
    wrong: ended("a1", unknown("timeout")),
    stage: "control",
    allowed: "nothing",
    seen: "a1 unknown/timeout",
  },
  {
    why: "nothing is heard of an advance before the next look",
    start: [...entered, advanced("a1")],
    wrong: observed(),
    stage: "execute",
    allowed: "a1 parked at after_business, policy r1 seen",
    seen: "nothing more",
  },
  {
    why: "nothing is heard of a submission before the next action",
    start: [submitted("a1", river4)],
    wrong: submitted("a2", river2),
    stage: "check",
    allowed: "a1 completed input_rejected/batch_limit, events arguments_valid, effectExists false, receipt 1",
    seen: "a2 submitted",
  },
  {
    why: "a cancel is delivered and the end is missing",
    start: [...entered, cancelRequested("a1"), advanced("a1"), delivered("a1", "before_business")],
    wrong: observed(),
    stage: "release",
    allowed: "a1 cancelled",
    seen: "nothing more",
  },
  {
    why: "a delivered cancel is owed at output",
    start: [...output, cancelRequested("a1"), advanced("a1")],
    wrong: observed({ effects: [draft] }),
    stage: "output",
    allowed: "a1 cancel delivered at output_check",
    seen: "nothing more",
  },
  {
    why: "a hung checker is owed",
    start: [submitted("a1", river2, { kind: "checker_hangs", stage: "check" })],
    wrong: observed(),
    stage: "check",
    allowed: "a1 blocked on check",
    seen: "nothing more",
  },
  {
    why: "a late cancel is owed",
    start: [...hungAtCheck, cancelRequested("a1"), { kind: "expired", attempt: "a1" }],
    wrong: observed(),
    stage: "release",
    allowed: "a1 cancel too late",
    seen: "nothing more",
  },
  {
    why: "an audit failure is owed",
    start: [submitted("a1", river4, { kind: "receipt_ignored" })],
    wrong: observed(),
    stage: "receipt",
    allowed: "a1 audit_unavailable, causes receipt_write, events arguments_valid",
    seen: "nothing more",
  },
  {
    why: "what happened before a crash is owed",
    start: [...entered, advanced("a1")],
    wrong: crashed,
    stage: "execute",
    allowed: "a1 parked at after_business, policy r1 seen",
    seen: "crashed",
  },
];

const controls: readonly Forbidden[] = [
  {
    why: "an attempt is advanced that has ended",
    start: released,
    wrong: advanced("a1"),
    stage: "control",
    allowed: "nothing, as a1 has ended",
    seen: "a1 advanced",
  },
  {
    why: "the wait for a checker is ended that does not hang",
    start: entered,
    wrong: { kind: "expired", attempt: "a1" },
    stage: "control",
    allowed: "nothing, as a1 is parked at before_business",
    seen: "a1 expired",
  },
  {
    why: "a cancel is requested twice",
    start: [...entered, cancelRequested("a1")],
    wrong: cancelRequested("a1"),
    stage: "control",
    allowed: "nothing, as a cancel of a1 is requested already",
    seen: "a1 cancel_requested",
  },
  {
    why: "the policy is set while the executor is down",
    start: [...entered, crashed],
    wrong: { kind: "policy_set", setting: { kind: "remove" } },
    stage: "control",
    allowed: "nothing, as the executor is down",
    seen: "policy_set",
  },
  {
    why: "a second fault is armed at a stage",
    start: [{ kind: "armed", fault: { kind: "receipt_ignored" } }],
    wrong: { kind: "armed", fault: { kind: "receipt_aborted" } },
    stage: "control",
    allowed: "nothing, as a fault is armed at receipt already",
    seen: "armed",
  },
  {
    why: "a fault is disarmed that is not armed",
    start: [],
    wrong: { kind: "disarmed", fault: { kind: "effect_ignored" } },
    stage: "control",
    allowed: "nothing, as effect_ignored is not armed at execute",
    seen: "disarmed",
  },
  {
    why: "an executor is restarted that is up",
    start: [],
    wrong: { kind: "restarted", result: "up" },
    stage: "control",
    allowed: "nothing, as the executor is up",
    seen: "restarted",
  },
  {
    why: "an executor does not come back",
    start: [...entered, crashed],
    wrong: { kind: "restarted", result: "failed" },
    stage: "control",
    allowed: "restarted up",
    seen: "restarted failed",
  },
];

const crashes: readonly Forbidden[] = [
  {
    why: "an attempt survives",
    start: entered,
    wrong: { kind: "crashed", advancing: { kind: "idle" }, lost: [] },
    stage: "control",
    allowed: "crashed, lost a1",
    seen: "crashed, lost none",
  },
  {
    why: "one is lost that had ended",
    start: released,
    wrong: crashed,
    stage: "control",
    allowed: "crashed, lost none",
    seen: "crashed, lost a1",
  },
  {
    why: "two of three are lost",
    start: [
      ...entered,
      submitted("a2", river2),
      parked("a2", "before_business"),
      submitted("a3", river2),
      parked("a3", "before_business"),
    ],
    wrong: { kind: "crashed", advancing: { kind: "idle" }, lost: ["a3", "a1"] },
    stage: "control",
    allowed: "crashed, lost a1, a2, a3",
    seen: "crashed, lost a1, a3",
  },
  ...(
    [
      ["before_receipt", "receipt"],
      ["after_receipt", "release"],
    ] as const
  ).map(
    ([at, stage]): Forbidden => ({
      why: `${at} is not on the way`,
      start: entered,
      wrong: { kind: "crashed", advancing: { kind: "attempt", attempt: "a1", at }, lost: ["a1"] },
      stage,
      allowed: `a1 passes no ${at}`,
      seen: `crashed at ${at}`,
    }),
  ),
  ...(["inside_transaction", "after_commit"] as const).map(
    (at): Forbidden => ({
      why: `${at} is passed already`,
      start: executed,
      wrong: { kind: "crashed", advancing: { kind: "attempt", attempt: "a1", at }, lost: ["a1"] },
      stage: "execute",
      allowed: `a1 passes no ${at}`,
      seen: `crashed at ${at}`,
    }),
  ),
  {
    why: "an executor is down already",
    start: [...entered, crashed],
    wrong: { kind: "crashed", advancing: { kind: "idle" }, lost: [] },
    stage: "control",
    allowed: "nothing, as the executor is down",
    seen: "crashed",
  },
  {
    why: "a cancel is swallowed in the fatal move",
    start: [...entered, cancelRequested("a1")],
    wrong: {
      kind: "crashed",
      advancing: { kind: "attempt", attempt: "a1", at: "before_receipt" },
      lost: ["a1"],
    },
    stage: "control",
    allowed: "a1 cancel delivered at before_business, crashed, lost a1",
    seen: "crashed, lost a1",
  },
  {
    why: "a cancel is delivered in a move that was none",
    start: [...entered, cancelRequested("a1"), delivered("a1", "before_business")],
    wrong: crashed,
    stage: "control",
    allowed: "crashed, lost a1",
    seen: "a1 cancel delivered at before_business, crashed, lost a1",
  },
  {
    why: "a cancel is delivered out of nothing, and then there is no crash but a look",
    start: [...entered, cancelRequested("a1"), delivered("a1", "before_business")],
    wrong: observed(),
    stage: "control",
    allowed: "a crash",
    seen: "nothing more",
  },
  {
    why: "a cancel is delivered out of nothing, and then an advance",
    start: [...entered, cancelRequested("a1"), delivered("a1", "before_business")],
    wrong: advanced("a1"),
    stage: "control",
    allowed: "a crash",
    seen: "a1 advanced",
  },
  {
    why: "a cancel is delivered twice out of nothing",
    start: [...entered, cancelRequested("a1"), delivered("a1", "before_business")],
    wrong: delivered("a1", "before_business"),
    stage: "control",
    allowed: "a crash",
    seen: "a1 cancel delivered at before_business",
  },
  {
    why: "a cancel is delivered out of nothing that nobody asked for",
    start: entered,
    wrong: delivered("a1", "before_business"),
    stage: "control",
    allowed: "nothing",
    seen: "a1 cancel delivered at before_business",
  },
  {
    why: "a cancel is delivered out of nothing where the attempt does not stand",
    start: [...entered, cancelRequested("a1")],
    wrong: delivered("a1", "after_business"),
    stage: "control",
    allowed: "nothing",
    seen: "a1 cancel delivered at after_business",
  },
  {
    why: "a cancel is delivered out of nothing to another attempt",
    start: [...entered, cancelRequested("a1"), submitted("a2", river2), parked("a2", "before_business")],
    wrong: delivered("a2", "before_business"),
    stage: "control",
    allowed: "nothing",
    seen: "a2 cancel delivered at before_business",
  },
  {
    why: "a cancel is delivered out of nothing to one that hangs",
    start: [...hungAtCheck, cancelRequested("a1")],
    wrong: delivered("a1", "before_business"),
    stage: "control",
    allowed: "nothing",
    seen: "a1 cancel delivered at before_business",
  },
];

const stored = { effects: [draft], receipts: [row] };
const full = (receipt: string, effect: string): string =>
  `receipts ${receipt}; effects ${effect}; policy r1 limit 3`;
const fullReceipt =
  "1 t1 r1 c-a1 JOB-001 accepted/ok effect exists d-a1 arguments_valid input_allowed business_started effect_committed output_started output_allowed";
const fullEffect = "t1 drafts JOB-001 r1 c-a1 river-2 r1";
const brief = "receipts 1; effects JOB-001@r1; policy r1 limit 3";

function differs(why: string, wrong: Happening, seen: string): Forbidden {
  return { why, start: released, wrong, stage: "store", allowed: full(fullReceipt, fullEffect), seen };
}

const stores: readonly Forbidden[] = [
  {
    why: "the draft is deleted",
    start: released,
    wrong: observed({ receipts: [row] }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects none; policy r1 limit 3",
  },
  {
    why: "there are two drafts",
    start: released,
    wrong: observed({ ...stored, effects: [draft, draft] }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects JOB-001@r1, JOB-001@r1; policy r1 limit 3",
  },
  {
    why: "there is no receipt",
    start: released,
    wrong: observed({ effects: [draft] }),
    stage: "store",
    allowed: brief,
    seen: "receipts none; effects JOB-001@r1; policy r1 limit 3",
  },
  {
    why: "there are two receipts",
    start: released,
    wrong: observed({ ...stored, receipts: [row, { ...row, number: 2 }] }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1, 2; effects JOB-001@r1; policy r1 limit 3",
  },
  {
    why: "a receipt has another number",
    start: released,
    wrong: observed({ ...stored, receipts: [{ ...row, number: 2 }] }),
    stage: "store",
    allowed: brief,
    seen: "receipts 2; effects JOB-001@r1; policy r1 limit 3",
  },
  {
    why: "a draft was checked under another revision",
    start: released,
    wrong: observed({ ...stored, effects: [{ ...draft, revision: 2 }] }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects JOB-001@r2; policy r1 limit 3",
  },
  {
    why: "a draft has another key",
    start: released,
    wrong: observed({ ...stored, effects: [{ ...draft, key: "JOB-002" }] }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects JOB-002@r1; policy r1 limit 3",
  },
  {
    why: "the policy is gone",
    start: released,
    wrong: observed({ ...stored, policy: { kind: "missing" } }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects JOB-001@r1; policy missing",
  },
  {
    why: "the policy has another revision",
    start: released,
    wrong: observed({ ...stored, policy: { kind: "present", revision: 2, maxCopies: 3 } }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects JOB-001@r1; policy r2 limit 3",
  },
  {
    why: "the policy has another limit",
    start: released,
    wrong: observed({ ...stored, policy: { kind: "present", revision: 1, maxCopies: 2 } }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects JOB-001@r1; policy r1 limit 2",
  },
  {
    why: "a restart recreates the policy",
    start: [
      { kind: "policy_set", setting: { kind: "remove" } },
      { kind: "crashed", advancing: { kind: "idle" }, lost: [] },
      { kind: "restarted", result: "up" },
    ],
    wrong: observed(),
    stage: "store",
    allowed: "receipts none; effects none; policy missing",
    seen: "receipts none; effects none; policy r1 limit 3",
  },
  differs(
    "a draft of another tenant",
    observed({ ...stored, effects: [{ ...draft, tenant: "t2" }] }),
    full(fullReceipt, fullEffect.replace("t1", "t2")),
  ),
  differs(
    "a draft of another tool",
    observed({ ...stored, effects: [{ ...draft, tool: "mail" }] }),
    full(fullReceipt, fullEffect.replace("drafts", "mail")),
  ),
  differs(
    "a draft of another run",
    observed({ ...stored, effects: [{ ...draft, runId: "r2" }] }),
    full(fullReceipt, "t1 drafts JOB-001 r2 c-a1 river-2 r1"),
  ),
  differs(
    "a draft of another call",
    observed({ ...stored, effects: [{ ...draft, callId: "c-a2" }] }),
    full(fullReceipt, fullEffect.replace("c-a1", "c-a2")),
  ),
  differs(
    "a draft of another digest",
    observed({ ...stored, effects: [{ ...draft, digest: "river-3" }] }),
    full(fullReceipt, fullEffect.replace("river-2", "river-3")),
  ),
  differs(
    "a receipt of another tenant",
    observed({ ...stored, receipts: [{ ...row, tenant: "t2" }] }),
    full(fullReceipt.replace("t1", "t2"), fullEffect),
  ),
  differs(
    "a receipt of another run",
    observed({ ...stored, receipts: [{ ...row, runId: "r2" }] }),
    full(fullReceipt.replace("r1", "r2"), fullEffect),
  ),
  differs(
    "a receipt of another call",
    observed({ ...stored, receipts: [{ ...row, callId: "c-a2" }] }),
    full(fullReceipt.replace("c-a1", "c-a2"), fullEffect),
  ),
  differs(
    "a receipt of another key",
    observed({ ...stored, receipts: [{ ...row, key: { kind: "key", key: "JOB-002" } }] }),
    full(fullReceipt.replace("JOB-001", "JOB-002"), fullEffect),
  ),
  differs(
    "a receipt without its key",
    observed({ ...stored, receipts: [{ ...row, key: { kind: "none" } }] }),
    full(fullReceipt.replace("JOB-001", "no key"), fullEffect),
  ),
  differs(
    "a receipt of another status",
    observed({ ...stored, receipts: [{ ...row, status: "error" }] }),
    full(fullReceipt.replace("accepted/ok", "error/ok"), fullEffect),
  ),
  differs(
    "a receipt of another code",
    observed({ ...stored, receipts: [{ ...row, code: "unforeseen" }] }),
    full(fullReceipt.replace("accepted/ok", "accepted/unforeseen"), fullEffect),
  ),
  differs(
    "a receipt that denies the effect",
    observed({ ...stored, receipts: [{ ...row, effectExists: false }] }),
    full(fullReceipt.replace("effect exists", "no effect"), fullEffect),
  ),
  differs(
    "a receipt of another delivery",
    observed({ ...stored, receipts: [{ ...row, delivery: "d-a2" }] }),
    full(fullReceipt.replace("d-a1", "d-a2"), fullEffect),
  ),
  differs(
    "a receipt with fewer events",
    observed({ ...stored, receipts: [{ ...row, events: shown }] }),
    full(fullReceipt.replace(" output_allowed", ""), fullEffect),
  ),
  differs(
    "a receipt with more events",
    observed({ ...stored, receipts: [{ ...row, events: [...complete, "output_allowed"] }] }),
    full(`${fullReceipt} output_allowed`, fullEffect),
  ),
  differs(
    "a receipt with other events",
    observed({ ...stored, receipts: [{ ...row, events: [...reused, "output_started", "output_allowed"] }] }),
    full(fullReceipt.replace("effect_committed", "effect_reused"), fullEffect),
  ),
  {
    why: "one of two drafts has another digest",
    start: [
      ...executed,
      submitted("a2", forest1),
      parked("a2", "before_business"),
      advanced("a2"),
      parked("a2", "after_business"),
      { kind: "policy_set", setting: { kind: "remove" } },
    ],
    wrong: observed({
      effects: [
        { ...draft, digest: "river-3" },
        { ...draft, key: "JOB-002", digest: "forest-1", callId: "c-a2" },
      ],
      policy: { kind: "missing" },
    }),
    stage: "store",
    allowed:
      "receipts none; effects t1 drafts JOB-001 r1 c-a1 river-2 r1, t1 drafts JOB-002 r1 c-a2 forest-1 r1; policy missing",
    seen: "receipts none; effects t1 drafts JOB-001 r1 c-a1 river-3 r1, t1 drafts JOB-002 r1 c-a2 forest-1 r1; policy missing",
  },
];

describe.each([
  { of: "an outcome", table: outcomes },
  { of: "a cancel", table: cancels },
  { of: "a stranger", table: strangers },
  { of: "a control", table: controls },
  { of: "a crash", table: crashes },
  { of: "a store", table: stores },
])("a history with the wrong end: $of", ({ table }) => {
  it.each(table)("diverges exactly there: $why", ({ start, wrong, stage, allowed, seen }) => {
    expect(follow(start).kind).toBe("following");
    expect(follow([...start, wrong])).toEqual({
      kind: "diverged",
      position: start.length,
      stage,
      allowed: [allowed],
      seen,
    });
  });
});
