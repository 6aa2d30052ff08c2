import { describe, expect, it } from "vitest";
import type { AttemptName, Happening, StageEvent, StepRow } from "../../../../src/model/vocabulary.js";
import { page, river2 } from "../../../model/guarded/fixture.js";
import {
  accepted,
  type End,
  ended,
  layers,
  parked,
  settled,
  stepRow,
  submitted,
  unaudited,
} from "../../../model/guarded/history.js";
import { breach, lastOf, occurs, pages, read } from "../history.js";

const promise = "repair-is-bounded";

describe("repair-is-bounded, of values made anew,", () => {
  const upToOutput: readonly StageEvent[] = [
    "arguments_valid",
    "input_allowed",
    "capability_granted",
    "business_started",
    "effect_committed",
    "output_started",
  ];
  const said = (times: number): readonly StageEvent[] => [
    ...upToOutput,
    ...Array.from({ length: times }, () => "output_regenerated" as const),
  ];
  const tries = (times: number) => [
    read(),
    submitted("a1", river2),
    ended("a1", 1, { ...accepted, events: [...said(times), "output_allowed"] }),
  ];

  it.each([1, 2])("allows %i", (times) => {
    expect(breach(promise, tries(times))).toBe("nothing");
    expect(occurs(promise, tries(times))).toBe(true);
  });

  it("forbids a third, even if it was right", () => {
    const history = tries(3);
    expect(breach(promise, history)).toEqual({
      at: lastOf(history),
      sentence: "a1 made its value anew too often.",
      expected: "output_regenerated at most 2 times",
      seen: `events ${[...said(3), "output_allowed"].join(", ")}`,
    });
  });

  it("looks at what an attempt without a receipt tells, too", () => {
    const history = [read(), submitted("a1", river2), settled("a1", unaudited(["receipt_write"], said(3)))];
    expect(breach(promise, history)).toMatchObject({ sentence: "a1 made its value anew too often." });
  });

  it("is vacuous where none was made anew and none repaired", () => {
    expect(occurs(promise, tries(0))).toBe(false);
    expect(occurs(promise, pages)).toBe(false);
    expect(breach(promise, tries(0))).toBe("nothing");
  });
});

describe("repair-is-bounded, of calls that repair another,", () => {
  const rejected: End = {
    status: "blocked",
    code: "repair_limit",
    events: [],
    layers: layers("not_reached", "not_reached", "not_reached", "not_reached"),
  };
  /** c-a1, which c-a2 repairs, which c-a3 repairs, as far as told. */
  const chain = (length: number): readonly StepRow[] =>
    Array.from({ length }, (_, index) => ({
      ...stepRow,
      callId: `c-a${index + 1}`,
      replaces: index === 0 ? "none" : `c-a${index}`,
    }));
  /** The next call repairs the last of the chain and comes as far as told. */
  const repairs = (
    length: number,
    far: readonly Happening[],
    attempt: AttemptName = "a9",
  ): readonly Happening[] => [
    read({ steps: chain(length) }),
    submitted(attempt, page, { replaces: `c-a${length}` }),
    ...far,
  ];
  const goesOn = [parked("a9", "before_request")];

  const tooOften = (history: readonly Happening[], seen: string) => ({
    at: lastOf(history),
    sentence: "a9 repairs a call that was repaired twice before.",
    expected: "blocked",
    seen,
  });

  it.each([1, 2])("allows repair number %i", (length) => {
    expect(breach(promise, repairs(length, goesOn))).toBe("nothing");
    expect(occurs(promise, repairs(length, goesOn))).toBe(true);
  });

  it("forbids the third to come to a checkpoint, or to end as one that was looked at", () => {
    const history = repairs(3, goesOn);
    expect(breach(promise, history)).toEqual(tooOften(history, "parked at before_request"));
    const looked = repairs(3, [
      ended("a9", 1, { ...rejected, status: "error", code: "busy", events: ["arguments_valid"] }),
    ]);
    expect(breach(promise, looked)).toEqual(tooOften(looked, "completed error/busy"));
  });

  it("allows the third to be blocked", () => {
    expect(breach(promise, repairs(3, [ended("a9", 1, rejected)]))).toBe("nothing");
  });

  it("counts the repairs of its own run alone", () => {
    const others = chain(3).map((row) => ({ ...row, runId: "r2" }));
    const history = [read({ steps: others }), submitted("a9", page, { replaces: "c-a3" }), ...goesOn];
    expect(breach(promise, history)).toBe("nothing");
  });

  it("does not mind calls side by side", () => {
    const beside = chain(3).map((row) => ({ ...row, replaces: "none" }));
    const history = [read({ steps: beside }), submitted("a9", page, { replaces: "c-a3" }), ...goesOn];
    expect(breach(promise, history)).toBe("nothing");
  });
});
