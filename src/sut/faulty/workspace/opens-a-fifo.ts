import { constants, openSync } from "node:fs";
import { entryOf } from "../../tools/descriptors.js";
import { soundSteps } from "../../tools/workspace-steps.js";
import type { FaultyWorkspace } from "./faulty-workspace.js";

/** The mistake: the kind of file is looked at after opening, and opening a pipe waits for a writer. */
export const opensAFifo: FaultyWorkspace = {
  name: "opens-a-fifo",
  says: "waits for a writer when the file to read is a pipe, and the whole process with it",
  steps: {
    ...soundSteps,
    openOld: ({ folder, leaf }) => openSync(entryOf(folder, leaf), constants.O_RDONLY | constants.O_NOFOLLOW),
  },
};
