import type {
  AttemptName,
  Checkpoint,
  Context,
  CrashPoint,
  EffectRow,
  Event,
  Facts,
  Fault,
  Grant,
  Observation,
  Outcome,
  Policy,
  PolicySetting,
  Profile,
  SnapshotRevision,
} from "../model/vocabulary.js";
import { enter, openBooks, submitted } from "./account/books.js";
import type { ConsentAccount, RunGate } from "./account/consent.js";
import type { RulesAccount, RulesDue } from "./account/rules.js";
import type { StoreChange } from "./account/store-change.js";

/** Where an attempt stands. */
export type Standing =
  | { readonly kind: "moving" }
  | { readonly kind: "parked"; readonly at: Checkpoint }
  | { readonly kind: "blocked"; readonly on: string }
  | {
      readonly kind: "ended";
      readonly outcome: Outcome;
      readonly atRelease: Observation;
      readonly position: number;
    }
  | { readonly kind: "lost"; readonly at: CrashPoint | "rest" };

/** The checkpoint at which an attempt last stood. */
export type LastStop =
  | { readonly kind: "none" }
  | { readonly kind: "checkpoint"; readonly at: Checkpoint; readonly snapshotRevision: SnapshotRevision };

/**
 * `requested`: while it stood at no checkpoint, so it may come too late. `pending`: while it stood at one, so it
 * takes hold there when the attempt moves. `took_hold`: delivered, or due because the attempt moved on.
 */
export type Cancel =
  | { readonly kind: "none" | "requested" }
  | { readonly kind: "pending" | "took_hold"; readonly at: Checkpoint };

/** What the history says of one attempt so far. */
export type Attempt = {
  readonly name: AttemptName;
  readonly delivery: string;
  readonly context: Context;
  /** JSON text as the executor received it. */
  readonly request: string;
  readonly contract: Facts;
  readonly canaries: readonly string[];
  /** `recovery`: submitted after the faults were gone, to see whether its key still works. */
  readonly purpose: "generated" | "recovery";
  /** In force when the attempt was submitted. */
  readonly policyAtSubmission: Policy;
  /** Whether its run let it move then. */
  readonly gateAtSubmission: RunGate;
  /** Whether its call had been used by then. */
  readonly usedAtSubmission: boolean;
  /** Whether its principal held then what the call takes. */
  readonly capableAtSubmission: boolean;
  /** What the rules had to say of it then. */
  readonly rulesDue: RulesDue;
  readonly standing: Standing;
  readonly lastStop: LastStop;
  /** What it had seen of the policy when it last set off. */
  readonly departedWith: SnapshotRevision;
  readonly cancel: Cancel;
  readonly fired: readonly Fault[];
  /** Effect rows that first appeared while it moved. */
  readonly added: readonly EffectRow[];
};

/** What the history says so far: kept once, read by every promise. */
export type Account = {
  readonly profile: Profile;
  readonly tool: string;
  /** In order of submission. */
  readonly attempts: readonly Attempt[];
  readonly byName: ReadonlyMap<AttemptName, Attempt>;
  readonly byDelivery: ReadonlyMap<string, Attempt>;
  /** Valid requests by place of their effect, then digest; the number is their weight. */
  readonly requested: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly canaries: ReadonlySet<string>;
  readonly consent: ConsentAccount;
  readonly rules: RulesAccount;
  /** The latest; before the first, the empty store. */
  readonly observation: Observation;
  /** What the latest observation changed. */
  readonly change: StoreChange;
  readonly faults: "possible" | "gone";
  readonly executor: "up" | "down" | "failed_to_restart";
  /** Of the latest event; -1 before the first. */
  readonly position: number;
};

/** Keeps an account: `account` is a live view that `add` brings up to date. */
export function createAccount(
  profile: Profile,
  tool: string,
  setting: PolicySetting,
  capabilities: readonly Grant[] = [],
): { readonly account: Account; readonly add: (event: Event) => void } {
  const books = openBooks(profile, tool, setting, capabilities);
  return { account: books, add: (event) => enter(books, event) };
}

/** The attempt of that name. An event that names an attempt nobody submitted is a mistake of the harness. */
export function attemptOf(account: Account, name: AttemptName): Attempt {
  return submitted(account.byName, name);
}

/** Whether a cancel took hold of the attempt, or its caller was told so. */
export function wasCancelled({ cancel, standing }: Attempt): boolean {
  return cancel.kind === "took_hold" || (standing.kind === "ended" && standing.outcome.kind === "cancelled");
}
