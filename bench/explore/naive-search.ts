/** A machine of plain objects, as one would write it first. */
export type ObjectMachine<State> = {
  readonly initial: State;
  readonly successors: (state: State) => readonly State[];
  readonly broken: (state: State) => readonly string[];
};

export type NaiveSearch = {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly broken: ReadonlySet<string>;
};

type Met<State> = { readonly state: State; readonly parent: Met<State> | undefined; readonly depth: number };

/**
 * Searches breadth first over objects, told apart by their JSON text, with a Map and a parent for each: fair and
 * ordinary, nothing done slowly on purpose.
 */
export function naiveSearch<State>({ initial, successors, broken }: ObjectMachine<State>): NaiveSearch {
  const start: Met<State> = { state: initial, parent: undefined, depth: 0 };
  const met = new Map([[JSON.stringify(initial), start]]);
  const found = new Set(broken(initial));
  let transitions = 0;
  let depth = 0;
  // A Map is gone through in the order in which it was filled, and what is added meanwhile still comes.
  for (const parent of met.values()) {
    for (const state of successors(parent.state)) {
      transitions++;
      const key = JSON.stringify(state);
      if (met.has(key)) continue;
      met.set(key, { state, parent, depth: parent.depth + 1 });
      depth = parent.depth + 1;
      for (const promise of broken(state)) found.add(promise);
    }
  }
  return { states: met.size, transitions, depth, broken: found };
}
