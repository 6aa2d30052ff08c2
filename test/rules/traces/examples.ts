import type { Json } from "../../../src/model/vocabulary.js";
import type { Region } from "../../../src/rules/rule.js";
import type { Trace, TracedCall, TraceFormat } from "../../../src/rules/trace.js";
import { readTrace } from "../../../src/rules/traces/read-trace.js";

/** Hand-written files of each format that tell one incident: first the order is looked up, then it is refunded. */
export const examples: Readonly<Record<TraceFormat, string>> = {
  openai_chat: `{"id": "chat-1", "messages": [
  {"role": "system", "content": "You help."},
  {"role": "user", "content": "Where is my order?"},
  {"role": "assistant", "content": "I look.", "tool_calls": [
    {"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": "{\\"order_id\\": \\"A1\\"}"}}
  ]},
  {"role": "tool", "tool_call_id": "c1", "content": "shipped"},
  {"role": "assistant", "content": [{"type": "text", "text": "It is on its way."}]},
  {"role": "user", "content": [{"type": "text", "text": "Refund it."}]},
  {"role": "assistant", "content": null, "tool_calls": [
    {"id": "c2", "type": "function", "function": {"name": "refund_order", "arguments": "{\\"order_id\\": \\"A1\\"}"}}
  ]}
]}
`,
  openai_responses: `[
  {"role": "user", "content": "Where is my order?"},
  {"type": "reasoning", "id": "r1", "summary": []},
  {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
  {"type": "function_call", "id": "f1", "call_id": "c1", "name": "get_order", "arguments": "{\\"order_id\\": \\"A1\\"}"},
  {"type": "function_call_output", "call_id": "c1", "output": "shipped"},
  {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is on its way."}]},
  {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Refund it."}]},
  {"type": "function_call", "id": "f2", "call_id": "c2", "name": "refund_order", "arguments": "{\\"order_id\\": \\"A1\\"}"}
]
`,
  agents_sdk: `[
  {"object": "trace", "id": "t1", "workflow_name": "shop", "group_id": "chat-1"},
  {"object": "trace", "id": "t2", "workflow_name": "shop", "group_id": "chat-1"},
  {"object": "trace.span", "id": "s3", "trace_id": "t2", "started_at": "2026-01-02T00:00:01.000001+00:00", "ended_at": null, "error": null, "span_data": {"type": "function", "name": "refund_order", "input": "{\\"order_id\\": \\"A1\\"}", "output": null}},
  {"object": "trace.span", "id": "s1", "trace_id": "t1", "started_at": "2026-01-01T00:00:00+00:00", "ended_at": "2026-01-01T00:00:01+00:00", "error": null, "span_data": {"type": "generation",
    "input": [{"role": "user", "content": "Where is my order?"}],
    "output": [{"role": "assistant", "content": "I look.", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": "{\\"order_id\\": \\"A1\\"}"}}]}]}},
  {"object": "trace.span", "id": "s2", "trace_id": "t1", "started_at": "2026-01-01T00:00:02+00:00", "ended_at": "2026-01-01T00:00:03+00:00", "error": null, "span_data":
    {"type": "function", "name": "get_order", "input": "{\\"order_id\\": \\"A1\\"}", "output": "shipped"}},
  {"object": "trace.span", "id": "s4", "trace_id": "t1", "started_at": "2026-01-01T00:00:04+00:00", "ended_at": "2026-01-01T00:00:05+00:00", "error": null, "span_data": {"type": "generation",
    "input": [{"role": "user", "content": "Where is my order?"},
      {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": "{\\"order_id\\": \\"A1\\"}"}}]},
      {"role": "tool", "tool_call_id": "c1", "content": "shipped"}],
    "output": [{"role": "assistant", "content": "It is on its way."}]}},
  {"object": "trace.span", "id": "s5", "trace_id": "t2", "started_at": "2026-01-02T00:00:01.000000+00:00", "ended_at": "2026-01-02T00:00:02+00:00", "error": null, "span_data": {"type": "generation",
    "input": [{"role": "user", "content": "Where is my order?"}, {"role": "assistant", "content": "I look."}, {"role": "assistant", "content": "It is on its way."}, {"role": "user", "content": "Refund it."}],
    "output": [{"role": "assistant", "content": null, "tool_calls": [{"id": "c2", "type": "function", "function": {"name": "refund_order", "arguments": "{\\"order_id\\": \\"A1\\"}"}}]}]}}
]
`,
  anthropic: `{"system": "You help.", "messages": [
  {"role": "user", "content": "Where is my order?"},
  {"role": "assistant", "content": [
    {"type": "text", "text": "I look."},
    {"type": "tool_use", "id": "c1", "name": "get_order", "input": {"order_id": "A1"}}
  ]},
  {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "shipped"}]},
  {"role": "assistant", "content": [{"type": "text", "text": "It is on its way."}]},
  {"role": "user", "content": [{"type": "text", "text": "Refund it."}]},
  {"role": "assistant", "content": [
    {"type": "tool_use", "id": "c2", "name": "refund_order", "input": {"order_id": "A1"}}
  ]},
  {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c2", "is_error": true, "content": "timeout"}]}
]}
`,
  mcp: `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_order", "arguments": {"order_id": "A1"}}}
{"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "shipped"}]}}
{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "refund_order", "arguments": {"order_id": "A1"}}}
`,
  opentelemetry: `{"resourceSpans": [{"scopeSpans": [{"spans": [
  {"traceId": "t1", "spanId": "s3", "name": "execute_tool refund_order", "startTimeUnixNano": "1767225600000000005", "endTimeUnixNano": "1767225600000000006", "status": {"code": 2}, "attributes": [
    {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}},
    {"key": "gen_ai.tool.name", "value": {"stringValue": "refund_order"}},
    {"key": "gen_ai.tool.call.id", "value": {"stringValue": "c2"}},
    {"key": "gen_ai.tool.call.arguments", "value": {"stringValue": "{\\"order_id\\": \\"A1\\"}"}}]},
  {"traceId": "t1", "spanId": "s1", "name": "chat m", "startTimeUnixNano": "1767225600000000001", "endTimeUnixNano": "1767225600000000002", "attributes": [
    {"key": "gen_ai.input.messages", "value": {"stringValue": "[{\\"role\\": \\"user\\", \\"parts\\": [{\\"type\\": \\"text\\", \\"content\\": \\"Where is my order?\\"}]}]"}},
    {"key": "gen_ai.output.messages", "value": {"stringValue": "[{\\"role\\": \\"assistant\\", \\"parts\\": [{\\"type\\": \\"text\\", \\"content\\": \\"I look.\\"}, {\\"type\\": \\"tool_call\\", \\"id\\": \\"c1\\", \\"name\\": \\"get_order\\", \\"arguments\\": {\\"order_id\\": \\"A1\\"}}]}]"}}]},
  {"traceId": "t1", "spanId": "s2", "name": "execute_tool get_order", "startTimeUnixNano": "1767225600000000003", "endTimeUnixNano": "1767225600000000004", "attributes": [
    {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}},
    {"key": "gen_ai.tool.name", "value": {"stringValue": "get_order"}},
    {"key": "gen_ai.tool.call.id", "value": {"stringValue": "c1"}}]},
  {"traceId": "t1", "spanId": "s4", "name": "chat m", "startTimeUnixNano": "1767225600000000004", "endTimeUnixNano": "1767225600000000005", "attributes": [
    {"key": "gen_ai.input.messages", "value": {"stringValue": "[{\\"role\\": \\"user\\", \\"parts\\": [{\\"type\\": \\"text\\", \\"content\\": \\"Where is my order?\\"}]}, {\\"role\\": \\"assistant\\", \\"parts\\": [{\\"type\\": \\"text\\", \\"content\\": \\"I look.\\"}, {\\"type\\": \\"tool_call\\", \\"id\\": \\"c1\\", \\"name\\": \\"get_order\\", \\"arguments\\": {\\"order_id\\": \\"A1\\"}}]}, {\\"role\\": \\"tool\\", \\"parts\\": [{\\"type\\": \\"tool_call_response\\", \\"id\\": \\"c1\\", \\"response\\": \\"shipped\\"}]}, {\\"role\\": \\"assistant\\", \\"parts\\": [{\\"type\\": \\"text\\", \\"content\\": \\"It is on its way.\\"}]}, {\\"role\\": \\"user\\", \\"parts\\": [{\\"type\\": \\"text\\", \\"content\\": \\"Refund it.\\"}]}]"}}]}
]}]}]}
`,
  langfuse: `[
  {"id": "t2", "sessionId": "chat-1", "timestamp": "2026-01-02T00:00:00.000Z", "input": "Refund it.", "output": null, "observations": [
    {"id": "o3", "traceId": "t2", "type": "TOOL", "name": "refund_order", "startTime": "2026-01-02T00:00:01.000Z", "level": "ERROR", "input": {"args": [], "kwargs": {"order_id": "A1"}}, "output": null}
  ]},
  {"id": "t1", "sessionId": "chat-1", "timestamp": "2026-01-01T00:00:00.000Z", "input": {"question": "Where?"}, "output": "Done", "observations": [
    {"id": "o2", "traceId": "t1", "type": "TOOL", "name": "get_order", "startTime": "2026-01-01T00:00:02.000Z", "endTime": "2026-01-01T00:00:03.000Z", "level": "DEFAULT", "input": {"order_id": "A1"}, "output": "shipped"},
    {"id": "o1", "traceId": "t1", "type": "GENERATION", "name": "llm", "startTime": "2026-01-01T00:00:01.000Z", "input": {"messages": [{"role": "user", "content": "Where is my order?"}]}, "output": {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": "{\\"order_id\\": \\"A1\\"}"}}]}},
    {"id": "o4", "traceId": "t1", "type": "SPAN", "name": "tools", "startTime": "2026-01-01T00:00:02.000Z", "input": {}, "output": {}},
    {"id": "o5", "traceId": "t1", "type": "GENERATION", "name": "llm", "startTime": "2026-01-01T00:00:04.000Z", "input": [{"role": "user", "content": "Where is my order?"}], "output": {"role": "assistant", "content": "It is on its way."}}
  ]}
]
`,
  langsmith: `{"id": "r1", "trace_id": "r1", "run_type": "chain", "name": "agent", "start_time": "2026-01-01T00:00:00.000000", "dotted_order": "20260101T000000000000Zr1", "inputs": {"input": "Where is my order?"}, "outputs": {"output": "It is on its way."}, "extra": {"metadata": {"thread_id": "chat-1"}}}
{"id": "r3", "trace_id": "r1", "parent_run_id": "r1", "run_type": "tool", "name": "get_order", "start_time": "2026-01-01T00:00:02.000000", "end_time": "2026-01-01T00:00:03.000000", "inputs": {"input": "{\\"order_id\\": \\"A1\\"}"}, "outputs": {"output": {"type": "tool", "content": "shipped", "tool_call_id": "c1"}}, "error": null}
{"id": "r2", "trace_id": "r1", "parent_run_id": "r1", "run_type": "llm", "name": "model", "start_time": "2026-01-01T00:00:01.000000", "inputs": {"messages": [[{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "Where is my order?"}}]]}, "outputs": {"generations": [[{"text": "I look.", "message": {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": {"content": "I look.", "tool_calls": [{"name": "get_order", "args": {"order_id": "A1"}, "id": "c1"}]}}}]]}}
{"id": "r4", "trace_id": "r1", "parent_run_id": "r1", "run_type": "llm", "name": "model", "start_time": "2026-01-01T00:00:04.000000", "inputs": {"messages": [{"role": "user", "content": "Where is my order?"}]}, "outputs": {"choices": [{"message": {"role": "assistant", "content": "It is on its way."}}]}}
{"id": "q1", "trace_id": "q1", "run_type": "chain", "name": "agent", "start_time": "2026-01-02T00:00:00.000000", "inputs": {"messages": [{"type": "human", "content": "Refund it."}]}, "outputs": null, "extra": {"metadata": {"thread_id": "chat-1"}}}
{"id": "q2", "trace_id": "q1", "parent_run_id": "q1", "run_type": "tool", "name": "refund_order", "start_time": "2026-01-02T00:00:01.000000", "end_time": "2026-01-02T00:00:02.000000", "inputs": {"order_id": "A1"}, "outputs": null, "error": "TimeoutError()"}
`,
  plain: `{
  "id": "chat-1",
  "turns": [
    {"user": "Where is my order?", "assistant": "I look.", "tool_calls": [
      {"name": "get_order", "args": {"order_id": "A1"}, "result": "shipped"}
    ]},
    {"user": "Refund it.", "tool_calls": [{"tool": "refund_order", "arguments": {"order_id": "A1"}}]}
  ]
}
`,
};

/** Formats whose files are lines by nature. */
export function fileName(format: TraceFormat): string {
  return format === "mcp" || format === "langsmith" ? `${format}.jsonl` : `${format}.json`;
}

/** The traces of a text, which must be readable. */
export function tracesOf(text: string, format?: TraceFormat, file = "t.json"): readonly Trace[] {
  const loaded = readTrace(text, file, format);
  if (loaded.kind === "refused") {
    throw new Error(loaded.mistakes.map((mistake) => mistake.message).join("\n"));
  }
  return loaded.traces;
}

/** A trace in short: for each turn what the user said, then what was said and called. */
export function outline(trace: Trace | undefined): readonly (readonly string[])[] | undefined {
  return trace?.turns.map((turn) => [
    `user: ${turn.user}`,
    ...turn.items.map((item) => (item.kind === "said" ? `said: ${item.text}` : callLine(item.call))),
  ]);
}

function callLine(call: TracedCall): string {
  const given = call.arguments.kind === "known" ? JSON.stringify(call.arguments.value) : call.arguments.kind;
  return `${call.outcome}: ${call.tool ?? "?"} ${given}`;
}

export function callsOf(trace: Trace | undefined): readonly TracedCall[] {
  return (trace?.turns ?? []).flatMap((turn) =>
    turn.items.flatMap((item) => (item.kind === "called" ? [item.call] : [])),
  );
}

/** The line and column of a part that occurs once, counted in another way than the product counts. */
export function regionIn(text: string, part: string, file = "t.json"): Region {
  const before = text.slice(0, text.indexOf(part)).split("\n");
  const within = part.split("\n");
  const column = (before.at(-1) ?? "").length + 1;
  return {
    file,
    line: before.length,
    column,
    endLine: before.length + within.length - 1,
    endColumn: (within.at(-1) ?? "").length + (within.length === 1 ? column : 1),
  };
}

/** The outlines of what the format reads in a value written as JSON. */
export function outlinesOf(
  format: TraceFormat,
  json: Json,
): readonly (readonly (readonly string[])[] | undefined)[] {
  return tracesOf(JSON.stringify(json), format).map(outline);
}
