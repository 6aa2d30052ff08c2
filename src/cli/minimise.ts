import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { UsageError } from "../config/usage-error.js";
import { counted } from "../report/text.js";
import { timeline } from "../report/timeline.js";
import { writeScenario } from "../scenario/write.js";
import type { Shrunk } from "./engine.js";
import { exitCodes, interruptedCode } from "./exit-codes.js";
import { replayCommand } from "./keep.js";
import { type ChosenScenario, chosenScenarios } from "./replay.js";
import { loadSessionConfig, note, type Session, shownPath } from "./session.js";
import type { Verb } from "./verb.js";
import { checkFileWritable, writeWhole } from "./write-whole.js";

type Flags = { readonly executor?: string; readonly out?: string; readonly force?: boolean };

/** `minimise`: a long scenario that breaks a promise, down to a 1-minimal one that breaks the same. */
export function addMinimise(program: Command, verb: Verb): void {
  const command = program
    .command("minimise")
    .description("shrink a scenario that breaks a promise until no step can be left out")
    .argument("<scenario>", "a file or an id")
    .option("--executor <name>", "the executor on which it breaks (default: the one it names)")
    .option("--out <file>", "file to write (default: the scenario's with .min.yaml)")
    .option("--force", "overwrite the file to write");
  verb(command, (session) => minimise(session, command.args, command.opts<Flags>()));
}

async function minimise(session: Session, wanted: readonly string[], flags: Flags): Promise<number> {
  const loaded = await loadSessionConfig(session);
  const [chosen, second] = chosenScenarios(session, wanted, flags.executor, loaded);
  if (chosen === undefined || second !== undefined) {
    throw new UsageError({
      message: "minimise takes one scenario, not a folder of them",
      place: wanted.join(" "),
    });
  }
  const target = targetOf(session, chosen.file, flags);
  note(session, `shrinking ${counted(chosen.scenario.actions.length, "step")} on ${chosen.executor.name}`);
  const shrunk = await session.engine.shrink(chosen.scenario, chosen.executor);
  const { signal } = session.io;
  if (signal.aborted) return interruptedCode(signal);
  return finish(session, chosen, shrunk, target);
}

function targetOf(session: Session, file: string, { out, force }: Flags): string {
  const { cwd } = session.io;
  const target = resolve(cwd, out ?? `${file.replace(/\.ya?ml$/i, "")}.min.yaml`);
  const place = out === undefined ? shownPath(session.io, target) : `--out ${out}`;
  if (existsSync(target) && force !== true) {
    throw new UsageError({
      message: `${shownPath(session.io, target)} exists already`,
      place,
      nextStep: "Overwrite it with --force, or name another file with --out.",
    });
  }
  checkFileWritable(target, place);
  return target;
}

function finish(session: Session, chosen: ChosenScenario, shrunk: Shrunk, target: string): number {
  const { stdout, stderr } = session.io;
  const { executor, scenario, file } = chosen;
  switch (shrunk.kind) {
    case "holds":
      throw new UsageError({
        message: `${file} breaks no promise on ${executor.name}, so there is nothing to keep while shrinking`,
        place: file,
        nextStep: "Name the executor on which it breaks one: --executor.",
      });
    case "broken":
      stderr.write(`error: ${executor.name} broke while it was tried: ${shrunk.reason}\n`);
      return exitCodes.undecided;
    case "shrunk":
      break;
  }
  const { minimal, promise } = shrunk;
  if (minimal.kind === "not_reproduced") {
    stderr.write(`error: a second try did not break ${promise} again; nothing was written\n`);
    return exitCodes.undecided;
  }
  const { lines: _, ...content } = scenario;
  const name = `${scenario.name} (minimised)`;
  writeWhole(
    target,
    writeScenario({
      ...content,
      name,
      executor: executor.name,
      actions: minimal.actions,
      expect: { violates: promise },
    }),
  );
  const canvas = session.canvas(stdout);
  const broken = { promise, position: minimal.violation.position };
  const from = counted(scenario.actions.length, "step");
  const lines = [
    ...timeline({ actions: minimal.actions, history: minimal.history, broken }, canvas),
    "",
    `  ${minimal.violation.sentence}`,
    `  ${counted(minimal.actions.length, "step")}, from ${from}; ${counted(minimal.candidatesTried, "candidate")} tried`,
    `  ${canvas.paint.bold("written to")}   ${shownPath(session.io, target)}`,
    `  ${canvas.paint.bold("replay with")}  ${canvas.paint.cyan(replayCommand(session, target))}`,
  ];
  stdout.write(`${lines.join("\n")}\n`);
  if (minimal.kind === "one_minimal") return exitCodes.holds;
  stderr.write("warning: the budget ran out; these steps may still shrink\n");
  return exitCodes.undecided;
}
