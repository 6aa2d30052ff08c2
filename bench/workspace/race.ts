import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openWorkspace, type Workspace } from "../../src/sut/tools/workspace-file.js";
import type { WorkspaceSteps } from "../../src/sut/tools/workspace-steps.js";
import {
  insideText,
  layOut,
  noteName,
  outsideText,
  type RaceGround,
  raceGround,
  swapped,
} from "./race-ground.js";

/** What came of a race. Counts. */
export type RaceFigures = {
  readonly tries: number;
  readonly created: number;
  readonly read: number;
  /** By code, in the order of their first appearance. */
  readonly refused: ReadonlyMap<string, number>;
  /** Files that were made in the outside folder. */
  readonly madeOutside: number;
  /** Reads that answered with a text from outside. */
  readonly readOutside: number;
  /** Files in the workspace that no answer speaks of, or that do not hold what was to be written. */
  readonly leftOver: number;
};

/**
 * Creates and reads files while a second process swaps links in and out. The scratch folder must be empty and is
 * empty again afterwards.
 */
export async function race(scratch: string, steps: WorkspaceSteps, tries: number): Promise<RaceFigures> {
  const ground = raceGround(scratch);
  layOut(ground);
  const opening = openWorkspace(ground.workspace, { steps });
  if (opening.kind === "refused") throw new Error(opening.says);
  const swapper = await startSwapper(scratch);
  const tally = newTally();
  try {
    for (let number = 0; number < tries; number += 1) {
      oneTry(opening.workspace, number, tally);
      tally.madeOutside += removeMade(ground);
      freeName(join(ground.workspace, swapped.absent));
    }
  } finally {
    await stop(swapper);
    opening.workspace.close();
  }
  bringHome(ground);
  const leftOver = countLeftOver(ground, tally);
  const readOutside = tally.readOutside + (noteIsUntouched(ground) ? 0 : 1);
  for (const folder of Object.values(ground)) rmSync(folder, { recursive: true });
  return { ...tally, readOutside, leftOver, tries };
}

type Tally = {
  created: number;
  read: number;
  madeOutside: number;
  readOutside: number;
  readonly refused: Map<string, number>;
  readonly paths: Set<string>;
};

function newTally(): Tally {
  return { created: 0, read: 0, madeOutside: 0, readOutside: 0, refused: new Map(), paths: new Set() };
}

const reads: readonly string[] = [`${swapped.folder}/${noteName}`, swapped.note, swapped.hard];

/** Creates and reads by turns, each at every name that is swapped. */
function oneTry(workspace: Workspace, number: number, tally: Tally): void {
  const fresh = `try-${number}.txt`;
  const creates = [`${swapped.folder}/${fresh}`, swapped.absent, `${swapped.moving}/${fresh}`];
  const turn = number % (creates.length + reads.length);
  const toCreate = creates[turn];
  const answer =
    toCreate === undefined
      ? workspace.read(reads[turn - creates.length] ?? "")
      : workspace.create(toCreate, insideText);
  if (answer.kind === "refused") {
    tally.refused.set(answer.code, (tally.refused.get(answer.code) ?? 0) + 1);
  } else if (answer.kind === "read") {
    tally.read += 1;
    if (answer.content === outsideText) tally.readOutside += 1;
  } else {
    tally.created += 1;
    if (toCreate !== undefined) tally.paths.add(toCreate);
  }
}

function removeMade({ outside }: RaceGround): number {
  const made = readdirSync(outside).filter((name) => name !== noteName);
  for (const name of made) unlinkSync(join(outside, name));
  return made.length;
}

/** A file is in the way of the next try; a link is the swapper's. */
function freeName(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === true) rmSync(path, { force: true });
}

function noteIsUntouched({ outside }: RaceGround): boolean {
  return readFileSync(join(outside, noteName), "utf8") === outsideText;
}

/** The swapper was killed at any moment: a folder may be parked or moved out. */
function bringHome({ workspace, elsewhere }: RaceGround): void {
  const folder = join(workspace, swapped.folder);
  if (existsSync(`${folder}.parked`)) {
    rmSync(folder, { force: true });
    renameSync(`${folder}.parked`, folder);
  }
  const moved = join(elsewhere, swapped.moving);
  if (existsSync(moved)) renameSync(moved, join(workspace, swapped.moving));
}

function countLeftOver({ workspace }: RaceGround, { paths }: Tally): number {
  return [swapped.folder, swapped.moving].flatMap((folder) =>
    readdirSync(join(workspace, folder)).filter((name) => {
      if (name === noteName) return false;
      const path = `${folder}/${name}`;
      return !paths.has(path) || readFileSync(join(workspace, path), "utf8") !== insideText;
    }),
  ).length;
}

async function startSwapper(scratch: string): Promise<ChildProcess> {
  const program = fileURLToPath(new URL("link-swapper.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program, scratch], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((ready, fail) => {
    child.stdout.once("data", () => ready());
    child.once("exit", (code) => fail(new Error(`the link swapper ended before it began, with ${code}`)));
  });
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`the link swapper ended early, with ${child.exitCode}`);
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await ended;
}
