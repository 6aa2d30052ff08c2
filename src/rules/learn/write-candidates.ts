import { Document } from "yaml";
import type { Candidate, CandidateAssertion } from "./candidate.js";
import { confidence } from "./confidence.js";

/** A rule file with one rule, named after it. */
export type CandidateFile = { readonly fileName: string; readonly text: string };

const mostEvidence = 10;

/**
 * One rule file for each candidate that is sure enough to be written (confidence 0.6 or more) and that no existing rule
 * covers; comments above the rule say how sure it is, what was seen where, and what may be wrong with it.
 */
export function writeCandidates(candidates: readonly Candidate[]): readonly CandidateFile[] {
  return candidates
    .filter(
      (candidate) => candidate.confidence >= confidence.worthWriting && candidate.coveredBy === undefined,
    )
    .map((candidate) => ({ fileName: `${candidate.rule.name}.yaml`, text: textOf(candidate) }));
}

function textOf(candidate: Candidate): string {
  const { name, description, severity, when, claim } = candidate.rule;
  const document = new Document(
    new Map<string, unknown>([
      ["rule", name],
      ["description", description],
      ["severity", severity],
      ...(when.intentAny.length > 0 ? [["when", { intent_any: when.intentAny }] as const] : []),
      ["then", written(claim)],
      ["where", { ci: true, runtime: true }],
    ]),
  );
  document.commentBefore = commentOf(candidate);
  return document.toString({ lineWidth: 110 });
}

function written(claim: CandidateAssertion): Record<string, unknown> {
  switch (claim.kind) {
    case "idempotent":
      return { idempotent: { tool: claim.tool, key: claim.key } };
    case "forbid_tool":
      return { forbid_tool: claim.tool };
    case "max_tool_calls":
      return { max_tool_calls: claim.most };
  }
}

function commentOf({ confidence: sure, evidence, warnings }: Candidate): string {
  const more = evidence.length - mostEvidence;
  const lines = [
    "A candidate learnt from traces. Read it before you rely on it: whether the refused step was wrong is yours to say.",
    `Confidence: ${sure}`,
    "Evidence:",
    ...evidence.slice(0, mostEvidence).map(({ text, at }) => `- ${at.file}:${at.line}:${at.column} ${text}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...warnings.map((warning) => `Beware: ${warning}`),
  ];
  return lines.map((line) => ` ${oneLine(line)}`).join("\n");
}

/** Whatever a tool or file is called, it ends no comment and breaks no YAML. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\uFEFF]+/gu, " ");
}
