import { type FaultKind, faultKinds, type Profile } from "../model/vocabulary.js";
import type { PromiseId } from "../properties/verdict.js";
import { defaults } from "./defaults.js";
import type { CommitpointConfig } from "./define-config.js";
import { type Environment, variable } from "./environment.js";
import { seedOf, vacuousOnes } from "./settings.js";
import { UsageError } from "./usage-error.js";
import { bytes, duration, type Given, oneOf, wholeNumber } from "./values.js";

/** What was written on the command line for an exploration, unread. */
export type ExploreFlags = {
  readonly calls?: string;
  readonly attempts?: string;
  readonly keys?: string;
  readonly policyChanges?: string;
  readonly crashes?: string;
  readonly arms?: string;
  readonly faultyAttempts?: string;
  readonly faults?: readonly string[];
  /** False for `--no-edges` and `--no-schedules`. */
  readonly edges?: boolean;
  readonly schedules?: boolean;
  readonly full?: boolean;
  readonly partialOrder?: boolean;
  readonly maxStates?: string;
  readonly memory?: string;
  readonly time?: string;
  readonly executions?: string;
  readonly seed?: string;
  readonly allowVacuous?: readonly string[];
};

export type ExploreSettings = {
  /** Where the profile has approvals, in place of `bounds`. */
  readonly guarded?: {
    readonly calls: number;
    readonly attempts: number;
    readonly crashes: "possible" | "none";
  };
  /** Where the profile has rules, in place of `bounds`. */
  readonly ruled?: { readonly attempts: number; readonly crashes: number };
  readonly bounds: {
    readonly attempts: number;
    readonly keys: number;
    readonly policyChanges: number;
    readonly crashes: number;
    readonly arms: number;
    readonly faultyAttempts: number;
  };
  /** One search for each, in this order; the empty one is a search without faults. */
  readonly faultSets: readonly (readonly FaultKind[])[];
  readonly walks: "every_edge" | "none";
  readonly schedules: "all" | "none";
  readonly reduction: { readonly partialOrder: boolean; readonly symmetry: boolean };
  /** As many as fit if `undefined`. */
  readonly maxStates: number | undefined;
  readonly maxBytes: number;
  /** Milliseconds for the whole; without end if `undefined`. */
  readonly timeMs: number | undefined;
  readonly maxExecutions: number;
  readonly seed: number;
  readonly allowVacuous: readonly PromiseId[];
};

export type ExploreSources = {
  readonly flags: ExploreFlags;
  readonly environment: Environment;
  readonly config: CommitpointConfig | undefined;
  /** The one to be explored, which says what faults there are. */
  readonly profile: Profile;
};

/**
 * The settings of an exploration; the seed comes from the same places as that of a run.
 *
 * @throws UsageError for a value that cannot be read, or two that contradict each other
 */
export function exploreSettings({ flags, environment, config, profile }: ExploreSources): ExploreSettings {
  const { time, maxStates, memory, executions } = flags;
  const limit = flagged("--time", time) ?? variable(environment, "TIME");
  return {
    ...guardedOf(flags, profile),
    ...ruledOf(flags, profile),
    bounds: boundsOf(flags),
    faultSets: faultSetsOf(flags.faults ?? ["each"], profile),
    walks: flags.edges === false ? "none" : "every_edge",
    schedules: flags.schedules === false ? "none" : "all",
    // The machine of a profile with rules tells every attempt and key apart.
    reduction: profile.abilities.includes("rules") ? unreduced : reductionOf(flags),
    maxStates: maxStates === undefined ? undefined : number("--max-states", maxStates, 1, mostStates),
    maxBytes: bytes({ text: memory ?? exploreDefaults.memory, place: `--memory ${memory}` }),
    timeMs: limit === undefined ? undefined : duration(limit),
    maxExecutions: number("--executions", executions ?? exploreDefaults.executions, 1, 10_000_000),
    seed: seedOf({
      flags: flags.seed === undefined ? {} : { seed: flags.seed },
      environment,
      config,
    }),
    allowVacuous: vacuousOnes({ flags, environment, config }),
  };
}

/** What `explore` does unless told otherwise, as it would be written. */
export const exploreDefaults = {
  calls: "2",
  attempts: "2",
  keys: "2",
  policyChanges: "2",
  crashes: "1",
  arms: "1",
  faultyAttempts: "1",
  memory: "2g",
  executions: "5000",
  profile: defaults.executor,
} as const;

/** States are numbered in 32 bits. */
const mostStates = 2 ** 32 - 2;

function boundsOf(flags: ExploreFlags): ExploreSettings["bounds"] {
  return {
    attempts: number("--attempts", flags.attempts ?? exploreDefaults.attempts, 1, 4),
    keys: number("--keys", flags.keys ?? exploreDefaults.keys, 1, 3),
    policyChanges: number("--policy-changes", flags.policyChanges ?? exploreDefaults.policyChanges, 0, 9),
    crashes: number("--crashes", flags.crashes ?? exploreDefaults.crashes, 0, 9),
    arms: number("--arms", flags.arms ?? exploreDefaults.arms, 0, 9),
    faultyAttempts: number("--faulty-attempts", flags.faultyAttempts ?? exploreDefaults.faultyAttempts, 0, 4),
  };
}

const ledgersOwn = ["keys", "policyChanges", "arms", "faultyAttempts", "full", "partialOrder"] as const;

/** The machine of a profile with approvals counts calls and their attempts, and nothing else. */
function guardedOf(flags: ExploreFlags, { name, abilities }: Profile): Pick<ExploreSettings, "guarded"> {
  if (!abilities.includes("approvals")) {
    if (flags.calls === undefined) return {};
    throw meaningless("--calls", `the machine of profile ${name} has one call`, "Leave it out.");
  }
  refuseOthers(flags, name, "Its bounds are --calls, --attempts, and --crashes 0 or 1.");
  return {
    guarded: {
      calls: number("--calls", flags.calls ?? exploreDefaults.calls, 1, 2),
      attempts: number("--attempts", flags.attempts ?? exploreDefaults.attempts, 1, 3),
      crashes:
        number("--crashes", flags.crashes ?? exploreDefaults.crashes, 0, 1) === 0 ? "none" : "possible",
    },
  };
}

/** The machine of a profile with rules has one key, and bounds of its own for rules and damage. */
function ruledOf(flags: ExploreFlags, { name, abilities }: Profile): Pick<ExploreSettings, "ruled"> {
  if (!abilities.includes("rules")) return {};
  refuseOthers(flags, name, "Its bounds are --attempts and --crashes.");
  return {
    ruled: {
      attempts: number("--attempts", flags.attempts ?? exploreDefaults.attempts, 1, 3),
      crashes: number("--crashes", flags.crashes ?? exploreDefaults.crashes, 0, 2),
    },
  };
}

function refuseOthers(flags: ExploreFlags, name: string, nextStep: string): void {
  for (const own of ledgersOwn) {
    if (flags[own] === undefined) continue;
    const flag = `--${own.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw meaningless(flag, `the machine of profile ${name} has no such bound or reduction`, nextStep);
  }
}

function meaningless(place: string, message: string, nextStep: string): UsageError {
  return new UsageError({ message, place, nextStep });
}

function number(flag: string, text: string, least: number, most: number): number {
  return wholeNumber({ text, place: `${flag} ${text}` }, least, most);
}

function flagged(flag: string, text: string | undefined): Given | undefined {
  return text === undefined ? undefined : { text, place: `${flag} ${text}` };
}

const unreduced = { partialOrder: false, symmetry: false } as const;

function reductionOf({ full = false, partialOrder = false }: ExploreFlags): ExploreSettings["reduction"] {
  if (full && partialOrder) {
    throw new UsageError({
      message: "--full is a search without reductions, and --partial-order is one",
      place: "--full, --partial-order",
      nextStep: "Leave one of them out.",
    });
  }
  return { partialOrder, symmetry: !full };
}

/** Each choice once, however often and in whatever order its kinds were written. */
function faultSetsOf(texts: readonly string[], profile: Profile): readonly (readonly FaultKind[])[] {
  const sets = texts.flatMap((text) => choicesIn({ text, place: `--faults ${text}` }, profile));
  const unique = new Map(sets.map((set) => [set.join(), set]));
  return [...unique.values()];
}

const choiceWords = ["none", "each"] as const;

function choicesIn(given: Given, { name, faults }: Profile): readonly (readonly FaultKind[])[] {
  if (given.text === "none") return [[]];
  if (given.text === "each") return [[], ...faults.map((kind) => [kind])];
  const parts = given.text.split(",").map((text) => text.trim());
  const words = [...faultKinds, ...choiceWords];
  const kinds = parts.map((text) => {
    const word = oneOf({ text, place: given.place }, "kind of fault", words);
    if (word === "none" || word === "each") {
      throw new UsageError({
        message: `"${word}" is a choice of its own and stands beside no kind of fault`,
        place: given.place,
        nextStep: `Repeat the flag: --faults ${word} --faults ${faultKinds[0]}.`,
      });
    }
    return word;
  });
  const unclaimed = kinds.find((kind) => !faults.includes(kind));
  if (unclaimed !== undefined) {
    throw new UsageError({
      message: `the profile ${name} does not claim the fault ${unclaimed}`,
      place: given.place,
      nextStep: faults.length === 0 ? "It claims none." : `It claims ${faults.join(", ")}.`,
    });
  }
  return [faultKinds.filter((kind) => kinds.includes(kind))];
}
