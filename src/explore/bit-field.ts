import assert from "node:assert/strict";

/** A set of states that forgets which they were: some bits for each. */
export type BitField = {
  readonly cells: Int32Array;
  /** 2 to this power bits. */
  readonly bits: number;
  readonly hashes: number;
  readonly seed: number;
  bitsSet: number;
};

type FieldOptions = { readonly bits: number; readonly hashes: number; readonly seed: number };

/** A field with no bit set. Throws unless it has 2^10 to 2^32 bits and sets 1 to 16 for a state. */
export function createBitField({ bits, hashes, seed }: FieldOptions): BitField {
  assert(
    Number.isInteger(bits) && bits >= 10 && bits <= 32,
    `a bit field has 2^10 to 2^32 bits, not 2^${bits}`,
  );
  assert(Number.isInteger(hashes) && hashes >= 1 && hashes <= 16, `a state sets 1 to 16 bits, not ${hashes}`);
  return { cells: new Int32Array(2 ** (bits - 5)), bits, hashes, seed, bitsSet: 0 };
}

/** The part of the bits that is set, 0 to 1. */
export function fillOf({ bitsSet, bits }: BitField): number {
  return bitsSet / 2 ** bits;
}

/** Sets the bits of a state; its hash, or undefined if all of them were set before. */
export function setBits(field: BitField, words: Int32Array): number | undefined {
  const { cells, bits, hashes, seed } = field;
  const first = hashFrom(words, seed);
  // Odd, so that the bits of a state differ from each other.
  const stride = hashFrom(words, ~seed) | 1;
  const before = field.bitsSet;
  let hash = first;
  for (let index = 0; index < hashes; index++) {
    const bit = hash >>> (32 - bits);
    const mask = 1 << (bit & 31);
    const cell = cells[bit >>> 5] ?? 0;
    if ((cell & mask) === 0) {
      cells[bit >>> 5] = cell | mask;
      field.bitsSet++;
    }
    hash = (hash + stride) | 0;
  }
  return field.bitsSet === before ? undefined : first;
}

function hashFrom(words: Int32Array, seed: number): number {
  let hash = Math.imul(seed ^ 0x2545f491, 0x9e3779b1);
  for (let index = 0; index < words.length; index++) {
    hash = Math.imul(hash ^ (words[index] ?? 0), 0x85ebca6b);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 13;
  }
  hash = Math.imul(hash, 0x9e3779b1);
  return hash ^ (hash >>> 16);
}
