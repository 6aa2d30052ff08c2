import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../config/usage-error.js";
import type { CampaignReport } from "../properties/verdict.js";
import { readReports } from "../report/read-report.js";
import type { Session } from "./session.js";

/** The campaign reports in a JSON file. @throws UsageError that names the file */
export function readReportFile(session: Session, file: string): readonly CampaignReport[] {
  const read = readReports(textOf(session, file));
  if (read.kind === "read") return read.reports;
  throw new UsageError({
    message: `not a report of commitpoint run: ${read.reason}`,
    place: file,
    nextStep: "Reports are written with --reporter json:file.",
  });
}

function textOf(session: Session, file: string): string {
  try {
    return readFileSync(resolve(session.io.cwd, file), "utf8");
  } catch (error) {
    throw new UsageError({
      message: `cannot read: ${error instanceof Error ? error.message : String(error)}`,
      place: file,
    });
  }
}
