import assert from "node:assert/strict";
import type { ToolContract } from "../../contract/tool.js";
import { step } from "../../model/step.js";
import type { Step } from "../../model/stepped.js";
import type { Action, Event, Happening, Profile } from "../../model/vocabulary.js";
import type { World } from "../../model/world.js";
import { type Account, createAccount } from "../../properties/account.js";
import { invariants } from "../../properties/invariants.js";
import { type Plan, planPromises } from "../../properties/judge/plan.js";
import { type PromiseId, promiseIds } from "../../properties/verdict.js";
import type { Showing } from "../machine.js";
import { carriedBy } from "./carried.js";
import { happeningsOf } from "./evidence.js";
import { firedIn, moverOf, type Take } from "./fired.js";
import { historyInto } from "./history-into.js";

type Moved = Extract<Step, { kind: "moved" }>;

/** Asks the promises about one step of the machine at a time. */
export type EdgeJudge = {
  /** Promises that hold after every event, as far as the profile can be asked about them. */
  readonly always: readonly PromiseId[];
  /**
   * What a step shows of them, by the same looks at the same evidence with which a run of an executor is judged.
   * Throws if, with nothing broken, the world that is `kept` says less of an attempt that waits than what led to it.
   */
  readonly show: (before: World, action: Action, moved: Moved, kept: World) => Showing;
  /** Whether an attempt that was made after everything came to rest ended as `always-recoverable` asks for. */
  readonly isJustified: (before: World, action: Action, moved: Moved) => boolean;
};

/** A judge of the steps of any machine with this profile. */
export function createEdgeJudge(profile: Profile, contract: ToolContract): EdgeJudge {
  // Whether a fault strikes is for the harness to say, whatever the machine then makes of it.
  const take: Take = (world, action) => step(world, action, contract.interpret);
  const plan = planPromises(profile, promiseIds);
  const always = plan.checked.filter(
    (id) => id !== "matches-the-machine" && invariants[id].kind === "always",
  );
  const accountOf = (
    happenings: readonly Happening[],
  ): { account: Account; add: (happening: Happening) => Event } => {
    const { account, add } = createAccount(profile, contract.name, { kind: "remove" });
    let position = 0;
    const enter = (happening: Happening): Event => {
      const event: Event = { ...happening, position: position++, action: 0 };
      add(event);
      return event;
    };
    for (const happening of happenings) enter(happening);
    return { account, add: enter };
  };
  const stepOf = (before: World, action: Action, moved: Moved): readonly Happening[] => {
    const mover = moverOf(action);
    const fired =
      mover === "none" ? [] : firedIn(take, before, action).map((fault) => ({ attempt: mover, fault }));
    return happeningsOf(before, action, moved, fired, contract);
  };
  const histories = new WeakMap<World, readonly Happening[]>();
  /** A world is asked about step after step. */
  const historyOf = (world: World): readonly Happening[] => {
    const history = histories.get(world) ?? historyInto(world, contract);
    histories.set(world, history);
    return history;
  };
  return {
    always,
    show: (before, action, moved, kept) => {
      const { account, add } = accountOf(historyOf(before));
      const steps = stepOf(before, action, moved).map((happening) => () => add(happening));
      const showing = showingOf(plan, account, steps);
      // A judge asks nothing more of a run in which a promise was broken.
      if (showing.broken.length > 0) return showing;
      const [held, due] = [carriedBy(accountOf(historyInto(kept, contract)).account), carriedBy(account)];
      if (held.join("\n") === due.join("\n")) return showing;
      assert.deepEqual(
        held,
        due,
        `after ${action.kind}, a promise can ask more about an attempt that waits than its state holds`,
      );
      return showing;
    },
    isJustified: (before, action, moved) => {
      const { account, add } = accountOf(historyInto(before, contract, "gone"));
      for (const happening of stepOf(before, action, moved)) add(happening);
      return recoverable.kind === "eventually" && recoverable.check(account).length === 0;
    },
  };
}

const recoverable = invariants["always-recoverable"];

/** Looks after each event, as a judge of a whole run does. */
export function showingOf(plan: Plan, account: Account, events: readonly (() => Event)[]): Showing {
  const broken = new Set<PromiseId>();
  const occurred = new Set<PromiseId>();
  for (const happen of events) {
    const event = happen();
    for (const { id, look } of plan.occurredAt.get(event.kind) ?? []) {
      if (look.at(event, account)) occurred.add(id);
    }
    for (const { id, look } of plan.checkedAt.get(event.kind) ?? []) {
      if (look.at(event, account).some(({ kind }) => kind === "broken")) broken.add(id);
    }
  }
  const sorted = (ids: ReadonlySet<PromiseId>): readonly PromiseId[] =>
    promiseIds.filter((id) => ids.has(id));
  return { broken: sorted(broken), occurred: sorted(occurred) };
}
