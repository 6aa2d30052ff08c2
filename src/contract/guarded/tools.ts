import type { Code, EffectClass, Json } from "../../model/vocabulary.js";
import { draftContract } from "../draft.js";
import { contractFromSchema } from "../from-schema.js";
import type { Validated } from "../reading.js";
import { isJsonObject, type JsonObject, readRequestText } from "../request-text.js";
import type { ToolContract } from "../tool.js";

/**
 * What the tools of the guarded profile promise, written out in plain conditions, so that an executor that relies on a
 * schema library is judged by something else.
 */
export const guardedTools: readonly ToolContract[] = [
  described(draftContract, { role: "editor", resource: () => "drafts" }),
  described(
    contractFromSchema({
      name: "create_ticket",
      effect: "write",
      validate: fields({
        incident: (value) => typeof value === "string" && /^INC-[0-9]{3}$/.test(value),
        title: (value) => isTextOf(value, 1, 80),
        details: (value) => isTextOf(value, 1, 500),
      }),
      key: ({ incident }) => String(incident),
      accepts: (output, { incident, title, details }) =>
        isExactly(output, {
          ticket: `TCK-${String(incident).slice(4)}`,
          title: title ?? "",
          details: details ?? "",
        }),
      examples: ["INC-001", "INC-002", "INC-003"].flatMap((incident) => [
        { incident, title: "login fails", details: "from INC" },
        { incident, title: "login fails", details: "from inc" },
      ]),
    }),
    { role: "ticket_approver", resource: () => "tickets" },
  ),
  alarm("notify_oncall", "oncall"),
  described(
    contractFromSchema({
      name: "read_config",
      effect: "read",
      validate: fields({ name: (value) => value === "region" || value === "retention" }),
      key: () => "",
      accepts: (output, { name }) =>
        isExactly(output, { name: name ?? "", value: name === "region" ? "north" : "30 days" }),
      examples: [{ name: "region" }, { name: "retention" }],
    }),
    { role: "none", resource: ({ name }) => `config/${String(name)}` },
  ),
  described(
    contractFromSchema({
      name: "write_file",
      effect: "write",
      validate: fields({
        path: (value) => isTextOf(value, 1, 64) && /^[a-z0-9-]+(?:\/[a-z0-9-]+)*\.txt$/.test(value),
        content: (value) => isTextOf(value, 0, 200),
      }),
      key: ({ path }) => String(path),
      accepts: (output, { path, content }) =>
        isExactly(output, { path: path ?? "", characters: String(content).length }),
      examples: ["note-1.txt", "note-2.txt", "a/note-3.txt"].flatMap((path) => [
        { path, content: "x" },
        { path, content: "y" },
      ]),
    }),
    { role: "editor", resource: () => "workspace" },
  ),
  // The same arguments as a notification, so that a digest alone does not tell the two apart.
  alarm("page_oncall", "pager"),
];

/** Something sent to whoever is on call; it has no key under which it could be asked about. */
function alarm(name: string, resource: string): ToolContract {
  return described(
    contractFromSchema({
      name,
      effect: "external",
      validate: fields({
        service: (value) => value === "search" || value === "billing",
        message: (value) => isTextOf(value, 1, 200),
      }),
      key: () => "",
      accepts: (output, { service, message }) =>
        isExactly(output, { service: service ?? "", message: message ?? "" }),
      examples: [
        { service: "search", message: "down" },
        { service: "search", message: "slow" },
        { service: "billing", message: "down" },
      ],
    }),
    { role: "incident_commander", resource: ({ service }) => `${resource}/${String(service)}` },
  );
}

/** The contract with what a registry says of its tool. */
function described(
  contract: ToolContract,
  registered: { readonly role: string; readonly resource: (args: JsonObject) => string },
): ToolContract {
  const effect: EffectClass = contract.effect;
  return {
    ...contract,
    interpret: (request) => {
      const facts = contract.interpret(request);
      if (facts.kind === "invalid") return facts;
      const text = readRequestText(request);
      const args = text.kind === "json" && isJsonObject(text.value) ? text.value : {};
      return { ...facts, tool: { effect, role: registered.role, resource: registered.resource(args) } };
    },
    // What is hidden was added on the way out; what is left is the whole value.
    acceptsPart: contract.accepts,
    acceptsQuestion: (output) => isExactly(output, { question: "which_one" }),
  };
}

/** Exactly these fields; the first one that is wrong, in this order, gives the code. */
function fields(rules: {
  readonly [name: string]: (value: Json | undefined) => boolean;
}): (request: JsonObject) => Validated {
  const names = Object.keys(rules);
  return (request) => {
    const isExact =
      Object.keys(request).length === names.length && names.every((name) => Object.hasOwn(request, name));
    if (!isExact) return { kind: "invalid", code: "shape" };
    const wrong: Code | undefined = names.find((name) => rules[name]?.(request[name]) !== true);
    return wrong === undefined ? { kind: "valid", arguments: request } : { kind: "invalid", code: wrong };
  };
}

/** Lengths in characters, as JSON Schema counts them: a surrogate pair is one. */
function isTextOf(value: Json | undefined, least: number, most: number): value is string {
  if (typeof value !== "string") return false;
  const characters = [...value].length;
  return characters >= least && characters <= most;
}

function isExactly(output: Json, expected: JsonObject): boolean {
  if (!isJsonObject(output)) return false;
  const names = Object.keys(expected);
  return (
    Object.keys(output).length === names.length &&
    names.every((name) => Object.hasOwn(output, name) && output[name] === expected[name])
  );
}
