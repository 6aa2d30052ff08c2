import { inevitable, recoverable } from "./backward.js";
import type { Exploration, Failure, LivenessVerdict, Outcome, Path } from "./exploration.js";
import type { Liveness, Slots } from "./machine.js";
import { chainTo, pathThrough } from "./path.js";
import type { Run } from "./run.js";
import { trailOf } from "./stored.js";

/** Decides a liveness promise on the stored graph of a complete search. */
export function livenessVerdict(
  run: Run,
  outcome: Outcome,
  promise: Liveness,
  stored: Exploration["stored"],
): LivenessVerdict {
  if (run.partialOrder !== undefined)
    return { kind: "not_checked", why: "partial_order_is_not_sound_for_it" };
  if (stored.graph.kind === "not_stored") return { kind: "not_checked", why: "the_graph_is_not_stored" };
  if (outcome.kind !== "complete") return { kind: "undecided" };
  const { graph } = stored.graph;
  const question = {
    isGoal: marked(run, promise.goal),
    isAllowed: (edge: number) => promise.via(graph.action[edge] ?? 0),
    isAsked: promise.from === undefined ? undefined : marked(run, promise.from),
  };
  if (promise.kind === "recoverable") {
    const found = recoverable(graph, question);
    if (found.kind === "holds") return found;
    return { kind: "violated", path: stored.pathTo(found.state), failure: { kind: "no_way_to_the_goal" } };
  }
  const found = inevitable(graph, question);
  if (found.kind === "holds") return found;
  return { kind: "violated", path: stored.pathTo(found.state), failure: failureOf(run, found) };
}

/** One byte a state: 1 where it is so. */
function marked({ codec, table }: Run, isSo: (state: Slots) => boolean): Uint8Array {
  const slots = new Uint8Array(codec.layout.slots);
  return Uint8Array.from({ length: table.count }, (_, state) => {
    codec.unpack(table.packed, state * table.width, slots);
    return isSo(slots) ? 1 : 0;
  });
}

type Endless = {
  readonly state: number;
  readonly way: readonly number[];
  readonly roundFrom: number | undefined;
};

/** The way on, replayed from the start, so that under symmetry it goes on from where the path ends. */
function failureOf(run: Run, { state, way, roundFrom }: Endless): Failure {
  const before = chainTo(run.table, state);
  const whole: Path = pathThrough(trailOf(run), [...before, ...way]);
  const after = whole.slice(before.length - 1);
  if (roundFrom === undefined) return { kind: "stuck", after };
  return { kind: "goes_round", after: after.slice(0, roundFrom), round: after.slice(roundFrom) };
}
