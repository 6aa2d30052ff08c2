import type { Code, TraceFlaw } from "../../model/vocabulary.js";
import type { RuleDecision } from "../../rules/decision.js";
import { gate } from "../../rules/gate.js";
import type { Trace } from "../../rules/trace.js";
import { readTrace } from "../../rules/traces/read-trace.js";
import { toolName } from "../ledger/effects.js";
import { callsOf, turnsOf } from "./conversation.js";
import type { CallRow } from "./rows.js";
import type { RuledEnvironment } from "./stages.js";

/** The verdicts of the CI gate on a trace of all calls that came to the rules, in order, by the rules as they are now. */
export function judgeTrace(
  flaw: TraceFlaw,
  { store, stages, conversation }: RuledEnvironment,
): readonly Code[] {
  const traces = stages.readTraces(traceText(turnsOf(store), callsOf(store), flaw));
  const { judged } = gate(conversation.rules, traces);
  return judged.flatMap(({ decisions }) => decisions.map(codeOf));
}

/** Throws for a text that is no trace. */
export function readTraces(text: string): readonly Trace[] {
  const loaded = readTrace(text, "trace.json", "plain");
  if (loaded.kind === "refused") {
    throw new Error(`the trace cannot be read: ${loaded.mistakes.map(({ message }) => message).join("; ")}`);
  }
  return loaded.traces;
}

function codeOf(decision: RuleDecision): Code {
  return decision.verdict === "allow" ? "allow" : decision.code;
}

/** The first turn is the one in which nothing has been said yet. */
function traceText(texts: readonly string[], calls: readonly CallRow[], flaw: TraceFlaw): string {
  const last = calls.at(-1);
  const turns = ["", ...texts].map((user, turn) => ({
    user,
    tool_calls: calls
      .filter((call) => call.turn === turn)
      .map((call) => told(call, call === last ? flaw : "none")),
  }));
  return JSON.stringify({ turns });
}

function told(call: CallRow, flaw: TraceFlaw): { readonly [field: string]: unknown } {
  return {
    ...(flaw === "unnamed_call" ? {} : { name: toolName }),
    ...(flaw === "no_arguments" ? {} : { arguments: call.arguments }),
    outcome: call.outcome,
  };
}
