import type { Json } from "../model/vocabulary.js";
import type { Region } from "./rule.js";

export const traceFormats = [
  "openai_chat",
  "openai_responses",
  "agents_sdk",
  "anthropic",
  "mcp",
  "opentelemetry",
  "langfuse",
  "langsmith",
  "plain",
] as const;
export type TraceFormat = (typeof traceFormats)[number];

/** What a trace tells of the arguments of a call; only `known` is evidence. */
export type TracedArguments =
  | { readonly kind: "known"; readonly value: Readonly<Record<string, Json>> }
  /** The trace has none, as where recording them is an option that was off. */
  | { readonly kind: "missing" }
  /** Text that is no JSON object. */
  | { readonly kind: "malformed"; readonly text: string };

/** A call as a trace tells it. */
export type TracedCall = {
  /** Undefined: the trace has a call here and no readable name of its tool. */
  readonly tool: string | undefined;
  readonly arguments: TracedArguments;
  /**
   * `done`: a result came back. `nothing_happened`: the trace proves that the tool did nothing, as when it only asked
   * for more input. `unknown`: an error, or no result at all; it may have happened.
   */
  readonly outcome: "done" | "nothing_happened" | "unknown";
  readonly at: Region;
};

/** What happens within a turn, in order. */
export type TraceItem =
  | { readonly kind: "said"; readonly text: string; readonly at: Region }
  | { readonly kind: "called"; readonly call: TracedCall };

/** From one thing that the user says to the next; turns are numbered from 1. */
export type Turn = {
  /** Empty where calls come before anything the user said. */
  readonly user: string;
  readonly at: Region;
  readonly items: readonly TraceItem[];
};

/** One conversation of a trace file. */
export type Trace = {
  readonly file: string;
  /** Unique in its file: the id that the format gives it, or its number from 1. */
  readonly name: string;
  readonly format: TraceFormat;
  readonly turns: readonly Turn[];
  /** What could not be read as evidence, such as an unnamed call, for people; each also stands in the turns. */
  readonly warnings: readonly { readonly message: string; readonly at: Region }[];
};
