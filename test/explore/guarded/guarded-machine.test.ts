import { describe, expect, it } from "vitest";
import { guardedContract } from "../../../src/contract/guarded/toolbox.js";
import { interpretFor } from "../../../src/contract/tool.js";
import type { Exploration } from "../../../src/explore/exploration.js";
import { actionIn } from "../../../src/explore/guarded/actions.js";
import { type GuardedMachine, guardedMachine } from "../../../src/explore/guarded/guarded-machine.js";
import { projection } from "../../../src/explore/guarded/projection.js";
import { type GuardedWorkload, oneCall, twoCalls } from "../../../src/explore/guarded/workload.js";
import type { Take } from "../../../src/explore/pipeline/fired.js";
import { search } from "../../../src/explore/search.js";
import { step } from "../../../src/model/step.js";
import type { World } from "../../../src/model/world.js";
import { guardedProfile } from "../../../src/sut/guarded/system.js";

const subject = {
  profile: guardedProfile,
  contract: guardedContract,
  policy: { kind: "limit", maxCopies: 3 },
  faults: [],
} as const;
const small = { attempts: 1, crashes: "possible" } as const;

function explored(machine: GuardedMachine): Exploration {
  return search(machine, { reduction: { partialOrder: false, symmetry: true }, stored: "states" });
}

function brokenIn({ always }: Exploration): readonly string[] {
  return always.filter(({ verdict }) => verdict.kind === "violated").map(({ id }) => id);
}

/** Counts states and steps over whole worlds, in which all calls happen, with nothing remembered. */
function counted(machine: GuardedMachine): { readonly states: number; readonly transitions: number } {
  const { workload, start, take, mostEnabled, meant } = machine;
  const textOf = (world: World): string => workload.calls.map((call) => projection(world, call)).join("\n");
  const met = new Map([[textOf(start), start]]);
  let transitions = 0;
  for (const world of met.values()) {
    for (let number = 0; number < mostEnabled; number++) {
      const { action: wanted, call } = meant(number);
      const action = actionIn(world, call, wanted, workload);
      if (action === "none") continue;
      const moved = take(world, action);
      if (moved.kind === "refused") continue;
      if (action.kind === "crash" && moved.world.executor === "up") continue;
      transitions++;
      const text = textOf(moved.world);
      if (!met.has(text)) met.set(text, moved.world);
    }
  }
  return { states: met.size, transitions };
}

describe("the guarded machine", () => {
  it.each([
    ["one call", oneCall(subject, small)],
    ["one call, two attempts", oneCall(subject, { attempts: 2, crashes: "none" })],
    ["two calls of one step", twoCalls(subject, small, 0)],
    ["one step after the other", twoCalls(subject, small, 1)],
  ])(
    "has the states and steps of whole worlds with %s",
    (_, plan) => {
      // Fewer ways for what grows by itself: the product is the same for any of them.
      const workload: GuardedWorkload = {
        ...plan,
        flaws: "none",
        rights: "stay",
        settings: [subject.policy],
      };
      const machine = guardedMachine(workload, { compareEvery: 4 });
      const { outcome, states, transitions, always } = explored(machine);
      expect(outcome.kind).toBe("complete");
      expect({ states, transitions }).toEqual(counted(machine));
      expect(always.filter(({ verdict }) => verdict.kind !== "holds")).toEqual([]);
    },
    60_000,
  );
});

/** The machine with one thing wrong: what it sees of the world, or what it leaves behind, is not what there is. */
const bugs: readonly {
  readonly name: string;
  readonly promise: string;
  readonly seen?: (world: World) => World;
  readonly left?: (after: World, before: World) => World;
}[] = [
  {
    name: "expiry is ignored",
    promise: "decision-tells-truth",
    seen: (world) => ({ ...world, clock: 0 }),
    left: (after, before) => ({ ...after, clock: Math.max(after.clock, before.clock) }),
  },
  {
    name: "a denial is forgotten",
    promise: "denied-stays-denied",
    seen: (world) => ({
      ...world,
      consent: {
        ...world.consent,
        decisions: world.consent.decisions.map((row) => ({ ...row, verdict: "grant" as const })),
      },
    }),
  },
  {
    name: "requests do not survive a restart",
    promise: "consent-survives",
    left: (after, before) =>
      before.executor === "down" && after.executor === "up"
        ? { ...after, consent: { ...after.consent, requests: [] } }
        : after,
  },
  {
    name: "decisions do not survive a restart",
    promise: "consent-survives",
    left: (after, before) =>
      before.executor === "down" && after.executor === "up"
        ? { ...after, consent: { ...after.consent, decisions: [] } }
        : after,
  },
  {
    name: "a lost right is not noticed",
    promise: "authority-at-commit",
    seen: (world) => ({ ...world, capabilities: subject.contract.toolbox?.capabilities ?? [] }),
    // It is lost all the same.
    left: (after, before) =>
      after.capabilities === subject.contract.toolbox?.capabilities
        ? { ...after, capabilities: before.capabilities }
        : after,
  },
];

describe("a guarded machine with something wrong", () => {
  it.each(bugs)(
    "breaks $promise when $name",
    ({ promise, seen, left }) => {
      const take: Take = (world, action) => {
        const isOwn = action.kind === "submit" || action.kind === "advance" || action.kind === "approve";
        const given = seen !== undefined && isOwn ? seen(world) : world;
        const taken = step(given, action, interpretFor(guardedContract));
        if (taken.kind === "refused") return taken;
        const restored = given === world ? taken.world : backTo(taken.world, given, world);
        return { ...taken, world: left === undefined ? restored : left(restored, world) };
      };
      // What is broken already may differ from way to way.
      const machine = guardedMachine(
        { ...oneCall(subject, { attempts: 2, crashes: "possible" }), cancels: "none", flaws: "none" },
        { take, compareEvery: Number.POSITIVE_INFINITY },
      );
      const found = search(machine, {
        reduction: { partialOrder: false, symmetry: true },
        stored: "states",
        maxStates: 3000,
      });
      expect(brokenIn(found)).toContain(promise);
    },
    60_000,
  );
});

/** Rows of decisions that were only seen otherwise are as they were. */
function backTo(after: World, given: World, before: World): World {
  const { decisions } = before.consent;
  if (given.consent === before.consent) return after;
  const added = after.consent.decisions.slice(given.consent.decisions.length);
  return { ...after, consent: { ...after.consent, decisions: [...decisions, ...added] } };
}
