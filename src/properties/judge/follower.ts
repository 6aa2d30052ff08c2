import { accept, startFrontier } from "../../model/accept.js";
import type { Event, Grant, PolicySetting, Profile } from "../../model/vocabulary.js";
import type { Violation } from "../verdict.js";

/** Says of each event in turn whether the machine has a run with the history up to it. */
export type Machine = (event: Event) => MachineAnswer;
export type MachineAnswer =
  | { readonly kind: "following" }
  | {
      readonly kind: "diverged";
      readonly stage: string;
      readonly allowed: readonly string[];
      readonly seen: string;
    };

/** Begins a history of the reference machine under this profile, policy and tool. */
export function startReferenceMachine(
  profile: Profile,
  {
    policy,
    tool,
    capabilities,
  }: {
    readonly policy: PolicySetting;
    readonly tool: string;
    readonly capabilities?: readonly Grant[];
  },
): Machine {
  let frontier = startFrontier(profile, policy, tool, capabilities);
  return (event) => {
    const answer = accept(frontier, event);
    if (answer.kind === "following") frontier = answer.frontier;
    return answer;
  };
}

/** Follows the machine up to the event where history and machine part, and tells that event; none after it. */
export function createFollower(machine: Machine): (event: Event) => readonly Violation[] {
  let parted = false;
  return (event) => {
    if (parted) return [];
    const answer = machine(event);
    if (answer.kind === "following") return [];
    parted = true;
    return [
      {
        promise: "matches-the-machine",
        position: event.position,
        action: event.action,
        sentence: `The machine has no run with this history: they part at ${answer.stage}.`,
        expected: answer.allowed.join(" or "),
        seen: answer.seen,
      },
    ];
  };
}
