import type { Finding } from "./finding.js";
import type { Assertion, Region, Rule } from "./rule.js";
import type { Trace, Turn } from "./trace.js";

type Memory = Extract<Assertion, { readonly kind: "memory_persistence" }>;
type Placed = Pick<Finding, "turn" | "at">;

/** What is owed when a trace ends, judged against it; rules that are off then owe nothing. */
export type Obligations = (rule: Rule) => readonly Finding[];

/** Reads the trace once; each rule is judged by what was read. */
export function obligations(trace: Trace): Obligations {
  const called = new Set<string | undefined>();
  for (const { items } of trace.turns) {
    for (const item of items) {
      if (item.kind === "called") {
        called.add(item.call.tool);
      }
    }
  }
  const users = trace.turns.map(({ user }) => user.normalize("NFC"));
  return (rule) => rule.then.flatMap((assertion) => owed(trace, rule, assertion, called, users));
}

function owed(
  trace: Trace,
  rule: Rule,
  assertion: Assertion,
  called: ReadonlySet<string | undefined>,
  users: readonly string[],
): readonly Finding[] {
  switch (assertion.kind) {
    case "require_tool":
      return assertion.tools
        .filter((tool) => !called.has(tool))
        .map((tool) => missing(trace, rule, tool, called.has(undefined)));
    case "memory_persistence":
      return remembered(trace, rule, assertion, users);
    case "forbid_tool":
    case "allow_tool":
    case "max_tool_calls":
    case "idempotent":
      return [];
  }
}

/** A call without a name may have been the one that is missing. */
function missing(trace: Trace, rule: Rule, tool: string, hasUnnamed: boolean): Finding {
  const place = { ...lastTurn(trace), tool, detail: { tool } };
  return hasUnnamed
    ? finding("inconclusive", "unnamed_call", rule, trace, place)
    : finding("violation", "missing_tool", rule, trace, place);
}

function remembered(trace: Trace, rule: Rule, memory: Memory, users: readonly string[]): readonly Finding[] {
  const { fact, saidBy, stillAt } = memory;
  const turn = trace.turns[stillAt - 1];
  if (turn === undefined) {
    return [];
  }
  const spellings = fact.map((spelling) => spelling.normalize("NFC"));
  const holds = (text: string) => spellings.some((spelling) => text.includes(spelling));
  const place = { turn: stillAt, at: turn.at, tool: undefined, detail: { fact, saidBy, stillAt } };
  if (!users.slice(0, saidBy).some(holds)) {
    return [finding("inconclusive", "fact_never_said", rule, trace, place)];
  }
  const said = saidIn(turn);
  if (said.length === 0) {
    return [finding("inconclusive", "nothing_said", rule, trace, place)];
  }
  return said.some(holds) ? [] : [finding("violation", "forgotten", rule, trace, place)];
}

/** Blank text is nothing that was said. */
function saidIn(turn: Turn): readonly string[] {
  return turn.items
    .flatMap((item) => (item.kind === "said" ? [item.text.normalize("NFC")] : []))
    .filter((text) => text.trim() !== "");
}

function lastTurn(trace: Trace): Placed {
  const start: Region = { file: trace.file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { turn: trace.turns.length, at: trace.turns.at(-1)?.at ?? start };
}

function finding(
  kind: Finding["kind"],
  code: Finding["code"],
  rule: Rule,
  trace: Trace,
  place: Placed & Pick<Finding, "tool" | "detail">,
): Finding {
  const { file, name } = trace;
  return { kind, code, rule: rule.name, severity: rule.severity, trace: { file, name }, ...place };
}
