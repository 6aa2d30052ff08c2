import { field, listField, textField, wordField } from "../json-fields.js";
import type { Positioned } from "../positioned-json.js";

/** A conversation as a list of messages. */
export type MessageList = {
  /** The object that has the list in `messages`, if one has. */
  readonly holder: Positioned | undefined;
  readonly name: string | undefined;
  readonly messages: readonly Positioned[];
};

/**
 * The conversations of a file of chat messages: objects with `messages`, lists of messages, several of either, or the
 * lines of one conversation. Empty unless the whole file is so.
 */
export function messageLists(root: Positioned): readonly MessageList[] {
  if (root.kind === "object") {
    const list = held(root);
    return list === undefined ? [] : [list];
  }
  if (root.kind !== "list" || root.items.length === 0) {
    return [];
  }
  if (root.items.every((item) => textField(item, "role") !== undefined)) {
    return [{ holder: undefined, name: undefined, messages: root.items }];
  }
  const lists = root.items.map((item) =>
    item.kind === "list" && item.items.length > 0
      ? { holder: undefined, name: undefined, messages: item.items }
      : held(item),
  );
  const found = lists.filter((list) => list !== undefined);
  return found.length === lists.length ? found : [];
}

function held(holder: Positioned): MessageList | undefined {
  const messages = listField(holder, "messages");
  if (messages === undefined) {
    return undefined;
  }
  const answer = listField(holder, "choices")?.[0];
  const message = field(answer, "message");
  return {
    holder,
    name: wordField(holder, ["id", "name", "conversation_id", "session_id"]),
    messages: message === undefined ? messages : [...messages, message],
  };
}
