import { describe, expect, it } from "vitest";
import { footprintText } from "../../../src/explore/schedules/footprint-text.js";
import type { Footprint, Place } from "../../../src/sut/footprint.js";
import { placeOf } from "./toy-programs.js";

const whole: Place = { table: "memory", key: { kind: "any" } };

function reading(...reads: readonly Place[]): Footprint {
  return { kind: "known", reads, writes: [] };
}

describe("the text of a footprint", () => {
  it("is the same whatever the order and number of times in which places are listed", () => {
    expect(footprintText(reading(placeOf("b"), placeOf("a"), placeOf("b")))).toBe(
      footprintText(reading(placeOf("a"), placeOf("b"))),
    );
  });

  it("is another one for other places, for writes, for all of a table and for an unknown footprint", () => {
    const footprints: readonly Footprint[] = [
      reading(),
      reading(placeOf("a")),
      reading(placeOf("a"), placeOf("b")),
      reading(placeOf("a b")),
      reading(whole),
      { kind: "known", reads: [], writes: [placeOf("a")] },
      { kind: "unknown" },
    ];
    expect(new Set(footprints.map(footprintText)).size).toBe(footprints.length);
  });
});
