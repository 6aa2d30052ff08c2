import { expect } from "vitest";
import { breach, lastOf, passes, refuses, type Telling } from "./history.js";

/** What the guard owes an attempt a1, and what the judge has to say where it does otherwise. */
export const gateEqualsGuard = "gate-equals-guard";

/** The guard let the attempt pass that these events end with, and should not have. */
export function wentOn(code: string, ...telling: Telling) {
  const sentence = "a1 went on although the rules refuse it.";
  return { at: lastOf(...telling), sentence, expected: code, seen: "passed the rules" };
}

export function refusedWrongly(seen: string, ...telling: Telling) {
  const sentence = "a1 was refused although the rules let it pass.";
  return { at: lastOf(...telling), sentence, expected: "passes", seen: `completed ${seen}` };
}

/** After this, a1 has to be refused with this code: that is allowed, and going on is not. */
export function expectRefusal(code: string, ...before: Telling): void {
  expect(breach(gateEqualsGuard, ...before, refuses("a1", code))).toBe("nothing");
  const goesOn = [...before, passes("a1")];
  expect(breach(gateEqualsGuard, ...goesOn)).toEqual(wentOn(code, ...goesOn));
}

/** After this, a1 has to pass: that is allowed, and a refusal with this code is not. */
export function expectPass(code: string, ...before: Telling): void {
  expect(breach(gateEqualsGuard, ...before, passes("a1"))).toBe("nothing");
  const refused = [...before, refuses("a1", code)];
  const seen = `${code === "ledger_unreadable" ? "error" : "blocked"}/${code}`;
  expect(breach(gateEqualsGuard, ...refused)).toEqual(refusedWrongly(seen, ...refused));
}
