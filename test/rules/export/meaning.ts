import { gate } from "../../../src/rules/gate.js";
import type { Rule } from "../../../src/rules/rule.js";
import type { TracedCall } from "../../../src/rules/trace.js";
import { trace, turn } from "./rule-and-trace.js";

/** The names of the rules that a conversation with these calls breaks, in the rules' order. */
export function brokenRules(rules: readonly Rule[], calls: readonly TracedCall[]): readonly string[] {
  const half = Math.floor(calls.length / 2);
  const conversation = trace(turn("first", ...calls.slice(0, half)), turn("second", ...calls.slice(half)));
  const { findings } = gate(rules, [conversation]);
  const broken = new Set(findings.flatMap(({ kind, rule }) => (kind === "violation" ? [rule] : [])));
  return rules.flatMap(({ name }) => (broken.has(name) ? [name] : []));
}

/** Whether the rules allow the only call of a conversation; a doubt is no pass. */
export function allowed(rules: readonly Rule[], only: TracedCall): boolean {
  const [judged] = gate(rules, [trace(turn("first", only))]).judged;
  return judged?.decisions.every(({ verdict }) => verdict === "allow") ?? false;
}
