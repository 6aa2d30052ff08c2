import type { Json } from "../../model/vocabulary.js";
import type { Doubt, RuleDecision, Violation } from "../decision.js";
import type { Finding, FindingCode } from "../finding.js";

/** What rules say to people, in one language; every text is one line without a full stop. */
export type Wording = {
  readonly violation: (violation: Violation) => string;
  readonly doubt: (doubt: Doubt) => string;
  /** The first reason, or that the call is allowed and what that is worth. */
  readonly decision: (decision: RuleDecision) => string;
  readonly finding: (finding: Finding) => string;
};

/** Names and values ready to stand in a sentence: no line break or control character is left in them. */
export type Named = {
  readonly rule: string;
  readonly severity: string;
  readonly of: (detail: string) => string;
};

/** The sentences of a language; a new code does not compile until every language has one. */
export type Sentences = {
  readonly reasons: Readonly<Record<FindingCode, (named: Named) => string>>;
  readonly findings: Readonly<Record<Finding["kind"], (reason: string, named: Named) => string>>;
  readonly allowed: Readonly<Record<Extract<RuleDecision, { readonly verdict: "allow" }>["hint"], string>>;
  readonly undecided: (reason: string) => string;
  /** Between the parts of a list. */
  readonly comma: string;
};

type Reason = Pick<Finding, "rule" | "severity" | "detail">;

/** The wording that a language's sentences make. */
export function wording(sentences: Sentences): Wording {
  const named = ({ rule, severity, detail }: Reason): Named => ({
    rule: oneLine(rule),
    severity,
    of: (name) => shown(detail[name], sentences.comma),
  });
  const reason = (code: FindingCode, of: Reason) => sentences.reasons[code](named(of));
  return {
    violation: (violation) => reason(violation.code, violation),
    doubt: (doubt) => reason(doubt.because, doubt),
    decision: (decision) => {
      switch (decision.verdict) {
        case "allow":
          return sentences.allowed[decision.hint];
        case "block":
          return reason(decision.code, decision.first);
        case "inconclusive":
          return sentences.undecided(reason(decision.code, decision.first));
      }
    },
    finding: (finding) => sentences.findings[finding.kind](reason(finding.code, finding), named(finding)),
  };
}

function shown(value: Json | undefined, comma: string): string {
  if (typeof value === "string") {
    return oneLine(value);
  }
  return Array.isArray(value)
    ? value.map((item) => shown(item, comma)).join(comma)
    : oneLine(JSON.stringify(value ?? null));
}

/** Names come from models and files: one with a line break could forge a line of a log. */
function oneLine(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
