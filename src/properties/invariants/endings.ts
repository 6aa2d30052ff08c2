import type { Code, Status } from "../../model/vocabulary.js";
import { boundTo, callText, grantText, runGate } from "../account/consent.js";
import { asksSomebody } from "../account/outcomes.js";
import { effectsOf } from "../account/rows.js";
import { effectChanges, isUntouched, receiptChanges, type StoreChange } from "../account/store-change.js";
import { type Account, type Attempt, attemptOf, wasCancelled } from "../account.js";
import { type Always, broken, type Eventually, type Finding, nothing, on } from "./invariant.js";
import { effectKeys, outcomeText, policyText, receiptNumbers, receiptText, standingText } from "./wording.js";

export const cancelIsNotSuccess: Always = {
  id: "cancel-is-not-success",
  kind: "always",
  needs: ["cancel"],
  occurred: [on("ended", ({ attempt }, account) => wasCancelled(attemptOf(account, attempt)))],
  check: [
    on("ended", ({ attempt, outcome, releasedIs }, account) => {
      if (!wasCancelled(attemptOf(account, attempt))) return nothing;
      if (releasedIs !== "nothing") {
        return broken(
          `${attempt} released a value although it was cancelled.`,
          "nothing released",
          `${outcomeText(outcome)}, released a value`,
        );
      }
      if (outcome.kind !== "completed" || outcome.status === "cancelled") return nothing;
      return broken(`${attempt} ended as if it had not been cancelled.`, "cancelled", outcomeText(outcome));
    }),
    on("observed", (_, { change, byDelivery }) =>
      change.receipts.added.flatMap((row) => {
        const owner = byDelivery.get(row.delivery);
        if (owner === undefined || !wasCancelled(owner) || row.status === "cancelled") return nothing;
        return broken(
          `The receipt of ${owner.name}, which was cancelled, says something else.`,
          `receipt ${row.number}: cancelled`,
          receiptText(row),
        );
      }),
    ),
  ],
};

export const nothingAfterTheEnd: Always = {
  id: "nothing-after-the-end",
  kind: "always",
  needs: ["second_observer"],
  occurred: [
    on("observed", (_, { attempts, change }) =>
      attempts.some((attempt) => isOver(attempt) && !change.settled.includes(attempt)),
    ),
  ],
  check: [
    on("late", ({ attempt, what }) =>
      broken(`${attempt} was active after it had ended.`, "nothing more of it", what),
    ),
    on("observed", (_, account) => [
      ...writtenByNobody(account.change),
      ...writtenAfterRelease(account.change),
      ...receiptsOfThePast(account),
    ]),
  ],
};

function isOver({ standing }: Attempt): boolean {
  return standing.kind === "ended" || standing.kind === "lost";
}

function writtenByNobody({ mover, effects, receipts, now }: StoreChange): readonly Finding[] {
  if (mover.kind === "attempt" || (isUntouched(effects) && isUntouched(receipts))) return nothing;
  return broken(
    "The store changed although no attempt moved.",
    "effects and receipts as they were",
    `${effectKeys(now.effects)}; ${receiptNumbers(now.receipts)}`,
  );
}

function writtenAfterRelease({ settled, now }: StoreChange): readonly Finding[] {
  return settled.flatMap(({ name, standing }) => {
    if (standing.kind !== "ended") return nothing;
    const { atRelease } = standing;
    const effects = effectChanges(atRelease.effects, now.effects);
    const receipts = receiptChanges(atRelease.receipts, now.receipts);
    if (isUntouched(effects) && isUntouched(receipts)) return nothing;
    return broken(
      `The store changed after ${name} had ended.`,
      `${effectKeys(atRelease.effects)}; ${receiptNumbers(atRelease.receipts)}`,
      `${effectKeys(now.effects)}; ${receiptNumbers(now.receipts)}`,
    );
  });
}

/** Receipts that appeared or changed while another attempt moved than the one that had ended before. */
function receiptsOfThePast({ change, byDelivery }: Account): readonly Finding[] {
  if (change.mover.kind === "nobody") return nothing;
  const touched = [...change.receipts.added, ...change.receipts.changed.map(({ before }) => before)];
  return touched.flatMap((row) => {
    const owner = byDelivery.get(row.delivery);
    if (owner === undefined || !isOver(owner) || change.settled.includes(owner)) return nothing;
    return broken(
      `Receipt ${row.number} of ${owner.name} was written after ${owner.name} had ended.`,
      "receipts of ended attempts as they were",
      receiptText(row),
    );
  });
}

export const everyAttemptEnds: Eventually = {
  id: "every-attempt-ends",
  kind: "eventually",
  needs: [],
  occurred: ({ attempts }) => attempts.length > 0,
  check: ({ attempts, position }) =>
    attempts
      .filter((attempt) => !isOver(attempt))
      .flatMap((attempt) =>
        broken(
          `${attempt.name} has not ended although faults are gone and everything was driven on.`,
          `${attempt.name} ended`,
          `${attempt.name} ${standingText(attempt)}`,
        ),
      )
      .map((finding) => ({ ...finding, position })),
};

export const alwaysRecoverable: Eventually = {
  id: "always-recoverable",
  kind: "eventually",
  needs: ["second_observer"],
  occurred: ({ attempts }) => attempts.some(({ purpose }) => purpose === "recovery"),
  check: (account) => {
    const { executor, position, attempts } = account;
    if (executor === "failed_to_restart") {
      return broken("The executor did not come up again.", "restarted up", "restarted failed").map(
        (finding) => ({ ...finding, position }),
      );
    }
    const turnedAway = account.consent.refusedRoundTrips > 0 ? refusedRoundTrip(account) : nothing;
    return [
      ...turnedAway,
      ...lastRecoveries(attempts)
        .filter((attempt) => !isJustified(attempt, account))
        .flatMap((attempt) => (isUnknown(attempt) ? unknowable(attempt, account) : stuck(attempt, account))),
    ];
  },
};

/** Of a call that is asked about and granted on the way, only its last attempt has to end as it should. */
function lastRecoveries(attempts: readonly Attempt[]): readonly Attempt[] {
  const recoveries = attempts.filter(({ purpose }) => purpose === "recovery");
  return recoveries.filter((attempt, index) => {
    const outcome = attempt.standing.kind === "ended" ? attempt.standing.outcome : undefined;
    const isAsked = outcome?.kind === "completed" && asksSomebody(outcome);
    const again = recoveries
      .slice(index + 1)
      .some(({ context }) => callText(context) === callText(attempt.context));
    // A call that was used is asked about by nobody any more.
    return !(isAsked && again) || attempt.usedAtSubmission;
  });
}

function refusedRoundTrip({ position }: Account): readonly (Finding & { readonly position: number })[] {
  return broken(
    "What waits was written out and turned away when it came back as it was.",
    "restored",
    "refused",
  ).map((finding) => ({ ...finding, position }));
}

function isUnknown({ standing }: Attempt): boolean {
  return standing.kind === "ended" && standing.outcome.kind === "unknown";
}

/** Unknown is not failed: nobody proved that nothing happened, nor that anything did. */
function unknowable(
  { name }: Attempt,
  account: Account,
): readonly (Finding & { readonly position: number })[] {
  const reason = `${name}, a retry with every fault gone, ended unknown; an error that proves nothing happened has to say so`;
  return [{ kind: "undecided", reason, position: account.position }];
}

function stuck(attempt: Attempt, account: Account): readonly (Finding & { readonly position: number })[] {
  const { policy, effects } = account.observation;
  const position = attempt.standing.kind === "ended" ? attempt.standing.position : account.position;
  return broken(
    `${attempt.name}, a retry with every fault gone, ended in no way that the policy or its key justifies.`,
    "accepted, or a refusal that policy or key justifies",
    `${attempt.name} ${standingText(attempt)}, under ${policyText(policy)}, with ${effectKeys(effects)}`,
  ).map((finding) => ({ ...finding, position }));
}

function isJustified(attempt: Attempt, account: Account): boolean {
  const { standing, contract } = attempt;
  if (standing.kind !== "ended") return false;
  if (standing.outcome.kind === "refused") return isTakenByOthers(attempt, account);
  if (standing.outcome.kind !== "completed") return false;
  if (contract.kind === "invalid") return standing.outcome.status === "input_rejected";
  const { policy } = account.observation;
  const { status, code } = standing.outcome;
  switch (status) {
    case "accepted":
      return true;
    case "input_rejected":
      return policy.kind === "missing"
        ? code === "missing_policy"
        : code === "batch_limit" && contract.weight > policy.maxCopies;
    case "key_conflict":
      return isTakenByOthers(attempt, account);
    default:
      return isJustifiedRefusal(attempt, status, code, account);
  }
}

/** Whether a right that is missing, a no, a call bound to something else, or its run justifies a refusal. */
function isJustifiedRefusal(attempt: Attempt, status: Status, code: Code, account: Account): boolean {
  const { contract, context } = attempt;
  const { consent } = account;
  if (contract.kind === "invalid") return false;
  const tool = context.dispatch?.tool ?? account.tool;
  switch (status) {
    case "permission_denied": {
      const { principal, tenant } = context;
      const resource = contract.tool?.resource ?? "";
      return !consent.capabilities.has(grantText({ principal, tenant, tool, resource }));
    }
    case "blocked":
      return runGate(consent, context) !== "open" || isRuledOut(attempt, code, account);
    case "approval_refused": {
      const bound = boundTo(consent, context);
      if (code === "tool_mismatch") return bound !== undefined && bound.tool !== tool;
      if (code === "digest_mismatch") return bound !== undefined && bound.digest !== contract.digest;
      return (code === "denied" || code === "revoked") && consent.noes.has(callText(context));
    }
    default:
      return false;
  }
}

/** A rule says so; and of a duplicate there is the effect that it would repeat. */
function isRuledOut(attempt: Attempt, code: Code, account: Account): boolean {
  if (code !== attempt.rulesDue.verdict || code === "ledger_unreadable") return false;
  return code !== "duplicate_transaction" || effectsOf(attempt, account, account.observation).length > 0;
}

/** Whether the key has an effect of other arguments; where no digest is shown, any effect of it may be that. */
function isTakenByOthers(attempt: Attempt, account: Account): boolean {
  const { contract } = attempt;
  const showsDigests = account.profile.abilities.includes("effect_digest");
  return effectsOf(attempt, account, account.observation).some(
    ({ digest }) => !showsDigests || contract.kind === "invalid" || digest !== contract.digest,
  );
}
