import type { AttemptName } from "../model/vocabulary.js";
import { allOf, type Footprint, joined, rowOf } from "./footprint.js";
import type { Footprints } from "./port.js";

export type PortFootprints = {
  readonly footprints: Footprints;
  /** Called when an attempt is submitted, moved or cancelled: its cancel and its place in its course are its own. */
  readonly moved: (attempt: AttemptName) => void;
  /** Called when faults are armed or taken back, which any attempt may be hit by. */
  readonly armed: () => void;
  /** Called when the executor as a whole is started, cut off or opened again. */
  readonly replaced: () => void;
};

/** An executor's footprints with those of the gate in front of it, which holds its attempts and its faults. */
export function portFootprints(executor: Footprints): PortFootprints {
  const nothing = (): void => {};
  if (executor.kind === "none") {
    return { footprints: executor, moved: nothing, armed: nothing, replaced: nothing };
  }
  let watching = false;
  let touched: Footprint[] = [];
  const touch = (footprint: Footprint): void => {
    if (watching) touched.push(footprint);
  };
  return {
    footprints: {
      kind: "reported",
      watch: () => {
        watching = true;
        executor.watch();
      },
      take: () => {
        const all = joined([...touched, executor.take()]);
        touched = [];
        return all;
      },
    },
    moved: (attempt) => {
      touch(moveOf(attempt));
    },
    armed: () => touch(armedFaults),
    replaced: () => touch(everything),
  };
}

const armedFaults: Footprint = { kind: "known", reads: [], writes: [allOf("#faults"), allOf("#attempts")] };
const everything: Footprint = { kind: "unknown" };
const moves = new Map<AttemptName, Footprint>();

function moveOf(attempt: AttemptName): Footprint {
  const known = moves.get(attempt);
  if (known !== undefined) return known;
  const move: Footprint = { kind: "known", reads: [allOf("#faults")], writes: [rowOf("#attempts", attempt)] };
  moves.set(attempt, move);
  return move;
}
