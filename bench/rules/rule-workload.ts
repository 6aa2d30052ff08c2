import type { Json } from "../../src/model/vocabulary.js";
import type { Assertion, KeyTemplate, Region, Rule } from "../../src/rules/rule.js";
import type { Trace, TracedCall, Turn } from "../../src/rules/trace.js";

const at: Region = { file: "bench", line: 1, column: 1, endLine: 1, endColumn: 2 };
const callsInTurn = 5;
/** The calls go round so many tools; the rules name these and others. */
const toolsCalled = 40;
const toolsNamed = 200;
/** Where an order comes back at all, it does so within so many calls. */
const orders = 5000;

/** `spread`: the rules are about 200 tools. `crowded`: each rule is about the one tool that is called. */
export type Crowding = "spread" | "crowded";

/**
 * Rules of every kind that a call is judged by: a fifth guard a transaction by its key, the others forbid a tool once
 * a word was said or a turn was reached, and a few limit the calls or name what is allowed. Spread over the tools they
 * refuse fewer than half of the calls, as rules do that somebody keeps.
 */
export function benchRules(count: number, crowding: Crowding): readonly Rule[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `rule-${index}`,
    when: conditionOf(index),
    // biome-ignore lint/suspicious/noThenProperty: a rule says `when` and `then`.
    then: [assertionOf(index, crowding === "crowded" ? () => toolName(0) : toolName)],
    where: { ci: true, runtime: true },
    severity: "critical",
    description: "",
    at,
  }));
}

function conditionOf(index: number): Rule["when"] {
  const unconditional = { intentAny: [], turnRange: undefined };
  if (index % 5 === 0) return unconditional;
  if (index % 5 === 1) return { ...unconditional, turnRange: { first: 1 + (index % 50), last: 100 } };
  return { ...unconditional, intentAny: [`word${index}`, `订单${index}`] };
}

function assertionOf(index: number, named: (tool: number) => string): Assertion {
  if (index % 5 === 0) return { kind: "idempotent", tool: named(index % toolsNamed), key: orderKey, at };
  if (index % 100 === 1) return { kind: "max_tool_calls", most: 1_000_000, at };
  if (index === 2)
    return { kind: "allow_tool", tools: Array.from({ length: toolsNamed }, (_, each) => named(each)), at };
  const called = index % 250 === 3;
  const tool = called ? index % toolsCalled : toolsCalled + (index % (toolsNamed - toolsCalled));
  return { kind: "forbid_tool", tools: [named(tool)], at };
}

const orderKey: KeyTemplate = { text: `$\{order_id}`, parts: [{ kind: "argument", name: "order_id" }] };

function toolName(number: number): string {
  return `tool_${number}`;
}

type BenchCall = { readonly tool: string; readonly order: Readonly<Record<string, Json>> };

/** The call of this number; where the calls are spread, every tenth is of a tool that no rule names. */
export function benchCall(number: number, crowding: Crowding): BenchCall {
  const spread = number % 10 === 9 ? `unruled_${number % toolsCalled}` : toolName(number % toolsCalled);
  const order = number % 20 === 0 ? number % orders : number;
  return {
    tool: crowding === "crowded" ? toolName(0) : spread,
    order: { order_id: `A${order}`, amount: number },
  };
}

/** What the user says in the turn of this number: ordinary words, and in every third turn one that a rule waits for. */
export function benchText(turn: number): string {
  const word = turn % 3 === 0 ? `word${turn % 1000}` : "weather";
  return `turn ${turn}: please look after my ${word} and tell me what has become of it`;
}

/** One conversation of so many calls, five in each turn. */
export function benchTrace(calls: number): Trace {
  const turns = Array.from({ length: calls / callsInTurn }, (_, index): Turn => {
    const numbers = Array.from({ length: callsInTurn }, (_, each) => index * callsInTurn + each);
    return {
      user: benchText(index + 1),
      at,
      items: numbers.map((number) => ({ kind: "called", call: traced(benchCall(number, "spread")) })),
    };
  });
  return { file: "bench", name: "1", format: "plain", turns, warnings: [] };
}

function traced({ tool, order }: BenchCall): TracedCall {
  return { tool, arguments: { kind: "known", value: order }, outcome: "done", at };
}
