import { resolve } from "node:path";
import type { Command } from "commander";
import { defaults } from "../config/defaults.js";
import { variable } from "../config/environment.js";
import type { ExecutorEntry } from "../config/executors.js";
import {
  type ExploreFlags,
  type ExploreSettings,
  exploreDefaults,
  exploreSettings,
} from "../config/explore-settings.js";
import type { LoadedConfig } from "../config/load-config.js";
import { outputDirOf } from "../config/settings.js";
import { UsageError } from "../config/usage-error.js";
import { oneOf } from "../config/values.js";
import type { ExploreProgress } from "../explore/explore.js";
import type { ExploreReport } from "../explore/report.js";
import { explorationText } from "../report/exploration.js";
import { explorationSuite } from "../report/exploration-suite.js";
import { reportJson } from "../report/json.js";
import { junitXml } from "../report/junit.js";
import { counted, grouped } from "../report/text.js";
import type { ExploreRequest } from "./engine.js";
import { exitCodes, explorationCode, interruptedCode, worstCode } from "./exit-codes.js";
import { exploreFramework, frameworkProfiles } from "./explore-framework.js";
import { keepExplored } from "./keep.js";
import { progressLine } from "./progress-line.js";
import { deliver, type Reporter, readReporters } from "./reporters.js";
import { executorNamed, loadSessionConfig, note, type Session } from "./session.js";
import { collected, type Verb } from "./verb.js";
import { checkFolderWritable } from "./write-whole.js";

type Flags = ExploreFlags & {
  readonly executor?: string;
  readonly profile?: string;
  readonly reporter?: readonly string[];
  readonly outputDir?: string;
};

/** `explore`: every state of the machine within bounds and, with an executor, every edge and schedule of it. */
export function addExplore(program: Command, verb: Verb): void {
  const usual = exploreDefaults;
  const command = program
    .command("explore")
    .description(
      "search every state of the reference machine within bounds, and all schedules of an executor",
    )
    .option("--executor <name>", "also walk the machine's edges and execute all schedules on this executor")
    .option(
      "--profile <name>",
      `profile of the machine without an executor: ledger, guarded, ruled, agent-framework or one of its arrangements (default: ${usual.profile})`,
    )
    .option("--attempts <n>", `attempts, 1 to 4 (default: ${usual.attempts})`)
    .option("--calls <n>", `calls of the guarded machine, 1 or 2 (default: ${usual.calls})`)
    .option("--keys <n>", `keys that they ask for, 1 to 3 (default: ${usual.keys})`)
    .option("--policy-changes <n>", `changes of the policy (default: ${usual.policyChanges})`)
    .option("--crashes <n>", `crashes (default: ${usual.crashes})`)
    .option("--arms <n>", `times that a fault of the store may be armed (default: ${usual.arms})`)
    .option("--faulty-attempts <n>", `attempts with a planned fault (default: ${usual.faultyAttempts})`)
    .option(
      "--faults <kinds>",
      "one search with these kinds of fault, as a,b, or none, or each: none, and each kind alone (default: each); repeatable",
      collected,
    )
    .option("--no-edges", "with an executor: walk no edges")
    .option("--no-schedules", "with an executor: execute no schedules")
    .option("--full", "no reduction: also tell apart what differs only in the order of attempts or keys")
    .option(
      "--partial-order",
      "also leave out orders of steps that commute; some promises are then not checked",
    )
    .option("--allow-vacuous <id>", "let this promise's situation never occur, repeatable", collected)
    .option("--max-states <n>", "most states of one search")
    .option("--memory <size>", `most memory of one search, such as 500m (default: ${usual.memory})`)
    .option("--time <time>", "most time for the whole, such as 60s or 5m")
    .option(
      "--executions <n>",
      `most executions of the schedules of one workload (default: ${usual.executions})`,
    )
    .option("--seed <n>", `number for what is sampled, or random (under CI: ${defaults.seedUnderCi})`)
    .option("--reporter <name[:file]>", "terminal, json or junit; repeatable", collected)
    .option("--output-dir <folder>", `folder for counterexamples (default: ${defaults.outputDir})`);
  verb(command, (session) => explore(session, command.opts<Flags>()));
}

async function explore(session: Session, flags: Flags): Promise<number> {
  const { environment, io } = session;
  if (flags.executor === undefined && flags.profile !== undefined && isFramework(flags.profile)) {
    return exploreFramework(session, flags.profile, readReporters(session, flags.reporter));
  }
  const loaded = await loadSessionConfig(session);
  const config = loaded.kind === "loaded" ? loaded.config : undefined;
  const subject = subjectOf(session, flags, loaded);
  const settings = exploreSettings({ flags, environment, config, profile: subject.executor.profile });
  const { outputDir: folder } = flags;
  const outputDir = outputDirOf({
    flags: folder === undefined ? {} : { outputDir: folder },
    environment,
    config,
  });
  const reporters = readReporters(session, flags.reporter);
  checkFolderWritable(resolve(io.cwd, outputDir), "the output folder");
  note(session, startText(subject, settings));
  const line = progressLine(session);
  let report: ExploreReport;
  try {
    report = await session.engine.explore({
      ...subject,
      ...settings,
      signal: io.signal,
      progress: (progress) => line.show(() => exploreProgressText(progress)),
    });
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error));
    const told = session.detail === "verbose" ? (reason.stack ?? reason.message) : reason.message;
    io.stderr.write(`error: ${subjectText(subject)} cannot be explored: ${told}\n`);
    return io.signal.aborted ? interruptedCode(io.signal) : exitCodes.undecided;
  } finally {
    line.wipe();
  }
  const unwritten = present(session, report, reporters, outputDir);
  for (const failure of unwritten) io.stderr.write(`error: not written: ${failure}\n`);
  if (io.signal.aborted) return interruptedCode(io.signal);
  return worstCode([explorationCode(report), ...unwritten.map(() => exitCodes.undecided)]);
}

function isFramework(profile: string): boolean {
  return frameworkProfiles.includes(profile);
}

type Subject = Pick<ExploreRequest, "explores" | "executor">;

/** Without an executor it is the machine of a built-in profile, whatever a configuration names. */
function subjectOf(session: Session, flags: Flags, loaded: LoadedConfig): Subject {
  const named =
    flags.executor === undefined
      ? variable(session.environment, "EXECUTOR")
      : { text: flags.executor, place: `--executor ${flags.executor}` };
  if (named === undefined) return { explores: "machine", executor: profileOwner(flags.profile) };
  const executor = executorNamed(named, loaded);
  if (flags.profile !== undefined && flags.profile !== executor.profile.name) {
    throw new UsageError({
      message: `${executor.name} has the profile ${executor.profile.name}, not ${flags.profile}`,
      place: `--profile ${flags.profile}`,
      nextStep: "Leave --profile out: an executor brings its own.",
    });
  }
  return { explores: "machine_and_executor", executor };
}

function profileOwner(profile: string = exploreDefaults.profile): ExecutorEntry {
  const place = `--profile ${profile}`;
  const name = oneOf({ text: profile, place }, "profile", [
    exploreDefaults.profile,
    "guarded",
    "ruled",
    ...frameworkProfiles,
  ]);
  return executorNamed({ text: name, place }, { kind: "none" });
}

function subjectText({ explores, executor }: Subject): string {
  return explores === "machine"
    ? `the machine of profile ${executor.profile.name}`
    : `${executor.name} and its machine`;
}

function startText(subject: Subject, { faultSets, seed }: ExploreSettings): string {
  return `exploring ${subjectText(subject)}: ${counted(faultSets.length, "choice")} of faults, seed ${seed}`;
}

function exploreProgressText(progress: ExploreProgress): string {
  switch (progress.part) {
    case "machine": {
      const { search, of, states, depth } = progress;
      return `  search ${search} of ${of}   ${counted(states, "state")}   depth ${depth}`;
    }
    case "edges":
      return `  ${grouped(progress.walked)} of ${counted(progress.reachable, "edge")} walked`;
    case "schedules":
      return `  ${counted(progress.executions, "execution")} of schedules`;
  }
}

/** Keeps the counterexamples and hands the report to the reporters; what could not be written, one line each. */
function present(
  session: Session,
  report: ExploreReport,
  reporters: readonly Reporter[],
  outputDir: string,
): readonly string[] {
  const kept = keepExplored(session, report, outputDir);
  const unwritten = deliver(session, reporters, {
    terminal: (canvas) => explorationText(report, { canvas, detail: session.detail, keptAt: kept.at }),
    json: () => reportJson(report),
    junit: () => junitXml([explorationSuite(report)]),
  });
  return [...kept.failures, ...unwritten];
}
