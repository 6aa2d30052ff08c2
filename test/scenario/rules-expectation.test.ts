import { describe, expect, it } from "vitest";
import type { Code, Event, Happening, Observation, ReservationRow } from "../../src/model/vocabulary.js";
import { checkExpectation } from "../../src/scenario/expectation.js";
import { fileWith, scenarioOf, submitA1 } from "./text.js";

const holds = { violations: [], occurred: [], undecided: [] };

/** In the order of tenant and key, as a store shows them. */
const reservations: readonly ReservationRow[] = [
  { tenant: "t1", key: "JOB-001", state: "done", delivery: "d-a1" },
  { tenant: "t1", key: "JOB-002", state: "unknown", delivery: "d-a2" },
  { tenant: "t2", key: "JOB-001", state: "reserved", delivery: "d-a3" },
];
const store: Observation = {
  effects: [],
  receipts: [],
  policy: { kind: "present", revision: 1, maxCopies: 3 },
  writeLock: "free",
};
const shown: Observation = { ...store, reservations };

const gated = (...verdicts: readonly Code[]): Happening => ({ kind: "gated", flaw: "none", verdicts });
const looked: readonly Happening[] = [gated(), gated("forbidden_tool", "allow")];

/** Mismatches as `path: expected / seen`. */
function mismatches(
  line: string,
  observation: Observation = shown,
  gates: readonly Happening[] = looked,
): readonly string[] {
  const { expect } = scenarioOf(fileWith([submitA1], [line]));
  const after: readonly Happening[] = [
    { kind: "epilogue" },
    gated("forbidden_tool"),
    { kind: "observed", observation: store },
  ];
  const history = [...gates, { kind: "observed", observation } as const, ...after].map(
    (happening, position): Event => ({ ...happening, position, action: 0 }),
  );
  return checkExpectation(expect, { history, verdict: holds }).map(
    (each) => `${each.path}: ${each.expected} / ${each.seen}`,
  );
}

const first = "{ key: JOB-001 }";
const second = "{ key: JOB-002, state: unknown }";

describe("an expectation of reservations and of the gate", () => {
  it.each([
    "reservations: 3",
    `reservations: [${first}, ${second}, { key: JOB-001, tenant: t2 }]`,
    `reservations: [{ key: JOB-001, tenant: t1, state: done }, ${second}, { key: JOB-001, tenant: t2, state: reserved }]`,
    // What is said and done in the epilogue is nobody's step.
    "gates: [[], [forbidden_tool, allow]]",
  ])("is met: %s", (line) => {
    expect(mismatches(line)).toEqual([]);
  });

  it("is met by an empty store and a gate that was never asked", () => {
    expect(mismatches("reservations: 0", { ...store, reservations: [] })).toEqual([]);
    expect(mismatches("reservations: []", { ...store, reservations: [] })).toEqual([]);
    expect(mismatches("gates: []", shown, [])).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ["reservations: 2", ["reservations: 2 / 3"]],
    [`reservations: [${first}]`, ["reservations: 1: t1/JOB-001 / 3: t1/JOB-001, t1/JOB-002, t2/JOB-001"]],
    ["reservations: []", ["reservations: none / 3: t1/JOB-001, t1/JOB-002, t2/JOB-001"]],
    [
      `reservations: [{ key: JOB-001, state: reserved }, { key: JOB-003 }, { key: JOB-001, tenant: t2 }]`,
      ['reservations[0].state: "reserved" / "done"', 'reservations[1].key: "JOB-003" / "JOB-002"'],
    ],
    // A row that names no tenant is one of the usual tenant.
    [`reservations: [${first}, ${second}, ${first}]`, ['reservations[2].tenant: "t1" / "t2"']],
    ["gates: [[]]", ['gates: [[]] / [[],["forbidden_tool","allow"]]']],
    [
      "gates: [[], [allow, forbidden_tool]]",
      ['gates: [[],["allow","forbidden_tool"]] / [[],["forbidden_tool","allow"]]'],
    ],
  ])("is not met: %s", (line, seen) => {
    expect(mismatches(line)).toEqual(seen);
  });

  it("is not met by an executor that shows no reservations, whatever is expected", () => {
    const unseen = "reservations: rows of reservations / an executor that shows none";
    expect(mismatches("reservations: 0", store)).toEqual([unseen]);
    expect(mismatches(`reservations: [${first}]`, store)).toEqual([unseen]);
  });
});
