import type { Ending, StepRecord } from "./program.js";

/** A schedule as thread numbers, and what the steps were. */
export type Schedule = { readonly threads: readonly number[]; readonly labels: readonly string[] };

export type Violation = {
  readonly text: string;
  /** The first schedule that showed it. */
  readonly schedule: Schedule;
  /** Executions started until it was found, the finding one included. */
  readonly executions: number;
  /** Complete executions that showed it. */
  readonly times: number;
};

/** What complete executions ended in. */
export type Findings = {
  readonly states: ReadonlySet<string>;
  /** In the order in which they were found, each text once. */
  readonly violations: () => readonly Violation[];
  readonly add: (records: readonly StepRecord[], ending: Ending, executions: number) => void;
};

export function createFindings(): Findings {
  const states = new Set<string>();
  const violations = new Map<string, Violation>();
  return {
    states,
    violations: () => [...violations.values()],
    add: (records, ending, executions) => {
      states.add(ending.state);
      for (const text of new Set(ending.violations)) {
        const known = violations.get(text) ?? { text, schedule: scheduleOf(records), executions, times: 0 };
        violations.set(text, { ...known, times: known.times + 1 });
      }
    },
  };
}

export function scheduleOf(records: readonly StepRecord[]): Schedule {
  return { threads: records.map(({ thread }) => thread), labels: records.map(({ label }) => label) };
}
