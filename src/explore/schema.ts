import type { Schema, Slots } from "./machine.js";

/** Where everything of a schema lies, slot by slot and packed. */
export type Layout = {
  /** Slots of a state. */
  readonly slots: number;
  /** Words of 32 bits that a packed state takes, at least 1. */
  readonly words: number;
  readonly places: readonly Place[];
};

/** One slot: its name, its range, and its bits in the packed state. */
type Place = {
  readonly name: string;
  readonly values: number;
  readonly bits: number;
  readonly word: number;
  readonly shift: number;
};

/** Packs states without loss as long as every value fits the bits of its slot. */
export type Codec = {
  readonly layout: Layout;
  /** Writes the words of a state from `at` on; anything but 0 says that a value had more bits than its slot. */
  readonly pack: (slots: Slots, words: Int32Array, at: number) => number;
  readonly unpack: (words: Int32Array, at: number, slots: Slots) => void;
};

/**
 * The codec of a schema: each slot takes the fewest bits that hold its values, and lies within one word.
 * Throws if a field takes no value at all or more than 256.
 */
export function codecOf(schema: Schema): Codec {
  const layout = layoutOf(schema);
  return { layout, pack: packer(layout), unpack: unpacker(layout) };
}

/** The first slot of each field, by name. Throws if two fields have the same name. */
export function offsetsOf(schema: Schema): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  let slot = 0;
  for (const { name, length } of schema.fields) {
    if (offsets.has(name)) throw new Error(`two fields of a schema are called ${name}`);
    offsets.set(name, slot);
    slot += length;
  }
  return offsets;
}

/** Where each slot lies; each goes into the first word that has room for it. */
export function layoutOf(schema: Schema): Layout {
  const used: number[] = [0];
  const places: Place[] = [];
  for (const { name, length, values } of schema.fields) {
    if (!Number.isInteger(values) || values < 1 || values > 256) {
      throw new Error(`field ${name} takes ${values} values; a slot takes 1 to 256`);
    }
    const bits = values === 1 ? 0 : 32 - Math.clz32(values - 1);
    for (let index = 0; index < length; index++) {
      const fitting = used.findIndex((taken) => taken + bits <= 32);
      const word = fitting < 0 ? used.push(0) - 1 : fitting;
      const shift = used[word] ?? 0;
      used[word] = shift + bits;
      places.push({ name: length === 1 ? name : `${name}[${index}]`, values, bits, word, shift });
    }
  }
  return { slots: places.length, words: used.length, places };
}

/** Says which slot holds a value outside its range; undefined if all are within. */
export function misfitOf(layout: Layout, slots: Slots): string | undefined {
  const index = layout.places.findIndex(({ values }, slot) => (slots[slot] ?? 0) >= values);
  const place = layout.places[index];
  if (place === undefined) return undefined;
  return `${place.name} is ${slots[index]}, and takes 0 to ${place.values - 1}`;
}

/*
 * The two functions are generated: written out slot by slot with constant shifts they run several times as fast as a
 * loop over tables, and they run for every step of a search. The text is made of numbers of the layout alone.
 */

type Pack = Codec["pack"];
type Unpack = Codec["unpack"];

function packer({ words, places }: Layout): Pack {
  const lines: string[] = [];
  const tooWide: string[] = [];
  for (let bits = 0; bits < 8; bits++) {
    const alike = places.flatMap((place, slot) => (place.bits === bits ? [`slots[${slot}]`] : []));
    if (alike.length > 0) tooWide.push(`(${alike.join(" | ")}) >>> ${bits}`);
  }
  for (let word = 0; word < words; word++) {
    const parts = places.flatMap((place, slot) =>
      place.word === word && place.bits > 0 ? [`slots[${slot}] << ${place.shift}`] : [],
    );
    lines.push(`words[at + ${word}] = ${parts.length === 0 ? "0" : parts.join(" | ")};`);
  }
  lines.push(`return ${tooWide.length === 0 ? "0" : tooWide.join(" | ")};`);
  return generated<Pack>("slots, words, at", lines);
}

function unpacker({ words, places }: Layout): Unpack {
  const lines: string[] = [];
  for (let word = 0; word < words; word++) lines.push(`const word${word} = words[at + ${word}];`);
  places.forEach(({ bits, word, shift }, slot) => {
    const mask = 2 ** bits - 1;
    lines.push(`slots[${slot}] = ${bits === 0 ? "0" : `(word${word} >>> ${shift}) & ${mask}`};`);
  });
  return generated<Unpack>("words, at, slots", lines);
}

function generated<Made>(parameters: string, lines: readonly string[]): Made {
  return new Function(`"use strict"; return function (${parameters}) {\n${lines.join("\n")}\n};`)();
}
