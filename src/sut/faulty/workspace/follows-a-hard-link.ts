import { fstatSync } from "node:fs";
import { isSameMount } from "../../tools/descriptors.js";
import { soundSteps } from "../../tools/workspace-steps.js";
import type { FaultyWorkspace } from "./faulty-workspace.js";

/** The mistake: a regular file is taken for a file of the workspace, though it may have a name elsewhere too. */
export const followsAHardLink: FaultyWorkspace = {
  name: "follows-a-hard-link",
  says: "does not ask whether a file has another name",
  steps: {
    ...soundSteps,
    faultOf: (root, _, file) => {
      if (!fstatSync(file).isFile()) return "not_a_regular_file";
      return isSameMount(root.folder, file) ? undefined : "other_mount";
    },
  },
};
