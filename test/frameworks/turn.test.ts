import { describe, expect, it } from "vitest";
import type { Arrangement } from "../../src/frameworks/arrangement.js";
import { arrangements } from "../../src/frameworks/arrangements.js";
import { frameworkVerdicts } from "../../src/frameworks/framework-verdicts.js";
import { newTurn, stepsOf, type Turn } from "../../src/frameworks/turn.js";

type Way = { readonly texts: readonly string[]; readonly end: Turn };

function named(name: string): Arrangement {
  const found = arrangements.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no arrangement is called ${name}`);
  return found;
}

/** Every way through a turn to where nothing is left to happen, one by one and without a memory of states. */
function waysOf(
  arrangement: Arrangement,
  turn: Turn = newTurn,
  texts: readonly string[] = [],
): readonly Way[] {
  const steps = stepsOf(arrangement, turn);
  if (steps.length === 0) return [{ texts, end: turn }];
  return steps.flatMap(({ text, next }) => waysOf(arrangement, next, [...texts, text]));
}

const trip = "the input guardrail trips: the run stops";

/** What had been done when the input guardrail tripped, and what came after it. */
function aroundTheTrip(arrangement: Arrangement): readonly string[] {
  const around = waysOf(arrangement)
    .filter(({ texts }) => texts.includes(trip))
    .map(({ texts }) => [texts.slice(1, texts.indexOf(trip)), texts.slice(texts.indexOf(trip) + 1)])
    .map(([before = [], after = []]) => `${before.at(-1) ?? "nothing"} | ${after.join(", ")}`);
  return [...new Set(around)].sort();
}

describe("an input guardrail", () => {
  it("beside the agent trips before or after each of its steps, and a started tool may still commit", () => {
    expect(aroundTheTrip(named("input-beside"))).toEqual(
      [
        "nothing | ",
        "the model calls the tool | ",
        // The stop does not take back what the tool has begun.
        "the tool starts with the arguments as called | the tool commits its effect, although the run has stopped",
        "the tool commits its effect | ",
        "the model is given the result | ",
        "the model answers | ",
      ].sort(),
    );
  });

  it("before the agent trips before everything", () => {
    expect(aroundTheTrip(named("input-before"))).toEqual(["nothing | "]);
  });

  it("beside the agent holds the answer back until it has allowed the input", () => {
    const released = waysOf(named("input-beside")).filter(({ end }) => end.run === "released");
    expect(released.length).toBeGreaterThan(0);
    for (const { end } of released) expect([end.input, end.inputVerdict]).toEqual(["acceptable", "allowed"]);
  });
});

describe("a turn", () => {
  it.each(arrangements)("of $name always ends, stopped or with an answer released", (arrangement) => {
    for (const { end } of waysOf(arrangement)) expect(["stopped", "released"]).toContain(end.run);
  });

  it.each(arrangements)(
    "of $name can commit and be answered, so that checks have something to let through",
    (arrangement) => {
      const useful = waysOf(arrangement).filter(
        ({ end }) => end.run === "released" && end.effect === "committed",
      );
      expect(useful.length).toBeGreaterThan(0);
    },
  );

  it("goes on after a tool call that a guardrail answers with a message, and stops after one that trips", () => {
    const ways = waysOf(named("input-before-with-tool-guardrails"));
    const runsAfter = (text: string): ReadonlySet<string> =>
      new Set(ways.filter(({ texts }) => texts.includes(text)).map(({ end }) => `${end.run}, ${end.effect}`));
    expect(runsAfter("the tool input guardrail refuses: the call is skipped")).toEqual(
      new Set(["released, none"]),
    );
    expect(runsAfter("the tool input guardrail trips: the run stops")).toEqual(new Set(["stopped, none"]));
    expect(runsAfter("the tool output guardrail refuses: the result is replaced by a message")).toEqual(
      new Set(["released, committed"]),
    );
    expect(runsAfter("the tool output guardrail trips: the run stops")).toEqual(
      new Set(["stopped, committed"]),
    );
  });

  it("has no effect of a call that the approver denies", () => {
    const denied = waysOf(named("approval-with-recheck")).filter(({ texts }) =>
      texts.includes("the approver denies the call, which is skipped"),
    );
    expect(new Set(denied.map(({ end }) => `${end.run}, ${end.effect}`))).toEqual(
      new Set(["released, none"]),
    );
  });

  it("skips a call whose arguments are not those approved, whether or not the rules allow them", () => {
    const changed = waysOf(named("approval-of-the-arguments")).filter(({ texts }) =>
      texts.some((text) => text.startsWith("the paused call is changed to")),
    );
    // Two changes, each with one way to go on: the model answers.
    expect(changed.map(({ texts, end }) => [texts.at(-3), end.effect])).toEqual([
      ["the arguments are not those approved: skipped", "none"],
      ["the arguments are not those approved: skipped", "none"],
    ]);
  });
});

describe("a witness", () => {
  it.each(arrangements)(
    "of $name is the beginning of a way, and no longer than it must be",
    (arrangement) => {
      const ways = waysOf(arrangement);
      for (const { witness, verdict } of frameworkVerdicts(arrangement)) {
        if (verdict !== "violated") continue;
        const begun = ways.filter(({ texts }) => witness.every((text, at) => texts[at] === text));
        expect(begun.length).toBeGreaterThan(0);
      }
    },
  );

  it("of an effect before the input verdict is as short as any way to such an effect", () => {
    for (const arrangement of arrangements) {
      const found = frameworkVerdicts(arrangement).find(
        ({ promise }) => promise === "no effect before the input verdict",
      );
      if (found?.verdict !== "violated") continue;
      const lengths = waysOf(arrangement).flatMap(({ texts }) => {
        const commit = texts.findIndex((text) => text.startsWith("the tool commits its effect"));
        const verdict = texts.findIndex((text) => text.startsWith("the input guardrail"));
        return commit >= 0 && (verdict < 0 || commit < verdict) ? [commit + 1] : [];
      });
      expect(found.witness).toHaveLength(Math.min(...lengths));
    }
  });
});
