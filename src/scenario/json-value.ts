import { isMap, isScalar, isSeq } from "yaml";
import type { Json } from "../model/vocabulary.js";
import { type Place, pairsOf, part, type Read, type Reader, read, report, seen, wrong } from "./reader.js";

/** A mapping as compact JSON text, its keys in the order in which they are written. */
export const jsonObjectText: Reader<string> = {
  wants: "a mapping of arguments (any other JSON is said by args_text)",
  schema: { type: "object" },
  read: (place) =>
    isMap(place.node)
      ? jsonText(place)
      : report(place, `expected ${jsonObjectText.wants}, seen ${seen(place.node)}`),
};

/** Any value that JSON can say. */
export const jsonValue: Reader<Json> = {
  wants: "a value that JSON can say",
  schema: {},
  read: (place) => {
    const text = jsonText(place);
    return text.kind === "read" ? read(parsed(text.value)) : wrong;
  },
};

function parsed(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}

function jsonText(place: Place): Read<string> {
  const { node } = place;
  if (isMap(node)) {
    const pairs = pairsOf(place, node);
    const members = pairs.map(({ key, at }) => prefixed(`${JSON.stringify(key)}:`, jsonText(at)));
    return members.length === node.items.length ? joined(members, "{", "}") : wrong;
  }
  if (isSeq(node)) {
    const items = node.items.map((item, index) => {
      const at = part(place, item, `${place.path}[${index}]`, place.offset);
      return at ? jsonText(at) : wrong;
    });
    return joined(items, "[", "]");
  }
  return scalarText(place, isScalar(node) ? node.value : null);
}

function scalarText(place: Place, value: unknown): Read<string> {
  if (typeof value === "number") {
    const kept = Number.isSafeInteger(value)
      ? !Object.is(value, -0)
      : Number.isFinite(value) && !Number.isInteger(value);
    return kept
      ? read(JSON.stringify(value))
      : report(
          place,
          `expected a number that JSON text keeps as written, seen ${value}; say it by args_text`,
        );
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") {
    return read(JSON.stringify(value));
  }
  return report(place, `expected a value that JSON can say, seen ${typeof value}`);
}

function prefixed(prefix: string, text: Read<string>): Read<string> {
  return text.kind === "read" ? read(prefix + text.value) : wrong;
}

function joined(parts: readonly Read<string>[], open: string, close: string): Read<string> {
  const texts = parts.flatMap((item) => (item.kind === "read" ? [item.value] : []));
  return texts.length === parts.length ? read(open + texts.join(",") + close) : wrong;
}
