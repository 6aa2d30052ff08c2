import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { UsageError } from "../../config/usage-error.js";
import { wrapped } from "../../report/text.js";
import { initFiles } from "../../rules/init/init-files.js";
import { exitCodes } from "../exit-codes.js";
import { type Session, shownPath } from "../session.js";
import type { Verb } from "../verb.js";
import { checkFileWritable, writeWhole } from "../write-whole.js";

type Flags = { readonly force?: boolean };

/** `rules init`: rules to begin with, a baseline on which they hold and an incident that breaks them. */
export function addRulesInit(rules: Command, verb: Verb): void {
  const command = rules
    .command("init")
    .description("write rules to begin with, a clean baseline and an incident that they catch")
    .argument("[folder]", "where to write them (default: here)")
    .option("--force", "overwrite files that are there");
  verb(command, async (session) => init(session, command.args[0] ?? ".", command.opts<Flags>()));
}

function init(session: Session, folder: string, { force }: Flags): number {
  const { io } = session;
  const files = initFiles().map(({ path, ...rest }) => {
    const target = resolve(io.cwd, folder, path);
    return { ...rest, target, shown: shownPath(io, target) };
  });
  const there = files.filter(({ target }) => existsSync(target));
  if (there.length > 0 && force !== true) {
    throw new UsageError({
      message: [
        "nothing was written, for these files exist already",
        ...there.map(({ shown }) => shown),
      ].join("\n"),
      place: shownPath(io, folder),
      nextStep: "Name another folder, or overwrite them with --force.",
    });
  }
  for (const { target, shown } of files) checkFileWritable(target, shown);
  const { paint, width } = session.canvas(io.stdout);
  for (const { target, shown, text, about } of files) {
    writeWhole(target, text);
    const lines = wrapped(about, width - 4).map((line) => paint.dim(`    ${line}`));
    io.stdout.write(`wrote ${paint.bold(shown)}\n${lines.join("\n")}\n`);
  }
  const at = folder === "." ? "" : `cd ${folder} && `;
  const next = [
    `${at}npx commitpoint rules gate                      # green: the rules hold on the baseline`,
    `${at}npx commitpoint rules gate --traces examples    # red: they catch the incident`,
  ];
  io.stdout.write(`\nnext\n${next.map((line) => `    ${line}`).join("\n")}\n`);
  return exitCodes.holds;
}
