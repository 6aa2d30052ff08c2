import type { Ending, Program, StepRecord } from "./program.js";

/** Chooses the steps of one execution. */
export type Walker = {
  /** Which of the enabled threads, of which there is at least one, makes a step. */
  readonly choose: (enabled: readonly number[]) => number;
  readonly made?: (record: StepRecord) => void;
};

export type Walk = {
  readonly records: readonly StepRecord[];
  /** How many threads were enabled before each step. */
  readonly degrees: readonly number[];
  readonly ending: Ending;
};

/** Executes one schedule to its end as the walker chooses. */
export async function walk(program: Program, walker: Walker): Promise<Walk> {
  const execution = await program.start();
  const records: StepRecord[] = [];
  const degrees: number[] = [];
  for (let enabled = execution.enabled(); enabled.length > 0; enabled = execution.enabled()) {
    const record = await execution.step(walker.choose(enabled));
    walker.made?.(record);
    records.push(record);
    degrees.push(enabled.length);
  }
  return { records, degrees, ending: await execution.finish("complete") };
}
