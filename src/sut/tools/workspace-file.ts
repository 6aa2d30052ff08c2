import { closeSync, fstatSync, ftruncateSync, lstatSync, readSync, unlinkSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { closeFolder, entryOf, hasDescriptorPaths, openFolder } from "./descriptors.js";
import { refusal, refusedBySystem, type WorkspaceRefusal } from "./workspace-refusals.js";
import { type Place, type Root, soundSteps, type WorkspaceSteps } from "./workspace-steps.js";

/** Every answer is data: nothing is thrown for a path, a content or anything the system says. */
export type Workspace = {
  /**
   * Makes a new file of mode 0600 that holds the content, or leaves nothing behind. Folders are not made, no file is
   * replaced. A process killed within leaves the file short, and nothing is synced against a loss of power.
   */
  readonly create: (path: string, content: string) => { readonly kind: "created" } | WorkspaceRefusal;
  /** The whole text of a file, at most 1 MiB. */
  readonly read: (path: string) => { readonly kind: "read"; readonly content: string } | WorkspaceRefusal;
  /** Gives up the root; later calls are refused. */
  readonly close: () => void;
};

export type WorkspaceOpening = { readonly kind: "opened"; readonly workspace: Workspace } | WorkspaceRefusal;

export type WorkspaceOptions = {
  readonly steps?: WorkspaceSteps;
  /** Where the system shows this process's open files; elsewhere than in /proc/self only for tests. */
  readonly processFolder?: string;
};

/**
 * Opens a folder in which files are created and read and beside which none is, whatever links, hard links, pipes or
 * mounts are put in the way, before or meanwhile. No text is compared with the root's name. The workspace is the
 * folder itself: if it is moved, the workspace has moved. Refused where the system has no /proc/self/fd.
 *
 * What remains: who may move a folder of the workspace out of it can have an empty file made there for a moment,
 * between its creation and the look from there up to the root, which takes it back; who moves several folders in
 * turn can deceive that look; and moved after it, a folder takes the file along. A workspace on a mount of its own
 * ends all three, for nothing can be moved out of a mount. A file that is taken back and swapped for another between
 * the look and the unlink costs that other, in the same folder. On a network's file system other machines' changes
 * may show late.
 *
 * @param root absolute, in plain form, itself no link; links before its last name are followed
 */
export function openWorkspace(root: string, options: WorkspaceOptions = {}): WorkspaceOpening {
  const { steps = soundSteps, processFolder = "/proc/self" } = options;
  if (root !== resolve(root) || root.includes("\0")) return refusal("root_name");
  try {
    const folder = openFolder(processFolder, root);
    if (!hasDescriptorPaths(folder)) {
      closeFolder(folder);
      return refusal("no_descriptor_paths");
    }
    return { kind: "opened", workspace: workspaceAt({ folder, name: root }, steps) };
  } catch (error) {
    return refusedBySystem(error);
  }
}

function workspaceAt(root: Root, steps: WorkspaceSteps): Workspace {
  let isOpen = true;
  return {
    create: (path, content) => {
      if (!isOpen) return refusal("closed");
      if (Buffer.byteLength(content) > mostBytes) return refusal("too_large");
      if (loneHalf.test(content)) return refusal("not_text");
      return withPlace(root, steps, path, (place) => createAt(root, steps, place, content));
    },
    read: (path) => {
      if (!isOpen) return refusal("closed");
      return withPlace(root, steps, path, (place) => readAt(root, steps, place));
    },
    close: () => {
      if (isOpen) closeFolder(root.folder);
      // The number may be another file's by the next call.
      isOpen = false;
    },
  };
}

const mostBytes = 1024 * 1024;
/** UTF-8 has no form for it, so what is read back would be another text. */
const loneHalf = /\p{Cs}/u;

function withPlace<Answer>(
  root: Root,
  steps: WorkspaceSteps,
  path: string,
  act: (place: Place) => Answer,
): Answer | WorkspaceRefusal {
  try {
    const place = steps.find(root, path);
    if (place.kind === "refused") return place;
    try {
      return act(place);
    } finally {
      closeFolder(place.folder);
    }
  } catch (error) {
    return refusedBySystem(error);
  }
}

function createAt(
  root: Root,
  steps: WorkspaceSteps,
  place: Place,
  content: string,
): { readonly kind: "created" } | WorkspaceRefusal {
  const file = steps.openNew(place);
  let isWhole = false;
  try {
    // Looked at while it is empty, so that a file in the wrong place never holds a byte.
    const code = steps.faultOf(root, place, file) ?? (place.isInside() ? undefined : "outside");
    if (code !== undefined) return refusal(code);
    writeFileSync(file, content);
    isWhole = true;
    return { kind: "created" };
  } finally {
    if (!isWhole) takeBack(place, file);
    closeSync(file);
  }
}

/** Empties the file wherever it is now, and removes its name if that is still this file's. */
function takeBack({ folder, leaf }: Place, file: number): void {
  try {
    ftruncateSync(file);
    const made = fstatSync(file, { bigint: true });
    const found = lstatSync(entryOf(folder, leaf), { bigint: true });
    if (found.dev === made.dev && found.ino === made.ino) unlinkSync(entryOf(folder, leaf));
  } catch {
    // The name is gone or another's: the refusal on its way says what went wrong first.
  }
}

function readAt(
  root: Root,
  steps: WorkspaceSteps,
  place: Place,
): { readonly kind: "read"; readonly content: string } | WorkspaceRefusal {
  const file = steps.openOld(place);
  try {
    const code = steps.faultOf(root, place, file) ?? (place.isInside() ? undefined : "outside");
    return code === undefined ? readWhole(file) : refusal(code);
  } finally {
    closeSync(file);
  }
}

function readWhole(file: number): { readonly kind: "read"; readonly content: string } | WorkspaceRefusal {
  const { size } = fstatSync(file);
  if (size > mostBytes) return refusal("too_large");
  // One byte more than there should be, to see whether there is more.
  const bytes = Buffer.alloc(size + 1);
  let length = 0;
  for (let got = -1; got !== 0 && length <= size; length += got)
    got = readSync(file, bytes, { offset: length });
  if (length > size) return refusal("changed_meanwhile");
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { kind: "read", content: decoder.decode(bytes.subarray(0, length)) };
  } catch {
    return refusal("not_text");
  }
}
