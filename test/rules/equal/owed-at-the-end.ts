import type { Assertion, Rule } from "../../../src/rules/rule.js";
import type { Trace } from "../../../src/rules/trace.js";

/** What a whole trace still owes to a rule that is on at its end. */
export type Owed = {
  readonly kind: "violation" | "inconclusive";
  readonly code: "missing_tool" | "unnamed_call" | "fact_never_said" | "nothing_said" | "forgotten";
  readonly rule: string;
  /** Of the turn that it is judged by: the last one, or the one in which the fact should still be said. */
  readonly line: number;
};

/** The obligations of a rule that is on, each kind of shortcoming once. */
export function owedAtTheEnd(rule: Rule, trace: Trace): readonly Owed[] {
  return rule.then.flatMap((assertion) => {
    const turn = assertion.kind === "memory_persistence" ? assertion.stillAt : trace.turns.length;
    const line = trace.turns[turn - 1]?.at.line ?? 1;
    return shortcomings(assertion, trace).map((shortcoming) => ({ ...shortcoming, rule: rule.name, line }));
  });
}

type Shortcoming = Pick<Owed, "kind" | "code">;

function shortcomings(assertion: Assertion, trace: Trace): readonly Shortcoming[] {
  switch (assertion.kind) {
    case "require_tool":
      return missingTools(assertion.tools, trace);
    case "memory_persistence":
      return forgotten(assertion, trace);
    default:
      return [];
  }
}

function missingTools(tools: readonly string[], { turns }: Trace): readonly Shortcoming[] {
  const called = turns.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === "called" ? [item.call.tool] : [])),
  );
  const isMissing = tools.some((tool) => called.every((name) => name !== tool));
  if (!isMissing) return [];
  return called.includes(undefined)
    ? [{ kind: "inconclusive", code: "unnamed_call" }]
    : [{ kind: "violation", code: "missing_tool" }];
}

type Memory = Extract<Assertion, { readonly kind: "memory_persistence" }>;

function forgotten({ fact, saidBy, stillAt }: Memory, { turns }: Trace): readonly Shortcoming[] {
  if (turns.length < stillAt) return [];
  const tells = (text: string): boolean =>
    fact.some((spelling) => text.normalize("NFC").includes(spelling.normalize("NFC")));
  if (!turns.slice(0, saidBy).some(({ user }) => tells(user))) {
    return [{ kind: "inconclusive", code: "fact_never_said" }];
  }
  const answers = turns
    .slice(stillAt - 1, stillAt)
    .flatMap(({ items }) =>
      items.flatMap((item) => (item.kind === "said" && /\S/.test(item.text) ? [item.text] : [])),
    );
  if (answers.length === 0) return [{ kind: "inconclusive", code: "nothing_said" }];
  return answers.some(tells) ? [] : [{ kind: "violation", code: "forgotten" }];
}
