import type { Assertion, AssertionKind, KeyTemplate, Region } from "../rule.js";
import { keyTemplate } from "./key-template.js";
import { type Field, mapping } from "./mapping.js";
import { type Place, type Read, read, report, wrong } from "./place.js";
import { text, textOrTexts, whole } from "./scalars.js";

const toolName = text("the name of a tool");
const toolNames = textOrTexts("the name of a tool");

/** How each assertion is read; a new kind does not compile until it stands here. */
const formats: { readonly [K in AssertionKind]: (place: Place, at: Region) => Read<Assertion> } = {
  forbid_tool: (place, at) => made(toolNames(place), (tools) => ({ kind: "forbid_tool", tools, at })),
  allow_tool: (place, at) => made(toolNames(place), (tools) => ({ kind: "allow_tool", tools, at })),
  require_tool: (place, at) => made(toolNames(place), (tools) => ({ kind: "require_tool", tools, at })),
  max_tool_calls: (place, at) =>
    made(whole("a whole number of calls, 0 or more", 0)(place), (most) => ({
      kind: "max_tool_calls",
      most,
      at,
    })),
  idempotent: readIdempotent,
  memory_persistence: readMemory,
};

export const assertionKinds: readonly string[] = Object.keys(formats);

/** Reads one key of `then`; its region is the key with its value. */
export function readAssertion({ key, keyFrom, place }: Field): Read<Assertion> {
  return isKind(key) ? formats[key](place, place.sheet.region(keyFrom, place.to)) : wrong;
}

function isKind(key: string): key is AssertionKind {
  return Object.hasOwn(formats, key);
}

function made<T>(said: Read<T>, make: (value: T) => Assertion): Read<Assertion> {
  return said.kind === "read" ? read(make(said.value)) : wrong;
}

function readIdempotent(place: Place, at: Region): Read<Assertion> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a rule spells it
  const example = "a tool and a key like { tool: refund_order, key: ${order_id} }";
  const said = mapping(place, example, ["tool", "key"]);
  if (said.kind === "wrong") {
    return wrong;
  }
  const tool = said.value.required("tool", toolName);
  const key = said.value.required("key", readKey);
  return tool.kind === "wrong" || key.kind === "wrong"
    ? wrong
    : read({ kind: "idempotent", tool: tool.value, key: key.value, at });
}

function readKey(place: Place): Read<KeyTemplate> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a rule spells it
  const said = text("a key with arguments in it, like ${order_id}")(place);
  if (said.kind === "wrong") {
    return wrong;
  }
  const template = keyTemplate(said.value);
  return template.kind === "broken" ? report(place, template.message) : read(template.template);
}

function readMemory(place: Place, at: Region): Read<Assertion> {
  const example = "a fact and two turns like { fact: no nuts, said_by: 2, still_at: 20 }";
  const said = mapping(place, example, ["fact", "said_by", "still_at"]);
  if (said.kind === "wrong") {
    return wrong;
  }
  const turn = whole("the number of a turn, from 1", 1);
  const fact = said.value.required("fact", textOrTexts("the words of a fact"));
  const saidBy = said.value.required("said_by", turn);
  const stillAt = said.value.required("still_at", (stillPlace) => {
    const still = turn(stillPlace);
    return still.kind === "read" && saidBy.kind === "read" && still.value <= saidBy.value
      ? report(stillPlace, `expected a turn after said_by (${saidBy.value}), seen number ${still.value}`)
      : still;
  });
  if (fact.kind === "wrong" || saidBy.kind === "wrong" || stillAt.kind === "wrong") {
    return wrong;
  }
  return read({
    kind: "memory_persistence",
    fact: fact.value,
    saidBy: saidBy.value,
    stillAt: stillAt.value,
    at,
  });
}
