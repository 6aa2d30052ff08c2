import type { DecisionRow, EffectRow, Policy } from "../../model/vocabulary.js";
import { callText, isLive, type JudgedDecision, somethingWaits } from "../account/consent.js";
import { eventsOf, isReleased } from "../account/outcomes.js";
import { type Account, type Attempt, attemptOf } from "../account.js";
import { type Always, broken, type Finding, nothing, on } from "./invariant.js";
import { effectText, outcomeText, whileMoving } from "./wording.js";

export const approvalBinds: Always = {
  id: "approval-binds",
  kind: "always",
  needs: ["second_observer", "approvals", "clock", "effect_call", "effect_digest"],
  occurred: [
    on("observed", (_, account) =>
      moverOf(account).some((attempt) => attempt.added.length > 0 && neededApproval(attempt, account)),
    ),
  ],
  check: [
    on("observed", (_, account) =>
      moverOf(account)
        .filter((attempt) => neededApproval(attempt, account))
        .flatMap((attempt) =>
          account.change.effects.added.flatMap((row) => boundByGrant(row, attempt, account)),
        ),
    ),
  ],
};

/** The attempt that moved since the read before. */
function moverOf({ change }: Account): readonly Attempt[] {
  return change.mover.kind === "attempt" ? [change.mover.attempt] : [];
}

/** Whether somebody had to be asked, by what the tool does, what the context permits and what the policy said at the commit. */
function neededApproval({ contract, context }: Attempt, { change }: Account): boolean {
  return needsApproval(contract, context, change.before.policy);
}

function needsApproval(
  contract: Attempt["contract"],
  { dispatch }: Attempt["context"],
  policy: Policy,
): boolean {
  if (contract.kind === "invalid" || contract.tool?.effect === "read") return false;
  if (contract.tool?.effect !== "write") return true;
  const isFree =
    dispatch?.sideEffects === "permitted" && policy.kind === "present" && policy.approval !== "required";
  return !isFree;
}

function boundByGrant(row: EffectRow, attempt: Attempt, account: Account): readonly Finding[] {
  const { consent, change } = account;
  const { policy } = change.before;
  const { context } = attempt;
  const isNamed = callText(row) === callText(context);
  const numbers = consent.requestsOf.get(callText(context)) ?? [];
  const grant = numbers
    .map((number) => consent.requests.get(number))
    .find(
      (request) =>
        request !== undefined &&
        consent.granted.has(request.number) &&
        request.tool === row.tool &&
        request.digest === row.digest &&
        request.tenant === row.tenant &&
        consent.clock < request.expiresAt &&
        policy.kind === "present" &&
        policy.revision === request.revision,
    );
  const use = consent.uses.get(callText(context));
  const isUsedOtherwise = use !== undefined && (use.digest !== row.digest || use.tool !== row.tool);
  if (isNamed && grant !== undefined && !isUsedOtherwise) return nothing;
  return broken(
    `${whileMoving(change)}, an effect was committed that nobody had approved in this form at that time.`,
    `a genuine, live grant for ${row.tool}, call ${context.callId}, digest ${row.digest.slice(0, 8)}, and an effect and a use of just that`,
    `${row.tool} ${effectText(row)}; granted requests of the call: ${grantedText(numbers, account)}`,
  );
}

function grantedText(numbers: readonly number[], { consent }: Account): string {
  const granted = numbers.filter((number) => consent.granted.has(number));
  return granted.length === 0 ? "none" : granted.join(", ");
}

export const deniedStaysDenied: Always = {
  id: "denied-stays-denied",
  kind: "always",
  needs: ["approvals"],
  occurred: [on("decided", (_, { consent }) => consent.noes.size > 0)],
  check: [
    on("parked", ({ attempt, at }, account) =>
      at === "after_business" || at === "output_check"
        ? wentOn(attemptOf(account, attempt), account, `parked at ${at}`)
        : nothing,
    ),
    on("ended", ({ attempt, outcome }, account) => {
      const executed = eventsOf(outcome).some(
        (said) => said === "effect_committed" || said === "effect_reused",
      );
      if (!executed && !isReleased(outcome)) return nothing;
      return wentOn(attemptOf(account, attempt), account, outcomeText(outcome));
    }),
    on("observed", (_, account) => [
      ...account.change.effects.added
        .filter((row) => account.consent.noes.has(callText(row)))
        .flatMap((row) =>
          broken(
            `${whileMoving(account.change)}, a call executed to which somebody had said no.`,
            "no effect of a denied call",
            effectText(row),
          ),
        ),
      ...account.consent.change.requests
        .filter((row) => account.consent.noes.has(callText(row)))
        .flatMap((row) =>
          broken(
            "A call was asked about again after somebody had said no.",
            `no request of call ${row.callId} after the no`,
            `request ${row.number}`,
          ),
        ),
      ...account.consent.change.decided
        .filter(isNoTurnedAway)
        .flatMap(({ decision, answer }) =>
          broken(
            "A no to a call that had not been used was turned away.",
            `${decision.decision} recorded`,
            answer.kind === "refused" ? `refused: ${answer.code}` : answer.kind,
          ),
        ),
    ]),
  ],
};

function wentOn(attempt: Attempt, { consent }: Account, seen: string): readonly Finding[] {
  if (!consent.noes.has(callText(attempt.context))) return nothing;
  return broken(
    `${attempt.name} went on although somebody had said no to its call.`,
    "approval_refused, nothing executed and nothing released",
    seen,
  );
}

function isNoTurnedAway({ decision, answer, due }: JudgedDecision): boolean {
  return decision.verdict === "deny" && due === "recorded" && answer.kind === "refused";
}

export const approveOnceExecutesOnce: Always = {
  id: "approve-once-executes-once",
  kind: "always",
  needs: ["second_observer", "approvals", "effect_call"],
  occurred: [
    on("ended", ({ attempt }, account) =>
      account.consent.uses.has(callText(attemptOf(account, attempt).context)),
    ),
  ],
  check: [
    on("observed", (_, { change }) =>
      change.effects.added.flatMap((row) => {
        const rows = change.now.effects.filter((other) => callText(other) === callText(row));
        if (rows.length <= 1) return nothing;
        return broken(
          `${whileMoving(change)}, call ${row.callId} executed a second time.`,
          "at most one effect of a call",
          rows.map((one) => `${one.tool} ${effectText(one)}`).join("; "),
        );
      }),
    ),
  ],
};

export const consentSurvives: Always = {
  id: "consent-survives",
  kind: "always",
  needs: ["second_observer", "approvals"],
  occurred: [
    on("restarted", (_, { consent }) => consent.requests.size > 0),
    on("round_tripped", (_, { consent }) => consent.requests.size > 0),
  ],
  check: [
    on("observed", (_, { consent, change }) =>
      consent.change.lost.flatMap((row) =>
        broken(
          `${whileMoving(change)}, a row of consent was changed or lost.`,
          "requests, decisions, uses and steps as they were written",
          row,
        ),
      ),
    ),
  ],
};

export const decisionTellsTruth: Always = {
  id: "decision-tells-truth",
  kind: "always",
  needs: ["second_observer", "approvals"],
  occurred: [on("decided", () => true)],
  check: [
    on("round_tripped", ({ tampered, answer }, { consent }) => {
      if (!tampered || answer === "refused" || !somethingWaits(consent)) return nothing;
      return broken("A text of what waits was believed although it had been changed.", "refused", answer);
    }),
    on("observed", (_, { consent }) => {
      const { decided, decisions } = consent.change;
      const [judged] = decided;
      if (judged === undefined) return decisions.flatMap(rowFromElsewhere);
      return [...answeredWrongly(judged), ...writtenWrongly(judged, decisions, consent)];
    }),
  ],
};

type Consent = Account["consent"];

function answeredWrongly({ decision, answer, due }: JudgedDecision): readonly Finding[] {
  const { verdict, request } = decision;
  const given = answer.kind === "refused" ? `refused: ${answer.code}` : answer.kind;
  const isRight = answer.kind === "unknown" || (answer.kind === "recorded") === (due === "recorded");
  if (isRight) return nothing;
  return broken(
    `${decision.decision}, a ${verdict} of request ${request}, was answered otherwise than it deserves.`,
    due === "recorded" ? "recorded" : `refused: ${due}`,
    given,
  );
}

/** Of a decision whose approver heard nothing there may be a row, if it deserves one; a row says what was decided. */
function writtenWrongly(
  { decision, answer, due }: JudgedDecision,
  rows: Consent["change"]["decisions"],
  { requests }: Consent,
): readonly Finding[] {
  const most = answer.kind === "refused" || (answer.kind === "unknown" && due !== "recorded") ? 0 : 1;
  const least = answer.kind === "recorded" ? 1 : 0;
  if (rows.length < least || rows.length > most) {
    return broken(
      `${decision.decision} was answered otherwise than its row says.`,
      answer.kind === "recorded" ? "one decision row" : "no decision row",
      `${answer.kind} with ${rows.length} new decision rows`,
    );
  }
  const role = requests.get(decision.request)?.role ?? "no role";
  const said = decisionText({ ...decision, approver: decision.by.approver, role });
  return rows
    .map(decisionText)
    .filter((text) => due === "recorded" && text !== said)
    .flatMap((text) =>
      broken(`The row of ${decision.decision} says something else than was decided.`, said, text),
    );
}

function decisionText(row: Pick<DecisionRow, "request" | "verdict" | "approver" | "role">): string {
  return `${row.verdict} of request ${row.request} by ${row.approver} as ${row.role}`;
}

function rowFromElsewhere({ number, request, verdict, approver }: DecisionRow): readonly Finding[] {
  return broken(
    "A decision appeared that no approver made.",
    "no new decision row",
    `decision ${number}: ${verdict} of request ${request} by ${approver}`,
  );
}

export const asksOnce: Always = {
  id: "asks-once",
  kind: "always",
  needs: ["second_observer", "approvals", "clock"],
  occurred: [
    on("ended", ({ outcome }) => outcome.kind === "completed" && outcome.status === "waiting_for_approval"),
  ],
  check: [
    on("observed", (_, account) => {
      const { consent, change } = account;
      return consent.change.requests.flatMap((row) => {
        const numbers = consent.requestsOf.get(callText(row)) ?? [];
        const before = consent.requests.get(numbers[numbers.indexOf(row.number) - 1] ?? 0);
        if (before === undefined || !wasLive(before, account)) return nothing;
        return broken(
          `${whileMoving(change)}, a second request of call ${row.callId} was opened beside a live one.`,
          `no request while request ${before.number} is live`,
          `request ${row.number}`,
        );
      });
    }),
  ],
};

/** Whether a request was live when the next one of its call was opened. */
function wasLive(request: Parameters<typeof isLive>[1], { consent, change }: Account): boolean {
  const call = callText(request);
  return isLive(
    { ...consent, requestsOf: new Map([[call, [request.number]]]) },
    request,
    change.before.policy,
  );
}
