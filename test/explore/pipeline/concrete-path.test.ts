import { describe, expect, it } from "vitest";
import { concretePath } from "../../../src/explore/pipeline/concrete-path.js";
import { attemptSlots } from "../../../src/explore/pipeline/layout.js";
import { type PipelineMachine, pipelineMachine } from "../../../src/explore/pipeline/pipeline-machine.js";
import { nameOf } from "../../../src/explore/pipeline/world-codec.js";
import { actionsOfPath } from "../../../src/explore/reference-machine.js";
import { search } from "../../../src/explore/search.js";
import { step } from "../../../src/model/step.js";
import type { Action, AttemptName } from "../../../src/model/vocabulary.js";
import { initialWorld, isWaiting, type World } from "../../../src/model/world.js";
import { smallBounds } from "./small-bounds.js";

const small: readonly (readonly [string, Parameters<typeof smallBounds>[0]])[] = [
  ["two attempts on two keys", { attempts: 2, keys: 2 }],
  ["three attempts on one key", { attempts: 3, requests: [0, 1] }],
  [
    "two attempts, a change of the policy and a crash",
    { attempts: 2, policyChanges: 1, crashes: 1, requests: [0] },
  ],
  ["two attempts on two keys with a throw", { attempts: 2, keys: 2, faults: ["throw_at"], requests: [0, 2] }],
];

function worldAfter({ bounded }: PipelineMachine, actions: readonly Action[]): World {
  const { profile, policy, contract } = bounded;
  return actions.reduce(
    (world, action) => {
      const taken = step(world, action, contract.interpret);
      if (taken.kind === "refused") throw new Error(`${action.kind}: ${taken.reason}`);
      return taken.world;
    },
    initialWorld(profile, policy, contract.name),
  );
}

/** The state that stands for a whole world, whatever its attempts are called. */
function canonicalOf(machine: PipelineMachine, world: World, actions: readonly Action[]): string {
  const { layout, codec, bounded } = machine;
  const waiting = world.attempts.filter(isWaiting);
  const attempts = world.attempts.map((attempt, index) => {
    const slot = waiting.findIndex(({ name }) => name === attempt.name);
    const name: AttemptName = slot < 0 ? `a${90 + index}` : nameOf(slot);
    return { ...attempt, name };
  });
  // Slots of attempts that wait are taken, so that each is encoded where its name says.
  const before = new Uint8Array(layout.slots);
  for (const slot of waiting.keys()) before[layout.attempts + slot * attemptSlots] = 1;
  const state = new Uint8Array(layout.slots);
  const isFaulty = (action: Action): boolean => action.kind === "submit" && action.faults.length > 0;
  const counters = {
    submitted: world.attempts.length,
    arms: actions.filter(({ kind }) => kind === "arm").length,
    faultyAttempts: Math.min(actions.filter(isFaulty).length, bounded.bounds.faultyAttempts),
    phase: "open",
    probe: 0,
  } as const;
  codec.encode({ ...world, attempts }, counters, before, state);
  machine.reductions?.toCanonical(state);
  return state.join();
}

describe("a concrete path", () => {
  it.each(small)(
    "leads over every edge of the canonical graph to where the edge leads, with %s",
    (_, bounds) => {
      const machine = pipelineMachine(smallBounds(bounds), { recovery: "left_out" });
      const { stored } = search(machine, {
        reduction: { partialOrder: false, symmetry: true },
        stored: "graph",
      });
      if (stored.graph.kind !== "stored") throw new Error("the graph was asked for");
      const { firstEdge, action, target } = stored.graph.graph;
      const ways: (readonly number[])[] = Array.from({ length: stored.count }, () => []);
      const known = new Set([0]);
      const state = new Uint8Array(machine.layout.slots);
      const wrong: string[] = [];
      for (let from = 0; from < stored.count; from++) {
        for (let edge = firstEdge[from] ?? 0; edge < (firstEdge[from + 1] ?? 0); edge++) {
          const to = target[edge] ?? 0;
          const way = [...(ways[from] ?? []), action[edge] ?? 0];
          if (!known.has(to)) {
            known.add(to);
            ways[to] = way;
          }
          const path = concretePath(machine, "canonical");
          const actions = way.flatMap((number): readonly Action[] => {
            const taken = path.follow(number);
            return taken === "epilogue" ? [] : [taken];
          });
          stored.read(to, state);
          const reached = canonicalOf(machine, worldAfter(machine, actions), actions);
          if (reached !== state.join())
            wrong.push(`${JSON.stringify(actions)} to ${reached}, not ${state.join()}`);
        }
      }
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(known.size).toBe(stored.count);
    },
  );

  it("numbers attempts in the order in which they are submitted", () => {
    const machine = pipelineMachine(smallBounds({ attempts: 3, requests: [0] }), { recovery: "left_out" });
    const { table } = machine;
    const submit = table.actions.findIndex(({ kind }) => kind === "submit");
    const advance = (slot: number): number => slot * table.perAttempt;
    // The first attempt ends, so the third one submitted takes its slot.
    const path = [submit, submit, advance(0), advance(0), advance(0), submit, advance(0), advance(1)];
    const names = actionsOfPath(
      machine,
      path.map((action) => ({ action })),
    ).map((action) => ("attempt" in action ? action.attempt : ""));
    expect(names).toEqual(["a1", "a2", "a1", "a1", "a1", "a3", "a3", "a2"]);
  });

  it("ends where faults are gone", () => {
    const machine = pipelineMachine(smallBounds({ requests: [0] }), { recovery: "explored" });
    const { table } = machine;
    const numbers = ["submit", "epilogue", "advance"].map((wanted) =>
      table.actions.findIndex(({ kind }) => kind === wanted),
    );
    const actions = actionsOfPath(
      machine,
      numbers.map((action) => ({ action })),
    );
    expect(actions.map(({ kind }) => kind)).toEqual(["submit"]);
  });
});
