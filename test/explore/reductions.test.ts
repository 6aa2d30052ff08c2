import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exploration } from "../../src/explore/exploration.js";
import type { Machine, Slots } from "../../src/explore/machine.js";
import { search } from "../../src/explore/search.js";
import { type Edge, promise, toyMachine } from "./toy-machine.js";
import { type Instruction, toyProcesses } from "./toy-processes.js";

function explore(machine: Machine, which: "full" | "partial order" | "symmetry" | "both"): Exploration {
  const partialOrder = which === "partial order" || which === "both";
  const symmetry = which === "symmetry" || which === "both";
  return search(machine, { reduction: { partialOrder, symmetry }, stored: "graph" });
}

function endsOf(machine: Machine, { deadEnds, stored }: Exploration): readonly string[] {
  const slots = new Uint8Array(machine.schema.fields.reduce((sum, { length }) => sum + length, 0));
  const ends = [...deadEnds].map((state) => {
    stored.read(state, slots);
    return slots.join();
  });
  return ends.sort();
}

const own = (...next: readonly number[]): Instruction => ({ kind: "own", next });
const add = (...next: readonly number[]): Instruction => ({ kind: "add", next });

describe("partial order", () => {
  it("leaves out the orders of what each process does by itself", () => {
    // Two processes of three own steps each: a square of 16 states, of which one way along its edge remains.
    const machine = toyProcesses({
      programs: [
        [own(1), own(2), own(3)],
        [own(1), own(2), own(3)],
      ],
      badPlace: 8,
    });
    expect(explore(machine, "full").states).toBe(16);
    const reduced = explore(machine, "partial order");
    expect([reduced.states, reduced.transitions, reduced.depth]).toEqual([7, 6, 6]);
    expect(endsOf(machine, reduced)).toEqual(["0,3,3"]);
  });

  it("leaves out nothing where processes touch what they share", () => {
    const machine = toyProcesses({ programs: [[add(1), add(2)], [add(1)]], badPlace: 8 });
    expect(explore(machine, "partial order").states).toBe(explore(machine, "full").states);
  });

  it.each([
    ["the first", [[own(1), own(0)], [own(8)]]],
    // Here the process that goes round is not the first of which actions are listed.
    ["the second", [[add(8)], [own(1), own(0)]]],
  ])("does not put off for ever what others can do while %s process goes round", (_, programs) => {
    const reduced = explore(toyProcesses({ programs, badPlace: 8 }), "partial order");
    expect(reduced.always[0]?.verdict.kind).toBe("violated");
  });

  it("keeps verdicts and dead ends of any processes, also of those that go round", () => {
    const place = fc.nat({ max: 8 });
    const instruction: fc.Arbitrary<Instruction> = fc.record({
      kind: fc.constantFrom("own", "own", "own", "add", "if_even"),
      next: fc.array(place, { minLength: 1, maxLength: 2 }),
    });
    const programs = fc.array(fc.array(instruction, { maxLength: 8 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(programs, place, (all, badPlace) => {
        const machine = toyProcesses({ programs: all, badPlace });
        const full = explore(machine, "full");
        const reduced = explore(machine, "partial order");
        expect(endsOf(machine, reduced)).toEqual(endsOf(machine, full));
        expect(reduced.always[0]?.verdict.kind).toBe(full.always[0]?.verdict.kind);
        expect(reduced.sometimes[0]?.verdict.kind).toBe(full.sometimes[0]?.verdict.kind);
        expect(reduced.states).toBeLessThanOrEqual(full.states);
      }),
      { numRuns: 300 },
    );
  });

  it("does not check what it is not sound for, and keeps what it saw all the same", () => {
    const always = [
      { ...promise("never bad"), over: "everything" as const },
      { ...promise("other"), over: "everything" as const },
      promise("one attempt"),
      { ...promise("one object"), over: "one_object" as const },
    ];
    const machine: Machine = {
      ...toyProcesses({ programs: [[own(1)], [own(1)]], badPlace: 1, always }),
      sometimes: [
        promise("bad"),
        { ...promise("nowhere"), over: "everything" },
        promise("nowhere"),
        { ...promise("nowhere"), over: "one_object" },
      ],
      liveness: [{ id: "ends", kind: "recoverable", goal: () => true, via: () => true }],
    };
    const why = "partial_order_is_not_sound_for_it";
    const { always: verdicts, sometimes, liveness } = explore(machine, "partial order");
    expect(verdicts.map(({ verdict }) => verdict.kind)).toEqual([
      "violated",
      "not_checked",
      "holds",
      "holds",
    ]);
    expect(verdicts[1]?.verdict).toEqual({ kind: "not_checked", why });
    expect(sometimes.map(({ verdict }) => verdict.kind)).toEqual([
      "occurs",
      "not_checked",
      "never_occurs",
      "never_occurs",
    ]);
    expect(sometimes[1]?.verdict).toEqual({ kind: "not_checked", why });
    expect(liveness[0]?.verdict).toEqual({ kind: "not_checked", why });
  });

  it("throws when the measure of progress that it relies on does not grow", () => {
    const machine = toyProcesses({ programs: [[own(1), own(0)]], badPlace: 8 });
    const progress = (state: Slots): number => state[1] ?? 0;
    expect(() => explore({ ...machine, progress }, "partial order")).toThrow(
      "takes the measure of progress from 1 to 0; it must grow with every step",
    );
    expect(explore({ ...machine, progress }, "full").states).toBe(2);
  });

  it("is refused for a machine that has none", () => {
    expect(() => explore(toyMachine({ edges: [] }), "partial order")).toThrow("toy has no reductions");
  });
});

/** From 0 to 1 and 2, which are mirror images, as are 3 and 4 after them; both lead to 5. */
const mirrored: readonly Edge[] = [
  [0, 1],
  [0, 2],
  [1, 3],
  [2, 4],
  [3, 5],
  [4, 5],
];

function withMirror(machine: Machine): Machine {
  const images = [0, 2, 2, 4, 4, 5];
  return {
    ...machine,
    reductions: {
      processes: 1,
      processOf: () => 0,
      isLocal: () => false,
      toCanonical: (state) => {
        state[0] = images[state[0] ?? 0] ?? 0;
      },
    },
  };
}

describe("symmetry", () => {
  const inState = {
    3: { broken: ["values", "names"], occurred: [] },
    4: { broken: ["values"], occurred: ["seen"] },
  };
  const always = [
    promise("values"),
    promise("names", { looksAt: "names" }),
    promise("held", { over: "everything" }),
  ];

  it("stores one state for all its mirror images", () => {
    const found = explore(withMirror(toyMachine({ edges: mirrored })), "symmetry");
    expect([found.states, found.transitions]).toEqual([4, 4]);
  });

  it("tells a path of steps that can be taken one after the other from the initial state", () => {
    const found = explore(withMirror(toyMachine({ edges: mirrored, inState, always })), "symmetry");
    const verdict = found.always[0]?.verdict;
    // The stored states are 0, 2 and 4; the first action of 0 already leads to a mirror image of 2.
    expect(verdict?.kind === "violated" && verdict.path.map(({ name }) => name)).toEqual([
      "0 to 1",
      "1 to 3",
    ]);
  });

  it("does not check what looks at names, and checks what is over everything", () => {
    const sometimes = [
      promise("nowhere", { over: "everything" }),
      promise("nowhere", { looksAt: "names" }),
      promise("seen", { looksAt: "names" }),
    ];
    const found = explore(withMirror(toyMachine({ edges: mirrored, inState, always, sometimes })), "both");
    expect(found.always[1]?.verdict).toEqual({ kind: "not_checked", why: "symmetry_is_not_sound_for_it" });
    const alone = explore(
      withMirror(toyMachine({ edges: mirrored, inState, always, sometimes })),
      "symmetry",
    );
    expect(alone.always[2]?.verdict).toEqual({ kind: "holds" });
    const unsound = { kind: "not_checked", why: "symmetry_is_not_sound_for_it" };
    expect(alone.sometimes.map(({ verdict }) => verdict)).toEqual([
      { kind: "never_occurs" },
      unsound,
      unsound,
    ]);
  });

  it("throws when what it was told is no symmetry of the machine", () => {
    // 1 stands for 2 and the other way round, though only 2 leads on to 4 in the end.
    const machine = withMirror(toyMachine({ edges: mirrored.filter(([, to]) => to !== 3), inState, always }));
    const broken = { ...machine, initial: machine.initial };
    expect(() => explore(broken, "symmetry")).toThrow("a stored step cannot be replayed");
  });
});
