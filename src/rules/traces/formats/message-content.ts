import { field, itemsOf, textField, textOf } from "../json-fields.js";
import type { Positioned } from "../positioned-json.js";
import type { Told } from "../told.js";

/** The texts of a message's content, which is a text or a list of parts; each at its own place. */
export function contentTexts(
  content: Positioned | undefined,
): readonly { readonly text: string; readonly node: Positioned }[] {
  const whole = textOf(content);
  if (content !== undefined && whole !== undefined) {
    return whole === "" ? [] : [{ text: whole, node: content }];
  }
  return itemsOf(content).flatMap((part) => {
    // Providers call the text of a part `text`, a refusal is in `refusal`, OpenTelemetry says `content`.
    const node =
      part.kind === "text"
        ? part
        : (field(part, "text") ??
          field(part, "refusal") ??
          (isText(part) ? field(part, "content") : undefined));
    const text = textOf(node);
    return node === undefined || text === undefined || text === "" ? [] : [{ text, node }];
  });
}

function isText(part: Positioned): boolean {
  return textField(part, "type") === "text";
}

/** A message of the user: all its texts, a line each; a message without text, such as a picture, begins a turn too. */
export function userMessage(message: Positioned, content: Positioned | undefined): Told {
  const text = contentTexts(content)
    .map((part) => part.text)
    .join("\n");
  return { kind: "user", text, at: message };
}

export function saidTexts(content: Positioned | undefined): readonly Told[] {
  return contentTexts(content).map((part) => ({ kind: "said", text: part.text, at: part.node }));
}
