import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { enabled, type Workload } from "../../src/model/enabled.js";
import type { Predicted } from "../../src/model/predicted.js";
import { step } from "../../src/model/step.js";
import type { Action, Fault, Happening, Observation } from "../../src/model/vocabulary.js";
import { inFlight, type World } from "../../src/model/world.js";
import {
  advance,
  call,
  cancel,
  empty,
  expire,
  finish,
  forest1,
  interpret,
  river2,
  river3,
  river4,
  shapeless,
} from "./fixture.js";
import { follow } from "./history.js";

/** Everything at once, for random walks; each plan holds one fault. */
const workload: Workload = {
  requests: [river2, river3, river4, forest1, shapeless],
  contexts: [call("c1"), call("c2", "t2")],
  faultPlans: [
    [],
    [{ kind: "bad_output" }],
    [{ kind: "checker_hangs", stage: "check" }],
    [{ kind: "checker_hangs", stage: "output" }],
    [{ kind: "throw_at", at: "after_commit" }],
    [{ kind: "throw_at", at: "after_receipt" }],
    [{ kind: "receipt_aborted" }],
  ] satisfies readonly (readonly Fault[])[],
  driverFaults: [{ kind: "receipt_ignored" }, { kind: "busy", stage: "execute" }],
  limits: [{ kind: "limit", maxCopies: 3 }, { kind: "limit", maxCopies: 1 }, { kind: "remove" }],
  maxAttempts: 6,
  maxPolicyChanges: 4,
  maxCrashes: 2,
};

type Leg = {
  readonly before: World;
  readonly action: Action;
  readonly after: World;
  readonly events: readonly Predicted[];
};

/** Kinds first, so that many submissions do not crowd out the rest. */
function pick(world: World, draw: readonly [number, number]): Action {
  const actions = enabled(world, workload);
  const kinds = [...new Set(actions.map(({ kind }) => kind))];
  const kind = kinds[draw[0] % kinds.length];
  const ofKind = actions.filter((action) => action.kind === kind);
  const action = ofKind[draw[1] % ofKind.length];
  if (action === undefined) throw new Error("nothing is enabled");
  return action;
}

function walk(draws: readonly (readonly [number, number])[]): readonly Leg[] {
  const legs: Leg[] = [];
  let before = empty;
  for (const draw of draws) {
    const action = pick(before, draw);
    const moved = step(before, action, interpret);
    if (moved.kind === "refused") throw new Error(`${action.kind} refused: ${moved.reason}`);
    legs.push({ before, action, after: moved.world, events: moved.events });
    before = moved.world;
  }
  return legs;
}

const draws = fc.array(fc.tuple(fc.nat(1000), fc.nat(1000)), { minLength: 5, maxLength: 30 });
const walks = { numRuns: 60, seed: 7 };

function observation({ effects, receipts, policy }: World): Observation {
  return {
    effects: effects.map((effect) => ({ ...effect, body: "" })),
    receipts: receipts.map((receipt) => ({ ...receipt, delivery: `d-${receipt.attempt}`, raw: "" })),
    policy,
    writeLock: "free",
  };
}

function happeningOf(predicted: Predicted, world: World): Happening {
  if (predicted.kind !== "ended") return predicted;
  const { attempt, outcome } = predicted;
  const atRelease = observation(world);
  if (outcome.kind !== "completed") {
    return {
      kind: "ended",
      attempt,
      outcome: { ...outcome, errorText: "" },
      releasedIs: "nothing",
      atRelease,
    };
  }
  const released = { kind: "value", value: "river" } as const;
  return {
    kind: "ended",
    attempt,
    outcome: { ...outcome, released },
    releasedIs: outcome.released,
    atRelease,
  };
}

/** What a harness records of a leg, in its order: the cause, what follows from it, a look at the store. */
function recordOf({ before, action, after, events }: Leg): readonly Happening[] {
  const told = events.map((event) => happeningOf(event, after));
  const look: Happening = { kind: "observed", observation: observation(after) };
  switch (action.kind) {
    case "submit":
    case "retry": {
      const entered = after.attempts.find(({ name }) => name === action.attempt);
      if (entered === undefined) throw new Error(`${action.attempt} did not enter`);
      const { name: attempt, request, context, facts: contract } = entered;
      const delivery = `d-${attempt}`;
      const { faults } = action;
      return [
        { kind: "submitted", attempt, delivery, request, context, faults, contract, canaries: [] },
        ...told,
        look,
      ];
    }
    case "advance":
      return [{ kind: "advanced", attempt: action.attempt }, ...told, look];
    case "cancel":
      return [{ kind: "cancel_requested", attempt: action.attempt }, look];
    case "expire":
      return [{ kind: "expired", attempt: action.attempt }, ...told, look];
    case "change_policy":
      return [{ kind: "policy_set", setting: action.to }, look];
    case "arm":
      return [{ kind: "armed", fault: action.fault }, look];
    case "disarm":
      return [{ kind: "disarmed", fault: action.fault }, look];
    case "crash": {
      const { where } = action;
      const lost = inFlight(before).map(({ name }) => name);
      if (where.kind === "parked") return [{ kind: "crashed", advancing: { kind: "idle" }, lost }, look];
      if (where.kind !== "at") throw new Error(`the ledger knows no crash ${where.kind}`);
      const { attempt, at } = where;
      return after.executor === "down"
        ? [...told, { kind: "crashed", advancing: { kind: "attempt", attempt, at }, lost }, look]
        : [{ kind: "advanced", attempt }, ...told, look];
    }
    case "restart":
      return [{ kind: "restarted", result: "up" }, look];
    case "observe":
      return [look];
    default:
      throw new Error(`no record of ${action.kind}`);
  }
}

/** A finish is recorded as the advances that it is: at most three, one from each checkpoint. */
function legsOf(leg: Leg): readonly Leg[] {
  if (leg.action.kind !== "finish") return [leg];
  const action = advance(leg.action.attempt);
  const legs: Leg[] = [];
  for (let before = leg.before; legs.length < 3; before = legs.at(-1)?.after ?? before) {
    const moved = step(before, action, interpret);
    if (moved.kind === "refused") break;
    legs.push({ before, action, after: moved.world, events: moved.events });
  }
  return legs;
}

describe("a random walk of what is enabled", () => {
  it("is never refused, and neither is anything else that was enabled on its way", () => {
    fc.assert(
      fc.property(draws, (drawn) => {
        const refused = walk(drawn).flatMap(({ after }) =>
          enabled(after, workload).filter((action) => step(after, action, interpret).kind === "refused"),
        );
        expect(refused).toEqual([]);
      }),
      { ...walks, numRuns: 25 },
    );
  });

  it("is offered every move of an attempt that is not refused", () => {
    fc.assert(
      fc.property(draws, (drawn) => {
        const wrong = walk(drawn).flatMap(({ after }) => {
          const offered = enabled(after, workload).map((action) => JSON.stringify(action));
          return after.attempts
            .flatMap(({ name }) => [advance(name), finish(name), cancel(name), expire(name)])
            .filter((action) => {
              const isMoved = step(after, action, interpret).kind === "moved";
              return offered.includes(JSON.stringify(action)) !== isMoved;
            });
        });
        expect(wrong).toEqual([]);
      }),
      { ...walks, numRuns: 25 },
    );
  });

  it("keeps the bounds of its workload", () => {
    fc.assert(
      fc.property(draws, (drawn) => {
        const world = walk(drawn).at(-1)?.after ?? empty;
        expect(world.attempts.length).toBeLessThanOrEqual(6);
        expect(world.policyChanges).toBeLessThanOrEqual(4);
        expect(world.crashes).toBeLessThanOrEqual(2);
      }),
      walks,
    );
  });

  it("takes nothing back: effects, receipts and revisions only grow, one effect a key, one receipt an attempt", () => {
    fc.assert(
      fc.property(draws, (drawn) => {
        for (const { before, after } of walk(drawn)) {
          expect(after.effects.slice(0, before.effects.length)).toEqual(before.effects);
          expect(after.receipts.slice(0, before.receipts.length)).toEqual(before.receipts);
          expect(after.revision).toBeGreaterThanOrEqual(before.revision);
          const keys = after.effects.map(({ tenant, key }) => `${tenant} ${key}`);
          expect(new Set(keys).size).toBe(keys.length);
          expect(after.receipts.map(({ number }) => number)).toEqual(
            after.receipts.map((_, index) => index + 1),
          );
          expect(new Set(after.receipts.map(({ attempt }) => attempt)).size).toBe(after.receipts.length);
        }
      }),
      walks,
    );
  });

  it("is moved on by finish exactly as by its advances", () => {
    fc.assert(
      fc.property(draws, (drawn) => {
        for (const leg of walk(drawn)) {
          if (leg.action.kind !== "finish") continue;
          const legs = legsOf(leg);
          expect(legs.at(-1)?.after).toEqual(leg.after);
          expect(legs.flatMap(({ events }) => events)).toEqual(leg.events);
        }
      }),
      walks,
    );
  });

  it("has a history that is followed, in one world", () => {
    fc.assert(
      fc.property(draws, (drawn) => {
        const history = walk(drawn).flatMap(legsOf).flatMap(recordOf);
        expect(follow(history)).toMatchObject({ kind: "following", frontier: { members: { length: 1 } } });
      }),
      walks,
    );
  });

  it("has a history that is still followed where its last answer got lost", () => {
    fc.assert(
      fc.property(draws, (drawn) => {
        const history = walk(drawn).flatMap(legsOf).flatMap(recordOf);
        const last = history.findLastIndex(({ kind }) => kind === "ended");
        const lost = history.map((happening, index): Happening => {
          if (index !== last || happening.kind !== "ended") return happening;
          return {
            ...happening,
            outcome: { kind: "unknown", cause: "timeout", errorText: "" },
            releasedIs: "nothing",
          };
        });
        expect(follow(lost).kind).toBe("following");
      }),
      walks,
    );
  });
});
