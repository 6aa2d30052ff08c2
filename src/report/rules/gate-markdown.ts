import type { Finding } from "../../rules/finding.js";
import { printable } from "../text.js";
import type { GateResult } from "./gate-result.js";
import { type Labels, type Language, labels } from "./labels.js";

/** A gate's result as Markdown, such as for a comment on a change: the verdict, the counts and a table of findings. */
export function gateMarkdown({ verdict, report, baseline }: GateResult, language: Language): string {
  const words = labels[language];
  const compared = words.baseline(baseline, report.counts.violations);
  const lines = [
    `## ${words.title}: ${words.verdict(verdict)}`,
    "",
    words.counts(report.counts),
    ...(compared === "" ? [] : ["", cell(compared)]),
    ...(report.findings.length === 0 ? [] : ["", ...table(report.findings, words)]),
  ];
  return `${lines.join("\n")}\n`;
}

function table(findings: readonly Finding[], words: Labels): readonly string[] {
  return [
    row(words.columns),
    row(words.columns.map(() => "---")),
    ...findings.map((finding) => {
      const { kind, rule, severity, at, turn } = finding;
      const place = `${at.file}:${at.line}:${at.column}`;
      const sentence = words.wording.finding(finding);
      return row([words.kinds[kind], rule, severity, place, String(turn), sentence].map(cell));
    }),
  ];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Names come from models and files: none of them ends its cell, links, mentions somebody or becomes HTML. */
function cell(text: string): string {
  return printable(text)
    .replace(/[\\`*{}[\]<>()#|~!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (mark) => `\\${mark}`)
    .replace(/&/g, "&amp;")
    .replace(/@/g, "&#64;");
}
