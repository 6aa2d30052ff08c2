import { describe, expect, it } from "vitest";
import { allOf, conflict, type Footprint, joined, type Place, rowOf } from "../../src/sut/footprint.js";

const known = (reads: readonly Place[], writes: readonly Place[]): Footprint => ({
  kind: "known",
  reads,
  writes,
});
const nothing = known([], []);
const unknown: Footprint = { kind: "unknown" };
const [one, two, all] = [rowOf("t", "1"), rowOf("t", "2"), allOf("t")];

const pairs: readonly {
  readonly says: string;
  readonly pair: readonly [Footprint, Footprint];
  readonly is: boolean;
}[] = [
  { says: "two reads of a row", pair: [known([one], []), known([one], [])], is: false },
  { says: "two reads of a table", pair: [known([all], []), known([all], [])], is: false },
  { says: "a read and a write of a row", pair: [known([one], []), known([], [one])], is: true },
  { says: "two writes of a row", pair: [known([], [one]), known([], [one])], is: true },
  { says: "writes of two rows", pair: [known([], [one]), known([], [two])], is: false },
  { says: "a read of one row and a write of another", pair: [known([one], []), known([], [two])], is: false },
  { says: "a read of the table and a write of a row", pair: [known([all], []), known([], [one])], is: true },
  { says: "a write of the table and a read of a row", pair: [known([one], []), known([], [all])], is: true },
  { says: "the same row of two tables", pair: [known([], [one]), known([], [rowOf("u", "1")])], is: false },
  { says: "two whole tables", pair: [known([], [all]), known([], [allOf("u")])], is: false },
  { says: "steps without a trace", pair: [nothing, nothing], is: false },
  { says: "an unknown step and one without a trace", pair: [unknown, nothing], is: true },
  { says: "two unknown steps", pair: [unknown, unknown], is: true },
];

describe("conflict", () => {
  it.each(pairs)("is $is between $says, whichever comes first", ({ pair: [first, second], is }) => {
    expect(conflict(first, second)).toBe(is);
    expect(conflict(second, first)).toBe(is);
  });
});

describe("joined", () => {
  it("holds each place once, in the order of names", () => {
    const both = joined([known([two], [one]), known([one, two], [rowOf("s", "9")])]);
    expect(both).toEqual(known([one, two], [rowOf("s", "9"), one]));
  });

  it("leaves a row out beside all of its table, on its own side alone", () => {
    expect(joined([known([one], [one]), known([all], [])])).toEqual(known([all], [one]));
  });

  it("takes no two keys for one, nor a row for a table with the same text", () => {
    const tricky = [rowOf("t", '1","2'), rowOf("t", "1"), allOf('t","1')];
    const both = joined([known(tricky, [])]);
    expect(both.kind === "known" && both.reads).toHaveLength(3);
  });

  it("is unknown if one of them is", () => {
    expect(joined([nothing, unknown, nothing])).toEqual(unknown);
  });

  it("of nothing is known to be nothing", () => {
    expect(joined([])).toEqual(nothing);
  });
});
