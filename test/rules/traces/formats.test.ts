import { describe, expect, it } from "vitest";
import { type TraceFormat, traceFormats } from "../../../src/rules/trace.js";
import { readers } from "../../../src/rules/traces/formats/readers.js";
import { readTrace } from "../../../src/rules/traces/read-trace.js";
import { callsOf, examples, fileName, outline, tracesOf } from "./examples.js";

const known = '{"order_id":"A1"}';

/** What each example tells, read from it by eye. The second call has no result or failed, so it may have happened. */
const told: Readonly<Record<TraceFormat, readonly (readonly string[])[]>> = {
  openai_chat: usual(),
  openai_responses: usual(),
  agents_sdk: usual(),
  anthropic: usual(),
  // The protocol carries no words of the user, so there is one turn without any.
  mcp: [["user: ", `done: get_order ${known}`, `unknown: refund_order ${known}`]],
  opentelemetry: usual(),
  langfuse: usual(),
  langsmith: usual(),
  // This one writes what the agent says once for a turn.
  plain: [
    ["user: Where is my order?", "said: I look.", `done: get_order ${known}`],
    ["user: Refund it.", `unknown: refund_order ${known}`],
  ],
};

function usual(): readonly (readonly string[])[] {
  return [
    ["user: Where is my order?", "said: I look.", `done: get_order ${known}`, "said: It is on its way."],
    ["user: Refund it.", `unknown: refund_order ${known}`],
  ];
}

/** Line, column, end line and end column of both calls, counted in the files. */
const places: Readonly<Record<TraceFormat, readonly (readonly number[])[]>> = {
  openai_chat: [
    [5, 5, 5, 111],
    [11, 5, 11, 114],
  ],
  openai_responses: [
    [5, 3, 5, 117],
    [9, 3, 9, 120],
  ],
  // A span that ends on the next line; a span that is one line.
  agents_sdk: [
    [8, 3, 9, 103],
    [4, 3, 4, 250],
  ],
  anthropic: [
    [5, 5, 5, 87],
    [11, 5, 11, 90],
  ],
  mcp: [
    [1, 1, 1, 118],
    [3, 1, 3, 121],
  ],
  opentelemetry: [
    [10, 3, 13, 69],
    [2, 3, 6, 96],
  ],
  langfuse: [
    [6, 5, 6, 221],
    [3, 5, 3, 202],
  ],
  langsmith: [
    [2, 1, 2, 328],
    [6, 1, 6, 258],
  ],
  plain: [
    [5, 7, 5, 77],
    [7, 43, 7, 100],
  ],
};

describe.each(traceFormats)("a trace in the format %s", (format) => {
  it("is read turn by turn, each call once", () => {
    const traces = tracesOf(examples[format], undefined, fileName(format));
    expect(traces.map((trace) => trace.format)).toEqual([format]);
    expect(outline(traces[0])).toEqual(told[format]);
  });

  it("knows where its calls stand", () => {
    const [trace] = tracesOf(examples[format], format, fileName(format));
    expect(callsOf(trace).map(({ at }) => [at.line, at.column, at.endLine, at.endColumn])).toEqual(
      places[format],
    );
  });

  it.each(traceFormats)("is read as %s only if that is its own", (other) => {
    const loaded = readTrace(examples[format], fileName(format), other);
    expect(loaded.kind).toBe(other === format ? "loaded" : "refused");
  });

  it("does not lose a call without a readable name", () => {
    // Every format has the tool's name as a text of its own, and the spans of OpenTelemetry in their title too.
    const text = examples[format]
      .replaceAll(/(\\?)"(execute_tool )?refund_order\\?"/g, '$1"$1"')
      .replaceAll('""', '" "');
    const [trace] = tracesOf(text, format, fileName(format));
    expect(callsOf(trace).map((call) => call.tool)).toEqual(["get_order", undefined]);
    const unnamed = callsOf(trace)[1];
    expect(trace?.warnings.filter((warning) => warning.message.includes("without a readable name"))).toEqual([
      expect.objectContaining({ at: unnamed?.at }),
    ]);
  });
});

describe("the table of readers", () => {
  it("has each reader under its own name", () => {
    for (const format of traceFormats) {
      expect(readers[format].format).toBe(format);
    }
  });
});
