import type { Action } from "../../model/vocabulary.js";
import type { Bench } from "../../properties/run.js";
import { allOf, type Footprint, rowOf } from "../../sut/footprint.js";

/** What the executor touched since it was last asked, and what the harness looks at before it lets the action have its way. */
export function stepFootprint({ footprints }: Bench["port"], action: Action): Footprint {
  if (footprints.kind === "none") return { kind: "unknown" };
  return bothOf(footprints.take(), ofHarness(action));
}

function ofHarness(action: Action): Footprint {
  if (action.kind === "crash" || action.kind === "restart") return { kind: "unknown" };
  if ("attempt" in action) return { kind: "known", reads: [], writes: [rowOf("#attempts", action.attempt)] };
  const isOfFaults = action.kind === "arm" || action.kind === "disarm";
  return { kind: "known", reads: [], writes: isOfFaults ? [allOf("#faults")] : [] };
}

/** What either touched. Unlike `joined` it neither sorts nor drops doubles: it is made for each step and mostly never read. */
export function bothOf(one: Footprint, other: Footprint): Footprint {
  if (one.kind === "unknown") return one;
  if (other.kind === "unknown") return other;
  return {
    kind: "known",
    reads: [...one.reads, ...other.reads],
    writes: [...one.writes, ...other.writes],
  };
}
