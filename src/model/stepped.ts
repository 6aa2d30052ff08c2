import type { Predicted } from "./predicted.js";
import type { World } from "./world.js";

/** What an action does to a world, or why it cannot be done there. */
export type Step =
  | {
      readonly kind: "moved";
      readonly world: World;
      /** What the history must say next, in order. */
      readonly events: readonly Predicted[];
      /** Units of coverage, each `from cause to`: stage, action, result. */
      readonly transitions: readonly string[];
    }
  | { readonly kind: "refused"; readonly reason: string };

export function moved(
  world: World,
  transitions: readonly string[],
  events: readonly Predicted[] = [],
): Extract<Step, { kind: "moved" }> {
  return { kind: "moved", world, events, transitions };
}

export function refused(reason: string): Step {
  return { kind: "refused", reason };
}
