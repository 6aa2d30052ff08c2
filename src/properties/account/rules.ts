import type {
  Code,
  Facts,
  Fault,
  Observation,
  Policy,
  ReservationState,
  RuleClaim,
  RuleSetting,
  StageEvent,
  TraceFlaw,
} from "../../model/vocabulary.js";
import type { Attempt } from "../account.js";

/** What the harness knows by the history alone of the rules, the conversation, and the calls that came to the rules. */
export type RulesAccount = {
  readonly setting: RuleSetting;
  /** What the user has said, a text a turn. */
  readonly texts: readonly string[];
  readonly calls: readonly TracedCall[];
};

/** A call that came to the rules; `turn` is how many texts had been said by then. */
export type TracedCall = { readonly turn: number; readonly attempt: Attempt };

export type RulesBooks = { setting: RuleSetting; texts: string[]; calls: TracedCall[] };

/** What the rules had to say of an attempt when it was submitted. */
export type RulesDue = {
  /** `not_reached`: an earlier stage refuses it. Otherwise `passes`, or the code of its refusal. */
  readonly verdict: "not_reached" | "passes" | Code;
  /** Whether its key had to be reserved, had it passed. */
  readonly reserves: boolean;
};

export function openRulesBooks(): RulesBooks {
  return { setting: [], texts: [], calls: [] };
}

type Entering = {
  readonly contract: Facts;
  readonly tenant: string;
  readonly faults: readonly Fault[];
  readonly policy: Policy;
  readonly observation: Observation;
};

/** What is due to an attempt that enters now, by everything said and called before it. */
export function rulesDue({ setting, texts, calls }: RulesAccount, entering: Entering): RulesDue {
  const { contract, tenant, policy, observation } = entering;
  if (contract.kind === "invalid" || !isAllowedByCheck(entering, policy)) {
    return { verdict: "not_reached", reserves: false };
  }
  const claims = claimsAt(setting, texts, texts.length);
  const reserves = claims.some(({ kind }) => kind === "idempotent");
  const row = observation.reservations?.find((each) => each.tenant === tenant && each.key === contract.key);
  if (reserves && row?.state === "unreadable") return { verdict: "ledger_unreadable", reserves };
  if (reserves && row !== undefined) return { verdict: "duplicate_transaction", reserves };
  return { verdict: refusalOf(claims, calls.length + 1) ?? "passes", reserves };
}

function isAllowedByCheck({ contract, faults }: Entering, policy: Policy): boolean {
  const isAsked = !faults.some((fault) => "stage" in fault && fault.stage === "check");
  return (
    isAsked && contract.kind === "valid" && policy.kind === "present" && contract.weight <= policy.maxCopies
  );
}

/** What the rules claim at a turn: those whose words were said and whose turn had come by then. */
function claimsAt(setting: RuleSetting, texts: readonly string[], turn: number): readonly RuleClaim[] {
  const said = texts.slice(0, turn).map((text) => text.toLowerCase());
  return setting
    .filter(
      ({ saidAny, fromTurn }) =>
        turn >= fromTurn &&
        (saidAny.length === 0 ||
          said.some((text) => saidAny.some((word) => text.includes(word.toLowerCase())))),
    )
    .map(({ claim }) => claim);
}

/** Why the nth call is refused, whatever its key; the first reason in the order in which they are told. */
function refusalOf(claims: readonly RuleClaim[], nth: number): Code | undefined {
  if (claims.some(({ kind }) => kind === "forbid")) return "forbidden_tool";
  if (claims.some(({ kind }) => kind === "allow_others")) return "tool_not_allowed";
  if (claims.some((claim) => claim.kind === "budget" && nth > claim.most)) return "too_many_calls";
  return undefined;
}

/**
 * The verdicts that the gate may give, call by call, read over the whole trace at once: two where a call before may or
 * may not have happened.
 */
export function gateDue(account: RulesAccount, flaw: TraceFlaw): readonly (readonly Code[])[] {
  return account.calls.map((_, index) => [
    ...new Set([verdictOf(account, index, flaw, "happened"), verdictOf(account, index, flaw, "did_not")]),
  ]);
}

/** `open`: what is taken to have become of calls of which nobody knows. */
function verdictOf(
  { setting, texts, calls }: RulesAccount,
  index: number,
  flaw: TraceFlaw,
  open: "happened" | "did_not",
): Code {
  const call = calls[index];
  if (call === undefined) return "allow";
  const claims = claimsAt(setting, texts, call.turn);
  const claimsTo = (kind: RuleClaim["kind"]): boolean => claims.some((claim) => claim.kind === kind);
  const hidden = index === calls.length - 1 ? flaw : "none";
  if (hidden === "unnamed_call") {
    const over = refusalOf(
      claims.filter(({ kind }) => kind === "budget"),
      index + 1,
    );
    const isAbout = claimsTo("forbid") || claimsTo("allow_others") || claimsTo("idempotent");
    return over ?? (isAbout ? "unnamed_call" : "allow");
  }
  const isRepeated =
    hidden === "none" &&
    claimsTo("idempotent") &&
    calls.slice(0, index).some((earlier) => {
      const then = claimsAt(setting, texts, earlier.turn);
      return (
        then.some(({ kind }) => kind === "idempotent") &&
        placeOf(earlier) === placeOf(call) &&
        happened(earlier.attempt, open)
      );
    });
  if (isRepeated) return "duplicate_transaction";
  const refusal = refusalOf(claims, index + 1);
  if (refusal !== undefined) return refusal;
  return hidden === "no_arguments" && claimsTo("idempotent") ? "no_arguments" : "allow";
}

function placeOf({ attempt: { contract, context } }: TracedCall): string {
  return contract.kind === "valid" ? `${context.tenant}\n${contract.key}` : "";
}

/**
 * Whether a call executed, or may have: one that was lost or is under way proves neither, nor does one whose end could
 * not be written down.
 */
function happened(attempt: Attempt, open: "happened" | "did_not"): boolean {
  const events = passageOf(attempt);
  const { standing } = attempt;
  const isWritten = standing.kind === "ended" && standing.outcome.kind !== "audit_unavailable";
  if (events === undefined || !(isWritten || hasExecuted(events))) return open === "happened";
  return hasExecuted(events);
}

export function hasExecuted(events: readonly StageEvent[]): boolean {
  return events.includes("effect_committed") || events.includes("effect_reused");
}

/**
 * Whether only reconciling can settle a reservation: its ledger cannot be read, an error proved nothing, or one struck
 * right before it was to be settled. Whatever is proven settles itself.
 */
export function isLeftToReconciling(state: ReservationState, wasStruckBeforeSettling: boolean): boolean {
  return state === "unknown" || state === "unreadable" || (state === "reserved" && wasStruckBeforeSettling);
}

/** What an attempt that has ended said of its passage; undefined where nobody knows. */
export function passageOf({ standing, delivery }: Attempt): readonly StageEvent[] | undefined {
  if (standing.kind !== "ended") return undefined;
  const { outcome, atRelease } = standing;
  if (outcome.kind === "completed" || outcome.kind === "audit_unavailable") return outcome.events;
  return atRelease.receipts.find((row) => row.delivery === delivery)?.events;
}
