import { describe, expect, it } from "vitest";
import type { Happening } from "../../../src/model/vocabulary.js";
import { forest1, page, region, river2, shapeless, without } from "./fixture.js";
import { accepted, advanced, ended, follow, layers, parked, settled, submitted, waiting } from "./history.js";
import { asks, executes } from "./story.js";

describe("an end that the machine does not expect", () => {
  it.each<readonly [why: string, start: readonly Happening[], wrong: Happening, stage: string]>([
    [
      "a wait that is refused",
      asks.slice(0, -1),
      ended("a1", 1, { ...waiting, status: "approval_refused", code: "denied" }),
      "approval",
    ],
    ["no wait where one is due", [submitted("a1", page)], parked("a1", "before_business"), "approval"],
    [
      "another layer",
      asks.slice(0, -1),
      ended("a1", 1, { ...waiting, layers: layers("allow", "allow", "allow", "block") }),
      "receipt",
    ],
    [
      "a grant that was not matched",
      executes.concat(advanced("a2")),
      ended("a2", 2, {
        ...accepted,
        events: accepted.events.filter((event) => event !== "approval_matched"),
      }),
      "approval",
    ],
    [
      "a grant that was matched, and then nothing started",
      executes.concat(advanced("a2")),
      ended("a2", 2, { ...accepted, events: accepted.events.slice(0, 4) }),
      "execute",
    ],
    [
      "a value that was not made again",
      [
        submitted("a1", region, { faults: [{ kind: "spoilt_output", as: "format", tries: 1 }] }),
        parked("a1", "before_business"),
        advanced("a1"),
        parked("a1", "after_business"),
        advanced("a1"),
        parked("a1", "output_check"),
        advanced("a1"),
      ],
      ended("a1", 1, {
        status: "output_rejected",
        code: "output_contract",
        events: [...waiting.events, "business_started", "output_started", "output_regenerated"],
        layers: accepted.layers,
      }),
      "output",
    ],
  ])("diverges there: %s", (_, start, wrong, stage) => {
    expect(follow(start).kind).toBe("following");
    expect(follow([...start, wrong])).toMatchObject({ kind: "diverged", position: start.length, stage });
  });

  it("is told with its layers", () => {
    const { layers: _, ...untold } = waiting;
    const silent: Happening = settled("a1", {
      kind: "completed",
      receiptNumber: 1,
      effectExists: false,
      ...untold,
      released: { kind: "nothing" },
    });
    const told = (words: string): string =>
      "completed waiting_for_approval/approval_required, events arguments_valid input_allowed capability_granted" +
      `, layers ${words}, effectExists false, receipt 1`;
    expect(follow([...asks.slice(0, -1), silent])).toMatchObject({
      allowed: [told("schema allow business allow capability allow approval ask")],
      seen: told("schema untold business untold capability untold approval untold"),
    });
    expect(follow([...asks.slice(0, -1), silent], without("abilities", "layer_results")).kind).toBe(
      "following",
    );
  });

  it("of one call is not held against another", () => {
    const two: readonly Happening[] = [
      submitted("a1", shapeless),
      ended("a1", 1, {
        status: "input_rejected",
        code: "shape",
        events: [],
        layers: layers("block", "not_reached", "not_reached", "not_reached"),
      }),
      submitted("a2", forest1),
      parked("a2", "before_business"),
      submitted("a3", river2, { step: 1 }),
      ended("a3", 2, {
        status: "blocked",
        code: "run_waiting",
        events: [],
        layers: layers("not_reached", "not_reached", "not_reached", "not_reached"),
      }),
    ];
    expect(follow(two).kind).toBe("following");
  });
});
