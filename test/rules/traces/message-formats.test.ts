import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/model/vocabulary.js";
import { outlinesOf } from "./examples.js";

const user = { role: "user", content: "Hi" };

describe("openai_chat", () => {
  it("reads legacy functions, custom tools and refusals", () => {
    const told = outlinesOf("openai_chat", [
      user,
      { role: "assistant", content: null, function_call: { name: "old", arguments: "{}" } },
      { role: "function", name: "old", content: "ok" },
      {
        role: "assistant",
        refusal: "No.",
        tool_calls: [
          { id: "c", type: "custom", custom: { name: "sql", input: "select 1" } },
          { id: "d", type: "function" },
        ],
      },
      { role: "tool", tool_call_id: "d", content: "ok" },
    ]);
    expect(told).toEqual([
      [["user: Hi", "done: old {}", "said: No.", "unknown: sql malformed", "done: ? missing"]],
    ]);
  });

  it("keeps two calls apart that a framework gave one id", () => {
    const call = { role: "assistant", tool_calls: [{ id: "c", function: { name: "pay", arguments: "{}" } }] };
    const answer = { role: "tool", tool_call_id: "c", content: "ok" };
    expect(outlinesOf("openai_chat", [user, call, answer, user, call])).toEqual([
      [
        ["user: Hi", "done: pay {}"],
        ["user: Hi", "unknown: pay {}"],
      ],
    ]);
  });

  it("goes on with the answer that stands beside the messages", () => {
    const choices = [{ message: { role: "assistant", content: "Hello" } }];
    expect(outlinesOf("openai_chat", { messages: [user], choices })).toEqual([[["user: Hi", "said: Hello"]]]);
  });
});

describe("openai_responses", () => {
  it("reads custom, MCP and hosted calls", () => {
    const told = outlinesOf("openai_responses", {
      object: "response",
      input: "Hi",
      output: [
        { type: "custom_tool_call", call_id: "a", name: "sql", input: "select 1" },
        { type: "mcp_call", id: "m", name: "pay", arguments: '{"id":1}', output: "ok", error: null },
        { type: "mcp_call", id: "n", name: "pay", arguments: '{"id":2}', output: null, error: { code: 1 } },
        { type: "web_search_call", id: "w", status: "completed", action: { type: "search", query: "x" } },
        { type: "file_search_call", id: "f", status: "failed", queries: ["y"], results: null },
        { type: "local_shell_call", id: "l", call_id: "s", status: "completed", action: { command: ["ls"] } },
      ],
    });
    expect(told).toEqual([
      [
        [
          "user: Hi",
          "unknown: sql malformed",
          'done: pay {"id":1}',
          'unknown: pay {"id":2}',
          'done: web_search_call {"type":"search","query":"x"}',
          'unknown: file_search_call {"queries":["y"]}',
          // Its status says that the model has finished asking; the client's answer is not there.
          'unknown: local_shell_call {"command":["ls"]}',
        ],
      ],
    ]);
  });

  it("joins responses that name the one before and tells repeated items once", () => {
    const call = { type: "function_call", call_id: "c", name: "pay", arguments: "{}" };
    const answer = { type: "function_call_output", call_id: "c", output: "ok" };
    const more = { role: "user", content: "More" };
    const told = outlinesOf("openai_responses", [
      { id: "r1", input: "Hi", output: [call] },
      { id: "r2", previous_response_id: "r1", input: [answer], output: [] },
      { id: "x1", input: "Other", output: [] },
      { id: "r3", previous_response_id: "r2", input: [user, call, answer, more], output: [] },
    ]);
    expect(told).toEqual([[["user: Hi", "done: pay {}"], ["user: More"]], [["user: Other"]]]);
  });
});

describe("anthropic", () => {
  it("reads server tools, MCP tools and their failures", () => {
    const failure = { type: "web_search_tool_result_error" };
    const told = outlinesOf("anthropic", [
      user,
      {
        role: "assistant",
        content: [
          { type: "server_tool_use", id: "s", name: "web_search", input: { query: "x" } },
          { type: "web_search_tool_result", tool_use_id: "s", content: failure },
          { type: "mcp_tool_use", id: "m", name: "pay", server_name: "bank", input: {} },
          { type: "mcp_tool_result", tool_use_id: "m", is_error: false, content: [] },
        ],
      },
    ]);
    expect(told).toEqual([[["user: Hi", 'unknown: web_search {"query":"x"}', "done: pay {}"]]]);
  });

  it("begins a turn where words of the user stand beside a result", () => {
    const told = outlinesOf("anthropic", [
      user,
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "pay", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a" },
          { type: "text", text: "Stop" },
        ],
      },
    ]);
    expect(told).toEqual([[["user: Hi", "done: pay {}"], ["user: Stop"]]]);
  });
});

describe("mcp", () => {
  const call = (id: number | string) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "pay", arguments: { order: 1 } },
  });
  const outcomes = (messages: readonly Json[]) =>
    outlinesOf("mcp", messages)[0]?.flatMap((turn) => turn.slice(1).map((line) => line.split(":")[0]));

  it.each<[string, { readonly [name: string]: Json }]>([
    ["done", { result: { content: [] } }],
    ["unknown", { result: { content: [], isError: true } }],
    ["unknown", { error: { code: -32603, message: "internal" } }],
    ["unknown", { result: { task: { taskId: "t", status: "working" } } }],
    ["nothing_happened", { error: { code: -32602, message: "invalid params" } }],
    ["nothing_happened", { error: { code: -32601, message: "no such method" } }],
    ["nothing_happened", { result: { resultType: "input_required", inputRequests: {} } }],
    ["nothing_happened", { result: { status: "input_required" } }],
    ["nothing_happened", { result: { structuredContent: { status: "input_required" } } }],
    ["nothing_happened", { result: { content: [{ type: "text", text: '{"status": "input_required"}' }] } }],
  ])("takes a call as %s by its answer %j", (outcome, answer) => {
    expect(outcomes([call(1), { jsonrpc: "2.0", id: 1, ...answer }])).toEqual([outcome]);
  });

  it("matches answers by id, in any order, and 1 is not the text 1", () => {
    const answer = (id: number | string) => ({ jsonrpc: "2.0", id, result: {} });
    const messages = [call(1), call("1"), call(3), answer(3), answer("1")];
    expect(outcomes(messages)).toEqual(["unknown", "done", "done"]);
  });

  it("gives the answer to a server's question to that question", () => {
    const question = { jsonrpc: "2.0", id: 1, method: "elicitation/create", params: {} };
    const answer = { jsonrpc: "2.0", id: 1, result: { action: "decline" } };
    expect(outcomes([call(1), question, answer])).toEqual(["unknown"]);
    expect(outcomes([call(1), question, answer, { ...answer, result: {} }])).toEqual(["done"]);
  });

  it("opens envelopes and batches", () => {
    const answer = JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} });
    const messages = [{ direction: "out", message: call(1) }, [{ direction: "in", payload: answer }]];
    expect(outcomes(messages)).toEqual(["done"]);
  });
});

describe("plain", () => {
  const outcomes = (...calls: readonly { readonly [name: string]: Json }[]) => {
    const named = calls.map((call) => ({ tool_name: "pay", ...call }));
    return outlinesOf("plain", { turns: [{ user: "Hi", tool_calls: named }] })
      .flatMap((trace) => trace?.[0]?.slice(1) ?? [])
      .map((line) => line.split(":")[0]);
  };

  it("takes every call as done where results are not recorded", () => {
    expect(outcomes({}, {})).toEqual(["done", "done"]);
  });

  it("takes a call without a result as unknown where others have one", () => {
    expect(outcomes({}, { result: "ok" }, { error: "timeout" })).toEqual(["unknown", "done", "unknown"]);
  });

  it("believes an outcome in our words, and no other", () => {
    const calls = [{ outcome: "nothing_happened" }, { outcome: "done" }, { outcome: "fine" }];
    expect(outcomes(...calls)).toEqual(["nothing_happened", "done", "unknown"]);
  });
});
