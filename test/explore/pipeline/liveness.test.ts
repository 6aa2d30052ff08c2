import { describe, expect, it } from "vitest";
import type { LivenessVerdict } from "../../../src/explore/exploration.js";
import type { Take } from "../../../src/explore/pipeline/fired.js";
import { pipelineMachine } from "../../../src/explore/pipeline/pipeline-machine.js";
import { search } from "../../../src/explore/search.js";
import { step } from "../../../src/model/step.js";
import type { Action } from "../../../src/model/vocabulary.js";
import { type Attempt, type World, withAttempt } from "../../../src/model/world.js";
import { smallBounds } from "./small-bounds.js";

type Small = NonNullable<Parameters<typeof smallBounds>[0]>;
type Instead = (
  world: World,
  action: Action,
  mover: Attempt | undefined,
) => ReturnType<Take> | "as it should";

/** The verdicts of a machine that does something else now and then. */
function verdicts(small: Small, instead: Instead): readonly (readonly [string, LivenessVerdict])[] {
  const bounded = smallBounds(small);
  const take: Take = (world, action) => {
    const name = action.kind === "advance" || action.kind === "expire" ? action.attempt : "nobody";
    const mover = world.attempts.find((attempt) => attempt.name === name);
    const other = instead(world, action, mover);
    return other === "as it should" ? step(world, action, bounded.contract.interpret) : other;
  };
  const machine = pipelineMachine(bounded, { recovery: "explored", take });
  const { liveness } = search(machine, {
    reduction: { partialOrder: false, symmetry: false },
    stored: "graph",
  });
  return liveness.map(({ id, verdict }) => [id, verdict]);
}

const told = (path: readonly { readonly name: string }[]): readonly string[] =>
  path.map(({ name }) => name.replace(/^(submit|try) \{.*\}/, "$1"));

/** How each violation of a promise comes about: its path, and how it goes on from there. */
function failures(found: ReturnType<typeof verdicts>, id: string): readonly unknown[] {
  return found.flatMap(([promise, verdict]) =>
    promise === id && verdict.kind === "violated" ? [tellOf(verdict)] : [],
  );
}

function tellOf({ path, failure }: Extract<LivenessVerdict, { kind: "violated" }>): unknown {
  switch (failure.kind) {
    case "no_way_to_the_goal":
      return { path: told(path) };
    case "stuck":
      return { path: told(path), stuckAfter: told(failure.after) };
    case "goes_round":
      return { path: told(path), after: told(failure.after), round: told(failure.round) };
  }
}

const one: Small = { requests: [0] };

describe("the recovery of the bounded machine", () => {
  it.each<readonly [string, Small]>([
    ["one attempt and two changes of the policy", { policyChanges: 2 }],
    ["two attempts on one key", { attempts: 2, policyChanges: 1 }],
    ["a crash while a fault is armed", { crashes: 1, faults: ["busy"], policyChanges: 1 }],
    [
      "a check that hangs, and a crash",
      { attempts: 2, crashes: 1, faults: ["checker_hangs"], requests: [0] },
    ],
    ["a copy that is spoilt when faults go", { faults: ["bad_output"], policyChanges: 1 }],
    ["no policy", { policy: { kind: "remove" } }],
  ])("ends every attempt and serves every request again, with %s", (_, small) => {
    const kinds = verdicts(small, () => "as it should").map(([id, { kind }]) => `${id} ${kind}`);
    expect(kinds).toEqual([
      "every-attempt-ends holds",
      "always-recoverable holds",
      "always-recoverable holds",
    ]);
  });

  it("finds an attempt that comes back to where it stood", () => {
    const found = verdicts(one, (world, _, mover) =>
      mover?.place.kind === "parked" && mover.place.at === "after_business" && mover.cancel === "none"
        ? {
            kind: "moved",
            world,
            events: [
              { kind: "parked", attempt: mover.name, at: mover.place.at, snapshotRevision: mover.snapshot },
            ],
            transitions: ["after_business advance after_business"],
          }
        : "as it should",
    );
    // Driven from its first stop it gets to the second one, and goes round there.
    expect(failures(found, "every-attempt-ends")).toEqual([
      {
        path: ["submit", "faults are gone"],
        after: ["advance attempt 1"],
        round: ["advance attempt 1"],
      },
    ]);
    // Nor does a request end that is tried on a store that nobody has touched.
    expect(failures(found, "always-recoverable").at(0)).toEqual({ path: [] });
  });

  it("finds an attempt whose hanging check is never given up", () => {
    const small: Small = { faults: ["checker_hangs"], requests: [0] };
    const found = verdicts(small, (_, action) =>
      action.kind === "expire" ? { kind: "refused", reason: "it waits for ever" } : "as it should",
    );
    const [failure] = failures(found, "every-attempt-ends");
    // The check hangs at once.
    expect(failure).toEqual({ path: [expect.stringContaining("submit"), "faults are gone"], stuckAfter: [] });
    expect(failures(found, "always-recoverable")).toHaveLength(2);
  });

  it("finds an executor that does not come up again after a crash", () => {
    const found = verdicts({ ...one, crashes: 1 }, (_, action) =>
      action.kind === "restart" ? { kind: "refused", reason: "the store is spoilt" } : "as it should",
    );
    expect(failures(found, "always-recoverable")).toEqual([
      { path: ["crash"] },
      { path: ["crash", "faults are gone"], stuckAfter: [] },
    ]);
  });

  it("finds a key that is stuck once something was committed under it", () => {
    const found = verdicts(one, (world, action, mover) => {
      if (mover?.place.kind !== "parked" || mover.place.at !== "before_business") return "as it should";
      if (world.effects.length === 0) return "as it should";
      const faults = [{ kind: "throw_at", at: "before_business" }] as const;
      return step(withAttempt(world, { ...mover, faults }), action, () => mover.facts);
    });
    expect(failures(found, "every-attempt-ends")).toEqual([]);
    // What is under way will commit, and with its effect there, what is tried once more ends in an unjustified error.
    expect(failures(found, "always-recoverable")).toEqual([
      { path: ["submit"] },
      {
        path: ["submit", "faults are gone"],
        stuckAfter: [...Array<string>(3).fill("advance attempt 1"), "try once more", "advance attempt 1"],
      },
    ]);
  });

  it("does not let a refusal pass that the policy does not justify", () => {
    const found = verdicts(one, (world, action) => {
      if (action.kind !== "submit") return "as it should";
      const { interpret } = smallBounds(one).contract;
      const taken = step({ ...world, policy: { kind: "missing" } }, action, interpret);
      return taken.kind === "refused" ? taken : { ...taken, world: { ...taken.world, policy: world.policy } };
    });
    // The store has a policy, so an answer that there is none is no way to end.
    expect(failures(found, "always-recoverable").at(0)).toEqual({ path: [] });
  });
});
