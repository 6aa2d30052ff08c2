import type { CampaignReport } from "../properties/verdict.js";
import { reportJson } from "../report/json.js";
import { campaignSuite, junitXml } from "../report/junit.js";
import type { ReportBundle } from "../report/read-report.js";
import { terminalReport } from "../report/terminal.js";
import { keepCounterexamples } from "./keep.js";
import { deliver, type Reporter } from "./reporters.js";
import type { Session } from "./session.js";

/**
 * Keeps the counterexamples of campaigns and hands their reports to the reporters.
 *
 * @returns what could not be written, one line each
 */
export function presentCampaigns(
  session: Session,
  reports: readonly CampaignReport[],
  { reporters, outputDir }: { readonly reporters: readonly Reporter[]; readonly outputDir: string },
): readonly string[] {
  const kept = reports.map((report) => ({ report, files: keepCounterexamples(session, report, outputDir) }));
  const unwritten = deliver(session, reporters, {
    terminal: (canvas) =>
      kept
        .map(({ report, files }) =>
          terminalReport(report, { canvas, detail: session.detail, keptAt: files.at }),
        )
        .join("\n"),
    json: () => campaignsJson(reports),
    junit: () => junitXml(reports.map(campaignSuite)),
  });
  return [...kept.flatMap(({ files }) => files.failures), ...unwritten];
}

/** One campaign is a report; several, of several executors, are a bundle of them. */
function campaignsJson(reports: readonly CampaignReport[]): string {
  const [only, second] = reports;
  if (only !== undefined && second === undefined) return reportJson(only);
  const bundle: ReportBundle = { format: "commitpoint-reports", formatVersion: 1, reports };
  return reportJson(bundle);
}
