import { accept, startFrontier } from "../model/accept.js";
import type { Event, PolicySetting, Profile } from "../model/vocabulary.js";
import { createAccount } from "./account.js";
import type { Need } from "./invariants/invariant.js";
import { createFindings, type Findings } from "./judge/findings.js";
import { planPromises } from "./judge/plan.js";
import { type PromiseId, promiseIds, type RunVerdict, type Violation } from "./verdict.js";

/** Judges one run, event by event. */
export type Judge = {
  /** Takes the next event and answers what it newly broke; each promise is told once. */
  readonly add: (event: Event) => readonly Violation[];
  /** Ends the history and answers what was broken of that which must hold in the end. */
  readonly finish: () => readonly Violation[];
  readonly verdict: () => RunVerdict;
  /** Promises that the profile can be asked about, in the order of `promiseIds`. */
  readonly checked: () => readonly PromiseId[];
  /** Promises that the profile cannot be asked about, and what it would have to claim. */
  readonly lacking: () => readonly { readonly promise: PromiseId; readonly lacks: readonly Need[] }[];
};

export type JudgeOptions = {
  /** In force when the run starts. */
  readonly policy: PolicySetting;
  readonly tool: string;
  /** All if absent. */
  readonly promises?: readonly PromiseId[];
};

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

/**
 * Decides every promise that the profile can be asked about from the evidence, and beside them whether the reference
 * machine has a run with this history. Violations are those of the first action that broke a promise; a divergence
 * from the machine ends nothing, so that a named promise can still be found broken after it.
 */
export function createJudge(
  profile: Profile,
  options: JudgeOptions,
  startMachine: (profile: Profile, options: JudgeOptions) => Machine = startReferenceMachine,
): Judge {
  const plan = planPromises(profile, options.promises ?? promiseIds);
  const { account, add: enter } = createAccount(profile, options.tool, options.policy);
  const findings = createFindings();
  let machine = plan.checked.includes("matches-the-machine") ? startMachine(profile, options) : noMachine;
  let stage: "running" | "finished" = "running";
  let action = 0;

  const judgeMachine = (event: Event): void => {
    const answer = machine(event);
    if (answer.kind === "following") return;
    machine = noMachine;
    findings.noteDivergence({
      promise: "matches-the-machine",
      position: event.position,
      action: event.action,
      sentence: `The machine has no run with this history: they part at ${answer.stage}.`,
      expected: answer.allowed.join(" or "),
      seen: answer.seen,
    });
  };
  const judgeEnd = (findings: Findings): void => {
    for (const { id, occurred, check } of plan.inTheEnd) {
      if (occurred(account)) findings.occur(id);
      for (const found of check(account)) findings.note(id, found, { position: found.position, action });
    }
  };
  const whyOpen = (): string => {
    if (stage === "running") return "the run was not brought to its end";
    return account.faults === "possible" ? "the run has no epilogue" : "";
  };

  return {
    add: (event) => {
      enter(event);
      action = event.action;
      for (const { id, look } of plan.occurredAt.get(event.kind) ?? []) {
        if (!findings.hasOccurred(id) && look.at(event, account)) findings.occur(id);
      }
      if (findings.areClosedFor(action)) return [];
      for (const { id, look } of plan.checkedAt.get(event.kind) ?? []) {
        for (const found of look.at(event, account)) findings.note(id, found, event);
      }
      if (machine !== noMachine) {
        if (event.kind === "submitted") findings.occur("matches-the-machine");
        judgeMachine(event);
      }
      return findings.takeNew();
    },
    finish: () => {
      stage = "finished";
      if (account.faults === "gone" && !findings.areClosedFor(action)) judgeEnd(findings);
      return findings.takeNew();
    },
    verdict: () => {
      const reason = whyOpen();
      return findings.verdict(reason === "" ? [] : plan.inTheEnd.map(({ id }) => ({ promise: id, reason })));
    },
    checked: () => plan.checked,
    lacking: () => plan.lacking,
  };
}

const noMachine: Machine = () => ({ kind: "following" });

function startReferenceMachine(profile: Profile, { policy, tool }: JudgeOptions): Machine {
  let frontier = startFrontier(profile, policy, tool);
  return (event) => {
    const answer = accept(frontier, event);
    if (answer.kind === "following") frontier = answer.frontier;
    return answer;
  };
}
