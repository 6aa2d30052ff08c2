import { describe, expect, it } from "vitest";
import type { Exploration } from "../../../src/explore/exploration.js";
import type { Take } from "../../../src/explore/pipeline/fired.js";
import { type PipelineMachine, pipelineMachine } from "../../../src/explore/pipeline/pipeline-machine.js";
import { actionsOfPath } from "../../../src/explore/reference-machine.js";
import { search } from "../../../src/explore/search.js";
import { step } from "../../../src/model/step.js";
import { mutants } from "./mutants.js";
import { smallBounds } from "./small-bounds.js";
import { walkTwins } from "./twins.js";
import { blurred, misfits } from "./unfit-mutants.js";
import { untilBroken } from "./until-broken.js";
import { shownByRun, type WholeVerdict } from "./whole-histories.js";

const full = { reduction: { partialOrder: false, symmetry: false }, stored: "states" } as const;

/** Steps of whole worlds that show something else than the steps of the states that stand for them. */
function differences(
  machine: PipelineMachine,
  take: Take,
): { readonly whole: WholeVerdict; readonly differences: readonly string[] } {
  const found: string[] = [];
  const { whole, enabledElsewhere } = walkTwins(machine, take, ({ edge, showing }) => {
    const [ours, theirs] = [JSON.stringify(edge.shown), JSON.stringify(showing)];
    if (ours !== theirs) found.push(`${JSON.stringify(edge.to.actions)}: ${ours} but ${theirs}`);
  });
  return { whole, differences: [...enabledElsewhere, ...found] };
}

/** Promises with the lengths of the paths on which a search found them broken. */
function brokenIn({ always }: Exploration): ReadonlyMap<string, number> {
  return new Map(
    always.flatMap(({ id, verdict }) =>
      verdict.kind === "violated" ? [[id, verdict.path.length] as const] : [],
    ),
  );
}

function occurredIn({ sometimes }: Exploration): ReadonlyMap<string, number> {
  return new Map(
    sometimes.flatMap(({ id, verdict }) =>
      verdict.kind === "occurs" ? [[id, verdict.path.length] as const] : [],
    ),
  );
}

const inOrder = (lengths: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...lengths].toSorted(([one], [other]) => (one < other ? -1 : 1));

const bounds: readonly (readonly [string, Parameters<typeof smallBounds>[0]])[] = [
  ["one attempt and two changes of the policy", { policyChanges: 2 }],
  ["one attempt and no policy at the start", { policyChanges: 2, policy: { kind: "remove" } }],
  ["one attempt, two crashes and a change of the policy", { crashes: 2, policyChanges: 1, requests: [0] }],
  ["two attempts with any requests on one key", { attempts: 2 }],
  ["two attempts on two keys", { attempts: 2, keys: 2, requests: [0, 2] }],
  ["two attempts and a change of the policy", { attempts: 2, policyChanges: 1, requests: [0] }],
  ["two attempts and a crash", { attempts: 2, crashes: 1, requests: [0] }],
  ["two attempts and a checker that hangs", { attempts: 2, faults: ["checker_hangs"], requests: [0] }],
  ["a throw anywhere and a crash", { crashes: 1, faults: ["throw_at"], requests: [0] }],
  ["a checker that throws and a crash", { crashes: 1, faults: ["checker_throws"], requests: [0] }],
  ["a bad output and a change of the policy", { policyChanges: 1, faults: ["bad_output"], requests: [0] }],
  ["a lock that is held and a crash", { crashes: 1, faults: ["busy"], requests: [0] }],
  ["a refused commit", { policyChanges: 1, faults: ["commit_refused"], requests: [0] }],
  ["two armed faults", { arms: 2, faults: ["effect_ignored", "receipt_aborted"], requests: [0] }],
];

describe("a machine that drops what no promise can ask about any more", () => {
  it.each(bounds)("shows of %s, step by step, what the whole histories show", (_, small) => {
    const bounded = smallBounds(small);
    const take: Take = (world, action) => step(world, action, bounded.contract.interpret);
    const machine = pipelineMachine(bounded, { recovery: "left_out" });
    const { whole, differences: found } = differences(machine, take);
    expect(found.slice(0, 3)).toEqual([]);
    expect(whole.broken.size).toBe(0);
    const exploration = search(machine, full);
    expect(exploration.states).toBeLessThan(whole.worlds);
    expect(inOrder(brokenIn(exploration))).toEqual([]);
    // Just as many actions as in the shortest of the whole histories.
    expect(inOrder(occurredIn(exploration))).toEqual(inOrder(whole.occurred));
  });

  it.each(mutants)("finds what a machine breaks that $name", ({ bounded, take, breaks }) => {
    const machine = pipelineMachine(bounded, { recovery: "left_out", take });
    const { whole, differences: found } = differences(machine, take);
    expect(found.slice(0, 3)).toEqual([]);
    expect(breaks.filter((promise) => !whole.broken.has(promise))).toEqual([]);
    const exploration = search(untilBroken(machine), full);
    expect(inOrder(brokenIn(exploration))).toEqual(inOrder(whole.broken));
    for (const { id, verdict } of exploration.always) {
      if (verdict.kind !== "violated") continue;
      const actions = actionsOfPath(machine, verdict.path);
      expect(shownByRun(bounded, take, actions).broken).toContain(id);
    }
  });

  it.each(blurred)("finds that something is broken in a machine that $name", ({ bounded, take, breaks }) => {
    const machine = pipelineMachine(bounded, { recovery: "left_out", take });
    const silent: string[] = [];
    const { whole } = walkTwins(machine, take, ({ edge, showing }) => {
      if (edge.shown.broken.length > 0 && showing.broken.length === 0) {
        silent.push(`${edge.shown.broken.join()} after ${JSON.stringify(edge.to.actions)}`);
      }
    });
    expect(breaks.filter((promise) => !whole.broken.has(promise))).toEqual([]);
    expect(silent).toEqual([]);
  });

  it.each(misfits)("refuses a machine that $name", ({ bounded, take, message }) => {
    const machine = pipelineMachine(bounded, { recovery: "left_out", take, auditEvery: 1 });
    expect(() => search(machine, full)).toThrow(message);
  });
});
