import { join, resolve } from "node:path";
import { startingPolicy } from "../config/open-bench.js";
import type { ExploreReport } from "../explore/report.js";
import type { Broken, CampaignReport } from "../properties/verdict.js";
import {
  brokenScenario,
  counterexampleScenario,
  exploredScenario,
  type FoundBy,
  type KeptWith,
  scenarioFileName,
} from "../report/counterexample-scenario.js";
import type { Kept } from "../report/failure.js";
import { defaultExecutor, type ScenarioContent } from "../scenario/scenario.js";
import { writeScenario } from "../scenario/write.js";
import { type Session, shownPath } from "./session.js";
import { writeWhole } from "./write-whole.js";

/** What was kept of a report: files by the promise they show (`broken` for a run that nobody answered). */
export type KeptFiles = {
  readonly at: (shows: string) => Kept | undefined;
  /** What could not be written, one line each. */
  readonly failures: readonly string[];
};

/** Writes every counterexample of a campaign, and its first broken run, as a scenario file that replays. */
export function keepCounterexamples(session: Session, report: CampaignReport, outputDir: string): KeptFiles {
  const keptWith = keptBy(session, "commitpoint run");
  return keepScenarios(session, { executor: report.executor, outputDir }, [
    ...report.counterexamples.map((one) => ({
      shows: one.promise,
      scenario: counterexampleScenario(one, report, keptWith),
    })),
    ...brokenToKeep(report, report.broken, keptWith),
  ]);
}

/** The same for an exploration. What the machine alone broke is to be replayed on the built-in executor. */
export function keepExplored(session: Session, report: ExploreReport, outputDir: string): KeptFiles {
  const keptWith = keptBy(session, "commitpoint explore");
  const isAlone = report.executor === "none";
  const found = isAlone ? { ...report, executor: defaultExecutor(report.profile) } : report;
  return keepScenarios(session, { executor: isAlone ? "machine" : report.executor, outputDir }, [
    ...report.counterexamples.map((one) => ({
      shows: one.promise,
      scenario: exploredScenario(one, found, keptWith),
    })),
    ...brokenToKeep(found, report.broken, keptWith),
  ]);
}

type ToKeep = { readonly shows: string; readonly scenario: ScenarioContent };

function keptBy({ io }: Session, source: string): KeptWith {
  return { source, policy: startingPolicy, date: io.now().toISOString().slice(0, 10) };
}

/** The first run that nobody answered; one without steps has nothing to replay. */
function brokenToKeep(found: FoundBy, runs: readonly Broken[], keptWith: KeptWith): readonly ToKeep[] {
  const [broken] = runs;
  if (broken === undefined || broken.actions.length === 0) return [];
  return [{ shows: "broken", scenario: brokenScenario(broken, found, keptWith) }];
}

function keepScenarios(
  session: Session,
  { executor, outputDir }: { readonly executor: string; readonly outputDir: string },
  scenarios: readonly ToKeep[],
): KeptFiles {
  const kept = new Map<string, Kept>();
  const failures: string[] = [];
  for (const { shows, scenario } of scenarios) {
    const file = resolve(session.io.cwd, outputDir, scenarioFileName(shows, executor));
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
