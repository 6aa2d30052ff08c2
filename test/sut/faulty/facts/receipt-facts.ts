import {
  completed,
  ended,
  keysOf,
  lastStore,
  observations,
  receiptsOf,
  storeAfter,
  storeBefore,
  type WrongFact,
} from "../evidence.js";

export const receiptFacts: readonly WrongFact[] = [
  {
    bug: "trusts-the-last-insert-id",
    because: "the caller holds a receipt number of which the store knows nothing",
    shows: (history) =>
      completed(history, "a1")?.status === "input_rejected" &&
      receiptsOf(lastStore(history), "a1").length === 0,
  },
  {
    bug: "acknowledges-before-the-commit",
    because: "in the moment of the release a second connection sees no receipt",
    shows: (history) =>
      completed(history, "a1")?.released.kind === "value" &&
      ended(history, "a1")?.atRelease.receipts.length === 0,
  },
  {
    bug: "releases-before-writing-the-receipt",
    because: "the receipt is written by an attempt that has already ended",
    shows: (history) =>
      ended(history, "a1")?.atRelease.receipts.length === 0 &&
      history.some((event) => event.kind === "late" && event.attempt === "a1") &&
      receiptsOf(storeAfter(history, "a1"), "a1").length === 1,
  },
  {
    bug: "writes-no-receipt-when-cancelled",
    because: "a cancelled attempt has exactly one receipt",
    shows: (history) =>
      ended(history, "a1")?.outcome.kind === "cancelled" && receiptsOf(lastStore(history), "a1").length === 0,
  },
  {
    bug: "keeps-one-receipt-per-key",
    because: "the receipt of a1 was there and is gone once a2 has one of the same key",
    shows: (history) =>
      receiptsOf(storeAfter(history, "a1"), "a1").length === 1 &&
      receiptsOf(lastStore(history), "a1").length === 0,
  },
  {
    bug: "keys-the-receipt-by-the-last-effect",
    because: "a3 asks for JOB-001 again, after a2 has written JOB-002",
    shows: (history) =>
      receiptsOf(lastStore(history), "a3").some(({ key }) => key.kind === "key" && key.key === "JOB-002"),
  },
  {
    bug: "says-committed-before-the-commit",
    because: "the COMMIT was refused, so no effect is there",
    shows: (history) =>
      receiptsOf(storeAfter(history, "a1"), "a1").some(({ events }) => events.includes("effect_committed")) &&
      keysOf(storeAfter(history, "a1")).length === 0,
  },
  {
    bug: "reads-effect-exists-off-its-events",
    because: "the effect of a1 is there before the conflict of a2 is recorded",
    shows: (history) =>
      keysOf(storeBefore(history, "a2")).includes("JOB-001") &&
      receiptsOf(lastStore(history), "a2").some(({ effectExists }) => !effectExists),
  },
  {
    bug: "reports-a-late-error-as-nothing-happened",
    because: "a throw after the commit leaves the effect in place",
    shows: (history) =>
      keysOf(storeAfter(history, "a1")).includes("JOB-001") &&
      receiptsOf(lastStore(history), "a1").some(({ effectExists }) => !effectExists),
  },
  {
    bug: "shares-one-events-list",
    because: "an attempt commits at most once",
    shows: (history) =>
      receiptsOf(lastStore(history), "a2").some(
        ({ events }) => events.filter((event) => event === "effect_committed").length === 2,
      ),
  },
  {
    bug: "tells-the-caller-another-status",
    because: "the receipt and the caller are told the same",
    shows: (history) =>
      completed(history, "a1")?.status === "error" &&
      receiptsOf(lastStore(history), "a1").some(({ status }) => status === "input_rejected"),
  },
  {
    bug: "loses-the-cancellation-in-an-audit-failure",
    because: "the causes of a lost receipt of a cancelled attempt are cancelled and receipt_write",
    shows: (history) => {
      const outcome = ended(history, "a1")?.outcome;
      return outcome?.kind === "audit_unavailable" && outcome.causes.join() === "receipt_write";
    },
  },
  {
    bug: "recreates-the-policy-at-restart",
    because: "the row was removed, revision 1 is used up, and nobody has set a policy since",
    shows: (history) =>
      observations(history).some(({ policy }) => policy.kind === "missing") &&
      lastStore(history).policy.kind === "present",
  },
];
