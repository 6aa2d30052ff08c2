import { closeSync, constants, fstatSync, opendirSync, openSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** An open folder, and how to name what is in it without naming the folder. */
export type Folder = { readonly descriptor: number; readonly processFolder: string };

/**
 * A path to one entry of an open folder, wherever the folder is by now: the system's way to say "relative to this
 * descriptor" to a program that has no openat.
 */
export function entryOf({ descriptor, processFolder }: Folder, name: string): string {
  return `${processFolder}/fd/${descriptor}/${name}`;
}

/** Opens a folder that is itself there under this name, not through a link. Throws what the system throws. */
export function openFolder(processFolder: string, path: string): Folder {
  return { descriptor: openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), processFolder };
}

export function closeFolder({ descriptor }: Folder): void {
  closeSync(descriptor);
}

/** Two descriptors of one file or folder agree in both numbers, which JavaScript's doubles cannot always hold. */
export function isSameFile(one: number, other: number): boolean {
  const left = fstatSync(one, { bigint: true });
  const right = fstatSync(other, { bigint: true });
  return left.dev === right.dev && left.ino === right.ino;
}

/**
 * Whether both lie on one mount. The device is not enough: a bind mount shows another part of the same one.
 * Throws if the system does not tell.
 */
export function isSameMount(root: Folder, descriptor: number): boolean {
  return (
    fstatSync(root.descriptor).dev === fstatSync(descriptor).dev &&
    mountOf(root.processFolder, root.descriptor) === mountOf(root.processFolder, descriptor)
  );
}

function mountOf(processFolder: string, descriptor: number): string {
  const text = readFileSync(`${processFolder}/fdinfo/${descriptor}`, "utf8");
  const mount = /^mnt_id:\s*(\d+)$/m.exec(text)?.[1];
  if (mount === undefined)
    throw new Error(`expected fdinfo to name the mount, found ${JSON.stringify(text)}`);
  return mount;
}

/** Whether the system leads from a descriptor's path to that very folder; false also where it has no such paths. */
export function hasDescriptorPaths(folder: Folder): boolean {
  let again: Folder | undefined;
  try {
    again = openFolder(folder.processFolder, entryOf(folder, "."));
    return isSameFile(folder.descriptor, again.descriptor) && isSameMount(folder, again.descriptor);
  } catch {
    return false;
  } finally {
    if (again !== undefined) closeFolder(again);
  }
}

/**
 * Whether an open file has no name but the one it was opened by: another may lie outside the workspace. The count
 * alone proves nothing, for the name may be gone and the one left be the other. So the count comes first; then the
 * folder is read, which waits until an unlink under way in it has ended; then the system must still call the open
 * file by this folder and name, which after an unlink it never does again, even if the name is put back.
 */
export function hasThisNameOnly(folder: Folder, leaf: string, file: number): boolean {
  if (fstatSync(file).nlink !== 1) return false;
  const entries = opendirSync(entryOf(folder, "."), { bufferSize: 1 });
  try {
    entries.readSync();
  } finally {
    entries.closeSync();
  }
  const { descriptor, processFolder } = folder;
  return (
    readlinkSync(`${processFolder}/fd/${file}`) ===
    join(readlinkSync(`${processFolder}/fd/${descriptor}`), leaf)
  );
}
