import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createStateTable,
  hashOf,
  insert,
  lookAhead,
  refused,
  type StateTable,
  tableBytes,
} from "../../src/explore/state-table.js";

const unbounded = { mostStates: Number.POSITIVE_INFINITY, mayTake: () => true };

function insertOne(table: StateTable, words: readonly number[], parent = 0): number {
  const packed = Int32Array.from([99, ...words]);
  return insert(table, packed, 1, hashOf(packed, 1, table.width), parent);
}

describe("a state table", () => {
  it("numbers states in the order met, and knows them again", () => {
    const table = createStateTable(2, unbounded);
    expect(insertOne(table, [1, 2])).toBe(0);
    expect(insertOne(table, [2, 1], 0)).toBe(1);
    expect(insertOne(table, [1, 3], 1)).toBe(2);
    expect(insertOne(table, [2, 1], 2)).toBe(1);
    expect(table.count).toBe(3);
    // The second meeting of state 1 does not change from where it was met first.
    expect([...table.parents.subarray(0, 3)]).toEqual([0, 0, 1]);
  });

  it("tells states apart as a set of them does", () => {
    const word = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer());
    const states = fc
      .integer({ min: 1, max: 3 })
      .chain((width) =>
        fc.array(fc.array(word, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 200 }),
      );
    fc.assert(
      fc.property(states, (all) => {
        const table = createStateTable(all[0]?.length ?? 1, unbounded);
        const numbers = new Map<string, number>();
        for (const words of all) {
          const expected = numbers.get(words.join()) ?? numbers.size;
          numbers.set(words.join(), expected);
          expect(insertOne(table, words)).toBe(expected);
        }
        expect(table.count).toBe(numbers.size);
      }),
    );
  });

  it("tells states of the same hash apart", () => {
    const byHash = new Map<number, readonly number[]>();
    const alike: (readonly (readonly number[])[])[] = [];
    // Of 300,000 hashes of 32 bits about ten pairs are equal.
    for (let number = 0; number < 300_000; number++) {
      const words = [number, number * number];
      const hash = hashOf(Int32Array.from(words), 0, 2);
      const other = byHash.get(hash);
      if (other !== undefined) alike.push([words, other]);
      byHash.set(hash, words);
    }
    expect(alike.length).toBeGreaterThan(0);
    for (const pair of alike) {
      const table = createStateTable(2, unbounded);
      expect([...pair, ...pair].map((words) => insertOne(table, words))).toEqual([0, 1, 0, 1]);
    }
  });

  it("keeps every state while it grows", () => {
    const table = createStateTable(1, unbounded);
    for (let state = 0; state < 100_000; state++) {
      if (insertOne(table, [state * 7]) !== state) expect.fail(`state ${state} is not new`);
    }
    for (let state = 0; state < 100_000; state += 997) expect(insertOne(table, [state * 7])).toBe(state);
    expect(table.count).toBe(100_000);
  });

  it("leaves at least two of five places free", () => {
    const table = createStateTable(1, unbounded);
    for (let state = 0; state < 30_000; state++) {
      insertOne(table, [state]);
      if (table.count > table.places.length * 0.6) expect.fail(`${table.count} of ${table.places.length}`);
    }
  });

  it("takes at most 40 bytes a state of two words at any time from 200,000 states on", () => {
    // The worst is right after growth: 1.5 times 12 bytes of states, and 4 bytes a place at a load of 0.3.
    let peak = 0;
    const mayTake = (bytes: number): boolean => {
      peak = Math.max(peak, bytes);
      return true;
    };
    const table = createStateTable(2, { ...unbounded, mayTake });
    for (let state = 0; state < 1_300_000; state++) {
      insertOne(table, [state, -state]);
      if (state > 200_000 && peak > 40 * state) expect.fail(`${peak / state} at ${state}`);
    }
    expect(peak).toBeGreaterThan(12 * 1_300_000);
    expect(tableBytes(table)).toBe(4 * (table.packed.length + table.parents.length + table.places.length));
  });

  it("refuses a new state over the most states, and still knows the others", () => {
    const table = createStateTable(1, { ...unbounded, mostStates: 2 });
    expect([5, 6, 7, 5, 6].map((state) => insertOne(table, [state]))).toEqual([0, 1, refused, 0, 1]);
    expect(table.count).toBe(2);
  });

  it("refuses to grow over the most bytes", () => {
    const table = createStateTable(1, { ...unbounded, mayTake: (bytes) => bytes <= 500_000 });
    let state = 0;
    while (insertOne(table, [state]) !== refused) state++;
    expect(state).toBeGreaterThan(4096);
    expect(tableBytes(table)).toBeLessThanOrEqual(500_000);
    expect(table.count).toBe(state);
    expect(insertOne(table, [0])).toBe(0);
  });

  it("changes nothing by looking ahead", () => {
    const table = createStateTable(1, unbounded);
    insertOne(table, [3]);
    lookAhead(table, Int32Array.of(1, 2, hashOf(Int32Array.of(3), 0, 1)), 3);
    expect([table.count, insertOne(table, [3]), insertOne(table, [4])]).toEqual([1, 0, 1]);
  });
});
