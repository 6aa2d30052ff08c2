import type { Finding } from "../../rules/finding.js";
import type { Canvas, Paint } from "../paint.js";
import type { Detail } from "../terminal.js";
import { printable, wrapped } from "../text.js";
import type { GateResult, GateVerdict } from "./gate-result.js";
import { type Labels, type Language, labels } from "./labels.js";

/** A gate's result for people: each finding with its place, then the sum. Quiet: only what fails the gate, and the sum. */
export function gateTerminal(
  result: GateResult,
  how: { readonly canvas: Canvas; readonly detail: Detail; readonly language: Language },
): string {
  const words = labels[how.language];
  const { findings, counts } = result.report;
  const shown = how.detail === "quiet" ? findings.filter(isFailing) : findings;
  const baseline = words.baseline(result.baseline, counts.violations);
  const { sign, colour } = verdictLook(result.verdict, how.canvas.paint);
  return `${[
    ...shown.flatMap((finding) => [...findingLines(finding, words, how.canvas), ""]),
    colour(`${sign} ${words.verdict(result.verdict)}`),
    how.canvas.paint.dim(`  ${words.counts(counts)}`),
    ...(baseline === "" ? [] : [how.canvas.paint.dim(`  ${printable(baseline)}`)]),
  ].join("\n")}\n`;
}

function isFailing({ kind }: Finding): boolean {
  return kind === "violation" || kind === "inconclusive";
}

function findingLines(finding: Finding, words: Labels, { paint, width }: Canvas): readonly string[] {
  const { rule, severity, at, trace, turn } = finding;
  const { sign, colour } = findingLook(finding.kind, paint);
  const place = `${at.file}:${at.line}:${at.column}  ${words.trace(trace.name)}  ${words.turn(turn)}`;
  return [
    `${colour(sign)} ${paint.bold(printable(rule))}  ${words.kinds[finding.kind]}  ${paint.dim(severity)}`,
    paint.dim(`  ${printable(place)}`),
    ...wrapped(printable(words.wording.finding(finding)), width - 2).map((line) => `  ${line}`),
  ];
}

type Look = { readonly sign: string; readonly colour: (text: string) => string };

function findingLook(kind: Finding["kind"], paint: Paint): Look {
  switch (kind) {
    case "violation":
      return { sign: "✗", colour: paint.red };
    case "inconclusive":
      return { sign: "?", colour: paint.yellow };
    case "hindsight":
      return { sign: "!", colour: paint.yellow };
    case "note":
      return { sign: "·", colour: paint.dim };
  }
}

function verdictLook({ kind }: GateVerdict, paint: Paint): Look {
  switch (kind) {
    case "holds":
      return { sign: "✓", colour: paint.green };
    case "within_baseline":
      return { sign: "✓", colour: paint.yellow };
    case "violated":
      return { sign: "✗", colour: paint.red };
    case "inconclusive":
    case "nothing_judged":
      return { sign: "?", colour: paint.yellow };
  }
}
