import type { Command } from "commander";
import { tableLines } from "../../report/table.js";
import { printable, wrapped } from "../../report/text.js";
import { type Enforcement, type RuleRow, rulesList } from "../../rules/load/rules-list.js";
import { exitCodes } from "../exit-codes.js";
import type { Session } from "../session.js";
import type { Verb } from "../verb.js";
import { optionHelp, rulesHere, severitiesOf, sound, warningLine } from "./rules-here.js";

type Flags = { readonly rules?: readonly string[]; readonly enforceSeverity?: string };

/** `rules list`: every rule, where it is enforced and which tools it names. */
export function addRulesList(rules: Command, verb: Verb): void {
  const command = rules
    .command("list")
    .description("list the rules, where each is enforced and which tools it names")
    .option("--rules <path...>", optionHelp.rules)
    .option("--enforce-severity <list>", optionHelp.severity);
  verb(command, async (session) => list(session, command.opts<Flags>()));
}

function list(session: Session, flags: Flags): number {
  const { stdout, stderr } = session.io;
  const enforced = severitiesOf(flags.enforceSeverity);
  const { rules, warnings } = sound(rulesHere(session, flags.rules));
  const { rows, guardedTools } = rulesList(rules, enforced);
  const canvas = session.canvas(stdout);
  const columns = ["rule", "severity", "ci", "runtime"].map((head) => ({ head, align: "left" }) as const);
  const lines = tableLines(
    columns,
    rows.map(({ rule, severity, ci, runtime, ...rest }) => ({
      sign: ci === "enforced" || runtime === "enforced" ? canvas.paint.green("•") : canvas.paint.dim("·"),
      cells: [rule, severity, wordOf(ci), wordOf(runtime)],
      below: belowOf(rest, canvas.width).map((line) => canvas.paint.dim(line)),
    })),
    canvas,
  );
  const guarded = guardedTools.length === 0 ? "none" : guardedTools.map(printable).join(", ");
  stdout.write(`${lines.join("\n")}\n\nguarded tools: ${guarded}\n`);
  for (const warning of warnings) stderr.write(`warning: ${warningLine(warning)}\n`);
  return exitCodes.holds;
}

function wordOf(enforcement: Enforcement): string {
  return enforcement === "off" ? "-" : enforcement;
}

function belowOf({ tools, when }: Pick<RuleRow, "tools" | "when">, width: number): readonly string[] {
  const named = tools.length === 0 ? "any" : tools.join(", ");
  return [`tools  ${named}`, `when   ${when}`].flatMap((line) =>
    wrapped(printable(line), width - 8).map((part) => `        ${part}`),
  );
}
