import { closeSync, constants, fstatSync, openSync } from "node:fs";
import {
  closeFolder,
  entryOf,
  type Folder,
  hasThisNameOnly,
  isSameFile,
  isSameMount,
  openFolder,
} from "./descriptors.js";
import { workspacePath } from "./workspace-path.js";
import { refusal, type WorkspaceCode, type WorkspaceRefusal } from "./workspace-refusals.js";

const { O_CREAT, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Where a path leads: an open folder, to be closed by who asked, and a name in it. */
export type Place = {
  readonly kind: "place";
  readonly folder: Folder;
  readonly leaf: string;
  /** Whether the folder lies in the workspace now. */
  readonly isInside: () => boolean;
};

/** The root as it was opened, and the name it was opened by. */
export type Root = { readonly folder: Folder; readonly name: string };

/** The steps at which a workspace can go wrong. Each may throw what the system throws. */
export type WorkspaceSteps = {
  readonly find: (root: Root, path: string) => Place | WorkspaceRefusal;
  readonly openNew: (place: Place) => number;
  readonly openOld: (place: Place) => number;
  /** What is wrong with the opened file, before a byte of it is written or read. */
  readonly faultOf: (root: Root, place: Place, file: number) => WorkspaceCode | undefined;
};

/** Follows no link, opens nothing that is not a regular file with one name on the root's mount. */
export const soundSteps: WorkspaceSteps = {
  find: (root, path) => {
    const parsed = workspacePath(path);
    if (parsed.kind === "refused") return parsed;
    const way = walk(root.folder, parsed.folders);
    if (way.kind === "refused") return way;
    const { folder } = way;
    const isInside = (): boolean => leadsUpTo(root.folder, folder, parsed.folders.length);
    return { kind: "place", folder, leaf: parsed.leaf, isInside };
  },
  // Exclusive: whatever has the name, a link that leads nowhere too, is left alone.
  openNew: ({ folder, leaf }) =>
    openSync(entryOf(folder, leaf), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY, 0o600),
  // Not to wait: a pipe without a writer would hold the whole process.
  openOld: ({ folder, leaf }) =>
    openSync(entryOf(folder, leaf), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY),
  faultOf: (root, { folder, leaf }, file) => {
    if (!fstatSync(file).isFile()) return "not_a_regular_file";
    if (!isSameMount(root.folder, file)) return "other_mount";
    return hasThisNameOnly(folder, leaf, file) ? undefined : "several_links";
  },
};

type Way = { readonly kind: "way"; readonly folder: Folder };

/** Opens one name after the other, each in the folder opened before; the last folder is the caller's to close. */
function walk(root: Folder, names: readonly string[]): Way | WorkspaceRefusal {
  let folder = openFolder(root.processFolder, entryOf(root, "."));
  try {
    for (const name of names) {
      const next = openFolder(root.processFolder, entryOf(folder, name));
      closeFolder(folder);
      folder = next;
      if (!isSameMount(root, folder.descriptor)) {
        closeFolder(folder);
        return refusal("other_mount");
      }
    }
  } catch (error) {
    closeFolder(folder);
    throw error;
  }
  return { kind: "way", folder };
}

/**
 * A folder that somebody moved out of the workspace is still open here, and no link gave it away. From where it is
 * now, as many steps up as there were down must end at the root.
 */
function leadsUpTo(root: Folder, folder: Folder, steps: number): boolean {
  const top = openFolder(root.processFolder, entryOf(folder, `./${"../".repeat(steps)}`));
  try {
    return isSameFile(root.descriptor, top.descriptor);
  } finally {
    closeSync(top.descriptor);
  }
}
