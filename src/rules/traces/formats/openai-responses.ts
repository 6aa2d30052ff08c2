import type { TracedArguments } from "../../trace.js";
import { callArguments } from "../call-arguments.js";
import { field, firstField, listField, plainJson, textField, textOf, wordField } from "../json-fields.js";
import type { Positioned } from "../positioned-json.js";
import { retold } from "../retold.js";
import type { Conversation, Told, ToldCall } from "../told.js";
import { differs, fits, type TraceReader } from "../trace-reader.js";
import { saidTexts, userMessage } from "./message-content.js";

/**
 * OpenAI Responses: response objects with `output` and perhaps `input`, or a bare list of items. Responses that name
 * each other by `previous_response_id` or `conversation` are one conversation.
 * Source: the API reference of Responses, https://platform.openai.com/docs/api-reference/responses.
 */
export const openaiResponses: TraceReader = {
  format: "openai_responses",
  claims: (root) => {
    const items = isBareList(root) ? bareItems(root) : responsesOf(root).flatMap(itemsOfResponse);
    if (items.length === 0) {
      return differs("there are no items and no object with `output`");
    }
    const odd = items.findIndex((item) => !isResponsesItem(item) && textField(item, "role") === undefined);
    if (odd >= 0) {
      return differs(`item ${odd + 1} is of no known type`);
    }
    return items.some(isResponsesItem) ? fits : differs("no item has a type of the Responses interface");
  },
  read: (root) =>
    isBareList(root)
      ? [{ name: undefined, told: bareItems(root).flatMap(tellResponsesItem) }]
      : conversations(responsesOf(root)),
};

/** Whether the value is an item by its `type`; a message without type is an item too, but not only of this format. */
export function isResponsesItem(item: Positioned): boolean {
  const type = textField(item, "type") ?? "";
  if (type === "message") {
    // Anthropic calls a whole answer so; what it has and items lack is a stop reason.
    return field(item, "stop_reason") === undefined && field(item, "role") !== undefined;
  }
  return /(_call|_call_output)$/.test(type) || otherTypes.includes(type);
}

const otherTypes = [
  "reasoning",
  "compaction",
  "item_reference",
  "mcp_list_tools",
  "mcp_approval_request",
  "mcp_approval_response",
  "tool_search_output",
];

/** What one item tells; unknown types that end in `_call` are calls of a hosted tool named by the type. */
export function tellResponsesItem(item: Positioned): readonly Told[] {
  const type = textField(item, "type") ?? "message";
  if (type === "message") {
    return tellMessage(item);
  }
  if (type.endsWith("_output")) {
    const id = wordField(item, ["call_id"]);
    const ended = textField(item, "status") ?? "completed";
    return type.endsWith("_call_output")
      ? [{ kind: "answered", id, tool: undefined, outcome: ended === "completed" ? "done" : "unknown" }]
      : [];
  }
  return type.endsWith("_call") ? [tellCall(item, type)] : [];
}

function tellMessage(item: Positioned): readonly Told[] {
  const content = field(item, "content");
  switch (textField(item, "role")) {
    case "user":
      return [userMessage(item, content)];
    case "assistant":
      return saidTexts(content);
    default:
      return [];
  }
}

function tellCall(item: Positioned, type: string): ToldCall {
  const id = wordField(item, ["call_id", "id"]);
  switch (type) {
    case "function_call":
    case "custom_tool_call":
      return {
        kind: "called",
        id,
        tool: wordField(item, ["name"]),
        arguments: callArguments(firstField(item, ["arguments", "input"])),
        outcome: "awaits_answer",
        at: item,
      };
    case "mcp_call":
      return {
        kind: "called",
        id,
        tool: wordField(item, ["name"]),
        arguments: callArguments(field(item, "arguments")),
        outcome:
          field(item, "error") === undefined && field(item, "output") !== undefined ? "done" : "unknown",
        at: item,
      };
    default:
      return {
        kind: "called",
        id,
        tool: type,
        arguments: hostedArguments(item),
        outcome: hostedOutcome(item),
        at: item,
      };
  }
}

/** A tool that the client runs has a `call_id` and answers by an item of its own; one that OpenAI runs has a status. */
function hostedOutcome(item: Positioned): ToldCall["outcome"] {
  if (field(item, "call_id") !== undefined) {
    return "awaits_answer";
  }
  return textField(item, "status") === "completed" ? "done" : "unknown";
}

const notArguments = ["id", "type", "status", "call_id", "results", "result", "outputs", "output", "error"];

/** Hosted tools put what they were asked into an `action` or, as `queries` or `code`, beside the type. */
function hostedArguments(item: Positioned): TracedArguments {
  const asked = firstField(item, ["arguments", "action"]);
  if (asked !== undefined || item.kind !== "object") {
    return callArguments(asked);
  }
  const rest = [...item.fields].filter(
    ([name, value]) => !notArguments.includes(name) && value.kind !== "null",
  );
  return rest.length === 0
    ? { kind: "missing" }
    : { kind: "known", value: Object.fromEntries(rest.map(([name, value]) => [name, plainJson(value)])) };
}

function isBareList(root: Positioned): boolean {
  return root.kind === "list" ? !root.items.some(isResponse) : textField(root, "object") === "list";
}

function bareItems(root: Positioned): readonly Positioned[] {
  return root.kind === "list" ? root.items : (listField(root, "data") ?? []);
}

function isResponse(value: Positioned): boolean {
  // Spans and runs of observability tools have lists of output too, and say in other fields what they are.
  const isOther = firstField(value, ["type", "traceId", "run_type", "observations"]) !== undefined;
  return listField(value, "output") !== undefined && !isOther;
}

/** Empty unless every entry of the file is a response. */
function responsesOf(root: Positioned): readonly Positioned[] {
  const entries = root.kind === "list" ? root.items : [root];
  return entries.every(isResponse) ? entries : [];
}

function itemsOfResponse(response: Positioned): readonly Positioned[] {
  return [...(listField(response, "input") ?? []), ...(listField(response, "output") ?? [])];
}

function conversations(responses: readonly Positioned[]): readonly Conversation[] {
  const names = new Map<string, string>();
  const grouped = new Map<string, Positioned[]>();
  responses.forEach((response, index) => {
    const id = wordField(response, ["id"]) ?? `response ${index + 1}`;
    const before = wordField(response, ["previous_response_id"]);
    const conversation =
      wordField(response, ["conversation"]) ?? wordField(field(response, "conversation"), ["id"]);
    const name = conversation ?? (before === undefined ? id : (names.get(before) ?? before));
    names.set(id, name);
    const members = grouped.get(name) ?? [];
    members.push(response);
    grouped.set(name, members);
  });
  // Each response is a run of its own: its input is the whole history, or only what is new since the one before.
  return [...grouped].map(([name, members]) => ({
    name,
    told: retold(members.map((response) => [{ kind: "messages", told: tellResponse(response) }])),
  }));
}

function tellResponse(response: Positioned): readonly Told[] {
  const input = field(response, "input");
  const text = textOf(input);
  const asked: readonly Told[] =
    input !== undefined && text !== undefined ? [{ kind: "user", text, at: input }] : [];
  return [...asked, ...itemsOfResponse(response).flatMap(tellResponsesItem)];
}
