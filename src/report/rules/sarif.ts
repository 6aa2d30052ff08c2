import { createHash } from "node:crypto";
import { isAbsolute, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Finding } from "../../rules/finding.js";
import type { Region, Rule, Severity } from "../../rules/rule.js";
import { english } from "../../rules/wording/english.js";
import type { GateResult } from "./gate-result.js";
import { ruleHelp } from "./rule-help.js";

/**
 * A gate's result in SARIF 2.1.0: one rule for each rule of the set, one result for each finding, with a full region.
 * Paths that are relative stay so, as code scanning wants them.
 */
export function sarif({ report, rules }: GateResult, { version }: { readonly version: string }): string {
  const indices = new Map(rules.map(({ name }, index) => [name, index]));
  const fingerprint = fingerprints();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "commitpoint",
            semanticVersion: version,
            rules: rules.map(descriptor),
          },
        },
        // Columns count as JavaScript does.
        columnKind: "utf16CodeUnits",
        invocations: [{ executionSuccessful: true }],
        results: report.findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: indices.get(finding.rule) ?? -1,
          level: levelOf(finding),
          message: { text: messageOf(finding) },
          locations: [{ physicalLocation: location(finding.at) }],
          partialFingerprints: { primaryLocationLineHash: fingerprint(finding) },
          properties: propertiesOf(finding),
        })),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

const levels: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  critical: "error",
  warning: "warning",
  info: "note",
};

function levelOf({ kind, severity }: Finding): "error" | "warning" | "note" {
  switch (kind) {
    case "violation":
      return levels[severity];
    case "inconclusive":
      return "warning";
    case "hindsight":
    case "note":
      return "note";
  }
}

function messageOf(finding: Finding): string {
  return plain(`${english.finding(finding)} (trace ${finding.trace.name}, turn ${finding.turn})`);
}

/** In the messages of SARIF, brackets make links and braces make placeholders unless they are escaped. */
function plain(text: string): string {
  return doubled(text.replace(/[\\[\]]/g, (mark) => `\\${mark}`));
}

function doubled(text: string): string {
  return text.replace(/[{}]/g, (brace) => brace + brace);
}

function descriptor(rule: Rule) {
  const { short, full, markdown } = ruleHelp(rule);
  return {
    id: rule.name,
    name: rule.name,
    shortDescription: { text: plain(short) },
    fullDescription: { text: plain(full) },
    help: { text: plain(full), markdown: doubled(markdown) },
    defaultConfiguration: { level: levels[rule.severity] },
    properties: { tags: ["commitpoint", "tool-calls"], severity: rule.severity },
  };
}

function location({ file, line, column, endLine, endColumn }: Region) {
  return {
    artifactLocation: { uri: uriOf(file) },
    region: { startLine: line, startColumn: column, endLine, endColumn },
  };
}

function uriOf(file: string): string {
  return isAbsolute(file) ? pathToFileURL(file).href : file.split(sep).map(encodeURIComponent).join("/");
}

/** The same for the same finding after lines have moved; equal findings of one trace are numbered. */
function fingerprints(): (finding: Finding) => string {
  const seen = new Map<string, number>();
  return ({ rule, kind, code, trace, turn, tool, detail }) => {
    const what = JSON.stringify([rule, kind, code, trace.file, trace.name, turn, tool ?? null, detail]);
    const hash = createHash("sha256").update(what).digest("hex").slice(0, 16);
    const number = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, number);
    return `${hash}:${number}`;
  };
}

function propertiesOf(finding: Finding) {
  const { kind, code, severity, turn, tool, trace } = finding;
  return {
    kind,
    code,
    severity,
    turn,
    ...(tool === undefined ? {} : { tool }),
    trace: trace.name,
    canonicalMessage: english.finding(finding),
  };
}
