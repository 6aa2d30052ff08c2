import { callArguments } from "../call-arguments.js";
import { field, isTrue, itemsOf, listField, textField, textOf, wordField } from "../json-fields.js";
import type { Positioned } from "../positioned-json.js";
import type { Told } from "../told.js";
import { differs, fits, type TraceReader } from "../trace-reader.js";
import { saidTexts, userMessage } from "./message-content.js";
import { messageLists } from "./message-lists.js";

/**
 * Anthropic Messages: as Chat Completions, but calls and results are blocks of the content. A file that has neither such
 * a block nor `system` beside `messages` reads the same as Chat Completions and is left to that.
 * Source: the Messages API, https://docs.anthropic.com/en/api/messages, and the block types of anthropic-sdk-python.
 */
export const anthropic: TraceReader = {
  format: "anthropic",
  claims: (root) => {
    const lists = messageLists(root);
    if (lists.length === 0) {
      return differs("there is no list of messages");
    }
    for (const { messages } of lists) {
      for (const [index, message] of messages.entries()) {
        const because = foreign(message);
        if (because !== undefined) {
          return differs(`message ${index + 1} ${because}`);
        }
      }
    }
    const own = lists.some(
      ({ holder, messages }) =>
        (holder !== undefined && field(holder, "system") !== undefined) ||
        messages.some((message) => foreignBlock(message) !== undefined),
    );
    return own ? fits : differs("no message has a block of type tool_use or tool_result");
  },
  read: (root) =>
    messageLists(root).map(({ name, messages }) => ({ name, told: messages.flatMap(tellAnthropicMessage) })),
};

function foreign(message: Positioned): string | undefined {
  const role = textField(message, "role");
  if (role !== "user" && role !== "assistant") {
    return `has ${role === undefined ? "no role" : `the role "${role}"`}`;
  }
  return field(message, "tool_calls") !== undefined || field(message, "function_call") !== undefined
    ? "has tool_calls"
    : undefined;
}

/** What marks a message as Anthropic's, as a clause; undefined if nothing does. */
export function foreignBlock(message: Positioned): string | undefined {
  if (field(message, "stop_reason") !== undefined) {
    return "has a stop_reason";
  }
  const block = itemsOf(field(message, "content")).find((part) => isUse(part) || isResult(part));
  return block === undefined ? undefined : `has a block of type "${textField(block, "type")}"`;
}

function isUse(block: Positioned): boolean {
  return textField(block, "type")?.endsWith("tool_use") === true;
}

function isResult(block: Positioned): boolean {
  return textField(block, "type")?.endsWith("tool_result") === true;
}

/** What one message of this dialect tells; a user message of results alone goes on with the turn. */
export function tellAnthropicMessage(message: Positioned): readonly Told[] {
  const content = field(message, "content");
  const blocks = listField(message, "content") ?? [];
  if (textField(message, "role") === "assistant") {
    return textOf(content) === undefined ? blocks.flatMap(tellBlock) : saidTexts(content);
  }
  const results = blocks.filter(isResult);
  const more = blocks.length > results.length || blocks.length === 0;
  return [...results.flatMap(tellBlock), ...(more ? [userMessage(message, content)] : [])];
}

function tellBlock(block: Positioned): readonly Told[] {
  if (isUse(block)) {
    return [
      {
        kind: "called",
        id: wordField(block, ["id"]),
        tool: wordField(block, ["name"]),
        arguments: callArguments(field(block, "input")),
        outcome: "awaits_answer",
        at: block,
      },
    ];
  }
  if (isResult(block)) {
    const failed = isTrue(field(block, "is_error")) || isErrorContent(field(block, "content"));
    const id = wordField(block, ["tool_use_id"]);
    return [{ kind: "answered", id, tool: undefined, outcome: failed ? "unknown" : "done" }];
  }
  const text = field(block, "text");
  return saidTexts(text);
}

/** Server tools report a failure as a content whose type ends so, without `is_error`. */
function isErrorContent(content: Positioned | undefined): boolean {
  return textField(content, "type")?.endsWith("_error") === true;
}
