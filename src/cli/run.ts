import { resolve } from "node:path";
import type { Command } from "commander";
import { defaults } from "../config/defaults.js";
import { variable } from "../config/environment.js";
import { builtInExecutors, configuredExecutors, type ExecutorEntry } from "../config/executors.js";
import type { LoadedConfig } from "../config/load-config.js";
import { type RunFlags, type RunSettings, runSettings } from "../config/settings.js";
import { UsageError } from "../config/usage-error.js";
import type { CampaignReport } from "../properties/verdict.js";
import { counted } from "../report/text.js";
import { campaignCode, exitCodes, interruptedCode, worstCode } from "./exit-codes.js";
import { presentCampaigns } from "./present.js";
import { campaignProgressText, progressLine } from "./progress-line.js";
import { type Reporter, readReporters } from "./reporters.js";
import { executorNamed, loadSessionConfig, note, type Session } from "./session.js";
import { collected, type Verb } from "./verb.js";
import { checkFolderWritable } from "./write-whole.js";

type Flags = RunFlags & {
  readonly executor?: readonly string[];
  readonly bail?: boolean;
  readonly reporter?: readonly string[];
};

/** `run`: a campaign of generated action lists over the chosen executors. */
export function addRun(program: Command, verb: Verb): void {
  const command = program
    .command("run")
    .description("run a campaign of generated action lists and judge every promise")
    .option(
      "--executor <name>",
      "executor to test, repeatable (default: all that the configuration names)",
      collected,
    )
    .option("--runs <n>", `number of generated runs (default: ${defaults.runs})`)
    .option("--time <time>", "run for this long instead, such as 60s or 5m")
    .option(
      "--seed <n>",
      `number from which everything is generated, or random (under CI: ${defaults.seedUnderCi})`,
    )
    .option("--max-actions <n>", `generated actions of one run (default: ${defaults.maxActions})`)
    .option("--promise <id>", "judge only this promise, repeatable", collected)
    .option("--allow-vacuous <id>", "let this promise's situation never occur, repeatable", collected)
    .option("--shard <i/n>", "execute only the i-th of n parts of the runs; see merge-reports")
    .option("--workers <n>", "workers that execute runs (default: one for each processor)")
    .option("--bail", "stop at the first broken promise")
    .option("--reporter <name[:file]>", "terminal, json or junit; repeatable", collected)
    .option("--output-dir <folder>", `folder for counterexamples (default: ${defaults.outputDir})`);
  verb(command, (session) => run(session, command.opts<Flags>()));
}

async function run(session: Session, flags: Flags): Promise<number> {
  const loaded = await loadSessionConfig(session);
  const config = loaded.kind === "loaded" ? loaded.config : undefined;
  const settings = runSettings({ flags, environment: session.environment, config });
  const executors = chosenExecutors(session, flags.executor, loaded);
  const reporters = readReporters(session, flags.reporter);
  checkFolderWritable(resolve(session.io.cwd, settings.outputDir), "the output folder");
  const reports: CampaignReport[] = [];
  const failures: string[] = [];
  for (const executor of executors) {
    if (session.io.signal.aborted) break;
    try {
      const report = await campaign(session, executor, loaded, settings, flags.bail === true);
      reports.push(report);
      if (flags.bail === true && report.verdict === "violated") break;
    } catch (error) {
      failures.push(`${executor.name} cannot be tested: ${reasonOf(error, session.detail)}`);
    }
  }
  return finish(session, { reports, failures }, reporters, settings);
}

function reasonOf(error: unknown, detail: Session["detail"]): string {
  if (!(error instanceof Error)) return String(error);
  return detail === "verbose" ? (error.stack ?? error.message) : error.message;
}

type Found = { readonly reports: readonly CampaignReport[]; readonly failures: readonly string[] };

/** Tells and writes what is known; an interruption has an exit code of its own. */
function finish(
  session: Session,
  { reports, failures }: Found,
  reporters: readonly Reporter[],
  { outputDir }: RunSettings,
): number {
  const { signal, stderr } = session.io;
  const unwritten = reports.length === 0 ? [] : presentCampaigns(session, reports, { reporters, outputDir });
  for (const line of failures) stderr.write(`error: ${line}\n`);
  for (const line of unwritten) stderr.write(`error: not written: ${line}\n`);
  if (signal.aborted) return interruptedCode(signal);
  return worstCode([
    ...reports.map(campaignCode),
    ...[...failures, ...unwritten].map(() => exitCodes.undecided),
  ]);
}

async function campaign(
  session: Session,
  executor: ExecutorEntry,
  loaded: LoadedConfig,
  settings: RunSettings,
  bail: boolean,
): Promise<CampaignReport> {
  const { budget, seed, shard, workers, maxActions, promises, allowVacuous } = settings;
  const amount = budget.kind === "runs" ? counted(budget.runs, "run") : `${budget.milliseconds / 1000} s`;
  const part = shard.count === 1 ? "" : `, shard ${shard.index}/${shard.count}`;
  note(session, `testing ${executor.name}: seed ${seed}, ${amount}${part}, ${counted(workers, "worker")}`);
  const line = progressLine(session);
  const began = session.io.now().getTime();
  try {
    return await session.engine.campaign({
      executor,
      configFile: loaded.kind === "loaded" && !isBuiltIn(executor) ? loaded.file : undefined,
      ...{ seed, budget, shard, workers, maxActions, promises, allowVacuous, bail },
      signal: session.io.signal,
      progress: (progress) =>
        line.show(() => campaignProgressText(progress, budget, session.io.now().getTime() - began)),
    });
  } finally {
    line.wipe();
  }
}

function isBuiltIn(executor: ExecutorEntry): boolean {
  return builtInExecutors.some(({ name }) => name === executor.name);
}

function chosenExecutors(
  session: Session,
  flagged: readonly string[] | undefined,
  loaded: LoadedConfig,
): readonly ExecutorEntry[] {
  const listed = variable(session.environment, "EXECUTOR");
  const named =
    flagged?.map((text) => ({ text, place: `--executor ${text}` })) ??
    listed?.text.split(",").map((text) => ({ text: text.trim(), place: listed.place }));
  if (named !== undefined) {
    const unique = named.filter(({ text }, at) => named.findIndex((other) => other.text === text) === at);
    return unique.map((name) => executorNamed(name, loaded));
  }
  const configured = loaded.kind === "loaded" ? configuredExecutors(loaded.config) : [];
  if (configured.length > 0) return configured;
  return [builtInByDefault(session, loaded)];
}

/** Someone who looks around gets the ledger; a pipeline must not test another thing than it was set up for. */
function builtInByDefault(session: Session, loaded: LoadedConfig): ExecutorEntry {
  const missing =
    loaded.kind === "none" ? `no configuration in ${session.io.cwd}` : "the configuration names no executor";
  if (session.environment.ci) {
    throw new UsageError({
      message: `${missing}: under CI the executor to test must be named`,
      place: "commitpoint run",
      nextStep: `Add commitpoint.config.ts with your executors, or name a built-in one: --executor ${defaults.executor}.`,
    });
  }
  note(session, `${missing}: testing the built-in ${defaults.executor}`);
  return executorNamed({ text: defaults.executor, place: "the default executor" }, loaded);
}
