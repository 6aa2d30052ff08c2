import type { Failure, Share, ShareRequest } from "../properties/share.js";
import type { Counterexample, PromiseId } from "../properties/verdict.js";

/** What a thread of the crew is given when it starts. */
export type CrewThreadData = {
  readonly executor: string;
  readonly configFile: string | undefined;
  readonly directory: string;
  readonly budgetMs: number;
  readonly promises: readonly PromiseId[] | undefined;
  /** Shared words, see `words`. */
  readonly shared: SharedArrayBuffer;
};

/** Positions in the shared memory: ask to stop, the run under way, a count that grows while the thread is alive. */
export const words = { stop: 0, run: 1, beat: 2, length: 3 } as const;

export type CrewTask =
  | { readonly kind: "share"; readonly request: ShareRequest }
  | { readonly kind: "minimise"; readonly failure: Failure };

export type CrewAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly runs: number; readonly actions: number }
  | { readonly kind: "share"; readonly share: Share }
  | { readonly kind: "minimise"; readonly minimal: Counterexample["minimal"] }
  | { readonly kind: "failed"; readonly message: string };
