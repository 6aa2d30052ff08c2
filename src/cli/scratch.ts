import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Memory-backed where the system has it: executors commit durably, and a disk's sync would be most of a run. */
const memoryBacked = "/dev/shm";

const made = new Set<string>();
let isWatching = false;

/** A new empty folder that is gone again when the process ends, however it ends short of a kill. */
export function scratchFolder(): string {
  if (!isWatching) {
    process.on("exit", removeScratchFolders);
    isWatching = true;
  }
  const folder = mkdtempSync(join(scratchRoot(), "commitpoint-"));
  made.add(folder);
  return folder;
}

export function removeScratchFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  made.delete(folder);
}

function removeScratchFolders(): void {
  for (const folder of made) removeScratchFolder(folder);
}

function scratchRoot(): string {
  try {
    accessSync(memoryBacked, constants.W_OK);
    return memoryBacked;
  } catch {
    return tmpdir();
  }
}
