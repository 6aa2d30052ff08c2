import { describe, expect, it } from "vitest";
import { type TraceFormat, traceFormats } from "../../../src/rules/trace.js";
import { readTrace } from "../../../src/rules/traces/read-trace.js";
import { callsOf, outline, regionIn, tracesOf } from "./examples.js";

function mistakesOf(text: string, file = "t.json", format?: TraceFormat) {
  const loaded = readTrace(text, file, format);
  return loaded.kind === "refused" ? loaded.mistakes : [];
}

describe("readTrace", () => {
  it("reads one conversation line by line, with places in the file", () => {
    const call = '{"id": "c1", "function": {"name": "get_order", "arguments": "{}"}}';
    const text = `{"role": "user", "content": "Hello"}\n\n{"role": "assistant", "tool_calls": [${call}]}\r\n`;
    for (const file of ["t.json", "t.jsonl"]) {
      const [trace, ...others] = tracesOf(text, undefined, file);
      expect(others).toEqual([]);
      expect(outline(trace)).toEqual([["user: Hello", "unknown: get_order {}"]]);
      expect(callsOf(trace)[0]?.at).toEqual(regionIn(text, call, file));
    }
  });

  it("reads a line for each conversation and keeps their names apart", () => {
    const line = (id: string) => `{${id}"messages": [{"role": "user", "content": "Hello"}]}`;
    const traces = tracesOf([line('"id": "a", '), line('"id": "a", '), line("")].join("\n"));
    expect(traces.map((trace) => trace.name)).toEqual(["a", "a (2)", "3"]);
  });

  it("reads a file of one line by either name", () => {
    const text = '{"role": "user", "content": "Hello"}';
    expect(outline(tracesOf(text, undefined, "t.jsonl")[0])).toEqual([["user: Hello"]]);
    expect(outline(tracesOf(`[${text}]`)[0])).toEqual([["user: Hello"]]);
  });

  it("counts no byte order mark as a column", () => {
    const text = '\u{feff}{"turns": [{"tool_calls": [{"name": "x"}]}]}';
    expect(callsOf(tracesOf(text)[0])[0]?.at.column).toBe(28);
  });

  it("tells the place of every broken line", () => {
    const text = '{"role": "user"}\n{"role": }\n{"role": "user"}\n["a"\n';
    expect(mistakesOf(text, "t.jsonl").map(({ at }) => [at.line, at.column])).toEqual([
      [2, 10],
      [4, 5],
    ]);
  });

  it("tells the place of broken JSON", () => {
    const text = '{\n  "messages": [\n    {"role": "user" "content": "x"}\n  ]\n}\n';
    expect(mistakesOf(text)).toEqual([
      { message: "not JSON: a comma is expected here", at: regionIn(text, '"content"') },
    ]);
  });

  it("says of every format why it does not fit", () => {
    const [mistake, ...others] = mistakesOf('{"hello": "world"}');
    expect(others).toEqual([]);
    for (const format of traceFormats) {
      expect(mistake?.message).toContain(`${format}: `);
    }
  });

  it("says why a file is not in the format that was asked for", () => {
    expect(mistakesOf('[{"role": "robot"}]', "t.json", "openai_chat").map((each) => each.message)).toEqual([
      'this file is not in the format that was asked for. openai_chat: message 1 has the role "robot"',
    ]);
  });

  it.each([
    ["an empty list", "[]"],
    ["a text", '"hello"'],
    ["one foreign message among others", '[{"role": "user", "content": "x"}, {"rolle": "assistant"}]'],
    ["lines of two formats", '{"jsonrpc": "2.0", "id": 1, "result": {}}\n{"turns": []}'],
    ["traces whose observations are ids only", '[{"id": "t1", "input": "x", "observations": ["o1"]}]'],
    [
      "spans that have nothing to do with models",
      '{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "t", "spanId": "s", "name": "GET /", "attributes": []}]}]}]}',
    ],
  ])("refuses %s instead of finding no call in it", (_what, text) => {
    expect(mistakesOf(text)).toHaveLength(1);
  });
});

describe("the arguments of a call", () => {
  const argumentsOf = (text: string) =>
    callsOf(tracesOf(`{"turns": [{"user": "x", "tool_calls": [{"name": "pay"${text}}]}]}`)[0])[0]?.arguments;

  it("are known from an object and from the JSON text of one", () => {
    expect(argumentsOf(', "args": {"a": [1, null]}')).toEqual({ kind: "known", value: { a: [1, null] } });
    expect(argumentsOf(', "args": "{\\"a\\": 1}"')).toEqual({ kind: "known", value: { a: 1 } });
  });

  it("are missing where there are none", () => {
    expect(argumentsOf("")).toEqual({ kind: "missing" });
    expect(argumentsOf(', "args": null')).toEqual({ kind: "missing" });
  });

  it.each([
    ["{'a': 1}", "{'a': 1}"],
    ["[1]", "[1]"],
    ["null", "null"],
    ["", ""],
  ])("are malformed where the text %j is no object", (text, kept) => {
    expect(argumentsOf(`, "args": ${JSON.stringify(text)}`)).toEqual({ kind: "malformed", text: kept });
  });

  it("are malformed where the value is no object", () => {
    expect(argumentsOf(', "args": [1, "a"]')).toEqual({ kind: "malformed", text: '[1,"a"]' });
    expect(argumentsOf(', "args": 7')).toEqual({ kind: "malformed", text: "7" });
  });

  it("are warned of at the call, once for a trace where they are missing", () => {
    const bad = '{"name": "pay", "args": "oops"}';
    const text = `{"turns": [{"user": "x", "tool_calls": [{"name": "a"}, ${bad}, {"name": "b"}]}]}`;
    const warnings = tracesOf(text)[0]?.warnings ?? [];
    expect(warnings.map(({ at }) => at)).toEqual([regionIn(text, bad), regionIn(text, '{"name": "a"}')]);
    expect(warnings[1]?.message).toMatch(/^2 of 3 calls have no arguments/);
  });
});

describe("the turns of a trace", () => {
  it("begin with one without a user where calls come first", () => {
    const text = JSON.stringify([
      { role: "assistant", tool_calls: [{ id: "a", function: { name: "greet", arguments: "{}" } }] },
      { role: "user", content: "Hello" },
      { role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] },
      { role: "assistant", content: "Hi" },
    ]);
    // A picture is a message of the user too, only without text.
    expect(outline(tracesOf(text)[0])).toEqual([
      ["user: ", "unknown: greet {}"],
      ["user: Hello"],
      ["user: ", "said: Hi"],
    ]);
  });

  it("give what is said its own place", () => {
    const text = '[{"role": "user", "content": "x"}, {"role": "assistant", "content": "Hi"}]';
    const [item] = tracesOf(text)[0]?.turns[0]?.items ?? [];
    expect(item).toEqual({ kind: "said", text: "Hi", at: regionIn(text, '"Hi"') });
  });

  it("are warned of where the user says nothing at all", () => {
    const text =
      '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "a", "arguments": {}}}';
    expect(tracesOf(text)[0]?.warnings.map((each) => each.message)).toEqual([
      "nothing that the user says is in this trace, so no rule with intent_any is active",
    ]);
  });
});
