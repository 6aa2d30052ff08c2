import type { Bounded } from "../../../src/explore/pipeline/bounded.js";
import { happeningsOf } from "../../../src/explore/pipeline/evidence.js";
import { firedIn, moverOf, type Take } from "../../../src/explore/pipeline/fired.js";
import { enabled } from "../../../src/model/enabled.js";
import { step } from "../../../src/model/step.js";
import type { Step } from "../../../src/model/stepped.js";
import type { Action, Event, Happening } from "../../../src/model/vocabulary.js";
import { initialWorld, type World } from "../../../src/model/world.js";
import { type Account, createAccount } from "../../../src/properties/account.js";
import { planPromises } from "../../../src/properties/judge/plan.js";
import { createJudge } from "../../../src/properties/judge.js";
import { type PromiseId, promiseIds } from "../../../src/properties/verdict.js";

/** A world as it is, nothing dropped, and everything that has happened on one way to it. */
export type Whole = {
  readonly world: World;
  readonly actions: readonly Action[];
  readonly history: readonly Event[];
  readonly arms: number;
  readonly faultyAttempts: number;
};

/** What one action showed, by the judge that has heard the whole history. */
export type Shown = { readonly broken: readonly PromiseId[]; readonly occurred: readonly PromiseId[] };

export type WholeEdge = {
  readonly from: Whole;
  readonly action: Action;
  readonly to: Whole;
  readonly shown: Shown;
};

/** Promises with the fewest actions after which each was broken, or its situation occurred. */
export type WholeVerdict = {
  readonly broken: ReadonlyMap<string, number>;
  readonly occurred: ReadonlyMap<string, number>;
  readonly worlds: number;
  readonly edges: number;
};

const named = promiseIds.filter((id) => id !== "matches-the-machine");

/**
 * Every run of the machine within the bounds, breadth first, with whole worlds and whole histories, up to the action
 * that breaks a promise. Two runs are one only if both their worlds and all that the judge keeps of them agree.
 */
export function everyHistory(
  bounded: Bounded,
  take: Take,
  onEdge: (edge: WholeEdge) => void = () => undefined,
): WholeVerdict {
  const broken = new Map<string, number>();
  const occurred = new Map<string, number>();
  const known = new Set<string>();
  const queue = [startOf(bounded)];
  let edges = 0;
  for (const from of queue) {
    for (const { action, moved } of stepsOf(bounded, take, from)) {
      const to = after(bounded, from, action, moved);
      const { shown, account } = judged(bounded, from, to);
      edges++;
      for (const id of shown.broken) if (!broken.has(id)) broken.set(id, to.actions.length);
      for (const id of shown.occurred) if (!occurred.has(id)) occurred.set(id, to.actions.length);
      onEdge({ from, action, to, shown });
      const key = JSON.stringify([to.world, to.arms, to.faultyAttempts, account]);
      if (shown.broken.length > 0 || known.has(key)) continue;
      known.add(key);
      queue.push(to);
    }
  }
  return { broken, occurred, worlds: queue.length, edges };
}

/** What the last of these actions shows in a run from the start; throws if one before it broke a promise. */
export function shownByRun(bounded: Bounded, take: Take, actions: readonly Action[]): Shown {
  let to = startOf(bounded);
  let from = to;
  for (const action of actions) {
    const moved = take(to.world, action);
    if (moved.kind === "refused") throw new Error(`${action.kind} is refused: ${moved.reason}`);
    from = to;
    to = after(bounded, from, action, moved);
  }
  return judged(bounded, from, to).shown;
}

export function startOf({ profile, policy, contract }: Bounded): Whole {
  const world = initialWorld(profile, policy, contract.name);
  return { world, actions: [], history: opening(world), arms: 0, faultyAttempts: 0 };
}

function opening(world: World): readonly Event[] {
  const { effects, receipts, policy } = world;
  if (effects.length + receipts.length > 0) throw new Error("a history starts on an empty store");
  const observation = { effects: [], receipts: [], policy, writeLock: "free" } as const;
  return [{ kind: "observed", observation, position: 0, action: 0 }];
}

type Moved = Extract<Step, { kind: "moved" }>;

/** What the bounds allow here; a crash at a point that is not passed is the plain advance, which is there as well. */
export function stepsOf(
  { workload, bounds }: Bounded,
  take: Take,
  { world, arms, faultyAttempts }: Whole,
): readonly { readonly action: Action; readonly moved: Moved }[] {
  return enabled(world, workload).flatMap((action) => {
    if (action.kind === "observe" || action.kind === "finish" || action.kind === "retry") return [];
    if (action.kind === "arm" && arms >= bounds.arms) return [];
    const isFaulty = action.kind === "submit" && action.faults.length > 0;
    if (isFaulty && faultyAttempts >= bounds.faultyAttempts) return [];
    const moved = take(world, action);
    if (moved.kind === "refused") return [];
    const isMissed = action.kind === "crash" && moved.world.executor === "up";
    return isMissed ? [] : [{ action, moved }];
  });
}

/** The run with one more action. */
function after(bounded: Bounded, from: Whole, action: Action, moved: Moved): Whole {
  const mover = moverOf(action);
  const reference: Take = (world, one) => step(world, one, bounded.contract.interpret);
  const fired =
    mover === "none"
      ? []
      : firedIn(reference, from.world, action).map((fault) => ({ attempt: mover, fault }));
  const happenings = happeningsOf(from.world, action, moved, fired, bounded.contract);
  return {
    world: moved.world,
    actions: [...from.actions, action],
    history: [...from.history, ...numbered(happenings, from)],
    arms: from.arms + (action.kind === "arm" ? 1 : 0),
    faultyAttempts: from.faultyAttempts + (action.kind === "submit" && action.faults.length > 0 ? 1 : 0),
  };
}

function numbered(happenings: readonly Happening[], { history, actions }: Whole): readonly Event[] {
  return happenings.map((happening, index) => ({
    ...happening,
    position: history.length + index,
    action: actions.length,
  }));
}

/** What the last action of a run shows, and all of the run that can matter for what comes after it. */
function judged(
  { profile, contract, policy }: Bounded,
  from: Whole,
  to: Whole,
): { readonly shown: Shown; readonly account: unknown } {
  const judge = createJudge(profile, { policy, tool: contract.name, promises: named });
  const { account, add } = createAccount(profile, contract.name, policy);
  const { occurredAt } = planPromises(profile, named);
  const broken = new Set<PromiseId>();
  const occurred = new Set<PromiseId>();
  for (const event of to.history) {
    const isNew = event.position >= from.history.length;
    for (const { promise } of judge.add(event)) broken.add(promise);
    if (broken.size > 0 && !isNew) throw new Error("a run goes on after the action that broke a promise");
    add(event);
    if (!isNew) continue;
    for (const { id, look } of occurredAt.get(event.kind) ?? []) {
      if (look.at(event, account)) occurred.add(id);
    }
  }
  const sorted = (ids: ReadonlySet<PromiseId>): readonly PromiseId[] => named.filter((id) => ids.has(id));
  return {
    shown: { broken: sorted(broken), occurred: sorted(occurred) },
    account: kept(account),
  };
}

/**
 * All that a look can read later. Of an attempt that has ended it is asked no more when it did; what the store holds
 * is in the world.
 */
function kept({ attempts, requested, canaries, change, executor }: Account): unknown {
  return [
    attempts.map((attempt) => {
      const { standing } = attempt;
      return standing.kind === "ended"
        ? { ...attempt, standing: { kind: "ended", outcome: standing.outcome } }
        : attempt;
    }),
    [...requested].map(([place, digests]) => [place, ...digests.keys()].join(" ")).sort(),
    [...canaries].sort(),
    Math.max(change.largestRevision, change.now.policy.kind === "present" ? change.now.policy.revision : 0),
    executor,
  ];
}
