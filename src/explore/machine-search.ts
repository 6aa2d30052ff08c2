import { setImmediate as nextTurn } from "node:timers/promises";
import type { FaultKind } from "../model/vocabulary.js";
import { type PromiseId, promiseIds } from "../properties/verdict.js";
import type { Exploration, NotCheckedReason, Path } from "./exploration.js";
import type { ReferenceMachine } from "./reference-machine.js";
import type { Completeness, MachinePromise, MachineReport } from "./report.js";
import { type SearchOptions, startSearch } from "./search.js";

export type MachineSearch = { readonly exploration: Exploration; readonly report: MachineReport };

/** Searches the machine in turns with everything else, so that a signal and a clock are heard meanwhile. */
export async function searchMachine(
  machine: ReferenceMachine,
  options: SearchOptions,
  progress: (states: number, depth: number) => void,
): Promise<MachineSearch> {
  const going = startSearch(machine, options);
  while (!going.advance(statesAtATime)) {
    const { states, depth } = going.progress();
    progress(states, depth);
    await nextTurn();
  }
  const exploration = going.exploration();
  return { exploration, report: reportOf(machine, exploration) };
}

const statesAtATime = 4096;

function reportOf(machine: ReferenceMachine, exploration: Exploration): MachineReport {
  const { outcome, reduction, states, transitions, depth, bytes, steps } = exploration;
  const faults: readonly FaultKind[] = machine.faults;
  return {
    faults,
    outcome: completenessOf(outcome),
    reduction,
    states,
    transitions,
    depth,
    deadEnds: exploration.deadEnds.length,
    bytesPerState: states === 0 ? 0 : bytes.peak / states,
    steps: steps.filter(({ count }) => count > 0),
    promises: [...promisesOf(exploration), ...leftOut(machine, exploration)],
    transitionsMet: machine.transitionsMet(),
  };
}

function completenessOf(outcome: Exploration["outcome"]): Completeness {
  if (outcome.kind === "complete") return outcome;
  return {
    kind: "undecided",
    reason: outcome.reason === "violation" ? "stopped_at_violation" : outcome.reason,
  };
}

/** What is asked of the whole graph cannot be asked of a graph that leaves out orders. */
function leftOut(machine: ReferenceMachine, { reduction }: Exploration): readonly MachinePromise[] {
  if (!reduction.partialOrder || machine.liveness.length > 0) return [];
  const reason = reasonText.partial_order_is_not_sound_for_it;
  return (["every-attempt-ends", "always-recoverable"] as const).map((promise) => ({
    promise,
    verdict: { kind: "not_checked", reason },
    occurs: "undecided",
    path: [],
  }));
}

type Found = Exploration["always"][number] | Exploration["liveness"][number];

function promisesOf({ always, liveness, sometimes }: Exploration): readonly MachinePromise[] {
  const found: readonly Found[] = [...always, ...liveness];
  return promiseIds.flatMap((promise) => {
    const own = found.filter(({ id }) => id === promise);
    return own.length === 0
      ? []
      : [
          promiseOf(
            promise,
            own,
            sometimes.find(({ id }) => id === promise),
          ),
        ];
  });
}

/** A promise of which several things are asked holds only if they all do. */
function promiseOf(
  promise: PromiseId,
  found: readonly Found[],
  sometimes: Exploration["sometimes"][number] | undefined,
): MachinePromise {
  const verdicts = found.map(({ verdict }) => verdict);
  const violated = verdicts.find((verdict) => verdict.kind === "violated");
  const unchecked = verdicts.find((verdict) => verdict.kind === "not_checked");
  const isOpen = verdicts.some(({ kind }) => kind === "undecided");
  const occurs = occursBy(sometimes?.verdict.kind);
  if (violated?.kind === "violated") {
    return { promise, verdict: { kind: "violated" }, occurs: "yes", path: namesOf(wholePath(violated)) };
  }
  if (unchecked?.kind === "not_checked") {
    return { promise, verdict: { kind: "not_checked", reason: reasonText[unchecked.why] }, occurs, path: [] };
  }
  return { promise, verdict: { kind: isOpen ? "undecided" : "holds" }, occurs, path: [] };
}

function occursBy(
  kind: Exploration["sometimes"][number]["verdict"]["kind"] | undefined,
): MachinePromise["occurs"] {
  if (kind === "occurs") return "yes";
  return kind === "never_occurs" ? "no" : "undecided";
}

type Violated = Extract<Found["verdict"], { kind: "violated" }>;

/** The way to the state that breaks a promise, and how it goes on from there. */
function wholePath(violated: Violated): Path {
  if (!("failure" in violated) || violated.failure.kind === "no_way_to_the_goal") return violated.path;
  const { failure } = violated;
  return [...violated.path, ...failure.after, ...(failure.kind === "goes_round" ? failure.round : [])];
}

function namesOf(path: Path): readonly string[] {
  return path.map(({ name }) => name);
}

const reasonText: { readonly [why in NotCheckedReason]: string } = {
  partial_order_is_not_sound_for_it: "partial order is not sound for it",
  symmetry_is_not_sound_for_it: "symmetry is not sound for it",
  the_graph_is_not_stored: "the graph was not stored",
};

/** The shortest way that the search found to break a promise, for whoever replays it. */
export function violationsIn({
  always,
  liveness,
}: Exploration): readonly { readonly promise: PromiseId; readonly path: Path }[] {
  return [...always, ...liveness].flatMap(({ id, verdict }) => {
    const promise = promiseIds.find((known) => known === id);
    return promise === undefined || verdict.kind !== "violated"
      ? []
      : [{ promise, path: wholePath(verdict) }];
  });
}
