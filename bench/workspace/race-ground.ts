import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a race is run over, and what the second process puts in the way there. */
export type RaceGround = {
  readonly workspace: string;
  /** Its name begins with the workspace's name; holds one file, and must never hold another. */
  readonly outside: string;
  /** Where a folder of the workspace is moved to and back. */
  readonly elsewhere: string;
};

export const insideText = "inside";
export const outsideText = "outside";

/** Every file that is there to be read has the same name and says where it is. */
export const noteName = "note.txt";

/** Names in the workspace that are swapped: a folder for a link out, files for links out, a folder moved out. */
export const swapped = {
  folder: "folder",
  absent: "absent.txt",
  note: noteName,
  hard: "hard.txt",
  moving: "moving",
} as const;

export function raceGround(scratch: string): RaceGround {
  return {
    workspace: join(scratch, "workspace"),
    outside: join(scratch, "workspace-outside"),
    elsewhere: join(scratch, "elsewhere"),
  };
}

export function layOut({ workspace, outside, elsewhere }: RaceGround): void {
  for (const folder of [
    outside,
    elsewhere,
    join(workspace, swapped.folder),
    join(workspace, swapped.moving),
  ]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(outside, noteName), outsideText);
  for (const file of [swapped.note, swapped.hard, join(swapped.folder, noteName)]) {
    writeFileSync(join(workspace, file), insideText);
  }
}
