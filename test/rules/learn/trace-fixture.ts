import type { Json } from "../../../src/model/vocabulary.js";
import type { Region } from "../../../src/rules/rule.js";
import type { Trace, TracedCall, TraceItem } from "../../../src/rules/trace.js";

type Outcome = TracedCall["outcome"];

/** A call of a fixture; its place is given by the conversation that it stands in. */
export function call(
  tool: string | undefined,
  given?: Readonly<Record<string, Json>>,
  outcome: Outcome = "done",
): Omit<TracedCall, "at"> {
  return {
    tool,
    outcome,
    arguments: given === undefined ? { kind: "missing" } : { kind: "known", value: given },
  };
}

/** A conversation whose turns stand on lines 10, 20, ... and their calls on the lines behind. */
export function conversation(
  name: string,
  ...turns: readonly (readonly [user: string, ...calls: readonly Omit<TracedCall, "at">[]])[]
): Trace {
  return {
    file: "recorded.json",
    name,
    format: "plain",
    warnings: [],
    turns: turns.map(([user, ...calls], index) => {
      const line = (index + 1) * 10;
      const items: readonly TraceItem[] = calls.map((each, place) => ({
        kind: "called",
        call: { ...each, at: on(line + 1 + place) },
      }));
      return { user, at: on(line), items };
    }),
  };
}

function on(line: number): Region {
  return { file: "recorded.json", line, column: 3, endLine: line, endColumn: 9 };
}
