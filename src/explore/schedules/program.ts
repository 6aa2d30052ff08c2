import type { Footprint } from "../../sut/footprint.js";

/** Some threads, each a sequence of steps that shows itself only while it runs. */
export type Program = {
  readonly threads: readonly string[];
  /** Begins again from the same state each time. */
  readonly start: () => Promise<Execution>;
};

export type Execution = {
  /** Threads that can make a step now, in order of `threads`; one that could be made to wait is not among them while it waits. */
  readonly enabled: () => readonly number[];
  /** Threads that have not ended but wait for another one. Without it a thread that is never let go counts as ended. */
  readonly waiting?: () => readonly number[];
  readonly step: (thread: number) => Promise<StepRecord>;
  /** Everything that the rest of the execution depends on, as text. */
  readonly snapshot?: () => Promise<string>;
  /** Brings the execution to its end and judges it; called once, also for one that is given up early (`abandoned`). */
  readonly finish: (how: "complete" | "abandoned") => Promise<Ending>;
};

export type StepRecord = {
  readonly thread: number;
  readonly label: string;
  /** What decides which steps it depends on. */
  readonly footprint: Footprint;
  /** Where `footprint` holds more than the program itself told: what it told, which is what an audit checks. */
  readonly reported?: Footprint;
  /** Everything that was seen of this step, as text: what a repetition must show again. */
  readonly seen: string;
};

export type Ending = {
  /** The state it leaves behind, as text: stores, outcomes, standing. */
  readonly state: string;
  readonly violations: readonly string[];
};
