import { describe, expect, it } from "vitest";
import { happensBefore, precedes, traceKey } from "../../../src/explore/schedules/happens-before.js";
import type { StepRecord } from "../../../src/explore/schedules/program.js";
import { placeOf } from "./toy-programs.js";

function step(
  thread: number,
  label: string,
  reads: readonly string[],
  writes: readonly string[] = [],
): StepRecord {
  const footprint = { kind: "known", reads: reads.map(placeOf), writes: writes.map(placeOf) } as const;
  return { thread, label, footprint, seen: "" };
}

describe("happens-before", () => {
  it("orders a read after the write it meets, and what only follows from that", () => {
    const steps = happensBefore(3, [
      step(0, "x := 1", [], ["x"]),
      step(1, "y := x", ["x"], ["y"]),
      step(2, "read y", ["y"]),
    ]);
    // Thread 2 never touches x; it comes after thread 0 because of y.
    expect(steps.map(({ clock }) => clock)).toEqual([
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ]);
    expect(steps.map(({ races }) => races)).toEqual([[], [0], [1]]);
  });

  it("leaves two reads unordered", () => {
    const [first, second] = happensBefore(2, [step(0, "read x", ["x"]), step(1, "read x", ["x"])]);
    if (first === undefined || second === undefined) throw new Error("two steps are ordered");
    expect(precedes(first, second)).toBe(false);
    expect(second.races).toEqual([]);
  });

  it("finds no race between steps that another one orders already", () => {
    const steps = happensBefore(2, [
      step(0, "x := 1", [], ["x"]),
      step(0, "x := 2", [], ["x"]),
      step(1, "read x", ["x"]),
    ]);
    expect(steps.map(({ races }) => races)).toEqual([[], [], [1]]);
  });

  it("counts a footprint that is unknown as a race with everything", () => {
    const unknown: StepRecord = { thread: 1, label: "?", footprint: { kind: "unknown" }, seen: "" };
    const steps = happensBefore(3, [step(0, "nothing", []), unknown, step(2, "nothing", [])]);
    expect(steps.map(({ races }) => races)).toEqual([[], [0], [1]]);
  });
});

describe("a trace key", () => {
  const writeX = step(0, "x := 1", [], ["x"]);
  const readX = step(1, "read x", ["x"]);
  const readY = step(1, "read y", ["y"]);

  it("is the same when independent neighbours change places", () => {
    expect(traceKey(2, [writeX, readY, readX])).toBe(traceKey(2, [readY, writeX, readX]));
  });

  it("is another one when a race runs the other way round", () => {
    expect(traceKey(2, [writeX, readX])).not.toBe(traceKey(2, [readX, writeX]));
  });

  it("tells apart executions whose steps have the same names and the same depth but other predecessors", () => {
    const writers = [step(0, "w", [], ["x"]), step(1, "w", [], ["y"])];
    const keys = ["x", "y"].map((variable) => traceKey(3, [...writers, step(2, "r", [variable])]));
    expect(new Set(keys).size).toBe(2);
  });

  it("does not confuse a label that holds the separators of the key", () => {
    // Without care both would be "a@1.0 | b@1.0 | c@0.1".
    const early = [step(0, "a@1.0 | b", []), step(1, "c", [])];
    const late = [step(0, "a", []), step(1, "b@1.0 | c", [])];
    expect(traceKey(2, early)).not.toBe(traceKey(2, late));
  });
});
