import { callArguments } from "../call-arguments.js";
import { embedded, field, firstField, isTrue, itemsOf, textField, wordField } from "../json-fields.js";
import type { Positioned } from "../positioned-json.js";
import type { Told, ToldCall } from "../told.js";
import { differs, fits, type TraceReader } from "../trace-reader.js";

/**
 * Logs of the Model Context Protocol: JSON-RPC messages in their order, bare or in an envelope. The protocol carries
 * nothing that the user says, so every call is in the turn before the first message.
 * Source: the specification of 2026-07-28, https://modelcontextprotocol.io/specification, tools and multi round-trip
 * requests.
 */
export const mcp: TraceReader = {
  format: "mcp",
  claims: (root) => {
    const messages = messagesOf(root);
    if (messages.length === 0) {
      return differs("there is no JSON-RPC message");
    }
    const odd = messages.findIndex((message) => rpcOf(message) === undefined);
    return odd < 0 ? fits : differs(`entry ${odd + 1} is no JSON-RPC 2.0 message`);
  },
  read: (root) => {
    const messages = messagesOf(root).flatMap((message) => rpcOf(message) ?? []);
    return [{ name: undefined, told: tell(messages) }];
  },
};

/** Batches are lists in the list. */
function messagesOf(root: Positioned): readonly Positioned[] {
  const entries = root.kind === "list" ? root.items : [root];
  return entries.flatMap((entry) => (entry.kind === "list" ? entry.items : [entry]));
}

function rpcOf(entry: Positioned): Positioned | undefined {
  if (field(entry, "jsonrpc") !== undefined) {
    return entry;
  }
  const envelope = firstField(entry, ["message", "payload", "data", "request", "response"]);
  const inner = envelope === undefined ? undefined : embedded(envelope);
  return inner !== undefined && field(inner, "jsonrpc") !== undefined ? inner : undefined;
}

function tell(messages: readonly Positioned[]): readonly Told[] {
  const told: ToldCall[] = [];
  /** Unanswered requests by id, each with the place of its call if it is one; the other requests share the ids. */
  const open = new Map<string, (number | undefined)[]>();
  for (const message of messages) {
    const id = idOf(message);
    if (field(message, "method") !== undefined) {
      const place =
        textField(message, "method") === "tools/call" ? told.push(callOf(message)) - 1 : undefined;
      if (id !== undefined) {
        open.set(id, [...(open.get(id) ?? []), place]);
      }
    } else if (id !== undefined) {
      // A server's request may have the id of the call that it interrupts, and is answered before that.
      const place = open.get(id)?.pop();
      const call = place === undefined ? undefined : told[place];
      if (place !== undefined && call !== undefined) {
        told[place] = { ...call, outcome: outcomeOf(message) };
      }
    }
  }
  return told;
}

function idOf(message: Positioned): string | undefined {
  const id = field(message, "id");
  // 1 and "1" are two ids.
  return id?.kind === "text" || id?.kind === "number" ? JSON.stringify(id.value) : undefined;
}

function callOf(request: Positioned): ToldCall {
  const params = field(request, "params");
  return {
    kind: "called",
    id: undefined,
    tool: wordField(params, ["name"]),
    arguments: callArguments(field(params, "arguments")),
    outcome: "unknown",
    at: request,
  };
}

/** Unknown method, invalid parameters, and the answer that asks the user to open a page first: nothing ran. */
const refusals = [-32601, -32602, -32042];

function outcomeOf(response: Positioned): ToldCall["outcome"] {
  const error = field(response, "error");
  if (error !== undefined) {
    const code = field(error, "code");
    return code?.kind === "number" && refusals.includes(code.value) ? "nothing_happened" : "unknown";
  }
  const result = field(response, "result");
  if (result === undefined || isTrue(field(result, "isError"))) {
    return "unknown";
  }
  if (asksForInput(result)) {
    return "nothing_happened";
  }
  // A task is only begun by this answer, and ends elsewhere.
  return field(result, "task") === undefined ? "done" : "unknown";
}

/** The client answers such a result by the same call once more. */
function asksForInput(result: Positioned): boolean {
  const words = (value: Positioned | undefined) => [
    textField(value, "resultType"),
    textField(value, "status"),
  ];
  const texts = itemsOf(field(result, "content")).flatMap((block) => {
    const text = field(block, "text");
    return text === undefined ? [] : [embedded(text)];
  });
  return [result, field(result, "structuredContent"), ...texts].flatMap(words).includes("input_required");
}
