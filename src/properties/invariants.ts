import { checkedEveryTime, failClosed } from "./invariants/checks.js";
import {
  approvalBinds,
  approveOnceExecutesOnce,
  asksOnce,
  consentSurvives,
  decisionTellsTruth,
  deniedStaysDenied,
} from "./invariants/consent.js";
import {
  commitSurvives,
  effectHasRequest,
  keyBindsArguments,
  oneEffectPerKey,
} from "./invariants/effects.js";
import {
  alwaysRecoverable,
  cancelIsNotSuccess,
  everyAttemptEnds,
  nothingAfterTheEnd,
} from "./invariants/endings.js";
import type { Invariant } from "./invariants/invariant.js";
import { noStaleCommit, revisionOnlyGrows } from "./invariants/policy.js";
import {
  auditFailureIsLoud,
  oneReceiptPerAttempt,
  receiptBeforeRelease,
  receiptsHoldNoPayload,
} from "./invariants/receipts.js";
import { refusedLeavesNothing, rollbackIsComplete } from "./invariants/refusals.js";
import { authorityAtCommit, identityFromContext, layersDoNotAverage } from "./invariants/rights.js";
import { gateEqualsGuard, reservationIsExclusive } from "./invariants/rules.js";
import { pauseConsumesNothing, recoveryByKind, repairIsBounded } from "./invariants/runs.js";
import { outcomeTellsTruth, receiptTellsTruth, unknownIsNotFailed } from "./invariants/truth.js";
import type { PromiseId } from "./verdict.js";

/**
 * Every promise that is decided from the evidence alone, in the order in which violations of one event are told.
 * `matches-the-machine` is not among them: it is the judge's own.
 */
export const invariants: { readonly [Id in Exclude<PromiseId, "matches-the-machine">]: Invariant } = {
  "receipt-before-release": receiptBeforeRelease,
  "one-effect-per-key": oneEffectPerKey,
  "one-receipt-per-attempt": oneReceiptPerAttempt,
  "receipt-tells-truth": receiptTellsTruth,
  "outcome-tells-truth": outcomeTellsTruth,
  "effect-has-request": effectHasRequest,
  "refused-leaves-nothing": refusedLeavesNothing,
  "rollback-is-complete": rollbackIsComplete,
  "commit-survives": commitSurvives,
  "no-stale-commit": noStaleCommit,
  "checked-every-time": checkedEveryTime,
  "cancel-is-not-success": cancelIsNotSuccess,
  "audit-failure-is-loud": auditFailureIsLoud,
  "receipts-hold-no-payload": receiptsHoldNoPayload,
  "key-binds-arguments": keyBindsArguments,
  "fail-closed": failClosed,
  "revision-only-grows": revisionOnlyGrows,
  "unknown-is-not-failed": unknownIsNotFailed,
  "approval-binds": approvalBinds,
  "denied-stays-denied": deniedStaysDenied,
  "approve-once-executes-once": approveOnceExecutesOnce,
  "pause-consumes-nothing": pauseConsumesNothing,
  "consent-survives": consentSurvives,
  "decision-tells-truth": decisionTellsTruth,
  "asks-once": asksOnce,
  "authority-at-commit": authorityAtCommit,
  "recovery-by-kind": recoveryByKind,
  "repair-is-bounded": repairIsBounded,
  "identity-from-context": identityFromContext,
  "layers-do-not-average": layersDoNotAverage,
  "gate-equals-guard": gateEqualsGuard,
  "reservation-is-exclusive": reservationIsExclusive,
  "nothing-after-the-end": nothingAfterTheEnd,
  "every-attempt-ends": everyAttemptEnds,
  "always-recoverable": alwaysRecoverable,
};
