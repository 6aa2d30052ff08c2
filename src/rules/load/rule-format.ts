import { isMap, isSeq } from "yaml";
import { type Assertion, type Condition, type Exit, exits, type Rule, severities } from "../rule.js";
import { assertionKinds, readAssertion } from "./assertion-format.js";
import { mapping } from "./mapping.js";
import { type Place, part, type Read, read, report, seen, wrong } from "./place.js";
import type { RuleName } from "./repeated-names.js";
import { text, texts, truth, whole, word } from "./scalars.js";

const ruleKeys = ["rule", "description", "severity", "when", "then", "where"];

const ruleName = text("the name of a rule");

/** Reads one document as a rule and reports every mistake in it. */
export function readRule(place: Place): Read<Rule> {
  if (isSeq(place.node)) {
    const message = `expected one rule, seen ${seen(place.node)}; write each as a document, with --- between them`;
    return report(place, message);
  }
  const example = "a rule like { rule: no-refund, then: { forbid_tool: refund_order } }";
  const said = mapping(place, example, ruleKeys);
  if (said.kind === "wrong") {
    return wrong;
  }
  const { required, optional } = said.value;
  const name = required("rule", (at) => {
    const value = ruleName(at);
    return value.kind === "read" ? read({ name: value.value, at: at.sheet.region(at.from, at.to) }) : wrong;
  });
  const description = optional("description", text("a text that is not blank"), "");
  const severity = optional("severity", word(severities, "a severity"), "critical");
  const when = optional("when", readCondition, { intentAny: [], turnRange: undefined });
  const then = required("then", readAssertions);
  const where = optional("where", readWhere, { ci: true, runtime: true });
  if (name.kind === "wrong" || description.kind === "wrong" || severity.kind === "wrong") {
    return wrong;
  }
  if (when.kind === "wrong" || then.kind === "wrong" || where.kind === "wrong") {
    return wrong;
  }
  return read({
    ...name.value,
    when: when.value,
    // biome-ignore lint/suspicious/noThenProperty: the word of the language; it is no function
    then: then.value,
    where: where.value,
    severity: severity.value,
    description: description.value,
  });
}

/** The name of a rule that may be wrong otherwise; reports nothing. */
export function nameOf({ sheet, node, from }: Place): RuleName | undefined {
  const value = isMap(node) ? node.get("rule", true) : undefined;
  const at = part({ ...sheet, report: () => {} }, value, "rule", from);
  const name = ruleName(at);
  return name.kind === "read" ? { name: name.value, at: sheet.region(at.from, at.to) } : undefined;
}

function readCondition(place: Place): Read<Condition> {
  const said = mapping(place, "a condition like { intent_any: [order] }", ["intent_any", "turn_range"]);
  if (said.kind === "wrong") {
    return wrong;
  }
  const { optional } = said.value;
  const words = texts("a list of at least one text", "a text that is not blank");
  const intentAny = optional("intent_any", words, []);
  const turnRange = optional<Condition["turnRange"]>("turn_range", readTurnRange, undefined);
  return intentAny.kind === "wrong" || turnRange.kind === "wrong"
    ? wrong
    : read({ intentAny: intentAny.value, turnRange: turnRange.value });
}

function readTurnRange(place: Place): Read<Condition["turnRange"]> {
  const wants = "the first and the last turn, like [1, 3]";
  const { node, sheet, path } = place;
  if (!isSeq(node) || node.items.length !== 2) {
    return report(place, `expected ${wants}, seen ${seen(node)}`);
  }
  const turn = whole("the number of a turn, from 1", 1);
  const turns = node.items.map((item, index) => turn(part(sheet, item, `${path}[${index}]`, place.from)));
  const [first, last] = turns;
  if (first?.kind !== "read" || last?.kind !== "read") {
    return wrong;
  }
  return first.value > last.value
    ? report(place, `expected ${wants}, seen [${first.value}, ${last.value}], which ends before it begins`)
    : read({ first: first.value, last: last.value });
}

function readAssertions(place: Place): Read<readonly Assertion[]> {
  const wants = `at least one assertion (${assertionKinds.join(", ")})`;
  const said = mapping(place, wants, assertionKinds);
  if (said.kind === "wrong") {
    return wrong;
  }
  if (isMap(place.node) && place.node.items.length === 0) {
    return report(place, `expected ${wants}, seen ${seen(place.node)}`);
  }
  const assertions = said.value.fields.map(readAssertion);
  const sound = assertions.flatMap((each) => (each.kind === "read" ? [each.value] : []));
  return sound.length === assertions.length ? read(sound) : wrong;
}

function readWhere(place: Place): Read<Readonly<Record<Exit, boolean>>> {
  const said = mapping(place, "where the rule holds, like { ci: true, runtime: false }", exits);
  if (said.kind === "wrong") {
    return wrong;
  }
  const ci = said.value.optional("ci", truth, true);
  const runtime = said.value.optional("runtime", truth, true);
  return ci.kind === "wrong" || runtime.kind === "wrong"
    ? wrong
    : read({ ci: ci.value, runtime: runtime.value });
}
