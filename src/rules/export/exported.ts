import { Document, isNode } from "yaml";
import type { Json } from "../../model/vocabulary.js";
import type { AssertionKind, Rule } from "../rule.js";

/** Something a rule says that the other tool's file does not. */
export type Untranslated = {
  readonly rule: string;
  readonly assertion: AssertionKind | "when" | "severity" | "where";
  readonly reason: string;
};

/** A rule set as another tool's configuration; `text` says in its head and in its metadata what `untranslated` says. */
export type Export = {
  /** YAML that readers of version 1.1 and 1.2 understand alike. */
  readonly text: string;
  readonly untranslated: readonly Untranslated[];
};

/** A comment above the part of the file that the path leads to. */
export type Remark = { readonly at: readonly (string | number)[]; readonly text: string };

type Content = {
  readonly head: readonly string[];
  readonly body: { readonly [name: string]: Json };
  readonly remarks: readonly Remark[];
  readonly untranslated: readonly Untranslated[];
};

/** Writes the file: the head with the list of what is missing, the body, the remarks in their places. */
export function exported({ head, body, remarks, untranslated }: Content): Export {
  // PyYAML reads version 1.1, where a bare `no` or `on` is a truth value.
  const document = new Document(body, { compat: "yaml-1.1", aliasDuplicateObjects: false });
  for (const remark of remarks) {
    const node = document.getIn(remark.at, true);
    if (isNode(node)) {
      node.commentBefore = comment([remark.text]);
    }
  }
  document.commentBefore = comment([...head, "", ...missing(untranslated)]);
  return { text: document.toString({ lineWidth: 0 }), untranslated };
}

/** True if the rule has a condition, which no exported file can express. */
export function isConditional(rule: Rule): boolean {
  return rule.when.intentAny.length > 0 || rule.when.turnRange !== undefined;
}

/** The condition as the rule file spells it, marked as lost. */
export function lostCondition(rule: Rule): { readonly [name: string]: Json } {
  const { intentAny, turnRange } = rule.when;
  return {
    ...(intentAny.length > 0 ? { intent_any: intentAny } : {}),
    ...(turnRange === undefined ? {} : { turn_range: [turnRange.first, turnRange.last] }),
    ported: false,
  };
}

/** A name in a comment or a reason; escapes keep a line break in it from ending the comment. */
export function quoted(name: string): string {
  return JSON.stringify(name);
}

function missing(untranslated: readonly Untranslated[]): readonly string[] {
  if (untranslated.length === 0) {
    return ["Everything in these rules is translated."];
  }
  const lines = untranslated.map(
    ({ rule, assertion, reason }) => `- rule ${quoted(rule)}, ${assertion}: ${reason}`,
  );
  return ["NOT TRANSLATED:", ...lines];
}

function comment(lines: readonly string[]): string {
  return lines.map((line) => (line === "" ? "" : ` ${line}`)).join("\n");
}
