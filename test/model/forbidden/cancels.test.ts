import { describe } from "vitest";
import type { Outcome } from "../../../src/model/vocabulary.js";
import { committed, river2 } from "../fixture.js";
import {
  advanced,
  cancelled,
  cancelRequested,
  completed,
  delivered,
  ended,
  parked,
  submitted,
  tooLate,
  unaudited,
} from "../history.js";
import {
  accepted,
  acceptedText,
  divergesThere,
  entered,
  executed,
  type Forbidden,
  hungAtCheck,
  output,
} from "./forbidden.js";

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

describe("a history with the wrong end: a cancel", () => {
  divergesThere(cancels);
});
