import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { UsageError } from "../../config/usage-error.js";
import { oneOf } from "../../config/values.js";
import { printable } from "../../report/text.js";
import type { Export } from "../../rules/export/exported.js";
import { exportNemo } from "../../rules/export/nemo.js";
import { exportPromptfoo } from "../../rules/export/promptfoo.js";
import { exitCodes } from "../exit-codes.js";
import { note, type Session, shownPath } from "../session.js";
import type { Verb } from "../verb.js";
import { checkFileWritable, writeWhole } from "../write-whole.js";
import { declaredTools } from "./declared-tools.js";
import { required } from "./required.js";
import { optionHelp, soundRules } from "./rules-here.js";
import { readTextFile } from "./text-file.js";

type Flags = {
  readonly to?: string;
  readonly rules?: readonly string[];
  readonly tools?: string;
  readonly out?: string;
  readonly force?: boolean;
};

const targets = ["promptfoo", "nemo"] as const;

/** `rules export`: the rules as the configuration of another tool, with a list of what it cannot say. */
export function addRulesExport(rules: Command, verb: Verb): void {
  const command = rules
    .command("export")
    .description("write the rules as a configuration of promptfoo or NeMo Guardrails")
    .option("--to <target>", `${targets.join(" or ")}; required`)
    .option("--rules <path...>", optionHelp.rules)
    .option("--tools <file>", "JSON with the tools and their parameters, for nemo")
    .option("--out <file>", "file to write (default: stdout)")
    .option("--force", "overwrite the file to write");
  verb(command, async (session) => runExport(session, command.opts<Flags>()));
}

function runExport(session: Session, flags: Flags): number {
  const { io } = session;
  const { text, untranslated } = exportedAs(session, flags);
  for (const { rule, assertion, reason } of untranslated) {
    io.stderr.write(`warning: not translated: rule ${printable(rule)}, ${assertion}: ${printable(reason)}\n`);
  }
  if (flags.out === undefined) {
    io.stdout.write(text);
    return exitCodes.holds;
  }
  const target = resolve(io.cwd, flags.out);
  const place = `--out ${flags.out}`;
  if (existsSync(target) && flags.force !== true) {
    throw new UsageError({
      message: `${shownPath(io, target)} exists already`,
      place,
      nextStep: "Overwrite it with --force, or name another file with --out.",
    });
  }
  checkFileWritable(target, place);
  writeWhole(target, text);
  note(session, `wrote ${shownPath(io, target)}`);
  return exitCodes.holds;
}

function exportedAs(session: Session, flags: Flags): Export {
  const text = required(flags.to, "--to <target>", "export");
  const target = oneOf({ text, place: `--to ${text}` }, "target", targets);
  switch (target) {
    case "promptfoo":
      if (flags.tools !== undefined) {
        throw new UsageError({
          message: "--tools says what nemo declares; promptfoo takes no list of tools",
          place: `--tools ${flags.tools}`,
        });
      }
      return exportPromptfoo(soundRules(session, flags.rules));
    case "nemo": {
      const place = `--tools ${flags.tools}`;
      const tools =
        flags.tools === undefined ? [] : declaredTools(readTextFile(session, flags.tools, place).text, place);
      return exportNemo(soundRules(session, flags.rules), tools);
    }
  }
}
