import type { Json } from "../../model/vocabulary.js";
import type { Trace, TracedCall } from "../trace.js";

/** A call with the place of its turn. `arguments` is undefined where the trace does not tell them. */
export type Step = {
  readonly trace: Trace;
  /** Counted from 1. */
  readonly turn: number;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, Json>> | undefined;
  readonly call: TracedCall;
};

/** The calls of a conversation in order, without those that have no readable name. */
export function steps(trace: Trace): readonly Step[] {
  return trace.turns.flatMap((turn, index) =>
    turn.items.flatMap((item) => {
      if (item.kind !== "called" || item.call.tool === undefined || item.call.tool.trim() === "") {
        return [];
      }
      const { call } = item;
      const known = call.arguments.kind === "known" ? call.arguments.value : undefined;
      return [{ trace, turn: index + 1, tool: item.call.tool, arguments: known, call }];
    }),
  );
}

/** A value in quotes on one line, shortened where it is long. */
export function shown(value: Json): string {
  const text = JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]/g, " ");
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
