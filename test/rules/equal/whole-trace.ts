import type { MissingEvidence, ViolationCode } from "../../../src/rules/decision.js";
import type { Assertion, Exit, Rule, Severity } from "../../../src/rules/rule.js";
import type { Trace, TracedCall } from "../../../src/rules/trace.js";
import { type Owed, owedAtTheEnd } from "./owed-at-the-end.js";
import { readKey } from "./spelled-key.js";

/** One rule and what it holds against a call. */
export type Claim<Code> = { readonly code: Code; readonly rule: string };

/** What is to be said about one call, read off the finished trace. */
export type CallReading = {
  /** Where the call stands in its file. */
  readonly line: number;
  /** In the order in which a decision lists them. */
  readonly refused: readonly Claim<ViolationCode>[];
  readonly doubted: readonly Claim<MissingEvidence>[];
  /** What the rule did not refuse and would have, had it been on from the first turn; it came on later in the trace. */
  readonly hindsight: readonly Claim<ViolationCode>[];
  /** Whether a rule of this exit names the tool, on or not and of whatever severity. */
  readonly named: boolean;
  /** What became of each earlier call under the same key, for every rule that calls this one a duplicate. */
  readonly earlier: readonly { readonly rule: string; readonly outcome: "done" | "unknown" }[];
};

export type WholeTrace = { readonly calls: readonly CallReading[]; readonly owed: readonly Owed[] };

/** Which of the rules are read, and how. */
export type Reading = {
  readonly exit: Exit;
  readonly severities: readonly Severity[];
  /**
   * Rules of one tool and one template keep their keys together, as in one ledger (the default), or each for itself:
   * then a key counts only for the rules that were on when it was made.
   */
  readonly keys?: "together" | "apart";
};

/** A call and where it stands: its turn counts from 1, its place among all calls from 0. */
type Moment = { readonly turn: number; readonly place: number; readonly call: TracedCall };
type On = (moment: Moment) => boolean;
type Question = {
  readonly calls: readonly Moment[];
  readonly at: Moment;
  /** Whether the rule was on. */
  readonly on: On;
  /** Whether the key of an assertion was kept. */
  readonly kept: (assertion: Idempotent, moment: Moment) => boolean;
};
type Idempotent = Extract<Assertion, { readonly kind: "idempotent" }>;

/**
 * Says what rules hold against a trace by asking the whole of it anew for every call. It shares nothing with the
 * product but the shapes of rules and traces, remembers nothing from one call to the next, and is quadratic.
 */
export function wholeTrace(rules: readonly Rule[], trace: Trace, reading: Reading): WholeTrace {
  const { exit, severities, keys = "together" } = reading;
  const ofExit = rules.filter(({ where }) => where[exit]);
  const read = ofExit.filter(({ severity }) => severities.includes(severity));
  const calls = momentsOf(trace);
  return {
    calls: calls.map((at) => ({
      ...readCall({ read, trace, calls, keys }, at),
      named: ofExit.some(({ then }) => then.some((assertion) => names(assertion, at.call.tool))),
    })),
    owed: read
      .filter((rule) => isOn(rule, trace, trace.turns.length))
      .flatMap((rule) => owedAtTheEnd(rule, trace)),
  };
}

function momentsOf(trace: Trace): readonly Moment[] {
  return trace.turns
    .flatMap(({ items }, index) =>
      items.flatMap((item) => (item.kind === "called" ? [{ turn: index + 1, call: item.call }] : [])),
    )
    .map((moment, place) => ({ ...moment, place }));
}

/** Whether the rule's condition holds on the turns up to this one. */
export function isOn({ when }: Rule, trace: Trace, turn: number): boolean {
  const texts = trace.turns.slice(0, turn).map(({ user }) => folded(user));
  const isMeant =
    when.intentAny.length === 0 ||
    when.intentAny.some((word) => texts.some((text) => text.includes(folded(word))));
  const isReached = when.turnRange === undefined || turn >= when.turnRange.first;
  return isMeant && isReached;
}

const folded = (text: string): string => text.normalize("NFC").toLowerCase();

type Story = {
  readonly read: readonly Rule[];
  readonly trace: Trace;
  readonly calls: readonly Moment[];
  readonly keys: "together" | "apart";
};

function readCall({ read, trace, calls, keys }: Story, at: Moment): Omit<CallReading, "named"> {
  const asItWas = (rule: Rule): Question => ({
    calls,
    at,
    on: ({ turn }) => isOn(rule, trace, turn),
    kept: (assertion, { turn }) =>
      (keys === "apart" ? [rule] : read).some(
        (keeper) => isOn(keeper, trace, turn) && keeper.then.some((its) => haveOneKey(its, assertion)),
      ),
  });
  const fromTheStart: Question = { calls, at, on: () => true, kept: () => true };
  const everyClaim = read.flatMap((rule) => rule.then.map((assertion) => ({ rule, assertion })));
  const refusedAs = everyClaim.filter(({ rule, assertion }) => refuses(assertion, asItWas(rule)));
  const late = everyClaim.filter(
    ({ rule, assertion }) =>
      !refuses(assertion, asItWas(rule)) &&
      isOn(rule, trace, trace.turns.length) &&
      refuses(assertion, fromTheStart),
  );
  const doubted = everyClaim.flatMap(({ rule, assertion }) => {
    const because = doubts(assertion, asItWas(rule));
    return because === undefined ? [] : [{ code: because, rule }];
  });
  return {
    line: at.call.at.line,
    refused: inOrder(refusedAs.map(toClaim), violationOrder),
    doubted: inOrder(doubted, doubtOrder),
    hindsight: inOrder(late.map(toClaim), violationOrder),
    earlier: everyClaim.flatMap(({ rule, assertion }) =>
      earlierOutcomes(assertion, asItWas(rule)).map((outcome) => ({ rule: rule.name, outcome })),
    ),
  };
}

type Refusing = Exclude<Assertion["kind"], "require_tool" | "memory_persistence">;
const codeOf: Readonly<Record<Refusing, ViolationCode>> = {
  forbid_tool: "forbidden_tool",
  allow_tool: "tool_not_allowed",
  max_tool_calls: "too_many_calls",
  idempotent: "duplicate_transaction",
};

function toClaim({ rule, assertion }: { readonly rule: Rule; readonly assertion: Assertion }) {
  if (assertion.kind === "require_tool" || assertion.kind === "memory_persistence") {
    throw new Error(`${assertion.kind} refuses no call`);
  }
  return { code: codeOf[assertion.kind], rule };
}

function refuses(assertion: Assertion, question: Question): boolean {
  const { at, on } = question;
  if (!on(at)) return false;
  const { tool } = at.call;
  switch (assertion.kind) {
    case "forbid_tool":
      return assertion.tools.some((forbidden) => forbidden === tool);
    case "allow_tool":
      return tool !== undefined && assertion.tools.every((allowed) => allowed !== tool);
    case "max_tool_calls":
      return at.place + 1 > assertion.most;
    case "idempotent":
      return earlierOutcomes(assertion, question).length > 0;
    case "require_tool":
    case "memory_persistence":
      return false;
  }
}

function haveOneKey(one: Assertion, other: Idempotent): boolean {
  return one.kind === "idempotent" && one.tool === other.tool && one.key.text === other.key.text;
}

/** Of the calls before this one that may have happened and whose key was kept and is the same. */
function earlierOutcomes(
  assertion: Assertion,
  { calls, at, on, kept }: Question,
): readonly ("done" | "unknown")[] {
  if (assertion.kind !== "idempotent" || !on(at)) return [];
  const key = readKey(assertion, at.call);
  if (key.kind !== "key") return [];
  return calls.flatMap((before) => {
    const { outcome } = before.call;
    if (before.place >= at.place || !kept(assertion, before) || outcome === "nothing_happened") return [];
    const its = readKey(assertion, before.call);
    return its.kind === "key" && its.text === key.text ? [outcome] : [];
  });
}

function doubts(assertion: Assertion, question: Question): MissingEvidence | undefined {
  const { calls, at, on } = question;
  if (!on(at)) return undefined;
  const judgesByName = ["forbid_tool", "allow_tool", "idempotent"].includes(assertion.kind);
  if (at.call.tool === undefined) return judgesByName ? "unnamed_call" : undefined;
  if (assertion.kind !== "idempotent") return undefined;
  const key = readKey(assertion, at.call);
  if (key.kind === "other_tool") return undefined;
  if (key.kind !== "key") return key.kind;
  if (earlierOutcomes(assertion, question).length > 0) return undefined;
  const mayBeTheFirst = (before: Moment): boolean =>
    before.place < at.place &&
    on(before) &&
    before.call.outcome !== "nothing_happened" &&
    !["key", "other_tool"].includes(readKey(assertion, before.call).kind);
  return calls.some(mayBeTheFirst) ? "unread_call_before" : undefined;
}

function names(assertion: Assertion, tool: string | undefined): boolean {
  if (assertion.kind === "idempotent") return assertion.tool === tool;
  return "tools" in assertion && assertion.tools.some((named) => named === tool);
}

const violationOrder = ["duplicate_transaction", "forbidden_tool", "tool_not_allowed", "too_many_calls"];
const doubtOrder = [
  "no_history",
  "unnamed_call",
  "no_arguments",
  "malformed_arguments",
  "no_key",
  "unread_call_before",
];
const severityOrder = ["critical", "warning", "info"];

/** Claims come in the rule set's order, which a stable sort keeps; one rule says one thing once. */
function inOrder<Code extends string>(
  claims: readonly { readonly code: Code; readonly rule: Rule }[],
  codes: readonly string[],
): readonly Claim<Code>[] {
  return claims
    .toSorted(
      (one, other) => severityOrder.indexOf(one.rule.severity) - severityOrder.indexOf(other.rule.severity),
    )
    .toSorted((one, other) => codes.indexOf(one.code) - codes.indexOf(other.code))
    .map(({ code, rule }) => ({ code, rule: rule.name }))
    .filter(
      ({ code, rule }, place, all) =>
        all.findIndex((claim) => claim.code === code && claim.rule === rule) === place,
    );
}
