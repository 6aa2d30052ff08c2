import type { TracedArguments, TracedCall } from "../trace.js";
import type { Span } from "./positioned-json.js";

type Outcome = TracedCall["outcome"];

/** A call as one place of a trace tells it. */
export type ToldCall = {
  readonly kind: "called";
  /** By which an answer finds it, where the format has such ids. */
  readonly id: string | undefined;
  readonly tool: string | undefined;
  readonly arguments: TracedArguments;
  /** `awaits_answer`: a later `answered` says it; `unknown` if none does. */
  readonly outcome: Outcome | "awaits_answer";
  readonly at: Span;
};

/** What the formats have in common: one thing that a trace tells, in the order of the conversation. */
export type Told =
  /** Begins a turn. */
  | { readonly kind: "user"; readonly text: string; readonly at: Span }
  | { readonly kind: "said"; readonly text: string; readonly at: Span }
  | ToldCall
  /** Without an id it answers the latest open call of the tool, without both the latest open call. */
  | {
      readonly kind: "answered";
      readonly id: string | undefined;
      readonly tool: string | undefined;
      readonly outcome: Outcome;
    }
  /** Something that people should know of how the trace was read. */
  | { readonly kind: "remark"; readonly message: string; readonly at: Span };

/** One conversation of a file, before it is cut into turns. */
export type Conversation = {
  /** The id that the format gives it. */
  readonly name: string | undefined;
  readonly told: readonly Told[];
};
