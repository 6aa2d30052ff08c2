import { Command, CommanderError } from "commander";
import { nearest } from "../config/nearest.js";
import { UsageError } from "../config/usage-error.js";
import { version } from "../config/version.js";
import { addDemo } from "./demo.js";
import type { Engine } from "./engine.js";
import { exitCodes } from "./exit-codes.js";
import { addExplore } from "./explore.js";
import type { Io } from "./io.js";
import { addMergeReports } from "./merge-reports.js";
import { addMinimise } from "./minimise.js";
import { realEngine } from "./real-engine.js";
import { addReplay } from "./replay.js";
import { addRules } from "./rules/rules.js";
import { addRun } from "./run.js";
import { addSelftest } from "./selftest.js";
import { type GlobalFlags, openSession } from "./session.js";
import { addShow } from "./show.js";
import type { Verb } from "./verb.js";

/**
 * The program.
 *
 * @param argv what follows the program's name
 * @returns the exit code
 */
export async function main(argv: readonly string[], io: Io, engine: Engine = realEngine): Promise<number> {
  let code: number = exitCodes.usage;
  const program = createProgram(io, (command, work) => {
    command.action(async () => {
      code = await work(openSession(command.optsWithGlobals<GlobalFlags>(), io, engine));
    });
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    return failed(error, argv, program, io);
  }
}

function createProgram(io: Io, verb: Verb): Command {
  const program = new Command("commitpoint")
    .description(
      "Drives an executor of guarded tool calls through generated interleavings and judges what it leaves behind.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .option("--config <file>", "configuration (default: commitpoint.config.{ts,mts,js,mjs})")
    .option("--no-color", "no colours")
    .option("--quiet", "only failures and the verdict")
    .option("--verbose", "more detail")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: () => {},
    })
    .showSuggestionAfterError(false)
    .exitOverride();
  const verbs = [
    ...[addRun, addExplore, addReplay, addMinimise, addShow, addSelftest, addMergeReports],
    ...[addRules, addDemo],
  ];
  for (const add of verbs) add(program, verb);
  return program.addHelpText("after", exitCodeHelp);
}

const exitCodeHelp = `
Exit codes: 0 all promises hold; 1 a promise is violated or vacuous; 2 wrong use; 3 undecided or broken;
130 and 143 interrupted. Variables COMMITPOINT_SEED, COMMITPOINT_RUNS, ... stand in for flags.`;

function failed(error: unknown, argv: readonly string[], program: Command, io: Io): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.holds;
    // Called without a verb, the help is the message.
    if (error.code !== "commander.help") tell(io, commanderMistake(error, argv, program));
    return exitCodes.usage;
  }
  if (error instanceof UsageError) {
    tell(io, error);
    return exitCodes.usage;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.stderr.write(`error: commitpoint itself failed, which says nothing about the executor\n${detail}\n`);
  return exitCodes.undecided;
}

function tell(io: Io, { message, place, nextStep }: UsageError): void {
  const [first, ...others] = message.split("\n");
  io.stderr.write(`error: ${first}\n`);
  for (const other of others) io.stderr.write(`       ${other}\n`);
  if (place !== "") io.stderr.write(`  at   ${place}\n`);
  if (nextStep !== "") io.stderr.write(`  next ${nextStep}\n`);
}

/** The same manner for what commander finds wrong: the place, and the nearest right word. */
function commanderMistake(error: CommanderError, argv: readonly string[], program: Command): UsageError {
  const command = calledCommand(program, argv);
  const name = fullName(command);
  const message = error.message.replace(/^error: /, "");
  const word = /unknown (?:option|command) '([^']*)'/.exec(message)?.[1];
  const guess = word === undefined ? "" : guessed(error.code, word, command, program);
  return new UsageError({ message: message + guess, place: name, nextStep: `See ${name} --help.` });
}

/** The verb that the words lead to, verbs of verbs included; the program itself where they lead to none. */
function calledCommand(command: Command, words: readonly string[]): Command {
  const [word, ...others] = words;
  if (word === undefined) return command;
  const next = command.commands.find((one) => one.name() === word);
  return calledCommand(next ?? command, others);
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function guessed(code: string, word: string, command: Command, program: Command): string {
  if (code !== "commander.unknownOption") {
    const verb = nearest(
      word,
      command.commands.map((one) => one.name()),
    );
    return verb === undefined ? "" : ` (did you mean ${verb}?)`;
  }
  const flag = word.replace(/=.*$/, "");
  const near = nearest(flag, ["--help", ...longOptions(command), ...longOptions(program)]);
  if (near !== undefined) return ` (did you mean ${near}?)`;
  const owner = withAllBelow(program).find((one) => nearest(flag, longOptions(one)) !== undefined);
  if (owner === undefined) return "";
  const theirs = nearest(flag, longOptions(owner));
  const name = fullName(owner).replace(/^\S+ /, "");
  return theirs === flag ? ` (${name} has it)` : ` (did you mean ${theirs} of ${name}?)`;
}

function withAllBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withAllBelow)];
}

function longOptions(command: Command): readonly string[] {
  return command.options.flatMap(({ long }) => (long ? [long] : []));
}
