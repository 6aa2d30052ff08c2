import type { Candidate, CandidateRule } from "../../rules/learn/candidate.js";
import type { Canvas } from "../paint.js";
import { counted, printable, wrapped } from "../text.js";

/** Candidates for people, the surest first: how sure, what the rule would say, what was seen where, what speaks against it. */
export function candidatesText(candidates: readonly Candidate[], canvas: Canvas): string {
  const lines = [
    ...candidates.flatMap((candidate) => [...candidateLines(candidate, canvas), ""]),
    candidates.length === 0 ? "no candidates" : counted(candidates.length, "candidate"),
  ];
  return `${lines.join("\n")}\n`;
}

const mostEvidence = 5;

function candidateLines(candidate: Candidate, { paint, width }: Canvas): readonly string[] {
  const { rule, confidence, evidence, coveredBy, warnings } = candidate;
  const percent = Math.round(confidence * 100);
  const bar = `${"█".repeat(Math.round(percent / 10))}${"░".repeat(10 - Math.round(percent / 10))}`;
  const under = (text: string) => wrapped(printable(text), width - 6).map((line) => `      ${line}`);
  const more = evidence.length - mostEvidence;
  return [
    `${String(percent).padStart(3)}% ${bar}  ${paint.bold(printable(rule.name))}`,
    ...under(rule.description),
    ...under(claimText(rule)).map((line) => paint.dim(line)),
    ...evidence
      .slice(0, mostEvidence)
      .flatMap(({ text, at }) => under(`· ${at.file}:${at.line}:${at.column}  ${text}`)),
    ...(more > 0 ? under(`· and ${more} more`) : []),
    ...(coveredBy === undefined ? [] : under(`already covered by rule ${coveredBy}`).map(paint.yellow)),
    ...warnings.flatMap((warning) => under(`beware: ${warning}`).map(paint.yellow)),
  ];
}

function claimText({ when, claim }: CandidateRule): string {
  const words = when.intentAny.map((word) => JSON.stringify(word)).join(", ");
  const condition = words === "" ? "always" : `when intent_any [${words}]`;
  switch (claim.kind) {
    case "forbid_tool":
      return `${condition}: forbid_tool ${claim.tool}`;
    case "max_tool_calls":
      return `${condition}: max_tool_calls ${claim.most}`;
    case "idempotent":
      return `${condition}: idempotent ${claim.tool} by ${claim.key}`;
  }
}
