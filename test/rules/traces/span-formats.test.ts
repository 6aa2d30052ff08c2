import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/model/vocabulary.js";
import { outline, outlinesOf, tracesOf } from "./examples.js";

describe("agents_sdk", () => {
  it("takes a failed function as unknown and pairs spans with the calls they ran", () => {
    const span = (second: number, data: Json, error: Json = null) => ({
      object: "trace.span",
      trace_id: "t",
      started_at: `2026-01-01T00:00:0${second}Z`,
      ended_at: "2026-01-01T00:00:09Z",
      span_data: data,
      error,
    });
    const call = (id: string, order: number) => ({
      type: "function_call",
      call_id: id,
      name: "pay",
      arguments: JSON.stringify({ order }),
    });
    const run = (order: number) => ({
      type: "function",
      name: "pay",
      input: JSON.stringify({ order, fee: 0 }),
    });
    const output = [call("a", 1), call("b", 2), call("c", 3)];
    const told = outlinesOf("agents_sdk", {
      data: [
        span(1, { type: "response", input: "Hi", response: { output } }),
        span(2, run(2), { message: "timeout" }),
        span(3, run(1)),
      ],
    });
    // The third call has no span: the model asked for it, and nobody knows whether it ran.
    expect(told).toEqual([
      [
        [
          "user: Hi",
          'done: pay {"order":1,"fee":0}',
          'unknown: pay {"order":2,"fee":0}',
          'unknown: pay {"order":3}',
        ],
      ],
    ]);
  });

  it("begins a turn for a message that was said before in another run", () => {
    const trace = (id: string) => ({ object: "trace", id, group_id: "g" });
    const span = (run: string, day: number) => ({
      object: "trace.span",
      trace_id: run,
      started_at: `2026-01-0${day}T00:00:00Z`,
      span_data: { type: "generation", input: [{ role: "user", content: "yes" }], output: [] },
    });
    const records = [trace("t1"), trace("t2"), span("t1", 1), span("t1", 1), span("t2", 2)];
    expect(outlinesOf("agents_sdk", records)).toEqual([[["user: yes"], ["user: yes"]]]);
  });
});

describe("opentelemetry", () => {
  const attributes = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  const tool = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "pay" };

  it("takes arguments that were not recorded as missing, and structured ones as they are", () => {
    const structured = {
      key: "gen_ai.tool.call.arguments",
      value: { kvlistValue: { values: [{ key: "order", value: { intValue: "7" } }] } },
    };
    const told = outlinesOf("opentelemetry", [
      { traceId: "t", spanId: "a", endTimeUnixNano: "2", attributes: attributes(tool) },
      { traceId: "t", spanId: "b", endTimeUnixNano: "3", attributes: [...attributes(tool), structured] },
    ]);
    expect(told).toEqual([[["user: ", "done: pay missing", 'done: pay {"order":7}']]]);
  });

  it("takes the spans of client and server within a call as that call", () => {
    const inner = attributes({ ...tool, "mcp.method.name": "tools/call" });
    const told = outlinesOf("opentelemetry", [
      { traceId: "t", spanId: "a", endTimeUnixNano: "9", attributes: attributes(tool) },
      { traceId: "t", spanId: "h", parentSpanId: "a", attributes: [] },
      { traceId: "t", spanId: "b", parentSpanId: "h", attributes: inner },
    ]);
    expect(told).toEqual([[["user: ", "done: pay missing"]]]);
  });

  it("keeps a span and a told call apart whose ids differ, however alike they are", () => {
    const part = { type: "tool_call", id: "c1", name: "pay", arguments: { order: 1 } };
    const output = JSON.stringify([{ role: "assistant", parts: [part] }]);
    const span = { ...tool, "gen_ai.tool.call.arguments": '{"order": 1}' };
    const told = (id: string) =>
      outlinesOf("opentelemetry", [
        { traceId: "t", spanId: "a", attributes: attributes({ "gen_ai.output.messages": output }) },
        {
          traceId: "t",
          spanId: "b",
          endTimeUnixNano: "2",
          attributes: attributes({ ...span, "gen_ai.tool.call.id": id }),
        },
      ]);
    const call = 'pay {"order":1}';
    expect(told("c1")).toEqual([[["user: ", `done: ${call}`]]]);
    expect(told("c2")).toEqual([[["user: ", `unknown: ${call}`, `done: ${call}`]]]);
  });

  it("reads the older message events of a span", () => {
    const event = (name: string, values: Readonly<Record<string, string>>) => ({
      name,
      attributes: attributes(values),
    });
    const calls = [{ id: "c", function: { name: "pay", arguments: "{}" } }];
    const message = JSON.stringify({ role: "assistant", tool_calls: calls });
    const told = outlinesOf("opentelemetry", [
      {
        traceId: "t",
        spanId: "a",
        attributes: [],
        events: [
          event("gen_ai.user.message", { content: "Hi" }),
          event("gen_ai.choice", { index: "0", message }),
          event("gen_ai.tool.message", { id: "c", content: "ok" }),
        ],
      },
    ]);
    expect(told).toEqual([[["user: Hi", "done: pay {}"]]]);
  });
});

describe("langfuse", () => {
  const observation = (fields: { readonly [name: string]: Json }) => ({
    traceId: "t",
    endTime: "2026-01-01T00:00:09Z",
    ...fields,
  });

  it("takes spans without children as calls where nothing is a tool, and says so", () => {
    const text = JSON.stringify([
      observation({ id: "root", type: "SPAN", name: "agent", input: "Hi" }),
      observation({
        id: "leaf",
        parentObservationId: "root",
        type: "SPAN",
        name: "pay",
        input: { order: 1 },
      }),
    ]);
    const [trace] = tracesOf(text, "langfuse");
    expect(outline(trace)).toEqual([["user: ", 'done: pay {"order":1}']]);
    expect(trace?.warnings.map((each) => each.message)).toContain(
      "nothing here is of type TOOL, so spans are taken as calls",
    );
  });

  it("takes what the trace was given where no model call tells it", () => {
    const told = outlinesOf("langfuse", {
      trace: { id: "t", input: { question: "Hi" }, output: { answer: "Paid" } },
      observations: [observation({ id: "a", type: "TOOL", name: "pay", input: "{'order': 1}" })],
    });
    expect(told).toEqual([[["user: Hi", "done: pay malformed", "said: Paid"]]]);
  });
});

describe("langsmith", () => {
  it("orders child runs by their dotted order and takes Python's notation as malformed", () => {
    const child = (name: string, second: number, inputs: Json) => ({
      id: name,
      run_type: "tool",
      name,
      dotted_order: `20260101T000000000000Zr.20260101T00000${second}000000Z${name}`,
      inputs,
      outputs: { output: "ok" },
    });
    const told = outlinesOf("langsmith", {
      id: "r",
      run_type: "chain",
      dotted_order: "20260101T000000000000Zr",
      inputs: { input: "Hi" },
      child_runs: [child("second", 2, { input: "{'order': 1}" }), child("first", 1, { input: "word" })],
    });
    expect(told).toEqual([[["user: Hi", 'done: first {"input":"word"}', "done: second malformed"]]]);
  });
});
