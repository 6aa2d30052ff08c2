import assert from "node:assert/strict";
import { draftContract } from "../../contract/draft.js";
import type { PolicySetting, Profile } from "../../model/vocabulary.js";
import { type Bounds, boundedWorkload } from "./bounded.js";
import { type PipelineMachine, pipelineMachine } from "./pipeline-machine.js";

/** A bounded machine as plain data, for a process that has to make its own; only of tools that ship with commitpoint. */
export type MachineDescription = {
  readonly profile: Profile;
  readonly tool: string;
  readonly policy: PolicySetting;
  readonly bounds: Bounds;
};

export function isDescribable(tool: string): boolean {
  return tool === draftContract.name;
}

/** The machine of a description. Throws for a tool that is not known by its name. */
export function describedMachine({ profile, tool, policy, bounds }: MachineDescription): PipelineMachine {
  assert(isDescribable(tool), `no contract is known for a tool called ${tool}`);
  const bounded = boundedWorkload({ profile, contract: draftContract, policy }, bounds);
  return pipelineMachine(bounded, { recovery: "left_out" });
}
