import type { Arrangement } from "./arrangement.js";
import { type Moment, type PromiseName, promises } from "./promises.js";
import { newTurn, stepsOf, type Turn } from "./turn.js";

export type FrameworkVerdict = {
  readonly promise: PromiseName;
  /** `not_applicable`: the situation that the promise guards occurs in no interleaving. */
  readonly verdict: "holds" | "violated" | "not_applicable";
  /** A fewest steps from the start of the turn that break the promise; empty unless violated. */
  readonly witness: readonly string[];
};

/** Decides every promise of one arrangement over all interleavings of its turn. */
export function frameworkVerdicts(arrangement: Arrangement): readonly FrameworkVerdict[] {
  const occurred = new Set<PromiseName>();
  const witnesses = new Map<PromiseName, readonly string[]>();
  for (const { moment, path } of momentsOf(arrangement)) {
    for (const { id, occurs, isBroken } of promises) {
      if (witnesses.has(id) || !occurs(moment)) continue;
      occurred.add(id);
      if (isBroken(moment)) witnesses.set(id, path);
    }
  }
  return promises.map(({ id }) => {
    const witness = witnesses.get(id);
    if (witness !== undefined) return { promise: id, verdict: "violated", witness };
    return { promise: id, verdict: occurred.has(id) ? "holds" : "not_applicable", witness: [] };
  });
}

/** Every step of every state once, breadth first, each with a shortest way that ends in it. */
function* momentsOf(
  arrangement: Arrangement,
): Generator<{ readonly moment: Moment; readonly path: readonly string[] }> {
  const met = new Set([JSON.stringify(newTurn)]);
  const queue: { readonly turn: Turn; readonly path: readonly string[] }[] = [{ turn: newTurn, path: [] }];
  for (const { turn, path: before } of queue) {
    for (const step of stepsOf(arrangement, turn)) {
      const path = [...before, step.text];
      yield { moment: { arrangement, before: turn, step }, path };
      const name = JSON.stringify(step.next);
      if (met.has(name)) continue;
      met.add(name);
      queue.push({ turn: step.next, path });
    }
  }
}
