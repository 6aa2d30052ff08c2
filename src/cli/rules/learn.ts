import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { UsageError } from "../../config/usage-error.js";
import { candidatesText } from "../../report/rules/candidates.js";
import { type Hints, noHints, readHints } from "../../rules/learn/hints.js";
import { learn } from "../../rules/learn/learn.js";
import { writeCandidates } from "../../rules/learn/write-candidates.js";
import type { Rule } from "../../rules/rule.js";
import { exitCodes } from "../exit-codes.js";
import { type Session, shownPath } from "../session.js";
import type { Verb } from "../verb.js";
import { checkFileWritable, writeWhole } from "../write-whole.js";
import { required } from "./required.js";
import { defaultRules, mistakeLine, optionHelp, soundRules } from "./rules-here.js";
import { readTextFile } from "./text-file.js";
import { tracesHere } from "./traces-here.js";

type Flags = {
  readonly trace?: readonly string[];
  readonly format?: string;
  readonly rules?: readonly string[];
  readonly hints?: string;
  readonly apply?: boolean;
  readonly out?: string;
};

/** `rules learn`: rules that traces suggest, for a person to read; they are written only when asked for. */
export function addRulesLearn(rules: Command, verb: Verb): void {
  const command = rules
    .command("learn")
    .description("suggest rules for what went wrong in traces; writes nothing without --apply")
    .option("--trace <path...>", "trace files, or folders of them; repeatable; required")
    .option("--format <format>", optionHelp.format)
    .option("--rules <path...>", `existing rules to compare with (default: ${defaultRules}, if it is there)`)
    .option("--hints <file>", "YAML with the words of your tools: { destructive: [...], readonly: [...] }")
    .option("--apply", "write the candidates that are sure enough and not covered, one file each")
    .option("--out <folder>", `folder to write them into (default: ${defaultRules})`);
  verb(command, async (session) => runLearn(session, command.opts<Flags>()));
}

function runLearn(session: Session, flags: Flags): number {
  const { io } = session;
  const hints = hintsOf(session, flags.hints);
  const traces = tracesHere(session, required(flags.trace, "--trace <path...>", "learn"), flags.format);
  const candidates = learn(traces, { hints, rules: existingRules(session, flags.rules) });
  io.stdout.write(candidatesText(candidates, session.canvas(io.stdout)));
  const files = writeCandidates(candidates).map(({ fileName, text }) => {
    const target = resolve(io.cwd, flags.out ?? defaultRules, fileName);
    return { target, text, shown: shownPath(io, target) };
  });
  if (flags.apply !== true) {
    const could =
      files.length === 0 ? "" : `; --apply would write ${files.map(({ shown }) => shown).join(", ")}`;
    io.stdout.write(`nothing was written${could}\n`);
    return exitCodes.holds;
  }
  const there = files.filter(({ target }) => existsSync(target));
  if (there.length > 0) {
    throw new UsageError({
      message: [
        "nothing was written, for these files exist already",
        ...there.map(({ shown }) => shown),
      ].join("\n"),
      nextStep: "Move them away, or name another folder with --out.",
    });
  }
  for (const { target, shown } of files) checkFileWritable(target, shown);
  for (const { target, text, shown } of files) {
    writeWhole(target, text);
    io.stdout.write(`wrote ${shown}\n`);
  }
  io.stdout.write(
    files.length === 0 ? "nothing was written: no candidate is sure enough and new\n" : readThem,
  );
  return exitCodes.holds;
}

const readThem = "Read each before you rely on it: whether the refused step was wrong is yours to say.\n";

/** Without a path the usual folder, which need not be there before the first rule is. */
function existingRules(session: Session, paths: readonly string[] | undefined): readonly Rule[] {
  const isUsual = paths === undefined && !existsSync(resolve(session.io.cwd, defaultRules));
  return isUsual ? [] : soundRules(session, paths);
}

function hintsOf(session: Session, file: string | undefined): Hints {
  if (file === undefined) return noHints;
  const { text, shown } = readTextFile(session, file, `--hints ${file}`);
  const read = readHints(text, shown);
  if (read.kind === "read") return read.hints;
  throw new UsageError({ message: ["the hints are wrong", ...read.mistakes.map(mistakeLine)].join("\n") });
}
