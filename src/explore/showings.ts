import type { Machine } from "./machine.js";

/** Where something was shown first: by the state, or by the action from a state to another. */
export type Shown =
  | { readonly kind: "state"; readonly showing: number; readonly state: number }
  | {
      readonly kind: "step";
      readonly showing: number;
      readonly state: number;
      readonly action: number;
      readonly target: number;
    };

/** Showings met before, by number. */
export type KnownShowings = { known: Uint8Array };

/** None met yet. */
export function createKnownShowings(): KnownShowings {
  return { known: new Uint8Array(64) };
}

/** Whether this showing was not met before; it is from now on. */
export function isFirst(showings: KnownShowings, showing: number): boolean {
  if (showing >= showings.known.length) {
    const wider = new Uint8Array(2 * showing);
    wider.set(showings.known);
    showings.known = wider;
  }
  if (showings.known[showing] === 1) return false;
  showings.known[showing] = 1;
  return true;
}

/** The first that breaks this promise; undefined if none does. */
export function firstBroken({ showings }: Machine, shown: readonly Shown[], id: string): Shown | undefined {
  return shown.find(({ showing }) => showings[showing]?.broken.includes(id));
}

/** The first in which this promise's situation occurs; undefined if none is. */
export function firstOccurred({ showings }: Machine, shown: readonly Shown[], id: string): Shown | undefined {
  return shown.find(({ showing }) => showings[showing]?.occurred.includes(id));
}
