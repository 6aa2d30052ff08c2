import { type GuardedOptions, openGuardedPort } from "../../guarded/system.js";
import type { Port } from "../../port.js";
import { asksForEver } from "./asks-for-ever.js";
import { asksForExternalCallsOnly } from "./asks-for-external-calls-only.js";
import { asksForWritesOnly } from "./asks-for-writes-only.js";
import { believesATamperedText } from "./believes-a-tampered-text.js";
import { believesAnEchoOfOtherArguments } from "./believes-an-echo-of-other-arguments.js";
import { bindsACallNotAgainInTheTransaction } from "./binds-a-call-not-again-in-the-transaction.js";
import { bindsACallOnlyWhenAsked } from "./binds-a-call-only-when-asked.js";
import { cachesACapability } from "./caches-a-capability.js";
import { checksTheCapabilityBeforeTheWaitOnly } from "./checks-the-capability-before-the-wait-only.js";
import { doesNotLookAtTheClockInTheTransaction } from "./does-not-look-at-the-clock-in-the-transaction.js";
import { doesNotLookForANoInTheTransaction } from "./does-not-look-for-a-no-in-the-transaction.js";
import { forgetsADenialWhenThePolicyStopsAsking } from "./forgets-a-denial-when-the-policy-stops-asking.js";
import type { GuardedBug } from "./guarded-bug.js";
import { ignoresADenialOfAnOlderRequest } from "./ignores-a-denial-of-an-older-request.js";
import { ignoresTheExpiry } from "./ignores-the-expiry.js";
import { isValidAtItsExpiry } from "./is-valid-at-its-expiry.js";
import { keepsDecisionsInMemory } from "./keeps-decisions-in-memory.js";
import { keepsRequestsInMemory } from "./keeps-requests-in-memory.js";
import { letsAGrantOutliveADenial } from "./lets-a-grant-outlive-a-denial.js";
import { letsAGrantOutweighAMissingRight } from "./lets-a-grant-outweigh-a-missing-right.js";
import { letsALaterGrantOverwriteADenial } from "./lets-a-later-grant-overwrite-a-denial.js";
import { letsAnybodyDecide } from "./lets-anybody-decide.js";
import { letsTheRequesterDecide } from "./lets-the-requester-decide.js";
import { losesAGrantOnARoundTrip } from "./loses-a-grant-on-a-round-trip.js";
import { losesTheGateAtRestart } from "./loses-the-gate-at-restart.js";
import { matchesTheApprovalByItsTool } from "./matches-the-approval-by-its-tool.js";
import { matchesTheApprovalWithoutItsCall } from "./matches-the-approval-without-its-call.js";
import { matchesTheApprovalWithoutItsDigest } from "./matches-the-approval-without-its-digest.js";
import { matchesTheApprovalWithoutItsTenant } from "./matches-the-approval-without-its-tenant.js";
import { matchesTheApprovalWithoutItsTool } from "./matches-the-approval-without-its-tool.js";
import { mintsACallIdOnResume } from "./mints-a-call-id-on-resume.js";
import { normalisesAfterTheApproval } from "./normalises-after-the-approval.js";
import { opensARequestWithoutASecondLook } from "./opens-a-request-without-a-second-look.js";
import { recordsAForgedDecision } from "./records-a-forged-decision.js";
import { refusesAGenuineText } from "./refuses-a-genuine-text.js";
import { refusesARedeliveryAsExpired } from "./refuses-a-redelivery-as-expired.js";
import { regeneratesWithoutBound } from "./regenerates-without-bound.js";
import { releasesTheHiddenPart } from "./releases-the-hidden-part.js";
import { restartsTheExpiry } from "./restarts-the-expiry.js";
import { retriesARefusal } from "./retries-a-refusal.js";
import { runsALaterStepMeanwhile } from "./runs-a-later-step-meanwhile.js";
import { runsAnApprovedCallUnderAnAbortedSignal } from "./runs-an-approved-call-under-an-aborted-signal.js";
import { spendsNoApprovalOfAKeylessCall } from "./spends-no-approval-of-a-keyless-call.js";
import { spendsTheApprovalInATransactionOfItsOwn } from "./spends-the-approval-in-a-transaction-of-its-own.js";
import { spendsTheApprovalOnlyOnACommit } from "./spends-the-approval-only-on-a-commit.js";
import { survivesAPolicyChange } from "./survives-a-policy-change.js";
import { takesADenialForAnAnswer } from "./takes-a-denial-for-an-answer.js";
import { takesAGrantForWhateverWaits } from "./takes-a-grant-for-whatever-waits.js";
import { takesAThrowingCheckForAPass } from "./takes-a-throwing-check-for-a-pass.js";
import { takesAskForAllow } from "./takes-ask-for-allow.js";
import { takesTheRoleFromTheArguments } from "./takes-the-role-from-the-arguments.js";

export type FaultyGuardedExecutor = GuardedBug & {
  readonly base: "guarded";
  /** How many actions its witness has; no minimised counterexample of it can be shorter. */
  readonly shortestKnown: number;
  readonly open: (options: Omit<GuardedOptions, "variant">) => Port;
};

const guardedBugs: readonly GuardedBug[] = [
  asksForExternalCallsOnly,
  asksForWritesOnly,
  takesAskForAllow,
  takesTheRoleFromTheArguments,
  matchesTheApprovalByItsTool,
  matchesTheApprovalWithoutItsDigest,
  matchesTheApprovalWithoutItsTool,
  matchesTheApprovalWithoutItsCall,
  matchesTheApprovalWithoutItsTenant,
  mintsACallIdOnResume,
  normalisesAfterTheApproval,
  takesAGrantForWhateverWaits,
  survivesAPolicyChange,
  ignoresTheExpiry,
  isValidAtItsExpiry,
  doesNotLookAtTheClockInTheTransaction,
  doesNotLookForANoInTheTransaction,
  letsALaterGrantOverwriteADenial,
  letsAGrantOutliveADenial,
  takesADenialForAnAnswer,
  forgetsADenialWhenThePolicyStopsAsking,
  ignoresADenialOfAnOlderRequest,
  spendsNoApprovalOfAKeylessCall,
  spendsTheApprovalInATransactionOfItsOwn,
  spendsTheApprovalOnlyOnACommit,
  bindsACallOnlyWhenAsked,
  bindsACallNotAgainInTheTransaction,
  recordsAForgedDecision,
  letsAnybodyDecide,
  letsTheRequesterDecide,
  believesAnEchoOfOtherArguments,
  believesATamperedText,
  keepsRequestsInMemory,
  keepsDecisionsInMemory,
  restartsTheExpiry,
  losesTheGateAtRestart,
  losesAGrantOnARoundTrip,
  refusesAGenuineText,
  asksForEver,
  opensARequestWithoutASecondLook,
  refusesARedeliveryAsExpired,
  cachesACapability,
  checksTheCapabilityBeforeTheWaitOnly,
  letsAGrantOutweighAMissingRight,
  takesAThrowingCheckForAPass,
  runsALaterStepMeanwhile,
  runsAnApprovedCallUnderAnAbortedSignal,
  regeneratesWithoutBound,
  releasesTheHiddenPart,
  retriesARefusal,
];

/** Every known bug of a guarded executor as an executor; each differs from the sound one in that bug alone. */
export const faultyGuardedExecutors: readonly FaultyGuardedExecutor[] = guardedBugs.map((bug) => ({
  ...bug,
  base: "guarded",
  shortestKnown: bug.witness.length,
  open: (options) => openGuardedPort({ ...options, variant: bug.variant }),
}));
