import type {
  AttemptName,
  Code,
  Facts,
  Fault,
  Happening,
  Observation,
  Outcome,
  ReservationRow,
  ReservationState,
  RuleFlaw,
  RuleSetting,
  StageEvent,
  Status,
  TraceFlaw,
} from "../../../src/model/vocabulary.js";
import type { PromiseId } from "../../../src/properties/verdict.js";
import { ruled } from "../../model/ruled/fixture.js";
import {
  advanceToEnd,
  effect,
  ended,
  firstRequest,
  happened,
  observed,
  parked,
  receipt,
  stopped,
  store,
  submitted,
  told,
  verdictOn,
} from "../history.js";

/** Ruled histories written by hand, on the words of test/properties/history.ts; everybody asks for JOB-001 of t1. */

export type Telling = readonly (Happening | readonly Happening[])[];

/** What one promise, judged alone, says of a history: its violation, at the position of the event that shows it. */
export function breach(promise: PromiseId, ...telling: Telling): Told {
  const [violation] = verdictOn(happened(...telling), [promise], { profile: ruled }).violations;
  if (violation === undefined) return "nothing";
  const { position, sentence, expected, seen } = violation;
  return { at: position, sentence, expected, seen };
}

export type Told =
  | "nothing"
  | { readonly at: number; readonly sentence: string; readonly expected: string; readonly seen: string };

/** Whether the situation that a promise guards occurred. */
export function occurs(promise: PromiseId, ...telling: Telling): boolean {
  return verdictOn(happened(...telling), [promise], { profile: ruled }).occurred.includes(promise);
}

/** The position of the last event of a telling. */
export function lastOf(...telling: Telling): number {
  return telling.flat().length - 1;
}

export const begins: Happening = observed(store({ reservations: [] }));

export const said = (text: string): Happening => ({ kind: "said", text });

export function rulesSet(
  to: RuleSetting,
  flaw: RuleFlaw = "none",
  answer: "taken" | "refused" = flaw === "none" ? "taken" : "refused",
): Happening {
  return { kind: "rules_set", to, flaw, answer };
}

export function gated(verdicts: readonly Code[], flaw: TraceFlaw = "none"): Happening {
  return { kind: "gated", flaw, verdicts };
}

/** The row of a key, by default that of JOB-001 which a1 reserved. */
export function row(state: ReservationState, parts: Partial<ReservationRow> = {}): ReservationRow {
  return { tenant: "t1", key: "JOB-001", state, delivery: "d-a1", ...parts };
}

/** A store in which these keys are reserved, read after something that moved no attempt. */
export function holding(...reservations: readonly ReservationRow[]): Happening {
  return observed(store({ reservations }));
}

/** How far the stage events of a ruled attempt go. */
const ruledIn: readonly StageEvent[] = [...stopped.beforeBusiness, "rules_passed"];
const begun: readonly StageEvent[] = [...ruledIn, "key_reserved", "business_started"];
export const passage = {
  refused: stopped.beforeBusiness,
  ruledIn,
  reserved: [...ruledIn, "key_reserved"],
  begun,
  committed: [...begun, "effect_committed"],
  reused: [...begun, "effect_reused"],
} as const satisfies { readonly [where: string]: readonly StageEvent[] };

type More = { readonly contract?: Facts; readonly tenant?: string; readonly faults?: readonly Fault[] };

/** An attempt is submitted, and nothing is known of it yet. */
export function enters(attempt: AttemptName, more: More = {}): Happening {
  return submitted(attempt, more.contract ?? firstRequest, more);
}

/** What a caller is told who is told that it got so far. */
export function outcome(
  attempt: AttemptName,
  status: Status,
  code: Code,
  events: readonly StageEvent[],
): Outcome {
  return told(receipt(1, attempt, { status, code, events }));
}

/** The outcome of a refusal by the rules; one by a ledger that cannot be read is an error. */
export function refusal(attempt: AttemptName, code: Code): Outcome {
  const status = code === "ledger_unreadable" ? "error" : "blocked";
  return outcome(attempt, status, code, passage.refused);
}

/** An attempt ends where it is submitted. */
export function endsAtOnce(attempt: AttemptName, end: Outcome, more: More = {}): readonly Happening[] {
  return [enters(attempt, more), ended(attempt, end, store())];
}

/** An attempt is refused by the rules. */
export function refuses(attempt: AttemptName, code: Code, more: More = {}): readonly Happening[] {
  return endsAtOnce(attempt, refusal(attempt, code), more);
}

/** An attempt goes on, to where it stands before its business. */
export function passes(attempt: AttemptName, more: More = {}): readonly Happening[] {
  return [enters(attempt, more), parked(attempt, "before_business")];
}

/** An attempt goes on to its end, and the store is read. */
export function ends(
  attempt: AttemptName,
  end: Outcome,
  now: Partial<Observation> = {},
  more: More = {},
): readonly Happening[] {
  return [...passes(attempt, more), observed(store()), ...advanceToEnd(attempt, end, store(now))];
}

/** An attempt commits JOB-001 of t1, or what it is said to ask for, and is accepted. */
export function commits(attempt: AttemptName, more: More = {}): readonly Happening[] {
  const { contract = firstRequest, tenant = "t1" } = more;
  const key = contract.kind === "valid" ? contract.key : "";
  return ends(
    attempt,
    outcome(attempt, "accepted", "ok", passage.committed),
    {
      effects: [effect({ tenant, key })],
      reservations: [row("done", { tenant, key, delivery: `d-${attempt}` })],
    },
    more,
  );
}
