import { constants, openSync, readlinkSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { closeFolder } from "../../tools/descriptors.js";
import { refusal } from "../../tools/workspace-refusals.js";
import { soundSteps } from "../../tools/workspace-steps.js";
import type { FaultyWorkspace } from "./faulty-workspace.js";

/**
 * The mistake: the folder's true name is asked of the system, of the open folder itself, and then compared as text;
 * `/srv/workspace-old` begins with `/srv/workspace`.
 */
export const checksWithAPrefixTest: FaultyWorkspace = {
  name: "checks-with-a-prefix-test",
  says: "takes a folder for inside if its name begins with the root's name",
  steps: {
    ...soundSteps,
    find: (root, path) => {
      if (path.includes("\0")) return refusal("name_characters");
      const { processFolder } = root.folder;
      const place = resolve(root.name, path);
      const descriptor = openSync(dirname(place), constants.O_RDONLY | constants.O_DIRECTORY);
      const folder = { descriptor, processFolder };
      const isInside = (): boolean => readlinkSync(`${processFolder}/fd/${descriptor}`).startsWith(root.name);
      if (isInside()) return { kind: "place", folder, leaf: basename(place), isInside };
      closeFolder(folder);
      return refusal("outside");
    },
  },
};
