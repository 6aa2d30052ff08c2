import { english } from "../../rules/wording/english.js";
import { reportJson } from "../json.js";
import type { GateResult } from "./gate-result.js";

/** A gate's result as JSON; it serves as a baseline, which takes `summary.violations` of it. */
export function gateJson(
  { verdict, report, baseline }: GateResult,
  { version }: { readonly version: string },
): string {
  const { counts, findings } = report;
  return reportJson({
    format: "commitpoint-rules-gate",
    formatVersion: 1,
    version,
    verdict: verdict.kind,
    ...(verdict.kind === "nothing_judged" ? { because: verdict.because } : {}),
    baseline,
    summary: counts,
    findings: findings.map((finding) => ({
      kind: finding.kind,
      code: finding.code,
      rule: finding.rule,
      severity: finding.severity,
      sentence: english.finding(finding),
      trace: finding.trace,
      turn: finding.turn,
      tool: finding.tool ?? null,
      at: finding.at,
      detail: finding.detail,
    })),
  });
}
