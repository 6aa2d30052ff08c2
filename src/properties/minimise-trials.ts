import type { Action } from "../model/vocabulary.js";

/** How a candidate fails: `same` is the same promise in the same way. */
export type Fails = (candidate: readonly Action[]) => Promise<"same" | "other" | "none">;

/** How many candidates may be tried, and optionally for how long; the list given counts as one. */
export type MinimiseBudget = { readonly candidates: number; readonly milliseconds?: number };

export type Trials = {
  /** Whether this list fails in the same way; false for one that was tried before, or once the budget is spent. */
  readonly fails: (candidate: readonly Action[]) => Promise<boolean>;
  readonly tried: () => number;
  /** Whether a candidate had to be left untried. */
  readonly spent: () => boolean;
};

/** Asks about each list once, and keeps the budget. Lists in `known` count as asked about. */
export const createTrials = (options: {
  readonly fails: Fails;
  readonly budget: MinimiseBudget;
  readonly now?: () => number;
  readonly known?: readonly (readonly Action[])[];
}): Trials => {
  const { fails, budget, now = () => performance.now(), known = [] } = options;
  const seen = new Set(known.map(canonicalText));
  let tried = 0;
  let spent = false;
  const hasTime = timer(budget, now);
  return {
    fails: async (candidate) => {
      const text = canonicalText(candidate);
      if (seen.has(text)) return false;
      spent ||= tried >= budget.candidates || !hasTime();
      if (spent) return false;
      seen.add(text);
      tried += 1;
      return (await fails(candidate)) === "same";
    },
    tried: () => tried,
    spent: () => spent,
  };
};

const timer = ({ milliseconds }: MinimiseBudget, now: () => number): (() => boolean) => {
  if (milliseconds === undefined) return () => true;
  const end = now() + milliseconds;
  return () => now() < end;
};

/** Lists that differ only in the order of properties are one candidate. */
const canonicalText = (actions: readonly Action[]): string =>
  JSON.stringify(actions, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value,
  );
