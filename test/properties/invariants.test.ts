import { describe, expect, it } from "vitest";
import { invariants } from "../../src/properties/invariants.js";
import { promiseIds } from "../../src/properties/verdict.js";

describe("the table of promises", () => {
  it("holds every promise but the machine's own, in the order in which they are listed", () => {
    expect([...Object.keys(invariants), "matches-the-machine"]).toEqual([...promiseIds]);
  });

  it("lists each under its own name", () => {
    expect(Object.values(invariants).map(({ id }) => id)).toEqual(Object.keys(invariants));
  });

  it("says of each whether it holds always or in the end", () => {
    const inTheEnd = Object.values(invariants).filter(({ kind }) => kind === "eventually");
    expect(inTheEnd.map(({ id }) => id)).toEqual(["every-attempt-ends", "always-recoverable"]);
    const always = Object.values(invariants).filter(({ kind }) => kind === "always");
    expect(always).toHaveLength(promiseIds.length - 1 - inTheEnd.length);
  });

  it("looks for every promise's situation, and for its breach, somewhere", () => {
    for (const invariant of Object.values(invariants)) {
      if (invariant.kind === "eventually") continue;
      expect(invariant.occurred.length, invariant.id).toBeGreaterThan(0);
      expect(invariant.check.length, invariant.id).toBeGreaterThan(0);
    }
  });
});
