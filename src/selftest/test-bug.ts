import { simplerFor } from "../contract/tool.js";
import { countsAsFound, failsLike, shownWhere } from "../properties/fails-like.js";
import { minimiseFailure } from "../properties/inline-crew.js";
import { isOneMinimal } from "../properties/minimise.js";
import type { Bench } from "../properties/run.js";
import { executeShare, usualMaxActions } from "../properties/share.js";
import type { PromiseId } from "../properties/verdict.js";
import { loadScenario } from "../scenario/load.js";
import { writeScenario } from "../scenario/write.js";

/** What the harness is given to catch one bug: as much as `run` spends on ten thousand actions. */
export const bugBudget = { actions: 10_000, maxActions: usualMaxActions } as const;

export type BugTask = {
  readonly bug: string;
  /** The sound executor that it differs from; also the name of their profile. */
  readonly base: string;
  readonly caughtBy: readonly PromiseId[];
  readonly shortestKnown: number;
  readonly seed: number;
};

/** How one campaign against one faulty executor went. */
export type BugResult =
  | {
      readonly kind: "caught";
      readonly promise: PromiseId;
      readonly runs: number;
      readonly actions: number;
      readonly length: number;
      readonly oneMinimal: boolean;
      /** The written scenario breaks the promise on the faulty executor and holds on the sound one. */
      readonly replays: boolean;
      readonly problem?: string;
    }
  | { readonly kind: "missed"; readonly runs: number; readonly actions: number; readonly problem: string };

/** Runs a campaign with one seed against a faulty executor until a promise of its row is broken, and checks the find. */
export async function testBug(task: BugTask, faulty: Bench, sound: Bench): Promise<BugResult> {
  const { seed, caughtBy, shortestKnown } = task;
  const share = await executeShare(
    faulty,
    {
      seed,
      first: 0,
      runs: bugBudget.actions,
      maxActions: bugBudget.maxActions,
      stopAt: caughtBy,
      mostActions: bugBudget.actions,
    },
    { stopped: () => false, began: () => {}, ended: () => {} },
  );
  const runs = share.executed;
  const actions = share.performed + share.skipped;
  const isFound = ({ violation, actions: list }: (typeof share.failures)[number]): boolean =>
    countsAsFound(faulty, violation, list);
  const failure = caughtBy
    .map((promise) => share.failures.find((one) => one.promise === promise && isFound(one)))
    .find((one) => one !== undefined);
  if (failure === undefined) {
    const [broken] = share.broken;
    const others = share.failures.map(({ promise }) => promise).join(", ");
    const problem =
      broken === undefined
        ? `seed ${seed}: not caught by ${caughtBy.join(" or ")} in ${actions} actions; seen instead: ${others || "nothing"}`
        : `seed ${seed}: broken in run ${broken.run}: ${broken.message}`;
    return { kind: "missed", runs, actions, problem };
  }
  const { promise } = failure;
  const minimal = await minimiseFailure(faulty, failure);
  const shown = shownWhere(failure.violation, failure.actions);
  const breaksIt = (bench: Bench, list: typeof minimal.actions): Promise<"same" | "other" | "none"> =>
    failsLike(bench, promise, shown)(list);
  const neighbours = await isOneMinimal({
    actions: minimal.actions,
    fails: (list) => breaksIt(faulty, list),
    simpler: simplerFor(faulty.contract),
  });
  const reread = reloaded(task, promise, minimal.actions);
  const replays =
    reread !== undefined &&
    (await breaksIt(faulty, reread)) === "same" &&
    (await breaksIt(sound, reread)) === "none";
  const oneMinimal = minimal.kind === "one_minimal" && neighbours.kind === "one_minimal";
  const { length } = minimal.actions;
  const problem = problemOf(seed, length, shortestKnown, oneMinimal, replays);
  return { kind: "caught", promise, runs, actions, length, oneMinimal, replays, ...problem };
}

function problemOf(
  seed: number,
  length: number,
  shortestKnown: number,
  oneMinimal: boolean,
  replays: boolean,
): { readonly problem?: string } {
  if (!oneMinimal) return { problem: `seed ${seed}: the minimal list can still be made smaller` };
  if (!replays) return { problem: `seed ${seed}: the written scenario does not replay to the same verdict` };
  if (length < shortestKnown) {
    return {
      problem: `seed ${seed}: ${length} actions suffice, fewer than the ${shortestKnown} the table states`,
    };
  }
  return {};
}

/** The actions as a scenario file gives them back. */
function reloaded(
  { bug: executor, base }: BugTask,
  violates: PromiseId,
  actions: Parameters<typeof writeScenario>[0]["actions"],
): Parameters<typeof writeScenario>[0]["actions"] | undefined {
  const text = writeScenario({
    name: `${executor} breaks ${violates}`,
    profile: base,
    executor,
    about: "Found by the selftest.",
    source: "selftest",
    policy: { kind: "limit", maxCopies: 3 },
    actions,
    expect: { violates },
  });
  const loaded = loadScenario(text, "selftest.yaml");
  return loaded.kind === "loaded" ? loaded.scenario.actions : undefined;
}
