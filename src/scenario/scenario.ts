import {
  type Action,
  type ApprovalRule,
  type AttemptName,
  type AuditCause,
  type DecisionName,
  decisionRefusals,
  type EscalationRow,
  type Json,
  type LayerResults,
  type PolicySetting,
  type Released,
  type ReservationState,
  type StageEvent,
  type Status,
  type UnknownCause,
} from "../model/vocabulary.js";
import type { PromiseId } from "../properties/verdict.js";

/** The one format version that this program reads and writes. */
export const formatVersion = 1;

/** The executor of a scenario that names none: the built-in one of its profile. */
export function defaultExecutor(profile: string): "ledger" | "guarded" | "ruled" {
  return profile === "guarded" || profile === "ruled" ? profile : "ledger";
}

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
  readonly decisions?: readonly DecisionExpectation[];
  /** How many, or all rows, in the order of their writing. */
  readonly requests?: number | readonly RequestExpectation[];
  readonly uses?: number | readonly UseExpectation[];
  readonly escalations?: number | readonly EscalationExpectation[];
  readonly stepsUsed?: readonly RunExpectation[];
  /** How many, or all rows, in the order of tenant and key. */
  readonly reservations?: number | readonly ReservationExpectation[];
  /** What each step `gate` was told, call by call. */
  readonly gates?: readonly (readonly string[])[];
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
  readonly layers?: LayerExpectation;
  /** Texts that the error which reached the caller does not hold. */
  readonly errorExcludes?: readonly string[];
};

/** What the layers answered, each by itself. */
export type LayerExpectation = Partial<LayerResults>;

export type EffectExpectation = {
  /** `null`: the tool has no business key. */
  readonly key: string | null;
  readonly tool?: string;
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
  readonly layers?: LayerExpectation;
  readonly run?: string;
  readonly call?: string;
  /** Texts that no column of the row holds. */
  readonly excludes?: readonly string[];
};

export type PolicyExpectation =
  | { readonly kind: "missing" }
  | {
      readonly kind: "present";
      readonly revision?: number;
      readonly maxCopies?: number;
      readonly approval?: ApprovalRule;
    };

/** How a decision stands after the last step: as it was answered, not answered yet, or lost in a crash. */
export const decisionFates = ["recorded", "unknown", "held", "lost", ...decisionRefusals] as const;
export type DecisionFate = (typeof decisionFates)[number];

export type DecisionExpectation = { readonly decision: DecisionName; readonly fate: DecisionFate };

/** Whose a row is. */
type CallExpectation = { readonly tenant?: string; readonly run?: string; readonly call?: string };

export type RequestExpectation = CallExpectation & {
  readonly number?: number;
  readonly principal?: string;
  readonly tool?: string;
  readonly digest?: string;
  readonly revision?: number;
  readonly role?: string;
  readonly requestedAt?: number;
  readonly expiresAt?: number;
};

export type UseExpectation = CallExpectation & {
  readonly tool?: string;
  readonly digest?: string;
  /** The request whose grant it spent. */
  readonly request?: number | "none";
};

export type EscalationExpectation = CallExpectation & { readonly layer?: EscalationRow["layer"] };

export type ReservationExpectation = {
  readonly key: string;
  readonly tenant?: string;
  readonly state?: ReservationState;
};

/** How many steps a run has used; a run of another tenant than the usual one is written `t2/r1`. */
export type RunExpectation = { readonly run: string; readonly steps: number };

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
