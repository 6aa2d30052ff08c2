import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { UsageError } from "../../config/usage-error.js";
import { version } from "../../config/version.js";
import { gateJson } from "../../report/rules/gate-json.js";
import { gateJunit } from "../../report/rules/gate-junit.js";
import { gateMarkdown } from "../../report/rules/gate-markdown.js";
import { type Baseline, type GateResult, gateResult } from "../../report/rules/gate-result.js";
import { gateTerminal } from "../../report/rules/gate-terminal.js";
import { sarif } from "../../report/rules/sarif.js";
import { compareWithBaseline, readBaseline } from "../../rules/baseline.js";
import { gate } from "../../rules/gate.js";
import { exitCodes } from "../exit-codes.js";
import { deliver, readReportersAmong } from "../reporters.js";
import { note, type Session, shownPath } from "../session.js";
import { collected, type Verb } from "../verb.js";
import { languageOf, optionHelp, severitiesOf, soundRules } from "./rules-here.js";
import { readTextFile } from "./text-file.js";
import { placeText, tracesHere } from "./traces-here.js";

type Flags = {
  readonly rules?: readonly string[];
  readonly traces?: readonly string[];
  readonly format?: string;
  readonly baseline?: string;
  readonly enforceSeverity?: string;
  readonly reporter?: readonly string[];
  readonly lang?: string;
};

const reporterNames = ["terminal", "json", "sarif", "markdown", "junit"] as const;
const defaultTraces = "traces";

/** `rules gate`: recorded traces against the rules, as the guard would have decided before each call. */
export function addRulesGate(rules: Command, verb: Verb): void {
  const command = rules
    .command("gate")
    .description("hold recorded traces against the rules")
    .option("--rules <path...>", optionHelp.rules)
    .option("--traces <path...>", `trace files, or folders of them; repeatable (default: ${defaultTraces})`)
    .option("--format <format>", optionHelp.format)
    .option("--baseline <file>", "JSON report whose number of violations is put up with")
    .option("--enforce-severity <list>", optionHelp.severity)
    .option("--reporter <name[:file]>", `${reporterNames.join(", ")}; repeatable`, collected)
    .option("--lang <language>", optionHelp.lang);
  verb(command, async (session) => runGate(session, command.opts<Flags>()));
}

function runGate(session: Session, flags: Flags): number {
  const { io } = session;
  const language = languageOf(flags.lang);
  const enforced = severitiesOf(flags.enforceSeverity);
  const reporters = readReportersAmong(session, flags.reporter, reporterNames);
  const rules = soundRules(session, flags.rules);
  const traces = tracesHere(session, flags.traces ?? [defaultTraces], flags.format);
  const baseline = baselineOf(session, flags.baseline);
  const began = io.now().getTime();
  const report = gate(rules, traces, { severities: enforced });
  const result = gateResult(rules, report, { baseline, enforced });
  const ms = io.now().getTime() - began;
  const unwritten = deliver(session, reporters, {
    terminal: (canvas) => gateTerminal(result, { canvas, detail: session.detail, language }),
    json: () => gateJson(result, { version }),
    sarif: () => sarif(result, { version }),
    markdown: () => gateMarkdown(result, language),
    junit: () => gateJunit(result, ms),
  });
  for (const line of unwritten) io.stderr.write(`error: not written: ${line}\n`);
  adviseOnBaseline(session, result);
  const code = gateCode(result);
  return code === exitCodes.holds && unwritten.length > 0 ? exitCodes.undecided : code;
}

/** A missing baseline is one that is not adopted yet; a broken one must not pass for that. @throws UsageError */
function baselineOf(session: Session, file: string | undefined): Baseline {
  const { io } = session;
  if (file === undefined) return { kind: "none" };
  const path = resolve(io.cwd, file);
  const shown = shownPath(io, path);
  if (!existsSync(path)) return { kind: "not_adopted", file: shown };
  const reading = readBaseline(readTextFile(session, file, `--baseline ${file}`).text, shown);
  if (reading.kind === "baseline") return { kind: "adopted", file: shown, violations: reading.violations };
  throw new UsageError({
    message: `the baseline is broken: ${reading.mistake.message}`,
    place: placeText(reading.mistake.at),
  });
}

function adviseOnBaseline(session: Session, { baseline, report }: GateResult): void {
  const { violations } = report.counts;
  if (baseline.kind === "not_adopted") {
    note(session, `no baseline ${baseline.file} yet; --reporter json:${baseline.file} writes one`);
  } else if (
    baseline.kind === "adopted" &&
    compareWithBaseline(violations, baseline.violations) === "better"
  ) {
    note(
      session,
      `fewer violations than the baseline: --reporter json:${baseline.file} makes that the new one`,
    );
  }
}

function gateCode({ verdict }: GateResult): number {
  switch (verdict.kind) {
    case "holds":
    case "within_baseline":
      return exitCodes.holds;
    case "violated":
      return exitCodes.violated;
    case "inconclusive":
    case "nothing_judged":
      return exitCodes.undecided;
  }
}
