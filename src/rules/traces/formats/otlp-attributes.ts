import { field, itemsOf, textField } from "../json-fields.js";
import type { Positioned } from "../positioned-json.js";

/**
 * The attributes of a span, an event or a resource by name, as OTLP writes them (a list of `key` and typed `value`) or
 * as console exporters do (an object).
 * Source: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding.
 */
export function otlpAttributes(holder: Positioned): ReadonlyMap<string, Positioned> {
  const attributes = field(holder, "attributes");
  return attributes?.kind === "object" ? attributes.fields : keyed(itemsOf(attributes));
}

function keyed(pairs: readonly Positioned[]): ReadonlyMap<string, Positioned> {
  return new Map(
    pairs.flatMap((pair) => {
      const [key, value] = [textField(pair, "key"), field(pair, "value")];
      return key === undefined || value === undefined ? [] : [[key, unwrapped(value)] as const];
    }),
  );
}

function unwrapped(value: Positioned): Positioned {
  const [kind, inner] = value.kind === "object" ? ([...value.fields][0] ?? []) : [];
  if (kind === undefined || inner === undefined) {
    return value;
  }
  const span = { offset: value.offset, end: value.end };
  switch (kind) {
    case "arrayValue":
      return { kind: "list", items: itemsOf(field(inner, "values")).map(unwrapped), ...span };
    case "kvlistValue":
      return { kind: "object", fields: keyed(itemsOf(field(inner, "values"))), ...span };
    case "intValue":
      // OTLP writes 64-bit integers as text.
      return inner.kind === "text" ? { kind: "number", value: Number(inner.value), ...span } : inner;
    default:
      return inner;
  }
}
