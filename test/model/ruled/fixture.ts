import type {
  Action,
  AttemptName,
  CrashPoint,
  Fault,
  Profile,
  ReservationState,
  RuleClaim,
  RuleFlaw,
  RuleSetting,
  RuleWord,
  StageEvent,
} from "../../../src/model/vocabulary.js";
import { initialWorld, type World } from "../../../src/model/world.js";
import { allowed, ledger, river2, submit, take, three, worldAfter } from "../fixture.js";

/** The ruled profile as its rules state it: the ledger with rules, reservations and reconciling. */
export const ruled: Profile = {
  ...ledger,
  name: "ruled",
  layers: ["validate", "check", "rules", "reserve", "execute", "output", "receipt"],
  crashPoints: [
    "after_reserve",
    "inside_transaction",
    "after_commit",
    "before_settle",
    "before_receipt",
    "after_receipt",
  ],
  abilities: [...ledger.abilities, "rules", "reservations", "reconcile"],
};

export function without<Key extends "layers" | "checkpoints" | "crashPoints" | "abilities">(
  key: Key,
  ...words: readonly string[]
): Profile {
  return { ...ruled, [key]: ruled[key].filter((word) => !words.includes(word)) };
}

export const empty: World = initialWorld(ruled, three, "drafts");

/** A rule that is always active unless a condition is given. */
export function rule(claim: RuleClaim, condition: Partial<Pick<RuleWord, "saidAny" | "fromTurn">> = {}) {
  return { name: claim.kind, saidAny: [], fromTurn: 0, claim, ...condition };
}

export const once: RuleWord = rule({ kind: "idempotent" });
export const forbidden: RuleWord = rule({ kind: "forbid" });
export const others: RuleWord = rule({ kind: "allow_others" });

export function atMost(most: number): RuleWord {
  return rule({ kind: "budget", most });
}

export function say(text: string): Action {
  return { kind: "say", text };
}

export function change(to: RuleSetting, flaw: RuleFlaw = "none"): Action {
  return { kind: "change_rules", to, flaw };
}

export const reconcile: Action = { kind: "reconcile" };
export const damage: Action = { kind: "damage_ledger" };
export const gate: Action = { kind: "gate", flaw: "none" };
export const crash: Action = { kind: "crash", where: { kind: "parked" } };
export const restart: Action = { kind: "restart" };

export function crashAt(attempt: AttemptName, at: CrashPoint): Action {
  return { kind: "crash", where: { kind: "at", attempt, at } };
}

/** Kills the executor on the way of a new attempt to its first halt. */
export function crashEntering(attempt: AttemptName, request: string, at: CrashPoint): Action {
  const entry = submit(attempt, request);
  if (entry.kind !== "submit") throw new Error("a submission is a submission");
  return { kind: "crash", where: { kind: "entering", entry, at } };
}

export function throwing(at: Extract<Fault, { kind: "throw_at" }>["at"]): Fault {
  return { kind: "throw_at", at };
}

/** The world in which these rules hold and nothing else has happened. */
export function under(...rules: RuleSetting): World {
  return worldAfter(empty, change(rules));
}

/** Keys with their states and who reserved them, in order of reserving. */
export function rows({ reservations }: World): readonly string[] {
  return reservations.map(({ tenant, key, state, attempt }) => `${tenant} ${key} ${state} ${attempt}`);
}

/** The row of the key that everybody asks for here. */
export function row(state: ReservationState, attempt: AttemptName = "a1"): string {
  return `t1 JOB-001 ${state} ${attempt}`;
}

export function effectKeys({ effects }: World): readonly string[] {
  return effects.map(({ key }) => key);
}

/** Status and code of each receipt, in order. */
export function verdicts({ receipts }: World): readonly string[] {
  return receipts.map(({ status, code }) => `${status}/${code}`);
}

/** Where the last of the actions led, in the words that a transition ends with. */
export function last(world: World, ...actions: readonly Action[]): string {
  return take(world, ...actions).transitions.at(-1) ?? "nothing";
}

/** How a new attempt on the usual request begins in this world. */
export function entering(world: World, attempt: AttemptName = "a9", request: string = river2): string {
  return last(world, submit(attempt, request));
}

export const passed = "new submit parked before_business";
export const reserving = "new submit parked before_business via key_reserved";

/** How far the stage events go. */
export const ruledIn: readonly StageEvent[] = [...allowed, "rules_passed"];
export const reserved: readonly StageEvent[] = [...ruledIn, "key_reserved"];
export const begun: readonly StageEvent[] = [...reserved, "business_started"];
export const committed: readonly StageEvent[] = [...begun, "effect_committed"];
export const complete: readonly StageEvent[] = [...committed, "output_started", "output_allowed"];

/** a1 stands before its business with its key reserved. */
export const holding: World = worldAfter(under(once), submit("a1", river2));
