import type { Command } from "commander";
import { defaults, defaultWorkers, largestWorkers } from "../config/defaults.js";
import { variable } from "../config/environment.js";
import { oneOf, wholeNumber } from "../config/values.js";
import { reportJson } from "../report/json.js";
import { junitXml } from "../report/junit.js";
import { selftestSuite, selftestText } from "../report/selftest.js";
import { counted } from "../report/text.js";
import type { SelftestReport } from "../selftest/selftest.js";
import { exitCodes, interruptedCode } from "./exit-codes.js";
import { progressLine } from "./progress-line.js";
import { deliver, readReporters } from "./reporters.js";
import { note, type Session } from "./session.js";
import { collected, type Verb } from "./verb.js";

type Flags = {
  readonly seeds?: string;
  readonly only?: readonly string[];
  readonly workers?: string;
  readonly reporter?: readonly string[];
};

/** `selftest`: executors that are known to be wrong, each of which the harness must catch. */
export function addSelftest(program: Command, verb: Verb): void {
  const command = program
    .command("selftest")
    .description("hold the harness against executors with known bugs: each must be caught")
    .option("--seeds <n>", `seeds for each bug (default: ${defaults.selftestSeeds})`)
    .option("--only <bug>", "only this bug, repeatable", collected)
    .option("--workers <n>", "workers (default: one for each processor)")
    .option("--reporter <name[:file]>", "terminal, json or junit; repeatable", collected);
  verb(command, (session) => selftest(session, command.opts<Flags>()));
}

async function selftest(session: Session, flags: Flags): Promise<number> {
  const { signal, stderr } = session.io;
  const seeds =
    flags.seeds === undefined
      ? defaults.selftestSeeds
      : wholeNumber({ text: flags.seeds, place: `--seeds ${flags.seeds}` }, 1, 10_000);
  const bugs = await session.engine.bugs();
  const only = flags.only?.map((text) => oneOf({ text, place: `--only ${text}` }, "faulty executor", bugs));
  const workers = workersOf(session, flags.workers);
  const reporters = readReporters(session, flags.reporter);
  note(
    session,
    `testing ${counted(only?.length ?? bugs.length, "faulty executor")} with ${counted(seeds, "seed")} each`,
  );
  const line = progressLine(session);
  let report: SelftestReport;
  try {
    report = await session.engine.selftest({
      ...{ seeds, only, workers, signal },
      progress: ({ bugs: done, of }) => line.show(() => `  ${done} of ${counted(of, "faulty executor")}`),
    });
  } finally {
    line.wipe();
  }
  const unwritten = deliver(session, reporters, {
    terminal: (canvas) => selftestText(report, { canvas, detail: session.detail }),
    json: () => reportJson(report),
    junit: () => junitXml([selftestSuite(report)]),
  });
  for (const failure of unwritten) stderr.write(`error: not written: ${failure}\n`);
  if (signal.aborted) return interruptedCode(signal);
  const code = selftestCode(report);
  return code === exitCodes.holds && unwritten.length > 0 ? exitCodes.undecided : code;
}

function selftestCode(report: SelftestReport): number {
  if (report.rows.length === 0) return exitCodes.undecided;
  return report.verdict === "all_caught" ? exitCodes.holds : exitCodes.violated;
}

function workersOf(session: Session, flag: string | undefined): number {
  const given =
    flag === undefined
      ? variable(session.environment, "WORKERS")
      : { text: flag, place: `--workers ${flag}` };
  return given === undefined ? defaultWorkers() : wholeNumber(given, 1, largestWorkers);
}
