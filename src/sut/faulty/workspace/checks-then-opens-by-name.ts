import { constants, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { workspacePath } from "../../tools/workspace-path.js";
import { refusal } from "../../tools/workspace-refusals.js";
import { soundSteps } from "../../tools/workspace-steps.js";
import type { FaultyWorkspace } from "./faulty-workspace.js";

/** The mistake: what was checked is a name, and the name may lead elsewhere by the time it is opened. */
export const checksThenOpensByName: FaultyWorkspace = {
  name: "checks-then-opens-by-name",
  says: "checks the folder's real path, then opens the folder by its name",
  steps: {
    ...soundSteps,
    find: (root, path) => {
      const parsed = workspacePath(path);
      if (parsed.kind === "refused") return parsed;
      const place = join(root.name, ...parsed.folders);
      if (realpathSync(place) !== join(realpathSync(root.name), ...parsed.folders)) return refusal("link");
      askThePolicy();
      const descriptor = openSync(place, constants.O_RDONLY | constants.O_DIRECTORY);
      const folder = { descriptor, processFolder: root.folder.processFolder };
      return { kind: "place", folder, leaf: parsed.leaf, isInside: () => true };
    },
  },
};

/**
 * Between its check and its call an executor asks a policy or a person; here it waits a tenth of a millisecond. It
 * is no mistake of its own: without it the same happens, more rarely.
 */
function askThePolicy(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.1);
}
