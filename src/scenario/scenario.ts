import type {
  Action,
  AttemptName,
  AuditCause,
  Json,
  PolicySetting,
  Released,
  StageEvent,
  Status,
  UnknownCause,
} from "../model/vocabulary.js";
import type { PromiseId } from "../properties/verdict.js";

/** The one format version that this program reads and writes. */
export const formatVersion = 1;

/** The executor of a scenario that names none. */
export const defaultExecutor = "ledger";

/** An interleaving with what it must leave behind. */
export type ScenarioContent = {
  readonly name: string;
  readonly profile: string;
  readonly executor: string;
  readonly about: string;
  readonly source: string;
  readonly notes?: string;
  readonly policy: PolicySetting;
  readonly actions: readonly Action[];
  readonly expect: Expectation;
  /** Where a kept counterexample was found. Its steps do not depend on it. */
  readonly found?: Found;
};

export type Scenario = ScenarioContent & {
  /** The line in the file of each action, from 1; as many as there are actions. */
  readonly lines: readonly number[];
};

type Found = {
  readonly seed: number;
  readonly path: string;
  readonly version: string;
  readonly date: string;
};

/** What the steps must leave behind. Only what is there is compared. */
export type LeftBehind = {
  readonly attempts?: readonly AttemptExpectation[];
  /** All rows, in the order of key, then tenant. */
  readonly effects?: readonly EffectExpectation[];
  /** How many, or all rows, in the order of their numbers. */
  readonly receipts?: number | readonly ReceiptExpectation[];
  readonly policy?: PolicyExpectation;
};

export type Expectation = LeftBehind & {
  /** At least one of these must hold besides the rest. */
  readonly anyOf?: readonly LeftBehind[];
  /** A promise that this executor breaks with these steps. Without it no promise may be broken. */
  readonly violates?: PromiseId;
};

export const fates = [
  "completed",
  "cancelled",
  "audit_unavailable",
  "refused",
  "failed",
  "unknown",
  "lost",
  "in_flight",
] as const;

/** How an attempt stands after the last step: the kind of its outcome, lost in a crash, or not ended. */
export type Fate = (typeof fates)[number];

export type AttemptExpectation = {
  readonly attempt: AttemptName;
  readonly outcome: Fate;
  readonly status?: Status;
  readonly code?: string;
  readonly events?: readonly StageEvent[];
  readonly effectExists?: boolean;
  readonly released?: Released;
  /** Of an audit failure all of them, in order; of an unknown outcome the one. */
  readonly causes?: readonly (AuditCause | UnknownCause)[];
  readonly receipt?: number;
  /** Texts that the error which reached the caller does not hold. */
  readonly errorExcludes?: readonly string[];
};

export type EffectExpectation = {
  readonly key: string;
  readonly tenant?: string;
  readonly digest?: string;
  /** A text is compared as it is stored, anything else with the stored text read as JSON. */
  readonly body?: Json;
  readonly revision?: number;
  readonly run?: string;
  readonly call?: string;
};

export type ReceiptExpectation = {
  readonly number?: number;
  readonly status?: Status;
  readonly code?: string;
  /** `null`: the receipt names no key. */
  readonly key?: string | null;
  readonly effectExists?: boolean;
  readonly events?: readonly StageEvent[];
  readonly run?: string;
  readonly call?: string;
  /** Texts that no column of the row holds. */
  readonly excludes?: readonly string[];
};

export type PolicyExpectation =
  | { readonly kind: "missing" }
  | { readonly kind: "present"; readonly revision?: number; readonly maxCopies?: number };

/** One thing that is wrong in a scenario file, and where. `line` and `column` count from 1. */
export type Mistake = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Like `steps[2].submit.faults[0]`; empty for the whole file. */
  readonly path: string;
  /** What was expected, what was seen, and the nearest right word if there is one. */
  readonly message: string;
};

/** One line an editor or a terminal can jump from. */
export function formatMistake(mistake: Mistake): string {
  const place = mistake.path === "" ? "" : `${mistake.path}: `;
  return `${mistake.file}:${mistake.line}:${mistake.column}: ${place}${mistake.message}`;
}
