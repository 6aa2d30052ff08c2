import type { Action } from "../model/vocabulary.js";
import { type Bench, executeRun } from "../properties/run.js";
import type { Broken, PromiseId, Violation } from "../properties/verdict.js";
import type { Graph } from "./graph.js";
import type { ReferenceMachine } from "./reference-machine.js";
import { createWalker } from "./walker.js";

/** A broken promise on a walk, and the actions that led there. */
export type WalkFailure = {
  readonly promise: PromiseId;
  readonly walk: number;
  readonly violation: Violation;
  readonly actions: readonly Action[];
};

/** How much of the machine's graph was walked on an executor. */
export type EdgeWalk = {
  readonly outcome:
    | { readonly kind: "complete" }
    | { readonly kind: "undecided"; readonly reason: "time" | "interrupted" }
    | { readonly kind: "broken"; readonly broken: Broken };
  readonly edges: { readonly walked: number; readonly reachable: number };
  /** Edges that no walk can reach on this executor, as it left the machine's way before them or on them. */
  readonly cutOff: number;
  readonly walks: number;
  readonly actions: number;
  /** Those of the first walk that broke each promise. */
  readonly failures: readonly WalkFailure[];
  readonly occurred: readonly PromiseId[];
  /** Promises that a walk left open, with the reason. */
  readonly undecided: ReadonlyMap<PromiseId, string>;
};

export type EdgeOptions = {
  /** How the graph numbers its actions: as the states that stand for mirror images, or as the states themselves. */
  readonly numbers: "canonical" | "as_they_are";
  /** `driven`: after each walk everything is driven to its end, so that what must hold in the end is judged, too. */
  readonly epilogue: "driven" | "left_out";
  readonly isOver: () => "time" | "interrupted" | "no";
  readonly progress?: (done: {
    readonly walked: number;
    readonly reachable: number;
    readonly walks: number;
  }) => void;
};

/**
 * Walks every edge of the machine's graph on an executor, and judges each walk as a run. An edge counts as walked
 * once the executor has taken its step and no promise was broken by then. Never rejects for what the executor does.
 */
export async function walkEdges(
  bench: Bench,
  machine: ReferenceMachine,
  graph: Graph,
  options: EdgeOptions,
): Promise<EdgeWalk> {
  const walker = createWalker(graph);
  const isWalked = new Uint8Array(graph.target.length);
  const failures = new Map<PromiseId, WalkFailure>();
  const occurred = new Set<PromiseId>();
  const undecided = new Map<PromiseId, string>();
  const reachable = graph.target.length;
  let [walked, walks, actions] = [0, 0, 0];
  const result = (outcome: EdgeWalk["outcome"]): EdgeWalk => ({
    outcome,
    edges: { walked, reachable },
    cutOff: walker.left().length,
    walks,
    actions,
    failures: [...failures.values()],
    occurred: [...occurred],
    undecided,
  });
  for (let walk = walker.next(); walk !== "done"; walk = walker.next()) {
    const over = options.isOver();
    if (over !== "no") return result({ kind: "undecided", reason: over });
    const list = actionsOf(machine, graph, walk, options.numbers);
    const { verdict, end } = await executeRun(bench, list, { epilogue: options.epilogue });
    walks++;
    actions += list.length;
    for (const promise of verdict.occurred) occurred.add(promise);
    if (options.epilogue === "driven")
      for (const { promise, reason } of verdict.undecided) undecided.set(promise, reason);
    const failedAt = Math.min(...verdict.violations.map(({ action }) => action), list.length);
    for (const violation of verdict.violations) {
      const { promise } = violation;
      if (!failures.has(promise)) failures.set(promise, { promise, walk: walks, violation, actions: list });
    }
    if (end.kind === "broken") {
      const broken = { run: walks, where: end.where, message: end.message, actions: list };
      return result({ kind: "broken", broken });
    }
    for (const edge of walk.slice(0, failedAt)) {
      if (isWalked[edge] === 0) walked++;
      isWalked[edge] = 1;
      walker.walked(edge);
    }
    const lost = walk[failedAt];
    if (lost !== undefined) walker.giveUp(lost);
    options.progress?.({ walked, reachable, walks });
  }
  return result({ kind: "complete" });
}

function actionsOf(
  machine: ReferenceMachine,
  graph: Graph,
  walk: readonly number[],
  numbers: EdgeOptions["numbers"],
): readonly Action[] {
  const path = machine.path(numbers);
  return walk.flatMap((edge) => {
    const taken = path.follow(graph.action[edge] ?? 0);
    return taken === "epilogue" ? [] : [taken];
  });
}
