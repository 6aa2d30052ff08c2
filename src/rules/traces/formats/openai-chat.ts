import { callArguments } from "../call-arguments.js";
import { field, firstField, isTrue, oneOrMany, textField, wordField } from "../json-fields.js";
import type { Positioned } from "../positioned-json.js";
import type { Told, ToldCall } from "../told.js";
import { differs, fits, type TraceReader } from "../trace-reader.js";
import { foreignBlock } from "./anthropic.js";
import { saidTexts, userMessage } from "./message-content.js";
import { messageLists } from "./message-lists.js";
import { isResponsesItem } from "./openai-responses.js";

const roles = ["system", "developer", "user", "assistant", "tool", "function"];

/**
 * OpenAI Chat Completions: a list of messages, or an object with `messages` (and perhaps the `choices` of the answer).
 * Source: the API reference of Chat Completions, https://platform.openai.com/docs/api-reference/chat.
 */
export const openaiChat: TraceReader = {
  format: "openai_chat",
  claims: (root) => {
    const lists = messageLists(root);
    if (lists.length === 0) {
      return differs("there is no list of messages");
    }
    for (const { holder, messages } of lists) {
      if (holder !== undefined && field(holder, "system") !== undefined) {
        return differs("`system` stands beside `messages`");
      }
      for (const [index, message] of messages.entries()) {
        const because = foreign(message);
        if (because !== undefined) {
          return differs(`message ${index + 1} ${because}`);
        }
      }
    }
    return fits;
  },
  read: (root) =>
    messageLists(root).map(({ name, messages }) => ({ name, told: messages.flatMap(tellChatMessage) })),
};

function foreign(message: Positioned): string | undefined {
  const role = textField(message, "role");
  if (role === undefined) {
    return "has no role";
  }
  if (!roles.includes(role)) {
    return `has the role "${role}"`;
  }
  if (isResponsesItem(message)) {
    return `is an item of type "${textField(message, "type")}"`;
  }
  if (field(message, "parts") !== undefined) {
    return "has parts";
  }
  return foreignBlock(message);
}

/** What one message of this dialect tells; results say no more than that they are there. */
export function tellChatMessage(message: Positioned): readonly Told[] {
  const content = field(message, "content");
  switch (textField(message, "role")) {
    case "user":
      return [userMessage(message, content)];
    case "assistant":
      return [
        ...saidTexts(content),
        ...saidTexts(field(message, "refusal")),
        ...oneOrMany(field(message, "tool_calls")).map(tellToolCall),
        ...oneOrMany(field(message, "function_call")).map(tellToolCall),
      ];
    case "tool":
    case "function":
      return [
        {
          kind: "answered",
          id: wordField(message, ["tool_call_id"]),
          tool: wordField(message, ["name"]),
          outcome: isFailure(message) ? "unknown" : "done",
        },
      ];
    default:
      return [];
  }
}

/** Chat Completions has no word for a failed tool; what frameworks add beside it is believed. */
function isFailure(message: Positioned): boolean {
  return textField(message, "status") === "error" || isTrue(field(message, "is_error"));
}

/**
 * A call in any of the shapes in which assistants' messages carry it: `function` with name and arguments, `custom` with
 * name and input, or name and `arguments`, `args` or `input` beside each other. Nothing readable is an unnamed call.
 */
export function tellToolCall(entry: Positioned): ToldCall {
  const inner = field(entry, "function") ?? field(entry, "custom") ?? entry;
  return {
    kind: "called",
    id: wordField(entry, ["id", "tool_call_id", "call_id"]),
    tool: wordField(inner, ["name"]),
    arguments: callArguments(firstField(inner, ["arguments", "args", "input"])),
    outcome: "awaits_answer",
    at: entry,
  };
}
