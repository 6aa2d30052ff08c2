import type { RuleDecision } from "../../../src/rules/decision.js";
import { createSyncGuard, type SyncGuard } from "../../../src/rules/guard/guard.js";
import type { GuardOptions } from "../../../src/rules/guard/guarding.js";
import { memoryStore } from "../../../src/rules/guard/memory-store.js";
import { NothingHappened } from "../../../src/rules/guard/nothing-happened.js";
import type { ToolArguments } from "../../../src/rules/guard/tool-arguments.js";
import { ToolBlocked } from "../../../src/rules/guard/tool-blocked.js";
import type { Rule } from "../../../src/rules/rule.js";
import type { Trace, TracedArguments, TracedCall, TraceItem, Turn } from "../../../src/rules/trace.js";

/** A conversation that really took place behind a guard. */
export type Live = {
  readonly guard: SyncGuard;
  /** What happened: a refused call stands in it as one that did nothing. */
  readonly trace: Trace;
  readonly calls: readonly LiveCall[];
};

export type LiveCall = {
  readonly call: TracedCall;
  /** What the user had said when the call came, earlier turns first; the last one is the call's own turn. */
  readonly said: readonly string[];
  /** What the session answered when it was only asked. */
  readonly decision: RuleDecision;
  /** What single questions answered at this moment, with and without the earlier turns. */
  readonly withHistory: ReturnType<SyncGuard["check"]>;
  readonly withoutHistory: ReturnType<SyncGuard["check"]>;
  readonly end: "ran" | "threw" | "did_nothing" | "blocked";
};

/** Makes the calls of the trace one after the other through a real guard, whose tools come out as the trace says. */
export function live(rules: readonly Rule[], script: Trace, onInconclusive: "block" | "allow"): Live {
  const options: GuardOptions<ReturnType<typeof memoryStore>> = {
    rules,
    store: memoryStore(),
    onInconclusive,
  };
  const guard = createSyncGuard(options);
  const session = guard.session();
  const said: string[] = [];
  const calls: LiveCall[] = [];
  const makeCall = (call: TracedCall): TraceItem => {
    const given = asGiven(call.arguments);
    const [history, user] = [said.slice(0, -1), said.at(-1)];
    const { decision } = session.check(call.tool, given);
    const withHistory = guard.check(call.tool, given, { user, history, earlierCalls: calls.length });
    const withoutHistory = guard.check(call.tool, given, { user });
    const end = outcomeOf(() => session.execute(call.tool, given, () => comeOut(call.outcome)));
    calls.push({ call, said: [...said], decision, withHistory, withoutHistory, end });
    return { kind: "called", call: end === "blocked" ? { ...call, outcome: "nothing_happened" } : call };
  };
  const turns = script.turns.map((turn): Turn => {
    session.user(turn.user);
    said.push(turn.user);
    return {
      ...turn,
      items: turn.items.map((item) => (item.kind === "called" ? makeCall(item.call) : item)),
    };
  });
  return { guard, trace: { ...script, turns }, calls };
}

function asGiven(given: TracedArguments): ToolArguments {
  switch (given.kind) {
    case "known":
      return given.value;
    case "missing":
      return undefined;
    case "malformed":
      return given.text;
  }
}

class LostAnswer extends Error {}

function comeOut(outcome: TracedCall["outcome"]): "ran" {
  switch (outcome) {
    case "done":
      return "ran";
    case "unknown":
      throw new LostAnswer();
    case "nothing_happened":
      throw new NothingHappened();
  }
}

function outcomeOf(execute: () => "ran"): LiveCall["end"] {
  try {
    return execute();
  } catch (error) {
    if (error instanceof ToolBlocked) return "blocked";
    if (error instanceof NothingHappened) return "did_nothing";
    if (error instanceof LostAnswer) return "threw";
    throw error;
  }
}
