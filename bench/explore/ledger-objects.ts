import { type Bounded, onlyContext } from "../../src/explore/pipeline/bounded.js";
import { enabled } from "../../src/model/enabled.js";
import { step } from "../../src/model/step.js";
import type { Action } from "../../src/model/vocabulary.js";
import { type Attempt, initialWorld, isWaiting, type World } from "../../src/model/world.js";
import type { ObjectMachine } from "./naive-search.js";

/** What tells one state of the bounded ledger machine from another, as one would write it down first. */
export type LedgerState = Pick<
  World,
  | "executor"
  | "policy"
  | "revision"
  | "effects"
  | "receipts"
  | "armed"
  | "attempts"
  | "policyChanges"
  | "crashes"
> & { readonly arms: number; readonly faultyAttempts: number };

/**
 * The reference machine within bounds, over the worlds themselves: what is over is dropped as the searched machine
 * drops it, so that both have the same states. No promise is asked, which spares the naive search work.
 */
export function ledgerObjects(bounded: Bounded): ObjectMachine<LedgerState> {
  const { profile, contract, policy, workload, bounds } = bounded;
  const start = initialWorld(profile, policy, contract.name);
  const isWithin = (state: LedgerState, action: Action): boolean => {
    switch (action.kind) {
      // A finish is its advances, a retry another submission of the one call, and a look changes nothing.
      case "finish":
      case "retry":
      case "observe":
        return false;
      case "arm":
        return state.arms < bounds.arms;
      case "submit":
        return action.faults.length === 0 || state.faultyAttempts < bounds.faultyAttempts;
      default:
        return true;
    }
  };
  return {
    initial: plain(start, { arms: 0, faultyAttempts: 0 }),
    broken: () => [],
    successors: (state) => {
      const world: World = { ...start, ...state };
      return enabled(world, workload)
        .filter((action) => isWithin(state, action))
        .flatMap((action) => {
          const moved = step(world, action, contract.interpret);
          if (moved.kind === "refused" || isMissed(action, moved.world)) return [];
          const arms = state.arms + (action.kind === "arm" ? 1 : 0);
          const isFaulty = action.kind === "submit" && action.faults.length > 0;
          const came = action.kind === "submit" ? inFreePlace(moved.world) : moved.world;
          return [plain(came, { arms, faultyAttempts: state.faultyAttempts + (isFaulty ? 1 : 0) })];
        });
    },
  };
}

function isMissed(action: Action, after: World): boolean {
  return action.kind === "crash" && action.where.kind === "at" && after.executor === "up";
}

/** The world without what no promise can ask about any more. */
function plain(world: World, spent: Pick<LedgerState, "arms" | "faultyAttempts">): LedgerState {
  const { executor, armed, policyChanges, crashes } = world;
  const policy = world.policy.kind === "present" ? { ...world.policy, revision: 2 } : world.policy;
  const isCurrent = ({ snapshot }: Attempt): boolean =>
    snapshot.kind === "seen" &&
    world.policy.kind === "present" &&
    snapshot.revision === world.policy.revision;
  const attempts = world.attempts.map((attempt, index): Attempt => {
    const name = `a${index + 1}` as const;
    if (!isWaiting(attempt))
      return {
        ...attempt,
        name,
        request: "",
        facts: { kind: "invalid", code: "shape" },
        place: { kind: "ended" },
      };
    if (attempt.snapshot.kind === "none") return { ...attempt, name };
    return { ...attempt, name, snapshot: { kind: "seen", revision: isCurrent(attempt) ? 2 : 1 } };
  });
  const { tenant, runId, callId } = onlyContext;
  const keys = [...new Set(world.receipts.map(({ key }) => (key.kind === "key" ? key.key : "")))].sort();
  return {
    executor,
    policy,
    revision: 2,
    effects: [...world.effects]
      .sort((one, other) => (one.key < other.key ? -1 : 1))
      .map((effect) => ({ ...effect, revision: 1, runId, callId })),
    receipts: keys.map((key, index) => ({
      number: index + 1,
      attempt: "a100",
      tenant,
      runId,
      callId,
      key: key === "" ? { kind: "none" } : { kind: "key", key },
      status: "accepted",
      code: "ok",
      effectExists: false,
      events: [],
    })),
    armed,
    attempts,
    policyChanges,
    crashes,
    ...spent,
  };
}

/** An attempt that came last and waits takes the place of the first that is over, if there is one. */
function inFreePlace(world: World): World {
  const { attempts } = world;
  const last = attempts.at(-1);
  const free = attempts.findIndex((attempt) => !isWaiting(attempt));
  if (last === undefined || !isWaiting(last) || free < 0) return world;
  return { ...world, attempts: attempts.with(free, last).with(attempts.length - 1, attempts[free] ?? last) };
}
