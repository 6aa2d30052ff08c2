import type { Code, Outcome, StageEvent } from "../../model/vocabulary.js";
import { gateDue, hasExecuted, passageOf } from "../account/rules.js";
import { type Account, type Attempt, attemptOf } from "../account.js";
import { type Always, broken, type Finding, nothing, on } from "./invariant.js";
import { outcomeText } from "./wording.js";

/**
 * One rule set, two exits: before each call the guard says what the rules say of the conversation up to it, and the
 * gate says the same of the recorded trace. Both are held against a reading of the whole history by the harness alone.
 */
export const gateEqualsGuard: Always = {
  id: "gate-equals-guard",
  kind: "always",
  needs: ["rules", "layer rules"],
  occurred: [
    on("parked", ({ attempt }, account) => isRuled(attemptOf(account, attempt), account)),
    on("ended", ({ attempt }, account) => isRuled(attemptOf(account, attempt), account)),
    on("gated", ({ verdicts }) => verdicts.length > 0),
  ],
  check: [
    on("parked", ({ attempt }, account) => passed(attemptOf(account, attempt))),
    on("ended", ({ attempt, outcome }, account) => told(attemptOf(account, attempt), outcome)),
    on("rules_set", ({ flaw, answer }) => {
      const due = flaw === "none" ? "taken" : "refused";
      if (answer === due) return nothing;
      return flaw === "none"
        ? broken("A rule set without a mistake was refused.", due, answer)
        : broken("A rule set with a mistake was taken instead of being refused.", due, answer);
    }),
    on("gated", ({ flaw, verdicts }, { rules }) => {
      const due = gateDue(rules, flaw);
      const wrong = due.findIndex((each, index) => !each.includes(verdicts[index] ?? "no verdict"));
      if (wrong < 0 && verdicts.length === due.length) return nothing;
      if (wrong < 0) {
        return broken(
          "The gate judges calls that were never made.",
          `${due.length} calls`,
          `${verdicts.length}`,
        );
      }
      return broken(
        `The gate judges call ${wrong + 1} of the trace otherwise than the rules say.`,
        due[wrong]?.join(" or ") ?? "nothing",
        verdicts[wrong] ?? "no verdict: the call is not among those judged",
      );
    }),
  ],
};

function isRuled({ rulesDue }: Attempt, { rules }: Account): boolean {
  return rulesDue.verdict !== "not_reached" && rules.setting.length > 0;
}

/** An attempt stands at its first checkpoint only behind the rules. */
function passed({ name, rulesDue: { verdict } }: Attempt): readonly Finding[] {
  if (verdict === "passes" || verdict === "not_reached") return nothing;
  return broken(`${name} went on although the rules refuse it.`, verdict, "passed the rules");
}

function told(attempt: Attempt, outcome: Outcome): readonly Finding[] {
  const { name, rulesDue } = attempt;
  const { verdict } = rulesDue;
  const refusal = outcome.kind === "completed" ? rulesRefusal(outcome.status, outcome.code) : undefined;
  if (verdict === "not_reached" || verdict === "passes") {
    return refusal === undefined
      ? nothing
      : broken(`${name} was refused although the rules let it pass.`, verdict, outcomeText(outcome));
  }
  const events: readonly StageEvent[] = passageOf(attempt) ?? [];
  if (events.includes("rules_passed")) {
    return broken(`${name} passed the rules although they refuse it.`, verdict, outcomeText(outcome));
  }
  if (outcome.kind !== "completed" || refusal === verdict) return nothing;
  return broken(`${name} was refused for another reason than the rules give.`, verdict, outcomeText(outcome));
}

/** The code of an outcome if only the rules, or the ledger that they look into, give it. */
function rulesRefusal(status: string, code: Code): Code | undefined {
  if (status === "blocked") return code === "ledger_unreadable" ? "blocked/ledger_unreadable" : code;
  return status === "error" && code === "ledger_unreadable" ? code : undefined;
}

/** Of all attempts on a key that has to be reserved, one executes, whatever the order, the crashes and the retries. */
export const reservationIsExclusive: Always = {
  id: "reservation-is-exclusive",
  kind: "always",
  needs: ["reservations", "layer reserve"],
  occurred: [
    on("submitted", ({ attempt }, account) => {
      const one = attemptOf(account, attempt);
      return one.rulesDue.reserves && rivalsOf(one, account).length > 0;
    }),
  ],
  check: [
    on("ended", ({ attempt }, account) => executedTwice(attemptOf(account, attempt), account)),
    on("observed", (_, account) =>
      account.change.settled
        .filter(({ standing }) => standing.kind === "lost")
        .flatMap((lost) => executedTwice(lost, account)),
    ),
  ],
};

function executedTwice(attempt: Attempt, account: Account): readonly Finding[] {
  if (!attempt.rulesDue.reserves || !executed(attempt)) return nothing;
  const [other] = rivalsOf(attempt, account).filter(executed);
  if (other === undefined || attempt.contract.kind === "invalid") return nothing;
  return broken(
    `${attempt.name} executed under ${attempt.contract.key} of ${attempt.context.tenant}, which ${other.name} had executed under.`,
    "duplicate_transaction",
    "both executed",
  );
}

function executed(attempt: Attempt): boolean {
  const events = passageOf(attempt);
  return events === undefined ? attempt.added.length > 0 : hasExecuted(events);
}

/** Other attempts whose call has to reserve the same key. */
function rivalsOf({ name, contract, context }: Attempt, { attempts }: Account): readonly Attempt[] {
  if (contract.kind === "invalid") return nothing;
  return attempts.filter(
    (other) =>
      other.name !== name &&
      other.rulesDue.reserves &&
      other.contract.kind === "valid" &&
      other.contract.key === contract.key &&
      other.context.tenant === context.tenant,
  );
}
