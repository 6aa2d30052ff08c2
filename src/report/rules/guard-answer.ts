import type { Doubt, RuleDecision, Violation } from "../../rules/decision.js";
import type { LedgerKey } from "../../rules/ledger-key.js";
import { english } from "../../rules/wording/english.js";
import { reportJson } from "../json.js";
import type { Canvas, Paint } from "../paint.js";
import { printable, wrapped } from "../text.js";
import { type Language, labels } from "./labels.js";

/** What the guard said about one call that somebody asked about. */
export type GuardAnswer = {
  readonly tool: string;
  readonly decision: RuleDecision;
  /** What it would have to be told to be sure. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  /** Keys that are now in the ledger as done; none where the call was only asked about. */
  readonly recorded: readonly LedgerKey[];
  /** Of the rules that the guard enforces. */
  readonly guardedTools: readonly string[];
  /** The guarded tool that was perhaps meant by one that no rule names. */
  readonly meant: string | undefined;
};

/** The answer for people: the decision, every reason, and for a tool that no rule names the tools that are guarded. */
export function guardText(answer: GuardAnswer, canvas: Canvas, language: Language): string {
  const { decision, guardedTools, meant } = answer;
  const { wording, decisions, also, guarded } = labels[language];
  const { violations, doubts } = otherReasons(decision);
  const under = (text: string) => wrapped(printable(text), canvas.width - 2).map((line) => `  ${line}`);
  const hint =
    decision.verdict === "allow" && decision.hint === "no_rule_names_this_tool"
      ? under(guarded(guardedTools, meant))
      : [];
  const lines = [
    `${look(decision, canvas.paint)(decisions[decision.verdict])}  ${decision.code}`,
    ...under(wording.decision(decision)),
    ...violations.flatMap((one) => under(`${also}: ${wording.violation(one)}`)),
    ...doubts.flatMap((one) => under(`${also}: ${wording.doubt(one)}`)),
    ...hint,
  ];
  return `${lines.join("\n")}\n`;
}

/** The answer as JSON, in which sentences are English whatever people read. */
export function guardJson(answer: GuardAnswer, { version }: { readonly version: string }): string {
  const { tool, decision, warnings, recorded, guardedTools } = answer;
  const { violations, doubts } = otherReasons(decision);
  return reportJson({
    format: "commitpoint-rules-guard",
    formatVersion: 1,
    version,
    verdict: decision.verdict,
    code: decision.code,
    sentence: english.decision(decision),
    tool,
    ...(decision.verdict === "allow" ? { hint: decision.hint } : { first: decision.first }),
    alsoViolated: violations,
    alsoInDoubt: doubts,
    warnings,
    recorded,
    guardedTools,
  });
}

/** All reasons but the first. */
function otherReasons(decision: RuleDecision): {
  readonly violations: readonly Violation[];
  readonly doubts: readonly Doubt[];
} {
  switch (decision.verdict) {
    case "allow":
      return { violations: [], doubts: [] };
    case "block":
      return { violations: decision.alsoViolated, doubts: decision.doubts };
    case "inconclusive":
      return { violations: [], doubts: decision.alsoInDoubt };
  }
}

function look({ verdict }: RuleDecision, paint: Paint): (text: string) => string {
  switch (verdict) {
    case "allow":
      return paint.green;
    case "block":
      return paint.red;
    case "inconclusive":
      return paint.yellow;
  }
}
