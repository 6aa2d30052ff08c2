import { describe } from "vitest";
import { forest1, river2, river4 } from "../fixture.js";
import {
  advanced,
  cancelRequested,
  delivered,
  draft,
  ended,
  observed,
  parked,
  submitted,
  unknown,
} from "../history.js";
import {
  accepted,
  acceptedText,
  crashed,
  divergesThere,
  entered,
  type Forbidden,
  hungAtCheck,
  output,
  released,
} from "./forbidden.js";

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

describe("a history with the wrong end: a stranger", () => {
  divergesThere(strangers);
});

describe("a history with the wrong end: a control", () => {
  divergesThere(controls);
});
