import { expect, it } from "vitest";
import type { Happening } from "../../../src/model/vocabulary.js";
import { complete, river2 } from "../fixture.js";
import { advanced, completed, ended, follow, parked, receiptRow, submitted } from "../history.js";

/** A right beginning, the event that the machine does not allow after it, and what it says of that. */
export type Forbidden = {
  readonly why: string;
  readonly start: readonly Happening[];
  readonly wrong: Happening;
  readonly stage: string;
  readonly allowed: string;
  readonly seen: string;
};

export const entered: readonly Happening[] = [submitted("a1", river2), parked("a1", "before_business")];
export const executed: readonly Happening[] = [...entered, advanced("a1"), parked("a1", "after_business")];
export const output: readonly Happening[] = [...executed, advanced("a1"), parked("a1", "output_check")];
export const accepted = completed(1, "accepted", "ok", complete, true);
export const released: readonly Happening[] = [...output, advanced("a1"), ended("a1", accepted)];
export const acceptedText =
  "completed accepted/ok, events arguments_valid input_allowed business_started effect_committed output_started output_allowed, effectExists true, receipt 1, acceptable value released";
export const row = receiptRow(1, "a1", "accepted", "ok", complete, true);
export const crashed: Happening = { kind: "crashed", advancing: { kind: "idle" }, lost: ["a1"] };
export const hungAtCheck: readonly Happening[] = [
  submitted("a1", river2, { kind: "checker_hangs", stage: "check" }),
  { kind: "blocked", attempt: "a1", on: "check" },
];

/** One test for each row: the machine follows the beginning and diverges at the wrong event, with just this to say. */
export function divergesThere(table: readonly Forbidden[]): void {
  it.each(table)("diverges exactly there: $why", ({ start, wrong, stage, allowed, seen }) => {
    expect(follow(start).kind).toBe("following");
    expect(follow([...start, wrong])).toEqual({
      kind: "diverged",
      position: start.length,
      stage,
      allowed: [allowed],
      seen,
    });
  });
}
