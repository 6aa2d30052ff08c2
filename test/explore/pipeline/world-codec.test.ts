import { describe, expect, it } from "vitest";
import { onlyContext } from "../../../src/explore/pipeline/bounded.js";
import type { Take } from "../../../src/explore/pipeline/fired.js";
import { type PipelineMachine, pipelineMachine } from "../../../src/explore/pipeline/pipeline-machine.js";
import { nameOf } from "../../../src/explore/pipeline/world-codec.js";
import { search } from "../../../src/explore/search.js";
import { step } from "../../../src/model/step.js";
import type { Action, AttemptName } from "../../../src/model/vocabulary.js";
import { isWaiting, type World } from "../../../src/model/world.js";
import { smallBounds } from "./small-bounds.js";
import { type Twin, walkTwins } from "./twins.js";

const full = { reduction: { partialOrder: false, symmetry: false }, stored: "states" } as const;
const small: readonly (readonly [string, Parameters<typeof smallBounds>[0]])[] = [
  ["two attempts and a change of the policy", { attempts: 2, policyChanges: 1, requests: [0] }],
  ["two attempts on two keys", { attempts: 2, keys: 2, requests: [0, 3] }],
  ["planned faults", { faults: ["throw_at", "checker_hangs", "bad_output"], policyChanges: 1 }],
  ["armed faults", { faults: ["busy", "receipt_ignored"], arms: 2, requests: [0] }],
];

function machineOf(bounds: Parameters<typeof smallBounds>[0]): PipelineMachine {
  return pipelineMachine(smallBounds(bounds), { recovery: "left_out" });
}

/** The machine's world after these actions. */
function worldAfter({ bounded, codec, layout }: PipelineMachine, actions: readonly Action[]): World {
  const state = new Uint8Array(layout.slots);
  codec.initial(state);
  return actions.reduce((world, action) => {
    const taken = step(world, action, bounded.contract.interpret);
    if (taken.kind === "refused") throw new Error(taken.reason);
    return taken.world;
  }, codec.decode(state).world);
}

function encoded({ codec, layout }: PipelineMachine, world: World, before?: Uint8Array): Uint8Array {
  const counters = {
    submitted: world.attempts.length,
    arms: 0,
    faultyAttempts: 0,
    phase: "open",
    probe: 0,
  } as const;
  const state = new Uint8Array(layout.slots);
  codec.encode(world, counters, before ?? new Uint8Array(layout.slots), state);
  return state;
}

function submit({ bounded }: PipelineMachine, attempt: AttemptName, request: number): Action {
  const text = bounded.requests[request]?.text ?? "";
  return { kind: "submit", attempt, request: text, context: onlyContext, faults: [] };
}

const advance = (attempt: AttemptName): Action => ({ kind: "advance", attempt });

/** The world with its attempts under the names of the slots that hold them; those that are over go elsewhere. */
function underSlotNames(world: World, { names }: Twin): World {
  const attempts = world.attempts.map((attempt, index) => {
    const name: AttemptName = isWaiting(attempt) ? nameOf(names.indexOf(attempt.name)) : `a${50 + index}`;
    return { ...attempt, name };
  });
  return { ...world, attempts };
}

describe("the codec of worlds", () => {
  it.each(small)("encodes what it decodes as the same state, for all of %s", (_, bounds) => {
    const machine = machineOf(bounds);
    const { stored } = search(machine, full);
    const state = new Uint8Array(machine.layout.slots);
    const again = new Uint8Array(machine.layout.slots);
    for (let number = 0; number < stored.count; number++) {
      stored.read(number, state);
      const { world, counters } = machine.codec.decode(state);
      machine.codec.encode(world, counters, state, again);
      if (again.join() !== state.join()) expect(again.join()).toBe(state.join());
    }
    expect(stored.count).toBeGreaterThan(100);
  });

  it.each(small)("encodes every whole world of %s as the state that stands for it", (_, bounds) => {
    const machine = machineOf(bounds);
    const take: Take = (world, action) => step(world, action, machine.bounded.contract.interpret);
    const into = new Uint8Array(machine.layout.slots);
    const wrong: string[] = [];
    walkTwins(machine, take, ({ edge: { to }, to: twin }) => {
      const { arms, faultyAttempts, world } = to;
      const counters = {
        submitted: world.attempts.length,
        arms,
        faultyAttempts,
        phase: "open",
        probe: 0,
      } as const;
      machine.codec.encode(underSlotNames(world, twin), counters, twin.state, into);
      if (into.join() !== twin.state.join()) wrong.push(`${into.join()} but ${twin.state.join()}`);
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it("drops which attempt committed an effect, and under which revision", () => {
    const machine = machineOf({ attempts: 2, policyChanges: 1, requests: [0] });
    const world = worldAfter(machine, [submit(machine, "a1", 0), advance("a1")]);
    const [effect] = world.effects;
    if (effect === undefined) throw new Error("the attempt has not committed");
    const other = { ...world, effects: [{ ...effect, revision: 7, callId: "c-other", runId: "r9" }] };
    expect(encoded(machine, other)).toEqual(encoded(machine, world));
  });

  it("keeps to which arguments a key is bound", () => {
    const machine = machineOf({ attempts: 2 });
    const ends = [0, 1].map((request) =>
      worldAfter(machine, [submit(machine, "a1", request), advance("a1"), advance("a1"), advance("a1")]),
    );
    const [light, heavy] = ends.map((world) => encoded(machine, world).join());
    expect(light).not.toBe(heavy);
  });

  it("drops how many receipts of a key there are and what they say, and keeps whether there is one", () => {
    const machine = machineOf({ attempts: 2, requests: [0, 2] });
    const { layout } = machine;
    // The invalid request has no key: the last of the slots stands for its receipt.
    const world = worldAfter(machine, [submit(machine, "a1", 1)]);
    const [receipt] = world.receipts;
    if (receipt === undefined) throw new Error("a refused request has a receipt");
    const more = { ...world, receipts: [receipt, { ...receipt, number: 2, code: "another" }] };
    expect(encoded(machine, more)).toEqual(encoded(machine, world));
    expect([...encoded(machine, world).subarray(layout.receipts, layout.receipts + 2)]).toEqual([0, 1]);
  });

  it("drops attempts that have ended but for their number, and keeps no trace of a lost one's way", () => {
    const machine = machineOf({ attempts: 2, crashes: 1, requests: [0] });
    const crash: Action = { kind: "crash", where: { kind: "parked" } };
    const early = worldAfter(machine, [submit(machine, "a1", 0), crash]);
    const cancelled = worldAfter(machine, [
      submit(machine, "a1", 0),
      { kind: "cancel", attempt: "a1" },
      crash,
    ]);
    expect(encoded(machine, cancelled)).toEqual(encoded(machine, early));
    const { layout } = machine;
    expect([...encoded(machine, early).subarray(layout.attempts)].every((slot) => slot === 0)).toBe(true);
    expect(encoded(machine, early)[layout.submitted]).toBe(1);
  });

  it("keeps of a snapshot only whether it is of the policy in force", () => {
    const machine = machineOf({ attempts: 1, policyChanges: 3, requests: [0] });
    const set: Action = { kind: "change_policy", to: { kind: "limit", maxCopies: 3 } };
    const { layout, codec } = machine;
    const slots = [[], [set], [set, set]].map((changes) => {
      const state = encoded(machine, worldAfter(machine, [submit(machine, "a1", 0), ...changes]));
      return state[layout.attempts + 3];
    });
    // 0 is none, 1 an older one, 2 the one in force.
    expect(slots).toEqual([2, 1, 1]);
    const older = codec.decode(encoded(machine, worldAfter(machine, [submit(machine, "a1", 0), set]))).world;
    const [attempt] = older.attempts;
    expect(attempt?.snapshot).not.toEqual({ kind: "seen", revision: older.revision });
  });

  it("keeps no count of what was spent once faults are gone", () => {
    const machine = machineOf({ attempts: 2, policyChanges: 1, crashes: 1, requests: [0] });
    const world = { ...worldAfter(machine, []), policyChanges: 1, crashes: 1 };
    const counters = { submitted: 2, arms: 1, faultyAttempts: 1, phase: "faults_gone", probe: 0 } as const;
    const state = new Uint8Array(machine.layout.slots);
    machine.codec.encode(world, counters, state.slice(), state);
    const { firstCounter, endOfCounters } = machine.layout;
    expect([...state.subarray(firstCounter, endOfCounters)].every((spent) => spent === 0)).toBe(true);
  });

  it.each<readonly [string, (world: World) => World, string]>([
    [
      "another limit",
      (world) => ({ ...world, policy: { kind: "present", revision: 1, maxCopies: 8 } }),
      "a limit",
    ],
    [
      "another key",
      (world) => ({ ...world, effects: world.effects.map((effect) => ({ ...effect, key: "JOB-999" })) }),
      "a key",
    ],
    [
      "another digest",
      (world) => ({ ...world, effects: world.effects.map((effect) => ({ ...effect, digest: "x" })) }),
      "a digest",
    ],
    [
      "another request",
      (world) => ({ ...world, attempts: world.attempts.map((attempt) => ({ ...attempt, request: "{}" })) }),
      "a request",
    ],
    [
      "a fault that is not in them",
      (world) => ({ ...world, armed: [{ kind: "receipt_ignored" }] }),
      "a fault",
    ],
  ])("refuses a world of %s than its bounds know", (_, change, what) => {
    const machine = machineOf({ requests: [0] });
    const world = change(worldAfter(machine, [submit(machine, "a1", 0), advance("a1")]));
    expect(() => encoded(machine, world)).toThrow(`the world holds ${what} that is not in the bounds`);
  });

  it("refuses more attempts than it has slots for, and events out of their order", () => {
    const machine = machineOf({ requests: [0] });
    const world = worldAfter(machine, [submit(machine, "a1", 0), submit(machine, "a2", 0)]);
    expect(() => encoded(machine, world)).toThrow("no slot is left for a2");
    const one = worldAfter(machine, [submit(machine, "a1", 0)]);
    const attempts = one.attempts.map((attempt) => ({ ...attempt, events: attempt.events.toReversed() }));
    expect(() => encoded(machine, { ...one, attempts })).toThrow("stage events out of order");
  });
});
