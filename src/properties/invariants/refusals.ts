import type { Checkpoint, Code, Fault, Status } from "../../model/vocabulary.js";
import type { Attempt } from "../account.js";
import { type Always, broken, type Finding, nothing, on } from "./invariant.js";
import { effectKeys, standingText, whileMoving } from "./wording.js";

export const refusedLeavesNothing: Always = {
  id: "refused-leaves-nothing",
  kind: "always",
  needs: ["second_observer"],
  occurred: [on("observed", (_, { change }) => change.settled.some(wasStoppedBeforeExecute))],
  check: [
    on("observed", (_, { change }) =>
      change.settled
        .filter(wasStoppedBeforeExecute)
        .flatMap((attempt) => anyAdded(attempt, `${attempt.name} was stopped before execute`)),
    ),
  ],
};

function anyAdded(attempt: Attempt, why: string): readonly Finding[] {
  if (attempt.added.length === 0) return nothing;
  return broken(
    `${why}, but it added an effect.`,
    "no effect",
    `${effectKeys(attempt.added)}; ${attempt.name} ${standingText(attempt)}`,
  );
}

function wasStoppedBeforeExecute({ standing, cancel, lastStop }: Attempt): boolean {
  if (cancel.kind === "took_hold") return isBeforeExecute(cancel.at);
  if (standing.kind !== "ended") return false;
  const { outcome } = standing;
  if (outcome.kind === "completed") return refusals.includes(outcome.status);
  return outcome.kind === "cancelled" && lastStop.kind === "checkpoint" && isBeforeExecute(lastStop.at);
}

/** Statuses that leave no effect, at whichever layer they were given. */
const refusals: readonly Status[] = [
  "input_rejected",
  "permission_denied",
  "blocked",
  "waiting_for_approval",
  "approval_refused",
];

function isBeforeExecute(at: Checkpoint): boolean {
  return at === "before_request" || at === "before_business";
}

export const rollbackIsComplete: Always = {
  id: "rollback-is-complete",
  kind: "always",
  needs: ["second_observer", "lock_probe", "layer execute", "fault of the transaction"],
  occurred: [on("observed", (_, { change }) => change.settled.some(failedInTransaction))],
  check: [
    on("observed", (_, { change }) => {
      const failed = change.settled.filter(failedInTransaction);
      return [
        ...failed.flatMap((attempt) => anyAdded(attempt, `${attempt.name} failed inside its transaction`)),
        ...(change.now.writeLock === "held"
          ? broken(
              `${whileMoving(change)}, a transaction stayed open.`,
              "write lock free, or held by the harness",
              "write lock held",
            )
          : nothing),
        ...(change.now.writeLock === "not_probed" ? failed.flatMap(notProbed) : nothing),
      ];
    }),
  ],
};

function notProbed({ name }: Attempt): readonly Finding[] {
  return [
    {
      kind: "undecided",
      reason: `the write lock was not probed after ${name} failed inside its transaction`,
    },
  ];
}

/** Codes of an attempt that did not get through the transaction of its effect. */
const transactionCodes: readonly Code[] = [
  "inside_transaction",
  "commit_refused",
  "effect_not_written",
  "disk_full",
  "busy",
  "read_only",
];

function failedInTransaction({ standing, fired }: Attempt): boolean {
  if (fired.some(failsTransaction)) return true;
  if (standing.kind === "lost") return standing.at === "inside_transaction";
  if (standing.kind !== "ended" || standing.outcome.kind !== "completed") return false;
  return standing.outcome.status === "error" && transactionCodes.includes(standing.outcome.code);
}

/** Faults that keep a transaction from committing wherever they fire; the audit may hide the code that says so. */
function failsTransaction(fault: Fault): boolean {
  switch (fault.kind) {
    case "effect_ignored":
      return true;
    case "busy":
    case "commit_refused":
    case "disk_full":
    case "read_only":
      return fault.stage === "execute";
    case "throw_at":
      return fault.at === "inside_transaction";
    default:
      return false;
  }
}
