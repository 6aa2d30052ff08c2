import { describe } from "vitest";
import { committed, complete, river2, river4, shown, valid } from "../fixture.js";
import { advanced, completed, ended, parked, submitted, unaudited } from "../history.js";
import { accepted, acceptedText, divergesThere, type Forbidden, output } from "./forbidden.js";

const outcomes: readonly Forbidden[] = [
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

describe("a history with the wrong end: after the effect", () => {
  divergesThere(outcomes);
});
