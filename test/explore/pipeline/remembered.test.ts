import { describe, expect, it } from "vitest";
import type { Exploration } from "../../../src/explore/exploration.js";
import type { Take } from "../../../src/explore/pipeline/fired.js";
import { pipelineMachine } from "../../../src/explore/pipeline/pipeline-machine.js";
import { search } from "../../../src/explore/search.js";
import { step } from "../../../src/model/step.js";
import { faultKinds } from "../../../src/model/vocabulary.js";
import { inFlight } from "../../../src/model/world.js";
import { smallBounds } from "./small-bounds.js";

const never = Number.MAX_SAFE_INTEGER;

function explore(small: Parameters<typeof smallBounds>[0], auditEvery: number, take?: Take): Exploration {
  const options = { recovery: "explored", auditEvery, ...(take === undefined ? {} : { take }) } as const;
  const machine = pipelineMachine(smallBounds(small), options);
  return search(machine, { reduction: { partialOrder: false, symmetry: false }, stored: "graph" });
}

/** All that a search says but for its memory and its paths. */
function saidBy({ states, transitions, depth, steps, always, sometimes, liveness }: Exploration): unknown {
  const verdicts = [...always, ...sometimes, ...liveness].map(({ id, verdict }) => [id, verdict.kind]);
  return { states, transitions, depth, steps, verdicts };
}

const bounds: readonly (readonly [string, Parameters<typeof smallBounds>[0]])[] = [
  ["two attempts and a change of the policy", { attempts: 2, policyChanges: 1, requests: [0] }],
  ["two attempts on two keys", { attempts: 2, keys: 2, requests: [0, 3] }],
  ["two attempts and a crash", { attempts: 2, crashes: 1, requests: [0] }],
  ["three attempts", { attempts: 3, requests: [0] }],
  ...faultKinds.map(
    (kind) =>
      [`an attempt and ${kind}`, { faults: [kind], policyChanges: 1, crashes: 1, requests: [0] }] as const,
  ),
];

describe("a machine that remembers its steps", () => {
  it.each(bounds)("finds of %s what it finds when every step is worked out anew", (_, small) => {
    // 1: whatever is remembered is worked out again each time that it is used, and must be the same.
    expect(saidBy(explore(small, 1))).toEqual(saidBy(explore(small, never)));
  });

  it("works out far fewer lists of steps than there are states", () => {
    const machine = pipelineMachine(smallBounds({ attempts: 3, requests: [0, 1] }), { recovery: "left_out" });
    const { states } = search(machine, {
      reduction: { partialOrder: false, symmetry: false },
      stored: "states",
    });
    expect(machine.workedOut()).toBeLessThan(states / 4);
  });

  const bounded = smallBounds({ attempts: 2, requests: [0] });
  const { interpret } = bounded.contract;

  it("is found out when what an attempt can do depends on another attempt", () => {
    const take: Take = (world, action) =>
      action.kind === "advance" && inFlight(world).some(({ cancel }) => cancel === "requested")
        ? { kind: "refused", reason: "someone is being cancelled" }
        : step(world, action, interpret);
    expect(() => explore({ attempts: 2, requests: [0] }, 1, take)).toThrow(
      "a step depends on more of the state than it is remembered by",
    );
  });

  it("is found out when a step moves another attempt than its own", () => {
    const take: Take = (world, action) => {
      const taken = step(world, action, interpret);
      if (taken.kind === "refused" || action.kind !== "advance") return taken;
      const other = inFlight(taken.world).find(
        ({ name, place }) => name !== action.attempt && place.kind === "parked",
      );
      return other === undefined
        ? taken
        : step(taken.world, { kind: "advance", attempt: other.name }, interpret);
    };
    expect(() => explore({ attempts: 2, requests: [0] }, never, take)).toThrow(
      "after advance, a promise can ask more about an attempt that waits than its state holds",
    );
  });
});
