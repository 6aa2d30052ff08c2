import type { Fault, Observation, ReceiptRow, Status } from "../../model/vocabulary.js";
import { isReleased } from "../account/outcomes.js";
import { receiptsOf } from "../account/rows.js";
import { type Account, type Attempt, attemptOf, wasCancelled } from "../account.js";
import { type Always, broken, type Finding, nothing, on } from "./invariant.js";
import { list, outcomeText, receiptNumbers, receiptText, standingText, whileMoving } from "./wording.js";

export const receiptBeforeRelease: Always = {
  id: "receipt-before-release",
  kind: "always",
  needs: ["second_observer", "receipts", "delivery_ids"],
  occurred: [on("ended", ({ outcome }) => isReleased(outcome))],
  check: [
    on("ended", ({ attempt: name, outcome, atRelease }, account) => {
      if (outcome.kind !== "completed" || !isReleased(outcome)) return nothing;
      const attempt = attemptOf(account, name);
      const numbered = atRelease.receipts.filter(({ number }) => number === outcome.receiptNumber);
      if (numbered.some((row) => licenses(row, attempt, outcome.status))) return nothing;
      const key = attempt.contract.kind === "valid" ? attempt.contract.key : "none";
      return broken(
        `${name} was released before its accepted receipt was durable.`,
        `receipt ${outcome.receiptNumber} of delivery ${attempt.delivery}: accepted, key ${key}`,
        numbered.length === 0 ? receiptNumbers(atRelease.receipts) : numbered.map(receiptText).join("; "),
      );
    }),
  ],
};

/** A value goes out on an accepted receipt; a question in its place on one that says so. */
function licenses(row: ReceiptRow, { delivery, contract }: Attempt, told: Status): boolean {
  const due = told === "clarification_needed" ? told : "accepted";
  const key = row.key.kind === "key" ? row.key.key : "";
  const isOfKey = contract.kind === "valid" && key === contract.key;
  return row.delivery === delivery && row.status === due && isOfKey;
}

export const oneReceiptPerAttempt: Always = {
  id: "one-receipt-per-attempt",
  kind: "always",
  needs: ["second_observer", "receipts", "delivery_ids"],
  occurred: [on("observed", (_, { change }) => change.settled.length > 0)],
  check: [
    on("observed", (_, account) => {
      const { change } = account;
      const owners = change.receipts.added.map(({ delivery }) => account.byDelivery.get(delivery));
      const counted = new Set([...change.settled, ...owners]);
      return [...lostReceipts(account), ...[...counted].flatMap((owner) => miscount(owner, change.now))];
    }),
  ],
};

function lostReceipts({ change }: Account): readonly Finding[] {
  const { changed, removed } = change.receipts;
  return [
    ...changed.flatMap(({ before, now }) =>
      broken(
        `${whileMoving(change)}, receipt ${before.number} was changed.`,
        `${receiptText(before)}; as text: ${before.raw}`,
        `${receiptText(now)}; as text: ${now.raw}`,
      ),
    ),
    ...removed.flatMap((row) =>
      broken(
        `${whileMoving(change)}, receipt ${row.number} was removed.`,
        receiptText(row),
        receiptNumbers(change.now.receipts),
      ),
    ),
  ];
}

/** A receipt of nobody is judged by `receipt-tells-truth`. */
function miscount(owner: Attempt | undefined, now: Observation): readonly Finding[] {
  if (owner === undefined) return nothing;
  const rows = receiptsOf(owner, now);
  const due = dueReceipts(owner);
  const enough = due !== "exactly one receipt" || rows.length > 0;
  if (enough && rows.length <= (due === "no receipt" ? 0 : 1)) return nothing;
  return broken(
    `${owner.name} ${standingText(owner)} with a wrong number of receipts.`,
    due,
    receiptNumbers(rows),
  );
}

function dueReceipts({ standing }: Attempt): "no receipt" | "at most one receipt" | "exactly one receipt" {
  if (standing.kind === "lost") return "at most one receipt";
  if (standing.kind !== "ended") return "no receipt";
  const { outcome } = standing;
  if (outcome.kind === "audit_unavailable") return "no receipt";
  const hasOne = outcome.kind === "completed" || outcome.kind === "cancelled";
  const passedTheReceipt = outcome.kind === "unknown" && outcome.cause === "after_receipt";
  return hasOne || passedTheReceipt ? "exactly one receipt" : "at most one receipt";
}

export const auditFailureIsLoud: Always = {
  id: "audit-failure-is-loud",
  kind: "always",
  needs: ["second_observer", "receipts", "delivery_ids", "fault of the receipt"],
  occurred: [
    on(
      "ended",
      ({ attempt, outcome }, account) =>
        outcome.kind === "audit_unavailable" || attemptOf(account, attempt).fired.some(preventsReceipt),
    ),
  ],
  check: [
    on("ended", ({ attempt: name, outcome, atRelease, releasedIs }, account) => {
      const attempt = attemptOf(account, name);
      // Who is told that nothing is known has not been told that all is well.
      if (outcome.kind === "unknown") return nothing;
      if (outcome.kind !== "audit_unavailable") {
        const wasPrevented = attempt.fired.some(preventsReceipt);
        if (!wasPrevented || receiptsOf(attempt, atRelease).length > 0) return nothing;
        return broken(
          `The receipt of ${name} could not be written, and its caller was not told.`,
          "audit_unavailable",
          outcomeText(outcome),
        );
      }
      const due = wasCancelled(attempt)
        ? (["cancelled", "receipt_write"] as const)
        : (["receipt_write"] as const);
      const missing = due.filter((cause) => !outcome.causes.includes(cause));
      if (missing.length > 0) {
        return broken(
          `${name} ended audit_unavailable without saying all that led to it.`,
          `causes with ${list(due)}`,
          `causes ${list(outcome.causes)}`,
        );
      }
      if (releasedIs === "nothing") return nothing;
      return broken(`${name} released a value without a receipt.`, "nothing released", `${releasedIs} value`);
    }),
  ],
};

/** Faults that keep a receipt from being written wherever they fire. */
function preventsReceipt(fault: Fault): boolean {
  switch (fault.kind) {
    case "receipt_ignored":
    case "receipt_aborted":
      return true;
    case "busy":
    case "commit_refused":
    case "disk_full":
    case "read_only":
      return fault.stage === "receipt";
    case "throw_at":
      return fault.at === "before_receipt";
    default:
      return false;
  }
}

export const receiptsHoldNoPayload: Always = {
  id: "receipts-hold-no-payload",
  kind: "always",
  needs: ["second_observer", "receipts"],
  occurred: [
    on("ended", ({ attempt }, account) => attemptOf(account, attempt).canaries.some((text) => text !== "")),
  ],
  check: [
    on("observed", (_, account) => {
      const { added, changed } = account.change.receipts;
      const written = [...added, ...changed.map(({ now }) => now)];
      return written.flatMap((row) => payloadIn(`Receipt ${row.number}`, row.raw, account));
    }),
    on("ended", ({ attempt, outcome }, account) => {
      if (outcome.kind === "completed") return nothing;
      const proof = outcome.kind === "refused" || outcome.kind === "failed" ? outcome.proof : "";
      return payloadIn(`The error of ${attempt}`, `${outcome.errorText}\n${proof}`, account);
    }),
    on("logged", ({ text }, account) => payloadIn("A log line", text, account)),
  ],
};

function payloadIn(holder: string, text: string, { canaries }: Account): readonly Finding[] {
  for (const canary of canaries) {
    if (!text.includes(canary)) continue;
    return broken(`${holder} holds a text that was planted in a request.`, "no planted text", `"${canary}"`);
  }
  return nothing;
}
