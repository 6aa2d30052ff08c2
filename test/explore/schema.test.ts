import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codecOf, layoutOf, misfitOf, offsetsOf } from "../../src/explore/schema.js";

const fields = fc.uniqueArray(
  fc.record({
    name: fc.string({ minLength: 1 }),
    length: fc.integer({ min: 0, max: 9 }),
    values: fc.integer({ min: 1, max: 256 }),
  }),
  { selector: ({ name }) => name, maxLength: 12 },
);

describe("a schema", () => {
  it("lays its fields out one after the other", () => {
    const offsets = offsetsOf({
      fields: [
        { name: "a", length: 2, values: 2 },
        { name: "b", length: 1, values: 9 },
        { name: "c", length: 3, values: 1 },
      ],
    });
    expect([...offsets]).toEqual([
      ["a", 0],
      ["b", 2],
      ["c", 3],
    ]);
  });

  it("refuses a name given twice", () => {
    const twice = { name: "a", length: 1, values: 2 };
    expect(() => offsetsOf({ fields: [twice, twice] })).toThrow("two fields of a schema are called a");
  });

  it.each([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
    [255, 8],
    [256, 8],
  ])("gives %i values %i bits", (values, bits) => {
    expect(layoutOf({ fields: [{ name: "a", length: 1, values }] }).places[0]?.bits).toBe(bits);
  });

  it.each([0, 257, 1.5])("refuses a field of %d values", (values) => {
    expect(() => layoutOf({ fields: [{ name: "a", length: 1, values }] })).toThrow("takes 1 to 256");
  });

  it("fills the room that is left before it begins a word", () => {
    // Three times 8 bits and 7 leave 1 bit of the first word; 3 bits do not fit, the 1 bit after them does.
    const layout = layoutOf({
      fields: [
        { name: "byte", length: 3, values: 256 },
        { name: "seven bits", length: 1, values: 128 },
        { name: "three bits", length: 1, values: 8 },
        { name: "one bit", length: 1, values: 2 },
      ],
    });
    expect(layout.words).toBe(2);
    expect(layout.places.map(({ word, shift }) => [word, shift])).toEqual([
      [0, 0],
      [0, 8],
      [0, 16],
      [0, 24],
      [1, 0],
      [0, 31],
    ]);
  });

  it("has no slot that straddles two words", () => {
    fc.assert(
      fc.property(fields, (all) => {
        for (const { bits, shift } of layoutOf({ fields: all }).places)
          expect(shift + bits).toBeLessThanOrEqual(32);
      }),
    );
  });
});

describe("a codec", () => {
  it("gives back what it packed, and touches nothing around it", () => {
    fc.assert(
      fc.property(fields, fc.infiniteStream(fc.nat()), fc.nat({ max: 3 }), (all, numbers, at) => {
        const { layout, pack, unpack } = codecOf({ fields: all });
        const slots = Uint8Array.from(layout.places, ({ values }) => (numbers.next().value ?? 0) % values);
        const words = new Int32Array(at + layout.words + 1).fill(-7);
        expect(pack(slots, words, at)).toBe(0);
        expect([...words.subarray(0, at), ...words.subarray(at + layout.words)]).toEqual(
          Array(at + 1).fill(-7),
        );
        const back = new Uint8Array(layout.slots).fill(255);
        unpack(words, at, back);
        expect(back).toEqual(slots);
      }),
    );
  });

  it("tells a value that has more bits than its slot", () => {
    fc.assert(
      fc.property(fields, fc.nat(), (all, number) => {
        const { layout, pack } = codecOf({ fields: all });
        const narrow = [...layout.places.entries()].filter(([, { bits }]) => bits < 8);
        const chosen = narrow[number % Math.max(1, narrow.length)];
        fc.pre(chosen !== undefined);
        if (chosen === undefined) return;
        const slots = new Uint8Array(layout.slots);
        slots[chosen[0]] = 2 ** chosen[1].bits;
        expect(pack(slots, new Int32Array(layout.words), 0)).not.toBe(0);
      }),
    );
  });

  it("names the slot that a value does not fit", () => {
    const layout = layoutOf({
      fields: [
        { name: "a", length: 1, values: 2 },
        { name: "b", length: 2, values: 3 },
      ],
    });
    expect(misfitOf(layout, Uint8Array.of(1, 2, 2))).toBeUndefined();
    expect(misfitOf(layout, Uint8Array.of(1, 2, 3))).toBe("b[1] is 3, and takes 0 to 2");
  });
});
