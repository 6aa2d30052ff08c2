import type { TraceFormat } from "../trace.js";
import type { Positioned } from "./positioned-json.js";
import type { Conversation } from "./told.js";

/** Whether a file looks like a format, or in one clause why it does not. */
export type Claim = { readonly kind: "fits" } | { readonly kind: "differs"; readonly because: string };

/** How one format is recognised and read. */
export type TraceReader = {
  readonly format: TraceFormat;
  /** Looks at the whole file: a file with one foreign entry is not claimed, so that nothing in it is skipped. */
  readonly claims: (root: Positioned) => Claim;
  /** Only for what it claims. */
  readonly read: (root: Positioned) => readonly Conversation[];
};

export function differs(because: string): Claim {
  return { kind: "differs", because };
}

export const fits: Claim = { kind: "fits" };
