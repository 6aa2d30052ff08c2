import type { Rule } from "../rule.js";
import type { Trace } from "../trace.js";
import type { Candidate, CandidateAssertion, Draft } from "./candidate.js";
import { coveredBy } from "./covered-by.js";
import type { Hints } from "./hints.js";
import { loops } from "./loops.js";
import { repeatedTransactions } from "./repeated-transactions.js";
import { steps } from "./steps.js";
import { unaskedActs } from "./unasked-acts.js";
import { wordLists } from "./word-lists.js";

/**
 * The rules that traces suggest, the surest first; the same traces give the same candidates. It judges by names and
 * words alone and cannot know which step was wrong, so nothing of it holds before a person has read it.
 */
export function learn(
  traces: readonly Trace[],
  options: { readonly hints: Hints; readonly rules: readonly Rule[] },
): readonly Candidate[] {
  const lists = wordLists(options.hints);
  const conversations = traces.map(steps);
  const drafts = [
    ...repeatedTransactions(conversations, lists),
    ...unaskedActs(conversations, lists),
    ...loops(conversations),
  ];
  const taken = new Set(options.rules.map(({ name }) => plain(name)));
  return drafts
    .sort((one, other) => other.confidence - one.confidence)
    .map((draft) => candidateOf(draft, options.rules, taken));
}

/** Adds its name to `taken`. */
function candidateOf(draft: Draft, rules: readonly Rule[], taken: Set<string>): Candidate {
  const { description, when, claim, confidence, evidence, warnings } = draft;
  const base = nameOf(claim);
  let name = base;
  for (let count = 2; taken.has(plain(name)); count += 1) {
    name = `${base}-${count}`;
  }
  taken.add(plain(name));
  return {
    rule: { name, description, severity: "critical", when, claim },
    confidence,
    evidence,
    coveredBy: coveredBy(draft, rules),
    warnings,
  };
}

/** File systems that ignore letter case see one file. */
function plain(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

const longestTool = 60;

function nameOf(claim: CandidateAssertion): string {
  switch (claim.kind) {
    case "idempotent":
      return `idempotent-${fileSafe(claim.tool)}`;
    case "forbid_tool":
      return `forbid-${fileSafe(claim.tool)}`;
    case "max_tool_calls":
      return "limit-tool-calls";
  }
}

function fileSafe(tool: string): string {
  const safe = tool.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-");
  const short = [...safe]
    .slice(0, longestTool)
    .join("")
    .replace(/^-+|-+$/g, "");
  return short === "" ? "tool" : short;
}
