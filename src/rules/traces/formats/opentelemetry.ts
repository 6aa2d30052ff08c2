import { callArguments } from "../call-arguments.js";
import { instant } from "../instant.js";
import { embedded, field, firstField, itemsOf, listField, textField, textOf } from "../json-fields.js";
import { type Observed, observedConversations } from "../observed.js";
import type { Positioned } from "../positioned-json.js";
import { agree } from "../retold.js";
import type { Told, ToldCall } from "../told.js";
import { differs, fits, type TraceReader } from "../trace-reader.js";
import { tellMessages } from "./any-messages.js";
import { otlpAttributes } from "./otlp-attributes.js";

/**
 * OpenTelemetry: OTLP JSON with `resourceSpans`, or a list of spans, by the semantic conventions for generative AI.
 * Arguments are opt-in there and missing where they were not recorded. Traces of one `gen_ai.conversation.id` are one
 * conversation. The message events of conventions up to 1.36 are read where they are events of a span, not as logs.
 * Source: https://opentelemetry.io/docs/specs/semconv/gen-ai/, gen-ai-spans and gen-ai-events.
 */
export const opentelemetry: TraceReader = {
  format: "opentelemetry",
  claims: (root) => {
    const spans = spansOf(root);
    if (spans.length === 0) {
      return differs("there are neither `resourceSpans` nor spans");
    }
    const odd = spans.findIndex(
      (span) => spanId(span) === undefined || field(span, "attributes") === undefined,
    );
    if (odd >= 0 && !isOtlp(root)) {
      return differs(`entry ${odd + 1} is no span with a span id and attributes`);
    }
    return spans.some((span) => isTool(span) || messagesOf(span).length > 0)
      ? fits
      : differs("no span has attributes of the conventions for generative AI (gen_ai.…)");
  },
  read: (root) => {
    const spans = spansOf(root);
    const conversations = new Map<string, string>();
    for (const span of spans) {
      const id = textOf(otlpAttributes(span).get("gen_ai.conversation.id"));
      if (id !== undefined && id !== "") {
        conversations.set(traceId(span), id);
      }
    }
    const outer = withoutInner(spans);
    return observedConversations(outer.flatMap(observe), (trace) => conversations.get(trace));
  },
};

function entriesOf(root: Positioned): readonly Positioned[] {
  return root.kind === "list" ? root.items : [root];
}

function isOtlp(root: Positioned): boolean {
  return entriesOf(root).every((entry) => field(entry, "resourceSpans") !== undefined);
}

function spansOf(root: Positioned): readonly Positioned[] {
  return entriesOf(root).flatMap((entry) => {
    const resources = listField(entry, "resourceSpans");
    if (resources === undefined) {
      return listField(entry, "spans") ?? [entry];
    }
    return resources.flatMap((resource) =>
      itemsOf(firstField(resource, ["scopeSpans", "instrumentationLibrarySpans"])).flatMap((scope) =>
        itemsOf(field(scope, "spans")),
      ),
    );
  });
}

const contextNames = ["context", "spanContext"];

function spanId(span: Positioned): string | undefined {
  const context = firstField(span, contextNames);
  return textOf(firstField(span, ["spanId", "span_id"]) ?? firstField(context, ["spanId", "span_id"]));
}

function traceId(span: Positioned): string {
  const context = firstField(span, contextNames);
  return (
    textOf(firstField(span, ["traceId", "trace_id"]) ?? firstField(context, ["traceId", "trace_id"])) ?? ""
  );
}

function parentId(span: Positioned): string | undefined {
  const id = textOf(firstField(span, ["parentSpanId", "parent_span_id", "parent_id"]));
  return id === "" ? undefined : id;
}

function isTool(span: Positioned): boolean {
  const attributes = otlpAttributes(span);
  return (
    textOf(attributes.get("gen_ai.operation.name")) === "execute_tool" ||
    attributes.has("gen_ai.tool.name") ||
    textOf(attributes.get("mcp.method.name")) === "tools/call"
  );
}

/** A call of an MCP tool has a span in the agent, one in the client and one in the server, each within the other. */
function withoutInner(spans: readonly Positioned[]): readonly Positioned[] {
  const key = (span: Positioned, id: string | undefined) => `${traceId(span)} ${id}`;
  const byId = new Map(spans.map((span) => [key(span, spanId(span)), span]));
  return spans.filter((span) => {
    if (!isTool(span)) {
      return true;
    }
    const call = toolCall(span);
    const passed = new Set([span]);
    let outer = byId.get(key(span, parentId(span)));
    while (outer !== undefined && !passed.has(outer)) {
      if (isTool(outer)) {
        const around = toolCall(outer);
        if (around.tool === call.tool && agree(around.arguments, call.arguments)) {
          return false;
        }
      }
      passed.add(outer);
      outer = byId.get(key(outer, parentId(outer)));
    }
    return true;
  });
}

function observe(span: Positioned): readonly Observed[] {
  const begins = instant(
    firstField(span, ["startTimeUnixNano", "start_time", "startTime", "start_time_unix_nano"]),
  );
  const place = { run: traceId(span), begins };
  if (isTool(span)) {
    return [{ ...place, shows: { kind: "tool", call: toolCall(span) } }];
  }
  const told = messagesOf(span);
  return told.length === 0 ? [] : [{ ...place, shows: { kind: "messages", told } }];
}

function toolCall(span: Positioned): ToldCall {
  const attributes = otlpAttributes(span);
  const id = textOf(attributes.get("gen_ai.tool.call.id"));
  const name = textOf(attributes.get("gen_ai.tool.name")) ?? nameInTitle(span);
  return {
    kind: "called",
    id: id === "" ? undefined : id,
    tool: name?.trim() === "" ? undefined : name,
    arguments: callArguments(attributes.get("gen_ai.tool.call.arguments")),
    outcome: outcomeOf(span),
    at: span,
  };
}

/** The conventions name such a span by the operation and the tool. */
function nameInTitle(span: Positioned): string | undefined {
  return /^(?:execute_tool|tools\/call) (.+)$/.exec(textField(span, "name") ?? "")?.[1];
}

function outcomeOf(span: Positioned): ToldCall["outcome"] {
  const status = firstField(field(span, "status"), ["code", "status_code"]);
  const failed =
    (status?.kind === "number" && status.value === 2) ||
    (textOf(status)?.toUpperCase().endsWith("ERROR") ?? false);
  const ended =
    firstField(span, ["endTimeUnixNano", "end_time", "endTime", "end_time_unix_nano"]) !== undefined;
  return failed || otlpAttributes(span).has("error.type") || !ended ? "unknown" : "done";
}

function messagesOf(span: Positioned): readonly Told[] {
  const holders = [span, ...itemsOf(field(span, "events"))];
  return [...holders.flatMap(inputAndOutput), ...itemsOf(field(span, "events")).flatMap(tellEvent)];
}

function inputAndOutput(holder: Positioned): readonly Told[] {
  const attributes = otlpAttributes(holder);
  return [
    ...tellMessages(attributes.get("gen_ai.input.messages") ?? attributes.get("gen_ai.prompt"), "given"),
    ...tellMessages(attributes.get("gen_ai.output.messages") ?? attributes.get("gen_ai.completion"), "gave"),
  ];
}

const eventRoles: ReadonlyMap<string, string> = new Map([
  ["gen_ai.user.message", "user"],
  ["gen_ai.assistant.message", "assistant"],
  ["gen_ai.tool.message", "tool"],
  ["gen_ai.choice", "assistant"],
]);

/** An older event is one message of Chat Completions: its fields are attributes, the role is in the event's name. */
function tellEvent(event: Positioned): readonly Told[] {
  const role = eventRoles.get(textField(event, "name") ?? "");
  if (role === undefined) {
    return [];
  }
  const attributes = new Map([...otlpAttributes(event)].map(([name, value]) => [name, embedded(value)]));
  const message = attributes.get("message");
  const fields = new Map(message?.kind === "object" ? message.fields : attributes);
  const span = { offset: event.offset, end: event.end };
  const id = fields.get("id");
  fields.set("role", { kind: "text", value: role, ...span });
  if (role === "tool" && id !== undefined) {
    fields.set("tool_call_id", id);
  }
  return tellMessages({ kind: "object", fields, ...span }, "given");
}
