import type { WorkspaceSteps } from "../../tools/workspace-steps.js";

/** The sound workspace with one mistake made in one of its steps. */
export type FaultyWorkspace = {
  /** In kebab-case; also the name of its file. */
  readonly name: string;
  /** What the tool does wrong, in one sentence. */
  readonly says: string;
  readonly steps: WorkspaceSteps;
};
