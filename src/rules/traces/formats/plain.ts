import { callArguments } from "../call-arguments.js";
import { field, firstField, itemsOf, listField, oneOrMany, textField, wordField } from "../json-fields.js";
import type { Positioned } from "../positioned-json.js";
import type { Conversation, Told, ToldCall } from "../told.js";
import { differs, fits, type TraceReader } from "../trace-reader.js";
import { saidTexts, userMessage } from "./message-content.js";

const resultFields = ["result", "output", "error", "outcome"];

/**
 * The plainest form: `turns`, each with `user`, `assistant` and `tool_calls`; what stands first in a turn comes first.
 * A call may have `result`, `output`, `error` or `outcome` (`done`, `nothing_happened`, `unknown`); where no call of the
 * trace has one, results are not recorded and every call counts as done.
 * Source: AgentGuard's trace files, whose calls have `name`, `tool` or `tool_name`.
 */
export const plain: TraceReader = {
  format: "plain",
  claims: (root) => {
    const conversations = conversationsOf(root);
    if (conversations.length === 0) {
      return differs("there is no object with `turns`");
    }
    const odd = conversations.find((conversation) => listField(conversation, "turns") === undefined);
    if (odd !== undefined) {
      return differs("not every entry has a list of `turns`");
    }
    const turns = conversations.flatMap((conversation) => listField(conversation, "turns") ?? []);
    const foreign = turns.findIndex(
      (turn) => firstField(turn, ["user", "assistant", "tool_calls"]) === undefined,
    );
    return foreign < 0 ? fits : differs(`turn ${foreign + 1} has neither user nor assistant nor tool_calls`);
  },
  read: (root) => conversationsOf(root).map(readConversation),
};

function conversationsOf(root: Positioned): readonly Positioned[] {
  return root.kind === "list" ? root.items : field(root, "turns") === undefined ? [] : [root];
}

function readConversation(conversation: Positioned): Conversation {
  const turns = listField(conversation, "turns") ?? [];
  const recorded = turns.some((turn) =>
    itemsOf(field(turn, "tool_calls")).some((call) => firstField(call, resultFields) !== undefined),
  );
  const unrecorded = recorded ? "unknown" : "done";
  return {
    name: wordField(conversation, ["id", "name", "trace_id", "session_id", "conversation_id"]),
    told: turns.flatMap((turn) => tellTurn(turn, unrecorded)),
  };
}

function tellTurn(turn: Positioned, unrecorded: "done" | "unknown"): readonly Told[] {
  const fields = turn.kind === "object" ? [...turn.fields] : [];
  return [
    userMessage(turn, field(turn, "user")),
    ...fields.flatMap(([name, value]): readonly Told[] => {
      switch (name) {
        case "assistant":
          return saidTexts(value);
        case "tool_calls":
          return value.kind === "null" ? [] : oneOrMany(value).map((call) => tellCall(call, unrecorded));
        default:
          return [];
      }
    }),
  ];
}

function tellCall(call: Positioned, unrecorded: "done" | "unknown"): ToldCall {
  const inner = field(call, "function") ?? call;
  return {
    kind: "called",
    id: wordField(call, ["id"]),
    tool: wordField(inner, ["name", "tool", "tool_name"]),
    arguments: callArguments(firstField(inner, ["args", "arguments", "input"])),
    outcome: outcomeOf(call) ?? unrecorded,
    at: call,
  };
}

function outcomeOf(call: Positioned): "done" | "nothing_happened" | "unknown" | undefined {
  if (field(call, "outcome") !== undefined) {
    const word = textField(call, "outcome");
    return word === "done" || word === "nothing_happened" ? word : "unknown";
  }
  if (field(call, "error") !== undefined) {
    return "unknown";
  }
  return firstField(call, ["result", "output"]) === undefined ? undefined : "done";
}
