import { describe, expect, it } from "vitest";
import type { Checkpoint, Grant, Happening } from "../../../../src/model/vocabulary.js";
import {
  type Intent,
  page,
  region,
  right,
  river3,
  river4,
  shapeless,
} from "../../../model/guarded/fixture.js";
import { ended, parked, submitted } from "../../../model/guarded/history.js";
import { escalated } from "../../../model/guarded/story.js";
import { breach, executes, granted, lastOf, occurs, read, resumes } from "../history.js";

const promise = "layers-do-not-average";

/** a1 comes to a checkpoint. */
const comesTo = (
  at: Checkpoint,
  intent: Intent,
  before: readonly Happening[] = [read()],
): readonly Happening[] => [...before, submitted("a1", intent), parked("a1", at)];
const taken = (capability: Grant, held = false): Happening => ({ kind: "capability_set", capability, held });

function average(history: readonly Happening[], layer: string) {
  return {
    at: lastOf(history),
    sentence: "a1 came to its business step although a layer refuses it.",
    expected: `a refusal, as ${layer}`,
    seen: "parked at before_business",
  };
}

describe("layers-do-not-average", () => {
  it("allows an attempt that no layer refuses to come to its business", () => {
    expect(breach(promise, comesTo("before_business", river3))).toBe("nothing");
    expect(breach(promise, executes)).toBe("nothing");
  });

  it("forbids one whose arguments are not valid", () => {
    const history = comesTo("before_business", shapeless);
    expect(breach(promise, history)).toEqual(average(history, "its arguments are not valid"));
  });

  it("forbids one whose weight is over the limit", () => {
    const history = comesTo("before_business", river4);
    expect(breach(promise, history)).toEqual(
      average(history, "its weight is 4, under policy revision 1 with max_copies 3"),
    );
  });

  it("forbids one under no policy", () => {
    const history = comesTo("before_business", region, [
      read(),
      { kind: "policy_set", setting: { kind: "remove" } },
      read({ policy: { kind: "missing" } }),
    ]);
    expect(breach(promise, history)).toEqual(average(history, "its weight is 1, under no policy"));
  });

  it("forbids one whose principal lacks the capability, though the others allow it", () => {
    const history = comesTo("before_business", page, [
      read(),
      taken(right("notify_oncall", "oncall/search")),
    ]);
    expect(breach(promise, history)).toEqual(average(history, "p1 holds no capability for it"));
  });

  it("allows it the other checkpoints, where other promises look", () => {
    for (const at of ["before_request", "after_business", "output_check"] as const) {
      expect(breach(promise, comesTo(at, river4))).toBe("nothing");
    }
  });

  it.each<[string, Grant]>([
    ["of another tool", right("draft", "oncall/search")],
    ["on another resource", right("notify_oncall", "oncall/billing")],
    ["in another tenant", right("notify_oncall", "oncall/search", "t2")],
  ])("does not mind that a capability %s is lost", (_, capability) => {
    expect(breach(promise, comesTo("before_business", page, [read(), taken(capability)]))).toBe("nothing");
  });

  it("judges by what was so when the attempt was submitted", () => {
    // It stood there already when the right was taken: authority-at-commit judges what follows.
    const late = [...resumes, taken(right("notify_oncall", "oncall/search")), read(granted)];
    expect(breach(promise, late)).toBe("nothing");
    const regained = [
      read(),
      taken(right("notify_oncall", "oncall/search")),
      taken(right("notify_oncall", "oncall/search"), true),
    ];
    expect(breach(promise, comesTo("before_business", page, regained))).toBe("nothing");
  });

  it("occurs when an attempt without the right is denied", () => {
    const denial = (...before: readonly Happening[]) => [
      read(),
      ...before,
      submitted("a1", page),
      ended("a1", 1, escalated),
    ];
    expect(breach(promise, denial(taken(right("notify_oncall", "oncall/search"))))).toBe("nothing");
    expect(occurs(promise, denial(taken(right("notify_oncall", "oncall/search"))))).toBe(true);
    expect(occurs(promise, denial())).toBe(false);
    expect(occurs(promise, executes)).toBe(false);
  });
});
