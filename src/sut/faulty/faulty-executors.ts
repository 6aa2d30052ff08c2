import { type LedgerOptions, openLedgerPort } from "../ledger/system.js";
import type { Port } from "../port.js";
import { acceptsANumericString } from "./accepts-a-numeric-string.js";
import { acceptsAnExtraField } from "./accepts-an-extra-field.js";
import { acceptsFourDigitJob } from "./accepts-four-digit-job.js";
import { acceptsFullWidthDigits } from "./accepts-full-width-digits.js";
import { acceptsProtoKey } from "./accepts-proto-key.js";
import { acceptsTrailingNewline } from "./accepts-trailing-newline.js";
import { acceptsTrueAsACount } from "./accepts-true-as-a-count.js";
import { acknowledgesBeforeTheCommit } from "./acknowledges-before-the-commit.js";
import { checksTheStoredBody } from "./checks-the-stored-body.js";
import { commitsOnTheSnapshotAlone } from "./commits-on-the-snapshot-alone.js";
import { deletesTheDraftWhenCancelledAfterTheCommit } from "./deletes-the-draft-when-cancelled-after-the-commit.js";
import { deletesTheDraftWhenTheOutputIsRejected } from "./deletes-the-draft-when-the-output-is-rejected.js";
import { digestsInWrittenOrder } from "./digests-in-written-order.js";
import { forgetsTheRollbackAfterARefusedCommit } from "./forgets-the-rollback-after-a-refused-commit.js";
import { forgetsTheRollbackAfterAnError } from "./forgets-the-rollback-after-an-error.js";
import { holdsTheTransactionOverACheckpoint } from "./holds-the-transaction-over-a-checkpoint.js";
import { insertsOutsideTheTransaction } from "./inserts-outside-the-transaction.js";
import { keepsOneReceiptPerKey } from "./keeps-one-receipt-per-key.js";
import { keysTheReceiptByTheLastEffect } from "./keys-the-receipt-by-the-last-effect.js";
import type { KnownBug } from "./known-bug.js";
import { looksAtTheSignalOnlyBeforeTheBusinessStep } from "./looks-at-the-signal-only-before-the-business-step.js";
import { looksTheKeyUpBeforeTheCheckpoint } from "./looks-the-key-up-before-the-checkpoint.js";
import { losesTheCancellationInAnAuditFailure } from "./loses-the-cancellation-in-an-audit-failure.js";
import { passesAnOutputCheckThatRejectsWithNothing } from "./passes-an-output-check-that-rejects-with-nothing.js";
import { passesAnOutputCheckThatThrows } from "./passes-an-output-check-that-throws.js";
import { readsAMissingPolicyAsNoLimit } from "./reads-a-missing-policy-as-no-limit.js";
import { readsEffectExistsOffItsEvents } from "./reads-effect-exists-off-its-events.js";
import { rechecksTheLimitNotTheRevision } from "./rechecks-the-limit-not-the-revision.js";
import { recreatesThePolicyAtRestart } from "./recreates-the-policy-at-restart.js";
import { releasesBeforeWritingTheReceipt } from "./releases-before-writing-the-receipt.js";
import { remembersKeysInMemoryOnly } from "./remembers-keys-in-memory-only.js";
import { replacesTheRowOnAKeyConflict } from "./replaces-the-row-on-a-key-conflict.js";
import { replaysTheStoredOutputOnAKeyConflict } from "./replays-the-stored-output-on-a-key-conflict.js";
import { reportsALateErrorAsNothingHappened } from "./reports-a-late-error-as-nothing-happened.js";
import { reportsBusyAsAPolicyChange } from "./reports-busy-as-a-policy-change.js";
import { retriesUnderANewKey } from "./retries-under-a-new-key.js";
import { reusesARevision } from "./reuses-a-revision.js";
import { saysCommittedBeforeTheCommit } from "./says-committed-before-the-commit.js";
import { sharesOneEventsList } from "./shares-one-events-list.js";
import { skipsTheOutputCheckOnReuse } from "./skips-the-output-check-on-reuse.js";
import { swallowsACancelAfterTheCommit } from "./swallows-a-cancel-after-the-commit.js";
import { takesANewSnapshotWithoutTheCheck } from "./takes-a-new-snapshot-without-the-check.js";
import { takesAnUnwrittenInsertForAPolicyChange } from "./takes-an-unwritten-insert-for-a-policy-change.js";
import { tellsTheCallerAnotherStatus } from "./tells-the-caller-another-status.js";
import { trustsTheLastInsertId } from "./trusts-the-last-insert-id.js";
import { writesNoReceiptWhenCancelled } from "./writes-no-receipt-when-cancelled.js";
import { writesTheArgumentsIntoTheError } from "./writes-the-arguments-into-the-error.js";
import { writesTheArgumentsIntoTheReceipt } from "./writes-the-arguments-into-the-receipt.js";
import { writesTheRejectedTextIntoTheError } from "./writes-the-rejected-text-into-the-error.js";
import { writesTheRejectedTextIntoTheReceipt } from "./writes-the-rejected-text-into-the-receipt.js";

/** A known bug as an executor of its own. */
export type FaultyExecutor = KnownBug & {
  readonly base: "ledger";
  /** How many actions its witness has; no minimised counterexample of it can be shorter. */
  readonly shortestKnown: number;
  readonly open: (options: Omit<LedgerOptions, "variant">) => Port;
};

const knownBugs: readonly KnownBug[] = [
  trustsTheLastInsertId,
  acknowledgesBeforeTheCommit,
  commitsOnTheSnapshotAlone,
  rechecksTheLimitNotTheRevision,
  reusesARevision,
  takesANewSnapshotWithoutTheCheck,
  skipsTheOutputCheckOnReuse,
  checksTheStoredBody,
  passesAnOutputCheckThatThrows,
  passesAnOutputCheckThatRejectsWithNothing,
  deletesTheDraftWhenTheOutputIsRejected,
  deletesTheDraftWhenCancelledAfterTheCommit,
  swallowsACancelAfterTheCommit,
  looksAtTheSignalOnlyBeforeTheBusinessStep,
  writesNoReceiptWhenCancelled,
  losesTheCancellationInAnAuditFailure,
  insertsOutsideTheTransaction,
  forgetsTheRollbackAfterAnError,
  forgetsTheRollbackAfterARefusedCommit,
  holdsTheTransactionOverACheckpoint,
  replacesTheRowOnAKeyConflict,
  replaysTheStoredOutputOnAKeyConflict,
  digestsInWrittenOrder,
  looksTheKeyUpBeforeTheCheckpoint,
  remembersKeysInMemoryOnly,
  saysCommittedBeforeTheCommit,
  readsEffectExistsOffItsEvents,
  reportsALateErrorAsNothingHappened,
  sharesOneEventsList,
  keepsOneReceiptPerKey,
  keysTheReceiptByTheLastEffect,
  writesTheRejectedTextIntoTheReceipt,
  writesTheArgumentsIntoTheReceipt,
  writesTheRejectedTextIntoTheError,
  writesTheArgumentsIntoTheError,
  reportsBusyAsAPolicyChange,
  readsAMissingPolicyAsNoLimit,
  retriesUnderANewKey,
  releasesBeforeWritingTheReceipt,
  recreatesThePolicyAtRestart,
  takesAnUnwrittenInsertForAPolicyChange,
  tellsTheCallerAnotherStatus,
  acceptsTrueAsACount,
  acceptsANumericString,
  acceptsAnExtraField,
  acceptsFourDigitJob,
  acceptsTrailingNewline,
  acceptsFullWidthDigits,
  acceptsProtoKey,
];

/**
 * Every known bug of a ledger as an executor, in the order in which the bugs are listed; each differs from the
 * sound ledger in that bug alone. Left out is one that rechecks the revision at the commit but not the limit: as
 * long as nothing changes the arguments after the check, an unchanged revision means an unchanged limit, so that
 * in this profile it does nothing wrong.
 */
export const faultyExecutors: readonly FaultyExecutor[] = knownBugs.map((bug) => ({
  ...bug,
  base: "ledger",
  shortestKnown: bug.witness.length,
  open: (options) => openLedgerPort({ ...options, variant: bug.variant }),
}));
