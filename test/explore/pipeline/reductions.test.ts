import { describe, expect, it } from "vitest";
import type { Exploration, Reduction } from "../../../src/explore/exploration.js";
import { type PipelineMachine, pipelineMachine } from "../../../src/explore/pipeline/pipeline-machine.js";
import { search } from "../../../src/explore/search.js";
import { mutants } from "./mutants.js";
import { smallBounds } from "./small-bounds.js";
import { untilBroken } from "./until-broken.js";

const reductions: readonly Reduction[] = [
  { partialOrder: true, symmetry: false },
  { partialOrder: false, symmetry: true },
  { partialOrder: true, symmetry: true },
];
const full: Reduction = { partialOrder: false, symmetry: false };

function explore(machine: PipelineMachine, reduction: Reduction): Exploration {
  return search(machine, { reduction, stored: "graph" });
}

/** What is said of every promise, without the paths: these may be mirror images or other orders. */
function verdictsOf({ always, sometimes, liveness }: Exploration): readonly string[] {
  return [...always, ...sometimes, ...liveness].map(({ id, verdict }) => `${id} ${verdict.kind}`);
}

/** States in which nothing can be done any more; under symmetry, each as the one that stands for its mirror images. */
function endsOf(
  machine: PipelineMachine,
  { deadEnds, stored }: Exploration,
  { symmetry }: Reduction,
): readonly string[] {
  const state = new Uint8Array(machine.layout.slots);
  const ends = [...deadEnds].map((end) => {
    stored.read(end, state);
    if (symmetry) machine.reductions?.toCanonical(state);
    return state.join();
  });
  return [...new Set(ends)].sort();
}

const configurations: readonly (readonly [string, Parameters<typeof smallBounds>[0]])[] = [
  ["one attempt", {}],
  ["one attempt and two changes of the policy", { policyChanges: 2 }],
  ["two attempts", { attempts: 2 }],
  ["two attempts on two keys", { attempts: 2, keys: 2 }],
  ["two attempts and a change of the policy", { attempts: 2, policyChanges: 1 }],
  ["two attempts and a crash", { attempts: 2, crashes: 1 }],
  ["two attempts, of which one may throw", { attempts: 2, faults: ["throw_at"], requests: [0, 1] }],
  ["two attempts, of which one may release a bad copy", { attempts: 2, faults: ["bad_output"] }],
  [
    "two attempts and a fault of the receipts",
    { attempts: 2, faults: ["receipt_ignored"], requests: [0, 2] },
  ],
  ["two attempts and a check that may hang", { attempts: 2, faults: ["checker_hangs"], requests: [0] }],
  ["two attempts, one after a crash", { attempts: 2, crashes: 1, faults: ["busy"], requests: [0] }],
  ["three attempts on one key", { attempts: 3, requests: [0, 1] }],
];

describe("a reduced search of the bounded machine", () => {
  it.each(configurations)("says of %s what the full one says", (_, small) => {
    const machine = pipelineMachine(smallBounds(small), { recovery: "left_out" });
    const whole = explore(machine, full);
    for (const reduction of reductions) {
      const reduced = explore(machine, reduction);
      expect(verdictsOf(reduced)).toEqual(verdictsOf(whole));
      expect(endsOf(machine, reduced, reduction)).toEqual(endsOf(machine, whole, reduction));
      expect(reduced.states).toBeLessThanOrEqual(whole.states);
    }
  });

  it.each(configurations.slice(0, 7))("says of the recovery of %s what the full one says", (_, small) => {
    const machine = pipelineMachine(smallBounds(small), { recovery: "explored" });
    const whole = explore(machine, full);
    const reduction = { partialOrder: false, symmetry: true };
    const reduced = explore(machine, reduction);
    expect(verdictsOf(reduced)).toEqual(verdictsOf(whole));
    expect(endsOf(machine, reduced, reduction)).toEqual(endsOf(machine, whole, reduction));
  });

  it("leaves out something, each reduction by itself and both together", () => {
    const machine = pipelineMachine(smallBounds({ attempts: 2, keys: 2 }), { recovery: "left_out" });
    const whole = explore(machine, full).states;
    const [byOrder = 0, bySymmetry = 0, byBoth = 0] = reductions.map(
      (reduction) => explore(machine, reduction).states,
    );
    expect(byOrder).toBeLessThan(whole);
    // Two attempts and two keys have up to four mirror images.
    expect(bySymmetry).toBeLessThan(whole / 2);
    expect(byBoth).toBeLessThan(Math.min(byOrder, bySymmetry));
  });

  it.each(mutants)("finds what a machine breaks that $name", ({ bounded, take }) => {
    const machine = untilBroken(pipelineMachine(bounded, { recovery: "left_out", take }));
    const broken = (exploration: Exploration): readonly string[] =>
      exploration.always.flatMap(({ id, verdict }) => (verdict.kind === "violated" ? [id] : []));
    const whole = explore(machine, full);
    expect(broken(whole)).not.toEqual([]);
    for (const reduction of reductions) expect(broken(explore(machine, reduction))).toEqual(broken(whole));
  });
});
