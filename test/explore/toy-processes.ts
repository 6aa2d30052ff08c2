import type { Machine, PromiseScope, Slots } from "../../src/explore/machine.js";

/** What a process does at a place of its program: it may go on to any of `next`. */
export type Instruction =
  | { readonly kind: "own"; readonly next: readonly number[] }
  | { readonly kind: "add"; readonly next: readonly number[] }
  /** Only while the shared number is even. */
  | { readonly kind: "if_even"; readonly next: readonly number[] };

export type ToyProcesses = {
  readonly programs: readonly (readonly Instruction[])[];
  /** Places at which the promise about one attempt, process by process, is broken. */
  readonly badPlace: number;
  readonly always?: readonly PromiseScope[];
};

const most = 3;
const nexts = 4;

/**
 * Processes that run programs of at most 8 places, and share one number from 0 to 3. A process is local where its
 * instruction is its own. Programs may go round, so it has no measure of progress.
 */
export function toyProcesses({ programs, badPlace, always }: ToyProcesses): Machine {
  const instructionOf = (state: Slots, process: number): Instruction | undefined =>
    programs[process]?.[state[process + 1] ?? 0];
  const bad = (state: Slots): boolean => programs.some((_, process) => state[process + 1] === badPlace);
  return {
    name: "toy processes",
    schema: {
      fields: [
        { name: "shared", length: 1, values: most + 1 },
        { name: "place", length: programs.length, values: 9 },
      ],
    },
    initial: (into) => {
      into.fill(0);
    },
    mostEnabled: programs.length * nexts,
    enabled: (state, into) => {
      let count = 0;
      for (const process of programs.keys()) {
        const instruction = instructionOf(state, process);
        if (instruction === undefined) continue;
        if (instruction.kind === "if_even" && (state[0] ?? 0) % 2 === 1) continue;
        for (const choice of instruction.next.keys()) into[count++] = process * nexts + choice;
      }
      return count;
    },
    step: (state, action, next) => {
      const process = Math.floor(action / nexts);
      const instruction = instructionOf(state, process);
      next[process + 1] = instruction?.next[action % nexts] ?? 0;
      if (instruction?.kind === "add") next[0] = Math.min(most, (state[0] ?? 0) + 1);
    },
    actionKinds: ["step"],
    kindOf: () => 0,
    actionName: (_, action) => `process ${Math.floor(action / nexts)} choice ${action % nexts}`,
    showings: [
      { broken: [], occurred: [] },
      { broken: ["never bad"], occurred: ["bad"] },
    ],
    showingOfState: (state) => (bad(state) ? 1 : 0),
    showingOfStep: () => 0,
    always: always ?? [{ id: "never bad", over: "one_attempt", looksAt: "values" }],
    sometimes: [{ id: "bad", over: "one_attempt", looksAt: "values" }],
    liveness: [],
    reductions: {
      processes: programs.length,
      processOf: (action) => Math.floor(action / nexts),
      isLocal: (state, process) => instructionOf(state, process)?.kind === "own",
      toCanonical: () => {},
    },
  };
}
