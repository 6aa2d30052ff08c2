import type { Command } from "commander";
import { counted, printable } from "../../report/text.js";
import { exitCodes } from "../exit-codes.js";
import type { Session } from "../session.js";
import type { Verb } from "../verb.js";
import { mistakeLine, optionHelp, rulesHere, warningLine } from "./rules-here.js";

type Flags = { readonly rules?: readonly string[]; readonly strict?: boolean };

/** `rules check`: every mistake and every warning of a rule set. */
export function addRulesCheck(rules: Command, verb: Verb): void {
  const command = rules
    .command("check")
    .description("tell every mistake in the rules, and what is likely not meant")
    .option("--rules <path...>", optionHelp.rules)
    .option("--strict", "exit with 1 when there are warnings");
  verb(command, async (session) => check(session, command.opts<Flags>()));
}

function check(session: Session, { rules: paths, strict }: Flags): number {
  const { stdout } = session.io;
  const { paint } = session.canvas(stdout);
  const say = (line: string) => stdout.write(`${line}\n`);
  const here = rulesHere(session, paths);
  if (here.kind === "refused") {
    for (const mistake of here.mistakes) say(`${paint.red("error")}    ${printable(mistakeLine(mistake))}`);
    say(
      paint.red(
        `✗ ${counted(here.mistakes.length, "mistake")}: none of these rules is used until all are right`,
      ),
    );
    return exitCodes.usage;
  }
  const { rules, warnings } = here;
  for (const warning of warnings) say(`${paint.yellow("warning")}  ${printable(warningLine(warning))}`);
  const sum = `${counted(rules.length, "rule")}, ${counted(warnings.length, "warning")}`;
  const isRefused = strict === true && warnings.length > 0;
  say(isRefused ? paint.red(`✗ ${sum}`) : paint.green(`✓ ${sum}`));
  return isRefused ? exitCodes.violated : exitCodes.holds;
}
