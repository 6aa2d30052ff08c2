import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { outputDirOf } from "../config/settings.js";
import { UsageError } from "../config/usage-error.js";
import { wholeNumber } from "../config/values.js";
import type { CampaignReport, Counterexample } from "../properties/verdict.js";
import { rowLines } from "../report/replay.js";
import { terminalReport } from "../report/terminal.js";
import { exitCodes, interruptedCode } from "./exit-codes.js";
import { chosenScenarios, replayAll, replayUntil, wantedOf } from "./replay.js";
import { readReportFile } from "./report-files.js";
import { loadSessionConfig, type Session, shownPath } from "./session.js";
import type { Verb } from "./verb.js";

type Flags = { readonly executor?: string; readonly until?: string };

/** `show`: the timeline of a scenario, or of the counterexamples in a JSON report. */
export function addShow(program: Command, verb: Verb): void {
  const command = program
    .command("show")
    .description("show the timeline of a scenario or of the counterexamples in a JSON report")
    .argument("[file]", "a scenario or a JSON report (default: the newest counterexample)")
    .option("--executor <name>", "the executor to show a scenario on (default: the one it names)")
    .option("--until <step>", "only up to this step");
  verb(command, (session) => show(session, command.args[0], command.opts<Flags>()));
}

async function show(session: Session, file: string | undefined, flags: Flags): Promise<number> {
  const loaded = await loadSessionConfig(session);
  const config = loaded.kind === "loaded" ? loaded.config : undefined;
  const wanted =
    file ?? newestIn(session, outputDirOf({ flags: {}, environment: session.environment, config }));
  const { io } = session;
  if (wanted.endsWith(".json")) {
    const reports = readReportFile(session, wanted).map((report) => cut(report, flags.until));
    const canvas = session.canvas(io.stdout);
    const keptAt = () => undefined;
    io.stdout.write(
      reports.map((report) => terminalReport(report, { canvas, detail: session.detail, keptAt })).join("\n"),
    );
    return exitCodes.holds;
  }
  const chosen = chosenScenarios(session, [wanted], flags.executor, loaded);
  if (flags.until !== undefined) return replayUntil(session, chosen, flags.until);
  const rows = await replayAll(session, chosen, {
    until: undefined,
    wanted: wantedOf(session, flags.executor),
  });
  const canvas = session.canvas(io.stdout);
  for (const row of rows) io.stdout.write(`${rowLines(row, canvas).join("\n")}\n`);
  if (io.signal.aborted) return interruptedCode(io.signal);
  return rows.some(({ replayed }) => replayed.kind === "broken") ? exitCodes.undecided : exitCodes.holds;
}

function newestIn(session: Session, folder: string): string {
  const path = resolve(session.io.cwd, folder);
  const files = existsSync(path) ? readdirSync(path).filter((name) => /\.ya?ml$/i.test(name)) : [];
  const newest = files
    .map((name) => join(path, name))
    .toSorted((left, right) => statSync(right).mtimeMs - statSync(left).mtimeMs)[0];
  if (newest !== undefined) return newest;
  throw new UsageError({
    message: `there is nothing to show in ${shownPath(session.io, path)}`,
    nextStep: "Name a scenario or a JSON report.",
  });
}

/** The report with its counterexamples only up to a step. */
function cut(report: CampaignReport, until: string | undefined): CampaignReport {
  if (until === undefined) return report;
  const longest = Math.max(1, ...report.counterexamples.map(({ minimal }) => minimal.actions.length));
  const steps = wholeNumber({ text: until, place: `--until ${until}` }, 1, longest);
  const shortened = ({ minimal, ...rest }: Counterexample): Counterexample => ({
    ...rest,
    minimal: {
      ...minimal,
      actions: minimal.actions.slice(0, steps),
      history: minimal.history.filter(({ action }) => action < steps),
    },
  });
  return { ...report, counterexamples: report.counterexamples.map(shortened) };
}
