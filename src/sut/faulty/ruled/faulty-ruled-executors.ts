import type { Port } from "../../port.js";
import { openRuledPort, type RuledOptions } from "../../ruled/system.js";
import { checksAndRecordsWithTheCallInBetween } from "./checks-and-records-with-the-call-in-between.js";
import { checksIdempotencyUnderACondition } from "./checks-idempotency-under-a-condition.js";
import { dropsACallWithoutAName } from "./drops-a-call-without-a-name.js";
import { forgetsEarlierTurns } from "./forgets-earlier-turns.js";
import { ignoresAnUnknownKeyOfARule } from "./ignores-an-unknown-key-of-a-rule.js";
import { ignoresTheAllowListAtRuntime } from "./ignores-the-allow-list-at-runtime.js";
import { keepsAReservationAfterAFailureBeforeTheEffect } from "./keeps-a-reservation-after-a-failure-before-the-effect.js";
import { leavesReservationsAfterACrash } from "./leaves-reservations-after-a-crash.js";
import { readsTheGateOverTheWholeSession } from "./reads-the-gate-over-the-whole-session.js";
import { releasesAReservationAfterAFailureAfterTheEffect } from "./releases-a-reservation-after-a-failure-after-the-effect.js";
import type { RuledBug } from "./ruled-bug.js";
import { skipsABadRuleFile } from "./skips-a-bad-rule-file.js";
import { takesAnUnreadableLedgerForAnEmptyOne } from "./takes-an-unreadable-ledger-for-an-empty-one.js";
import { writesTheLedgerWithoutALock } from "./writes-the-ledger-without-a-lock.js";

export type FaultyRuledExecutor = RuledBug & {
  readonly base: "ruled";
  /** How many actions its witness has; no minimised counterexample of it can be shorter. */
  readonly shortestKnown: number;
  readonly open: (options: Omit<RuledOptions, "variant">) => Port;
};

const ruledBugs: readonly RuledBug[] = [
  checksAndRecordsWithTheCallInBetween,
  keepsAReservationAfterAFailureBeforeTheEffect,
  releasesAReservationAfterAFailureAfterTheEffect,
  leavesReservationsAfterACrash,
  checksIdempotencyUnderACondition,
  forgetsEarlierTurns,
  takesAnUnreadableLedgerForAnEmptyOne,
  ignoresAnUnknownKeyOfARule,
  skipsABadRuleFile,
  dropsACallWithoutAName,
  ignoresTheAllowListAtRuntime,
  writesTheLedgerWithoutALock,
  readsTheGateOverTheWholeSession,
];

/** Every known bug of a ruled executor as an executor; each differs from the sound one in that bug alone. */
export const faultyRuledExecutors: readonly FaultyRuledExecutor[] = ruledBugs.map((bug) => ({
  ...bug,
  base: "ruled",
  shortestKnown: bug.witness.length,
  open: (options) => openRuledPort({ ...options, variant: bug.variant }),
}));
