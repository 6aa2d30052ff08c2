import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scratchFolder } from "../src/cli/scratch.js";
import { faultyWorkspaces } from "../src/sut/faulty/workspace/faulty-workspaces.js";
import { opensAFifo } from "../src/sut/faulty/workspace/opens-a-fifo.js";
import { soundSteps } from "../src/sut/tools/workspace-steps.js";
import { type RaceFigures, race } from "./workspace/race.js";

const usage = "use: bench/workspace-race [tries, 30000 unless told]";

/**
 * Runs the sound workspace and each known bug of one against a process that swaps links, and prints what leaked.
 * The bug about pipes leaks nothing and waits for ever instead, which a limit of time shows.
 */
async function workspaceRace(tries: number): Promise<boolean> {
  const sound = await race(scratchFolder(), soundSteps, tries);
  tell("sound", sound);
  let isAsExpected = leaks(sound) === 0 && sound.leftOver === 0;
  for (const { name, steps } of faultyWorkspaces) {
    const isAboutPipes = name === opensAFifo.name;
    const figures = await race(scratchFolder(), steps, tries);
    tell(name, figures);
    if (!isAboutPipes && leaks(figures) === 0) isAsExpected = false;
  }
  for (const [name, waits] of [
    ["sound", false],
    [opensAFifo.name, true],
  ] as const) {
    const answer = readPipe(name);
    console.log(`${name}: a pipe without a writer: ${answer ?? "no answer in 3 s, killed"}`);
    if ((answer === undefined) !== waits) isAsExpected = false;
  }
  return isAsExpected;
}

function leaks({ madeOutside, readOutside }: RaceFigures): number {
  return madeOutside + readOutside;
}

function tell(name: string, figures: RaceFigures): void {
  const refused = [...figures.refused].map(([code, count]) => `${code} ${count}`).join(", ");
  console.log(
    `${name}: ${figures.tries} tries, ${figures.created} created, ${figures.read} read; refused: ${refused}\n` +
      `  files made outside ${figures.madeOutside}, texts read from outside ${figures.readOutside}, ` +
      `files left over ${figures.leftOver}`,
  );
}

function readPipe(name: string): string | undefined {
  const root = scratchFolder();
  execFileSync("mkfifo", [join(root, "pipe")]);
  const program = fileURLToPath(new URL("workspace/one-call.ts", import.meta.url));
  const args = ["--import", "tsx", program, name, root, "read", "pipe"];
  const { stdout, signal } = spawnSync(process.execPath, args, { timeout: 3000, encoding: "utf8" });
  return signal === null ? stdout.replace("calling\n", "").trim() : undefined;
}

const [tries = "30000"] = process.argv.slice(2);
if (!/^[1-9][0-9]{0,7}$/.test(tries)) {
  console.error(usage);
  process.exitCode = 2;
} else if (!(await workspaceRace(Number(tries)))) {
  console.error("not as expected: the sound one must leak nothing, each known bug must show itself");
  process.exitCode = 1;
}
