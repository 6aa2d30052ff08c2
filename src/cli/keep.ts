import { join, resolve } from "node:path";
import { startingPolicy } from "../config/open-bench.js";
import type { CampaignReport } from "../properties/verdict.js";
import {
  brokenScenario,
  counterexampleScenario,
  scenarioFileName,
} from "../report/counterexample-scenario.js";
import type { Kept } from "../report/failure.js";
import type { ScenarioContent } from "../scenario/scenario.js";
import { writeScenario } from "../scenario/write.js";
import { type Session, shownPath } from "./session.js";
import { writeWhole } from "./write-whole.js";

/** What was kept of a report: files by the promise they show (`broken` for a run that nobody answered). */
export type KeptFiles = {
  readonly at: (shows: string) => Kept | undefined;
  /** What could not be written, one line each. */
  readonly failures: readonly string[];
};

/** Writes every counterexample of a report, and its first broken run, as a scenario file that replays. */
export function keepCounterexamples(session: Session, report: CampaignReport, outputDir: string): KeptFiles {
  const keptWith = { policy: startingPolicy, date: session.io.now().toISOString().slice(0, 10) };
  const [broken] = report.broken;
  const scenarios: readonly (readonly [shows: string, scenario: ScenarioContent])[] = [
    ...report.counterexamples.map(
      (one) => [one.promise, counterexampleScenario(one, report, keptWith)] as const,
    ),
    ...(broken === undefined ? [] : [["broken", brokenScenario(broken, report, keptWith)] as const]),
  ];
  const kept = new Map<string, Kept>();
  const failures: string[] = [];
  for (const [shows, scenario] of scenarios) {
    const file = resolve(session.io.cwd, outputDir, scenarioFileName(shows, report.executor));
    try {
      writeWhole(file, writeScenario(scenario));
      kept.set(shows, { file: shownPath(session.io, file), replay: replayCommand(session, file) });
    } catch (error) {
      failures.push(`${join(outputDir, shows)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { at: (shows) => kept.get(shows), failures };
}

/** The one line that replays a scenario file from where the program runs. */
export function replayCommand(session: Session, file: string): string {
  const { configFlag } = session;
  const config = configFlag === undefined ? "" : ` --config ${shellWord(configFlag.text)}`;
  return `npx commitpoint replay ${shellWord(shownPath(session.io, file))}${config}`;
}

function shellWord(word: string): string {
  return /^[a-zA-Z0-9._/@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
