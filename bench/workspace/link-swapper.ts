import { linkSync, renameSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { noteName, raceGround, swapped } from "./race-ground.js";

/** Two acts that undo each other, done by turns. */
type Swap = readonly [away: () => void, back: () => void];

/**
 * The second process of a race: swaps names of the workspace for links out of it and back, as fast as it can and in
 * no order, so that every name is swapped about half of the time. Ends when it is killed or its parent is gone.
 */
function swapForEver(scratch: string): void {
  const swaps = swapsOf(scratch);
  const turns = swaps.map(() => 0);
  const parent = process.ppid;
  console.log("ready");
  while (process.ppid === parent) {
    for (let round = 0; round < 100; round += 1) {
      const index = Math.floor(Math.random() * swaps.length);
      const turn = turns[index] ?? 0;
      swaps[index]?.[turn === 0 ? 0 : 1]();
      turns[index] = 1 - turn;
    }
  }
}

function swapsOf(scratch: string): readonly Swap[] {
  const { workspace, outside, elsewhere } = raceGround(scratch);
  const place = (name: string): string => join(workspace, name);
  const note = join(outside, noteName);
  const absent = place(swapped.absent);
  const moved = join(elsewhere, swapped.moving);
  return [
    instead(place(swapped.folder), (path) => symlinkSync(outside, path)),
    instead(place(swapped.note), (path) => symlinkSync(note, path)),
    instead(place(swapped.hard), (path) => linkSync(note, path)),
    [
      // The tool works on the same name: its file may be in the way, or cleared away with the link.
      () => tried(() => symlinkSync(join(outside, swapped.absent), absent)),
      () => tried(() => unlinkSync(absent)),
    ],
    [() => renameSync(place(swapped.moving), moved), () => renameSync(moved, place(swapped.moving))],
  ];
}

/** Puts something else at a path for a while; the real thing waits beside it. */
function instead(path: string, put: (path: string) => void): Swap {
  const parked = `${path}.parked`;
  return [
    () => {
      renameSync(path, parked);
      put(path);
    },
    () => {
      unlinkSync(path);
      renameSync(parked, path);
    },
  ];
}

function tried(act: () => void): void {
  try {
    act();
  } catch {
    // As said where it is called.
  }
}

swapForEver(process.argv[2] ?? "");
