import type { Arrangement } from "../frameworks/arrangement.js";
import { arrangements } from "../frameworks/arrangements.js";
import { frameworkVerdicts } from "../frameworks/framework-verdicts.js";
import {
  type ArrangementReport,
  frameworkJson,
  frameworkSuites,
  frameworkText,
} from "../report/framework.js";
import { junitXml } from "../report/junit.js";
import { frameworkProfile } from "../scenario/arrangement-format.js";
import { exitCodes } from "./exit-codes.js";
import { deliver, type Reporter } from "./reporters.js";
import type { Session } from "./session.js";

/** The profiles that name one arrangement, or all of them at once. */
export const frameworkProfiles: readonly string[] = [
  frameworkProfile,
  ...arrangements.map(({ name }) => name),
];

/** Decides every promise over all interleavings; 1 where one is broken, as of any machine. */
export function exploreFramework(session: Session, profile: string, reporters: readonly Reporter[]): number {
  const chosen = arrangements.filter(({ name }) => profile === frameworkProfile || profile === name);
  const reports = chosen.map(reportOf);
  const unwritten = deliver(session, reporters, {
    terminal: (canvas) => frameworkText(reports, canvas),
    json: () => frameworkJson(reports),
    junit: () => junitXml(frameworkSuites(reports)),
  });
  for (const line of unwritten) session.io.stderr.write(`error: not written: ${line}\n`);
  if (reports.some(({ verdicts }) => verdicts.some(({ verdict }) => verdict === "violated"))) {
    return exitCodes.violated;
  }
  return unwritten.length > 0 ? exitCodes.undecided : exitCodes.holds;
}

function reportOf(arrangement: Arrangement): ArrangementReport {
  return { arrangement: arrangement.name, verdicts: frameworkVerdicts(arrangement) };
}
