import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPairTable } from "../../../src/explore/pipeline/pair-table.js";

describe("a table of pairs", () => {
  it("numbers pairs as a map of their texts would", () => {
    // Few values, so that pairs come again, and some at the ends of the range.
    const half = fc.oneof(fc.nat({ max: 3 }), fc.constantFrom(2 ** 31, 2 ** 32 - 1, 2 ** 26));
    fc.assert(
      fc.property(fc.array(fc.tuple(half, half), { maxLength: 200 }), (pairs) => {
        const table = createPairTable();
        const numbers = new Map<string, number>();
        for (const [high, low] of pairs) {
          const text = `${high} ${low}`;
          const expected = numbers.get(text) ?? numbers.size;
          numbers.set(text, expected);
          expect(table.numberOf(high, low)).toBe(expected);
        }
        expect(table.count()).toBe(numbers.size);
      }),
    );
  });

  it("keeps its numbers while it grows", () => {
    const table = createPairTable();
    // More than four times what it starts with, so that it grows more than once.
    const pairs = Array.from({ length: 5000 }, (_, n) => [n % 71, Math.floor(n / 71)] as const);
    const first = pairs.map(([high, low]) => table.numberOf(high, low));
    expect(first).toEqual(pairs.map((_, n) => n));
    expect(pairs.map(([high, low]) => table.numberOf(high, low))).toEqual(first);
    expect(table.count()).toBe(5000);
  });
});
