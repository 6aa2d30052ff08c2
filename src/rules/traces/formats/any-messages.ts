import { callArguments } from "../call-arguments.js";
import {
  embedded,
  field,
  firstField,
  itemsOf,
  listField,
  oneOrMany,
  textField,
  wordField,
} from "../json-fields.js";
import type { Positioned } from "../positioned-json.js";
import type { Told } from "../told.js";
import { foreignBlock, tellAnthropicMessage } from "./anthropic.js";
import { saidTexts, userMessage } from "./message-content.js";
import { tellChatMessage, tellToolCall } from "./openai-chat.js";
import { isResponsesItem, tellResponsesItem } from "./openai-responses.js";

/** Whose word a text is that no message holds: what a model was given is the user's, what it gave is its own. */
export type Side = "given" | "gave";

/**
 * The messages that observability tools record of a model call or an application, in whatever provider's dialect and
 * whatever wrapping; nothing where the value has no messages and no text.
 */
export function tellMessages(value: Positioned | undefined, side: Side): readonly Told[] {
  const inner = value === undefined ? undefined : embedded(value);
  switch (inner?.kind) {
    case "text":
      return inner.value === ""
        ? []
        : [{ kind: side === "given" ? "user" : "said", text: inner.value, at: inner }];
    case "list":
      return inner.items.flatMap((item) => tellMessages(item, side));
    case "object":
      return tellObject(inner, side);
    default:
      return [];
  }
}

const wrappings = ["messages", "choices", "generations", "message", "output", "input"];
const texts = ["question", "query", "prompt", "text", "content", "answer", "response"];

function tellObject(value: Positioned, side: Side): readonly Told[] {
  if (isMessage(value)) {
    return tellAnyMessage(value);
  }
  const wrapped = firstField(value, wrappings);
  if (wrapped !== undefined) {
    return tellMessages(wrapped, side);
  }
  const text = firstField(value, texts);
  return text?.kind === "text" ? tellMessages(text, side) : [];
}

function isMessage(value: Positioned): boolean {
  return (
    textField(value, "role") !== undefined ||
    isResponsesItem(value) ||
    field(value, "lc") !== undefined ||
    langChainRoles.has(textField(value, "type") ?? "")
  );
}

function tellAnyMessage(message: Positioned): readonly Told[] {
  if (isResponsesItem(message)) {
    return tellResponsesItem(message);
  }
  if (field(message, "parts") !== undefined) {
    return tellPartsMessage(message);
  }
  if (textField(message, "role") === undefined) {
    return tellLangChainMessage(message);
  }
  return foreignBlock(message) === undefined || listField(message, "tool_calls") !== undefined
    ? tellChatMessage(message)
    : tellAnthropicMessage(message);
}

const langChainRoles: ReadonlyMap<string, "user" | "assistant" | "tool" | "system"> = new Map([
  ["human", "user"],
  ["HumanMessage", "user"],
  ["HumanMessageChunk", "user"],
  ["ai", "assistant"],
  ["AIMessage", "assistant"],
  ["AIMessageChunk", "assistant"],
  ["tool", "tool"],
  ["ToolMessage", "tool"],
  ["system", "system"],
  ["SystemMessage", "system"],
]);

/** LangChain writes a message by its class name and `kwargs`, or by `type` with the fields beside it or in `data`. */
function tellLangChainMessage(message: Positioned): readonly Told[] {
  const className = itemsOf(field(message, "id")).at(-1);
  const type = className?.kind === "text" ? className.value : (textField(message, "type") ?? "");
  const body = firstField(message, ["kwargs", "data"]) ?? message;
  const content = field(body, "content");
  switch (langChainRoles.get(type)) {
    case "user":
      return [userMessage(message, content)];
    case "assistant":
      return [...saidTexts(content), ...oneOrMany(field(body, "tool_calls")).map(tellToolCall)];
    case "tool":
      return [
        {
          kind: "answered",
          id: wordField(body, ["tool_call_id"]),
          tool: wordField(body, ["name"]),
          outcome: textField(body, "status") === "error" ? "unknown" : "done",
        },
      ];
    default:
      return [];
  }
}

/** OpenTelemetry's messages: `parts` of type text, tool_call, tool_call_response and the like for server tools. */
function tellPartsMessage(message: Positioned): readonly Told[] {
  const parts = itemsOf(field(message, "parts"));
  const calls = parts.flatMap(tellPart);
  switch (textField(message, "role")) {
    case "user":
      return calls.length > 0 && calls.length === parts.length
        ? calls
        : [...calls, userMessage(message, field(message, "parts"))];
    case "system":
      return [];
    case "assistant":
      return [...saidTexts(field(message, "parts")), ...calls];
    default:
      return calls;
  }
}

function tellPart(part: Positioned): readonly Told[] {
  const type = textField(part, "type") ?? "";
  const id = wordField(part, ["id"]);
  if (type.endsWith("tool_call")) {
    return [
      {
        kind: "called",
        id,
        tool: wordField(part, ["name"]),
        arguments: callArguments(firstField(part, ["arguments", "server_tool_call"])),
        outcome: "awaits_answer",
        at: part,
      },
    ];
  }
  return type.endsWith("tool_call_response")
    ? [{ kind: "answered", id, tool: undefined, outcome: "done" }]
    : [];
}
