import type { Command } from "commander";
import { defaults } from "../config/defaults.js";
import { variable } from "../config/environment.js";
import type { ExecutorEntry } from "../config/executors.js";
import type { LoadedConfig } from "../config/load-config.js";
import { outputDirOf } from "../config/settings.js";
import { UsageError } from "../config/usage-error.js";
import { type Given, wholeNumber } from "../config/values.js";
import { version } from "../config/version.js";
import { reportJson } from "../report/json.js";
import { junitXml } from "../report/junit.js";
import { type ReplayRow, replayReport, replaySuite, replayText, stoppedLines } from "../report/replay.js";
import type { ArrangementFile, ScenarioFile } from "../scenario/load.js";
import type { Replayed } from "../scenario/replay.js";
import { replayArrangement } from "../scenario/replay-arrangement.js";
import type { Replayer, ReplayWish } from "./engine.js";
import { exitCodes, interruptedCode } from "./exit-codes.js";
import { checkFits } from "./fits.js";
import { progressLine } from "./progress-line.js";
import { deliver, type Reporter, readReporters } from "./reporters.js";
import { findScenarios } from "./scenario-files.js";
import { executorNamed, loadSessionConfig, type Session } from "./session.js";
import { collected, type Verb } from "./verb.js";

type ReplayFlags = {
  readonly executor?: string;
  readonly until?: string;
  readonly reporter?: readonly string[];
};

/** `replay`: scenarios from files, each on the executor it names. */
export function addReplay(program: Command, verb: Verb): void {
  const command = program
    .command("replay")
    .description("replay scenarios and compare what they leave behind with what they expect")
    .argument("[scenario...]", `files, folders or ids (default: ${defaults.scenarios})`)
    .option("--executor <name>", "replay all of them on this executor; there, every promise must hold")
    .option("--until <step>", "stop after this step and show machine and store side by side")
    .option("--reporter <name[:file]>", "terminal, json or junit; repeatable", collected);
  verb(command, (session) => replay(session, command.args, command.opts<ReplayFlags>()));
}

async function replay(session: Session, wanted: readonly string[], flags: ReplayFlags): Promise<number> {
  const loaded = await loadSessionConfig(session);
  const { chosen, arrangements } = chosenFiles(session, wanted, flags.executor, loaded);
  const reporters = readReporters(session, flags.reporter);
  if (flags.until !== undefined)
    return replayUntil(session, withSteps({ chosen, arrangements }), flags.until);
  const began = session.io.now().getTime();
  const rows = await replayAll(session, chosen, {
    until: undefined,
    wanted: wantedOf(session, flags.executor),
  });
  const all = [...rows, ...arrangements.map(arrangementRow)];
  return finish(session, all, reporters, session.io.now().getTime() - began);
}

export type ChosenScenario = ScenarioFile & { readonly executor: ExecutorEntry };

type ChosenFiles = {
  readonly chosen: readonly ChosenScenario[];
  readonly arrangements: readonly ArrangementFile[];
};

/** The scenarios meant, each with the executor it is to run on. @throws UsageError also for one that has no steps */
export function chosenScenarios(
  session: Session,
  wanted: readonly string[],
  executorFlag: string | undefined,
  loaded: LoadedConfig,
): readonly ChosenScenario[] {
  return withSteps(chosenFiles(session, wanted, executorFlag, loaded));
}

function withSteps({ chosen, arrangements: [first] }: ChosenFiles): readonly ChosenScenario[] {
  if (first === undefined) return chosen;
  throw new UsageError({
    message: "a scenario of an arrangement has no steps: it is about every interleaving",
    place: first.file,
    nextStep: `\`commitpoint explore --profile ${first.scenario.arrangement}\` shows how a promise is broken.`,
  });
}

function arrangementRow({ file, scenario }: ArrangementFile): ReplayRow {
  const shown = { name: scenario.name, about: scenario.about, actions: [] };
  return { file, executor: scenario.arrangement, scenario: shown, replayed: replayArrangement(scenario) };
}

/** Each scenario with steps gets the executor it is to run on, which claims all that it needs. */
function chosenFiles(
  session: Session,
  wanted: readonly string[],
  executorFlag: string | undefined,
  loaded: LoadedConfig,
): ChosenFiles {
  const override = executorOverride(session, executorFlag);
  const config = loaded.kind === "loaded" ? loaded.config : undefined;
  const { scenarios, arrangements } = findScenarios(session, {
    wanted: wanted.length === 0 ? [defaults.scenarios] : wanted,
    folders: [defaults.scenarios, outputDirOf({ flags: {}, environment: session.environment, config })],
    loaded,
    executors: override === undefined ? "known" : "any",
  });
  const chosen = scenarios.map(({ file, scenario }) => ({
    file,
    scenario,
    executor: executorNamed(override ?? { text: scenario.executor, place: file }, loaded),
  }));
  checkFits(chosen);
  return { chosen, arrangements };
}

function executorOverride(session: Session, flag: string | undefined): Given | undefined {
  return flag === undefined
    ? variable(session.environment, "EXECUTOR")
    : { text: flag, place: `--executor ${flag}` };
}

export function wantedOf(session: Session, executorFlag: string | undefined): ReplayWish["wanted"] {
  return executorOverride(session, executorFlag) === undefined ? "as_written" : "holds";
}

/** Replays one after the other, in the order given, until interrupted; each executor is opened once. */
export async function replayAll(
  session: Session,
  chosen: readonly ChosenScenario[],
  wish: ReplayWish,
): Promise<readonly ReplayRow[]> {
  const line = progressLine(session);
  const replayers = new Map<string, Replayer>();
  const rows: ReplayRow[] = [];
  try {
    for (const { file, scenario, executor } of chosen) {
      if (session.io.signal.aborted) break;
      line.show(() => `  ${rows.length + 1} of ${chosen.length}   ${file}`);
      const replayer = replayers.get(executor.name) ?? (await opened(session, executor));
      replayers.set(executor.name, replayer);
      rows.push({ file, executor: executor.name, scenario, replayed: await replayer.replay(scenario, wish) });
    }
    return rows;
  } finally {
    line.wipe();
    for (const replayer of replayers.values()) await replayer.close();
  }
}

/** An executor that cannot be opened is broken in each of its scenarios; those of others still run. */
async function opened(session: Session, executor: ExecutorEntry): Promise<Replayer> {
  try {
    return await session.engine.replayer(executor);
  } catch (error) {
    const reason = `${executor.name} cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
    return { replay: async () => broken(reason), close: async () => {} };
  }
}

function broken(reason: string): Replayed {
  return {
    kind: "broken",
    history: [],
    verdict: { violations: [], occurred: [], undecided: [] },
    mismatches: [],
    reason,
    standing: { machine: [], store: [] },
  };
}

function finish(
  session: Session,
  rows: readonly ReplayRow[],
  reporters: readonly Reporter[],
  ms: number,
): number {
  const { signal, stderr } = session.io;
  const report = replayReport(rows, { version, interrupted: signal.aborted });
  const unwritten = deliver(session, reporters, {
    terminal: (canvas) => replayText(rows, { canvas, detail: session.detail }),
    json: () => reportJson(report),
    junit: () => junitXml([replaySuite(rows, ms)]),
  });
  for (const line of unwritten) stderr.write(`error: not written: ${line}\n`);
  if (signal.aborted) return interruptedCode(signal);
  const code = replayCode(report.verdict);
  return code === exitCodes.holds && unwritten.length > 0 ? exitCodes.undecided : code;
}

function replayCode(verdict: ReturnType<typeof replayReport>["verdict"]): number {
  switch (verdict) {
    case "as_expected":
      return exitCodes.holds;
    case "not_as_expected":
      return exitCodes.violated;
    case "undecided":
    case "broken":
    case "nothing_executed":
      return exitCodes.undecided;
  }
}

/** Replays one scenario up to a step and shows how machine and store stand there. */
export async function replayUntil(
  session: Session,
  chosen: readonly ChosenScenario[],
  text: string,
): Promise<number> {
  const [only, second] = chosen;
  const place = `--until ${text}`;
  if (only === undefined || second !== undefined) {
    throw new UsageError({ message: `--until stops in one scenario, and ${chosen.length} are given`, place });
  }
  const until = wholeNumber({ text, place }, 1, Math.max(1, only.scenario.actions.length));
  const rows = await replayAll(session, chosen, { until, wanted: "as_written" });
  const { stdout, signal } = session.io;
  const canvas = session.canvas(stdout);
  for (const row of rows) stdout.write(`${stoppedLines(row, until, canvas).join("\n")}\n`);
  if (signal.aborted) return interruptedCode(signal);
  return rows.some(({ replayed }) => replayed.kind === "broken") ? exitCodes.undecided : exitCodes.holds;
}
