import { type Footprint, joined } from "../footprint.js";
import type { Footprints } from "../port.js";
import { storeFootprints } from "../store-footprints.js";

/** What an executor tells of itself, with what its attempts take from the harness in common. */
export function definedFootprints<Executor>(
  footprint: ((executor: Executor) => Footprint) | undefined,
  open: () => { readonly executor: Executor } | undefined,
): { readonly footprints: Footprints; readonly drew: (from: "#clock" | "#ids") => void } {
  if (footprint === undefined) return { footprints: { kind: "none" }, drew: () => {} };
  const { watch, take, drew } = storeFootprints(() => false);
  const told = (): Footprint => {
    const running = open();
    return running === undefined ? { kind: "unknown" } : footprint(running.executor);
  };
  return { footprints: { kind: "reported", watch, take: () => joined([take(), told()]) }, drew };
}
