import type { Event, Grant, PolicySetting, Profile } from "../model/vocabulary.js";
import { type Account, createAccount } from "./account.js";
import type { Need } from "./invariants/invariant.js";
import { createFindings, type Findings } from "./judge/findings.js";
import { createFollower, type Machine, startReferenceMachine } from "./judge/follower.js";
import { type Plan, planPromises } from "./judge/plan.js";
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
  /** Held when the run starts; with the ability `capabilities`. */
  readonly capabilities?: readonly Grant[];
  /** All if absent. */
  readonly promises?: readonly PromiseId[];
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
  const { account, add: enter } = createAccount(profile, options.tool, options.policy, options.capabilities);
  const findings = createFindings();
  const followers = plan.checked.includes("matches-the-machine")
    ? [createFollower(startMachine(profile, options))]
    : [];
  let stage: "running" | "finished" = "running";
  let action = 0;
  return {
    add: (event) => {
      enter(event);
      action = event.action;
      noteOccurrences(plan, event, account, findings);
      if (findings.areClosedFor(action)) return [];
      noteBreaches(plan, event, account, findings);
      for (const follow of followers) {
        if (event.kind === "submitted") findings.occur("matches-the-machine");
        for (const divergence of follow(event)) findings.noteDivergence(divergence);
      }
      return findings.takeNew();
    },
    finish: () => {
      stage = "finished";
      if (account.faults === "gone" && !findings.areClosedFor(action))
        noteEnd(plan, action, account, findings);
      return findings.takeNew();
    },
    verdict: () => {
      const reason = stage === "running" ? "the run was not brought to its end" : "the run has no epilogue";
      const isOpen = stage === "running" || account.faults === "possible";
      return findings.verdict(isOpen ? plan.inTheEnd.map(({ id }) => ({ promise: id, reason })) : []);
    },
    checked: () => plan.checked,
    lacking: () => plan.lacking,
  };
}

function noteOccurrences(plan: Plan, event: Event, account: Account, findings: Findings): void {
  for (const { id, look } of plan.occurredAt.get(event.kind) ?? []) {
    if (!findings.hasOccurred(id) && look.at(event, account)) findings.occur(id);
  }
}

function noteBreaches(plan: Plan, event: Event, account: Account, findings: Findings): void {
  for (const { id, look } of plan.checkedAt.get(event.kind) ?? []) {
    for (const found of look.at(event, account)) findings.note(id, found, event);
  }
}

function noteEnd(plan: Plan, action: number, account: Account, findings: Findings): void {
  for (const { id, occurred, check } of plan.inTheEnd) {
    if (occurred(account)) findings.occur(id);
    for (const found of check(account)) findings.note(id, found, { position: found.position, action });
  }
}
