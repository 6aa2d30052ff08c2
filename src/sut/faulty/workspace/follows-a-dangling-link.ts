import { constants, fstatSync, openSync, statSync } from "node:fs";
import { entryOf, isSameMount } from "../../tools/descriptors.js";
import { soundSteps } from "../../tools/workspace-steps.js";
import type { FaultyWorkspace } from "./faulty-workspace.js";

/** The mistake: the look for an existing file follows links, and so finds none where a link leads nowhere yet. */
export const followsADanglingLink: FaultyWorkspace = {
  name: "follows-a-dangling-link",
  says: "looks whether the file is there, then creates it, both through links",
  steps: {
    ...soundSteps,
    openNew: ({ folder, leaf }) => {
      const path = entryOf(folder, leaf);
      const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
      // Exclusive only to say so: it is there.
      const exclusive = isThere ? constants.O_EXCL : 0;
      return openSync(path, constants.O_WRONLY | constants.O_CREAT | exclusive, 0o600);
    },
    // The name asked for is the link's, so only the number of names can be looked at; a
    // read is thereby weaker too, against a hard link removed while it is opened.
    faultOf: (root, _, file) => {
      const seen = fstatSync(file);
      if (!seen.isFile()) return "not_a_regular_file";
      if (!isSameMount(root.folder, file)) return "other_mount";
      return seen.nlink === 1 ? undefined : "several_links";
    },
  },
};
