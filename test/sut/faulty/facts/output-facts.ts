import { badOutputText } from "../../../../src/sut/fault-kinds.js";
import {
  completed,
  ended,
  errorText,
  keysOf,
  observations,
  receiptsOf,
  releasedText,
  storeAfter,
  type WrongFact,
  wasCancelled,
} from "../evidence.js";

export const outputFacts: readonly WrongFact[] = [
  {
    bug: "skips-the-output-check-on-reuse",
    because: "a2 reused the effect and released a text that is not its draft",
    shows: (history) =>
      completed(history, "a2")?.events.includes("effect_reused") === true &&
      releasedText(history, "a2")?.includes(badOutputText) === true,
  },
  {
    bug: "checks-the-stored-body",
    because: "the stored body is right, the released text is not",
    shows: (history) => releasedText(history, "a1")?.includes(badOutputText) === true,
  },
  {
    bug: "passes-an-output-check-that-throws",
    because: "a check that threw has given no verdict; right is error/no_verdict with nothing released",
    shows: (history) =>
      history.some((event) => event.kind === "fault_fired" && event.fault.kind === "checker_throws") &&
      completed(history, "a1")?.status === "accepted",
  },
  {
    bug: "passes-an-output-check-that-rejects-with-nothing",
    because: "a check that rejected has given no verdict; right is error/no_verdict with nothing released",
    shows: (history) =>
      history.some((event) => event.kind === "fault_fired" && event.fault.kind === "checker_rejects_falsy") &&
      completed(history, "a1")?.status === "accepted",
  },
  {
    bug: "deletes-the-draft-when-the-output-is-rejected",
    because: "the draft was committed, and the output check has no say in that",
    shows: (history) =>
      observations(history).some((store) => keysOf(store).includes("JOB-001")) &&
      completed(history, "a1")?.status === "output_rejected" &&
      keysOf(storeAfter(history, "a1")).length === 0,
  },
  {
    bug: "deletes-the-draft-when-cancelled-after-the-commit",
    because: "the draft was committed, and a cancel after that changes nothing about it",
    shows: (history) =>
      observations(history).some((store) => keysOf(store).includes("JOB-001")) &&
      ended(history, "a1")?.outcome.kind === "cancelled" &&
      keysOf(storeAfter(history, "a1")).length === 0,
  },
  {
    bug: "swallows-a-cancel-after-the-commit",
    because: "the cancel was delivered, and the output was not even checked",
    shows: (history) =>
      wasCancelled(history, "a1") &&
      completed(history, "a1")?.status === "accepted" &&
      completed(history, "a1")?.events.includes("output_allowed") === false,
  },
  {
    bug: "looks-at-the-signal-only-before-the-business-step",
    because: "the cancel was delivered, and the attempt went on to its end",
    shows: (history) => wasCancelled(history, "a1") && completed(history, "a1")?.status === "accepted",
  },
  {
    bug: "writes-the-rejected-text-into-the-receipt",
    because: "a rejected output turns up nowhere",
    shows: (history) =>
      receiptsOf(storeAfter(history, "a1"), "a1").some(({ raw }) => raw.includes(badOutputText)),
  },
  {
    bug: "writes-the-arguments-into-the-receipt",
    because: "the refused topic turns up nowhere",
    shows: (history) =>
      receiptsOf(storeAfter(history, "a1"), "a1").some(({ raw }) => raw.includes("CANARY-1")),
  },
  {
    bug: "writes-the-rejected-text-into-the-error",
    because: "a rejected output turns up nowhere",
    shows: (history) =>
      ended(history, "a1")?.outcome.kind === "audit_unavailable" &&
      errorText(history, "a1").includes(badOutputText),
  },
  {
    bug: "writes-the-arguments-into-the-error",
    because: "the refused topic turns up nowhere",
    shows: (history) =>
      ended(history, "a1")?.outcome.kind === "audit_unavailable" &&
      errorText(history, "a1").includes("CANARY-1"),
  },
];
