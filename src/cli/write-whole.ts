import { randomUUID } from "node:crypto";
import {
  closeSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../config/usage-error.js";

/**
 * Writes a file whole or not at all: beside its place first, then moved there. Folders on the way are made.
 *
 * @param file absolute path
 */
export function writeWhole(file: string, text: string): void {
  const target = realTarget(file);
  if (target.kind === "device") {
    writeFileSync(target.path, text);
    return;
  }
  mkdirSync(dirname(target.path), { recursive: true });
  const beside = join(dirname(target.path), partName());
  try {
    writeFileSync(beside, text, { flag: "wx" });
    renameSync(beside, target.path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * Finds out, before work begins, that a file could be written later. Leaves nothing behind.
 *
 * @throws UsageError that names `place`
 */
export function checkFileWritable(file: string, place: string): void {
  if (statusOf(file)?.isDirectory() === true) {
    throw new UsageError({ message: `expected a file to write, found the folder ${file}`, place });
  }
  if (realTarget(file).kind === "device") return;
  checkFolderWritable(dirname(file), place);
  // The folder takes files; a new one must also take this name.
  if (statusOf(dirname(file)) !== undefined && statusOf(file) === undefined) tryToMake(file, place);
}

/** The same for a folder that may not exist yet: the nearest one that does must take a file. */
export function checkFolderWritable(folder: string, place: string): void {
  const existing = nearestExisting(folder);
  if (!statSync(existing).isDirectory()) {
    throw new UsageError({ message: `expected a folder, found the file ${existing}`, place });
  }
  tryToMake(join(existing, partName()), place);
}

/** Permission bits say little to root and on read-only mounts; a file that was really made says it all. */
function tryToMake(file: string, place: string): void {
  try {
    closeSync(openSync(file, "wx"));
    rmSync(file, { force: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError({ message: `cannot write into ${dirname(file)}: ${reason}`, place });
  }
}

function partName(): string {
  return `.commitpoint.${randomUUID()}.part`;
}

function nearestExisting(folder: string): string {
  if (statusOf(folder) !== undefined) return folder;
  const parent = dirname(folder);
  return parent === folder ? folder : nearestExisting(parent);
}

/** Moving a file onto a link or a device would replace it; links are followed, and devices and pipes written to directly. */
function realTarget(file: string): { readonly kind: "file" | "device"; readonly path: string } {
  const status = statusOf(file);
  if (status === undefined) return { kind: "file", path: file };
  return { kind: status.isFile() ? "file" : "device", path: realpathSync(file) };
}

/** `undefined` for what is not there, also where a file stands in the way of a folder or the name is too long. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
