import { interpretFor, type ToolContract } from "../contract/tool.js";
import { step } from "../model/step.js";
import type { Step } from "../model/stepped.js";
import type { Action, Event, Happening, PolicySetting, Profile } from "../model/vocabulary.js";
import type { World } from "../model/world.js";
import { type Account, createAccount } from "../properties/account.js";
import { type Plan, planPromises } from "../properties/judge/plan.js";
import { type PromiseId, promiseIds } from "../properties/verdict.js";
import { happeningsOf } from "./happenings.js";
import type { Showing } from "./machine.js";
import { showingOf } from "./pipeline/edge-judge.js";
import { firedIn, moverOf, type Take } from "./pipeline/fired.js";

/** What happened so far, the latest first. */
export type History = { readonly happenings: readonly Happening[]; readonly before: History | "nothing" };

type Judged = {
  readonly profile: Profile;
  readonly contract: ToolContract;
  readonly policy: PolicySetting;
};

/** Asks the promises about the machine's steps, over the whole history that led to each. */
export type HistoryJudge = {
  /** Promises that hold after every event, and those that hold in the end, as far as the profile can be asked. */
  readonly always: readonly PromiseId[];
  readonly inTheEnd: readonly PromiseId[];
  /** What a history would say of a step. */
  readonly tell: (
    before: World,
    action: Action,
    moved: Extract<Step, { kind: "moved" }>,
  ) => readonly Happening[];
  /** What these further happenings show; `left_out`: they are entered, and nothing is asked of them. */
  readonly show: (history: History | "nothing", happenings: readonly Happening[]) => Showing;
  /** What is shown in the end, once everything was driven there. */
  readonly showEnd: (history: History) => Showing;
};

export function createHistoryJudge({ profile, contract, policy }: Judged): HistoryJudge {
  const plan = planPromises(profile, promiseIds);
  // Whether a fault strikes is for the harness to say, whatever the machine then makes of it.
  const take: Take = (world, action) => step(world, action, interpretFor(contract));
  const inTheEnd = plan.inTheEnd.map(({ id }) => id);
  const accountOf = (history: History | "nothing"): Kept => {
    const { account, add } = createAccount(profile, contract.name, policy, contract.toolbox?.capabilities);
    let position = 0;
    const enter = (happening: Happening): Event => {
      const event: Event = { ...happening, position: position++, action: 0 };
      add(event);
      return event;
    };
    for (const happening of inSequence(history)) enter(happening);
    return { account, enter };
  };
  return {
    always: plan.checked.filter((id) => id !== "matches-the-machine" && !inTheEnd.includes(id)),
    inTheEnd,
    tell: (before, action, moved) => {
      const mover = moverOf(action);
      const fired =
        mover === "none" ? [] : firedIn(take, before, action).map((fault) => ({ attempt: mover, fault }));
      return happeningsOf(before, action, moved, { fired, contract });
    },
    show: (history, happenings) => {
      const { account, enter } = accountOf(history);
      return showingOf(
        plan,
        account,
        happenings.map((happening) => () => enter(happening)),
      );
    },
    showEnd: (history) => endOf(plan, accountOf(history).account),
  };
}

type Kept = { readonly account: Account; readonly enter: (happening: Happening) => Event };

/** The happenings of a history in the order in which they happened. */
export function inSequence(history: History | "nothing"): readonly Happening[] {
  const parts: (readonly Happening[])[] = [];
  for (let part = history; part !== "nothing"; part = part.before) parts.push(part.happenings);
  return parts.reverse().flat();
}

function endOf({ inTheEnd }: Plan, account: Account): Showing {
  return {
    broken: inTheEnd
      .filter(({ check }) => check(account).some(({ kind }) => kind === "broken"))
      .map(({ id }) => id),
    occurred: inTheEnd.filter(({ occurred }) => occurred(account)).map(({ id }) => id),
  };
}
