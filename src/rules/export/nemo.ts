import type { Json } from "../../model/vocabulary.js";
import type { Assertion, Rule } from "../rule.js";
import {
  type Export,
  exported,
  isConditional,
  lostCondition,
  quoted,
  type Untranslated,
} from "./exported.js";

/** A tool as an application offers it to the model; `parameters` is the JSON Schema of its arguments. */
export type DeclaredTool = {
  readonly name: string;
  readonly description?: string;
  readonly parameters: { readonly [keyword: string]: Json };
};

/**
 * The rules as a configuration of NeMo Guardrails 0.25: the tools that every `allow_tool` rule allows, declared with
 * their parameters (any arguments where `tools` does not tell them). Nothing else of the rules can be said there.
 */
export function exportNemo(rules: readonly Rule[], tools: readonly DeclaredTool[] = []): Export {
  const allowing = rules.filter((rule) => isEnforced(rule) && allowLists(rule).length > 0);
  const closed = closedList(allowing);
  const untranslated = rules.flatMap((rule) => untranslatedOf(rule, closed));
  const conditional = allowing.filter(isConditional);
  const guards = closed.kind === "list";
  return exported({
    head: guards ? [...head, ...usage] : [...head, "No rule could be translated: THIS FILE GUARDS NOTHING."],
    body: {
      models: [model(closed, tools)],
      colang_version: "1.0",
      ...(guards ? { rails } : {}),
      custom_data: {
        commitpoint_when: conditional.map((rule) => ({ rule: rule.name, ...lostCondition(rule) })),
        commitpoint_untranslated: untranslated,
      },
    },
    remarks: [
      { at: ["models", 0], text: "Placeholder: put your own model here and keep its `parameters`." },
      ...(conditional.length > 0 ? [{ at: ["rails"], text: lostWhenRemark(conditional) }] : []),
    ],
    untranslated,
  });
}

/**
 * The built-in flows, in the two sections that take them (NeMo Guardrails 0.25: `action_name` in
 * `nemoguardrails/guardrails/actions`, sections in `tests/guardrails/test_tool_rails_iorails.py`). Under any other
 * name it silently takes the engine that has neither rail.
 */
const rails = {
  tool_call: { flows: ["tool call validation"] },
  tool_result: { flows: ["tool result validation"] },
} as const;

const head: readonly string[] = [
  "Rules exported by commitpoint for NeMo Guardrails 0.25. Change the rules, not this file.",
];

const usage: readonly string[] = [
  "Use it with the IORails engine; without require_iorails=True a mistake here silently disables both tool rails:",
  '  Guardrails(RailsConfig.from_path("config"), use_iorails=True, require_iorails=True)',
  "It needs Colang 1.0 and the OpenAI Chat Completions format (engines openai and nim).",
  "A tool that is not declared below is refused, as are arguments that its declared schema does not take.",
  "A request that passes `tools` of its own replaces this list. One refused call refuses its whole answer.",
  "`tool result validation` also refuses a tool result that answers no earlier call.",
];

type ClosedList =
  | { readonly kind: "none" }
  | { readonly kind: "list"; readonly tools: readonly string[]; readonly undeclarable: readonly string[] };

/** Each rule's list judges on its own, so that only what all of them name is allowed. */
function closedList(allowing: readonly Rule[]): ClosedList {
  const [first, ...others] = allowing.flatMap(allowLists);
  if (first === undefined) {
    return { kind: "none" };
  }
  const common = [...new Set(first)].filter((tool) => others.every((list) => list.includes(tool)));
  return {
    kind: "list",
    tools: common.filter(isDeclarable),
    undeclarable: common.filter((tool) => !isDeclarable(tool)),
  };
}

function allowLists(rule: Rule): readonly (readonly string[])[] {
  return rule.then.flatMap((assertion) => (assertion.kind === "allow_tool" ? [assertion.tools] : []));
}

/** What the OpenAI Chat Completions API takes as a function's name. NeMo Guardrails files a nameless call as "function". */
function isDeclarable(tool: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(tool) && tool !== "function";
}

function isEnforced(rule: Rule): boolean {
  return rule.where.runtime && rule.severity !== "info";
}

function model(closed: ClosedList, tools: readonly DeclaredTool[]): Json {
  const placeholder = { type: "main", engine: "openai", model: "REPLACE-with-your-model" };
  // The API refuses an empty list of tools; without one no tool is declared, and every call is refused.
  return closed.kind === "none" || closed.tools.length === 0
    ? placeholder
    : { ...placeholder, parameters: { tools: closed.tools.map((name) => declaration(name, tools)) } };
}

function declaration(name: string, tools: readonly DeclaredTool[]): Json {
  const declared = tools.find((tool) => tool.name === name);
  // A schema that opens nothing means "no arguments" to NeMo Guardrails, not "any".
  const parameters = declared?.parameters ?? { type: "object", additionalProperties: true };
  const description = declared?.description === undefined ? {} : { description: declared.description };
  return { type: "function", function: { name, ...description, parameters } };
}

function untranslatedOf(rule: Rule, closed: ClosedList): readonly Untranslated[] {
  if (!rule.where.runtime) {
    const reason = "the rule is not for the runtime, and NeMo Guardrails runs there";
    return [{ rule: rule.name, assertion: "where", reason }];
  }
  const found = rule.then.flatMap((assertion) => losses(rule, assertion, closed));
  return isEnforced(rule) && isConditional(rule) && allowLists(rule).length > 0
    ? [...found, { rule: rule.name, assertion: "when", reason: lostWhen }]
    : found;
}

const lostWhen =
  "NeMo Guardrails has one list of tools for all conversations; the exported list ALWAYS applies, which is stricter than the rule";

function lostWhenRemark(conditional: readonly Rule[]): string {
  const names = conditional.map((rule) => quoted(rule.name)).join(", ");
  return `WARNING: the condition of ${names} is lost. These rails ALWAYS apply.`;
}

function losses(rule: Rule, assertion: Assertion, closed: ClosedList): readonly Untranslated[] {
  const lost = (reason: string): Untranslated => ({ rule: rule.name, assertion: assertion.kind, reason });
  switch (assertion.kind) {
    case "allow_tool":
      return isEnforced(rule)
        ? undeclared(assertion.tools, closed).map(lost)
        : [{ ...lost(onlyShown), assertion: "severity" }];
    case "forbid_tool":
      return [...new Set(assertion.tools)].map((tool) => lost(forbidden(tool, closed)));
    case "require_tool":
      return [lost("NeMo Guardrails judges one answer at a time and never that a tool was not called")];
    case "max_tool_calls":
      return [lost("NeMo Guardrails does not count the calls of a conversation")];
    case "idempotent":
      return [lost("NeMo Guardrails keeps no ledger of earlier calls")];
    case "memory_persistence":
      return [lost("NeMo Guardrails does not compare what is said in two turns")];
  }
}

const onlyShown =
  "a rule of severity info is shown and refuses nothing, and NeMo Guardrails knows only rails that refuse";

function undeclared(tools: readonly string[], closed: ClosedList): readonly string[] {
  const bad = closed.kind === "list" ? closed.undeclarable : [];
  return [...new Set(tools)]
    .filter((tool) => bad.includes(tool))
    .map(
      (tool) =>
        `the tool ${quoted(tool)} cannot be declared: a function name is 1 to 64 letters, digits, "_" or "-", and not "function"; calls of it are refused`,
    );
}

function forbidden(tool: string, closed: ClosedList): string {
  const none = `NeMo Guardrails has no list of forbidden tools, so that the ban on ${quoted(tool)} is lost`;
  if (closed.kind === "none") {
    return none;
  }
  return closed.tools.includes(tool)
    ? `${none}, and the exported list lets it through`
    : `${none}, but the exported list does not name it and so refuses it always`;
}
