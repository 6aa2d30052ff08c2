import type { Json } from "../../src/model/vocabulary.js";
import type { Assertion, Condition, KeyTemplate, Region, Rule } from "../../src/rules/rule.js";
import type { Trace, TracedArguments, TracedCall, TraceItem, Turn } from "../../src/rules/trace.js";

const nowhere: Region = { file: "rules.yaml", line: 1, column: 1, endLine: 1, endColumn: 2 };

/** A critical rule of both exits without a condition, unless said otherwise. */
export function rule(name: string, then: readonly Assertion[], otherwise: Partial<Rule> = {}): Rule {
  return {
    name,
    when: always,
    then,
    where: { ci: true, runtime: true },
    severity: "critical",
    description: "",
    at: nowhere,
    ...otherwise,
  };
}

const always: Condition = { intentAny: [], turnRange: undefined };

export function intent(...intentAny: readonly string[]): Pick<Rule, "when"> {
  return { when: { ...always, intentAny } };
}

export function fromTurn(first: number, last: number, ...intentAny: readonly string[]): Pick<Rule, "when"> {
  return { when: { intentAny, turnRange: { first, last } } };
}

export function forbid(...tools: readonly string[]): Assertion {
  return { kind: "forbid_tool", tools, at: nowhere };
}

export function allowOnly(...tools: readonly string[]): Assertion {
  return { kind: "allow_tool", tools, at: nowhere };
}

export function needed(...tools: readonly string[]): Assertion {
  return { kind: "require_tool", tools, at: nowhere };
}

export function atMost(most: number): Assertion {
  return { kind: "max_tool_calls", most, at: nowhere };
}

export function once(tool: string, key: string): Assertion {
  return { kind: "idempotent", tool, key: template(key), at: nowhere };
}

export function remember(fact: readonly string[], saidBy: number, stillAt: number): Assertion {
  return { kind: "memory_persistence", fact, saidBy, stillAt, at: nowhere };
}

/** Every second piece of a text that is split at its arguments is the name of one. */
export function template(text: string): KeyTemplate {
  const pieces = text.split(/\$\{(\w+)\}/).map((piece, index) => ({ piece, isName: index % 2 === 1 }));
  const parts = pieces
    .filter(({ piece }) => piece !== "")
    .map(({ piece, isName }) =>
      isName ? ({ kind: "argument", name: piece } as const) : ({ kind: "text", text: piece } as const),
    );
  return { text, parts };
}

export type Told =
  | { readonly kind: "said"; readonly text: string }
  | ({ readonly kind: "called" } & Omit<TracedCall, "at">);

export function said(text: string): Told {
  return { kind: "said", text };
}

export const missing: TracedArguments = { kind: "missing" };
export const malformed: TracedArguments = { kind: "malformed", text: "{" };

export function called(
  tool: string | undefined,
  given: Readonly<Record<string, Json>> | "missing" | "malformed" = {},
  outcome: TracedCall["outcome"] = "done",
): Told {
  return { kind: "called", tool, arguments: argumentsOf(given), outcome };
}

function argumentsOf(given: Readonly<Record<string, Json>> | "missing" | "malformed"): TracedArguments {
  switch (given) {
    case "missing":
      return missing;
    case "malformed":
      return malformed;
    default:
      return { kind: "known", value: given };
  }
}

export function turn(user: string, ...items: readonly Told[]) {
  return { user, items };
}

/** Each turn takes a line of `trace.json`, and each of its items one of the lines after it, from 1. */
export function trace(...turns: readonly ReturnType<typeof turn>[]): Trace {
  let line = 0;
  const next = (): Region => {
    line += 1;
    return { file: "trace.json", line, column: 1, endLine: line, endColumn: 9 };
  };
  const placed = turns.map(({ user, items }): Turn => {
    const at = next();
    return { user, at, items: items.map((item) => placedItem(item, next())) };
  });
  return { file: "trace.json", name: "1", format: "plain", turns: placed, warnings: [] };
}

function placedItem(item: Told, at: Region): TraceItem {
  if (item.kind === "said") {
    return { ...item, at };
  }
  const { tool, arguments: given, outcome } = item;
  return { kind: "called", call: { tool, arguments: given, outcome, at } };
}
