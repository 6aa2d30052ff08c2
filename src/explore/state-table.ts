/**
 * The states that a search has met, packed, without an object for any of them. State n is the n-th one met; it lies in
 * `packed` from n * `width` on. The arrays are replaced as they grow: read them anew after `insert`.
 */
export type StateTable = {
  /** Words of a packed state. */
  readonly width: number;
  /** States in the table. */
  count: number;
  packed: Int32Array;
  /** The state from which each one was met first; the initial one is its own. */
  parents: Uint32Array;
  /**
   * Where its hash falls: in the bits that count places the number of the state plus 1, in those above the bits of its
   * hash, so that most other states are told apart without looking at them; 0 where nothing is.
   */
  places: Int32Array;
  readonly mostStates: number;
  readonly mayTake: TableBounds["mayTake"];
};

export type TableBounds = {
  readonly mostStates: number;
  /** Asked before it grows whether it may take so many bytes while it does. */
  readonly mayTake: (bytes: number) => boolean;
};

const firstStates = 1 << 12;
/** Of the places at most this part is taken. */
const fullest = 0.6;
const manyPlaces = 1 << 19;
/** Beyond this, numbers and places would no longer fit 31 bits. */
const mostNumbered = 2 ** 30;

/** An empty table for states of `width` words. It begins with room for 4,096 states, whatever the bounds. */
export function createStateTable(width: number, { mostStates, mayTake }: TableBounds): StateTable {
  return {
    width,
    count: 0,
    packed: new Int32Array(firstStates * width),
    parents: new Uint32Array(firstStates),
    places: new Int32Array(firstStates * 2),
    mostStates: Math.min(mostStates, mostNumbered),
    mayTake,
  };
}

/** What the arrays take now, slack included. */
export function tableBytes({ packed, parents, places }: StateTable): number {
  return packed.byteLength + parents.byteLength + places.byteLength;
}

/** `insert` refuses: the state is new, and there is no room for it. */
export const refused = -1;

/**
 * The number of the state that lies in `words` from `from` on, with its hash; it is new if that is what `count` was
 * before. `refused` if it is new and the bounds leave no room for it.
 */
export function insert(
  table: StateTable,
  words: Int32Array,
  from: number,
  hash: number,
  parent: number,
): number {
  const { width, packed, places } = table;
  const mask = places.length - 1;
  let at = hash & mask;
  for (let entry = places[at] ?? 0; entry !== 0; entry = places[at] ?? 0) {
    if (((entry ^ hash) & ~mask) === 0) {
      const state = (entry & mask) - 1;
      if (isSame(packed, state * width, words, from, width)) return state;
    }
    at = (at + 1) & mask;
  }
  return add(table, words, from, hash, parent);
}

/**
 * Reads where each of so many states will be looked for, so that the memory answers all of them at once instead of one
 * after the other; what it returns means nothing.
 */
export function lookAhead(table: StateTable, hashes: Int32Array, count: number): number {
  const { width, packed, places } = table;
  const mask = places.length - 1;
  let read = 0;
  for (let index = 0; index < count; index++) read ^= places[(hashes[index] ?? 0) & mask] ?? 0;
  for (let index = 0; index < count; index++) {
    const entry = places[(hashes[index] ?? 0) & mask] ?? 0;
    read ^= packed[((entry & mask) - 1) * width] ?? 0;
  }
  return read;
}

/** The hash of the state that lies in `words` from `from` on. */
export function hashOf(words: Int32Array, from: number, width: number): number {
  let hash = width;
  for (let word = 0; word < width; word++) {
    hash = Math.imul(hash ^ (words[from + word] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

function isSame(packed: Int32Array, start: number, words: Int32Array, from: number, width: number): boolean {
  for (let word = 0; word < width; word++) if (packed[start + word] !== words[from + word]) return false;
  return true;
}

function add(table: StateTable, words: Int32Array, from: number, hash: number, parent: number): number {
  const { width, count } = table;
  if (count >= table.mostStates) return refused;
  if (count >= table.parents.length && !growStates(table)) return refused;
  if (count + 1 > table.places.length * fullest && !growPlaces(table)) return refused;
  const start = count * width;
  for (let word = 0; word < width; word++) table.packed[start + word] = words[from + word] ?? 0;
  table.parents[count] = parent;
  take(table.places, hash, count);
  table.count = count + 1;
  return count;
}

/** Puts a state into the first free place from where its hash falls. */
function take(places: Int32Array, hash: number, state: number): void {
  const mask = places.length - 1;
  let at = hash & mask;
  while (places[at] !== 0) at = (at + 1) & mask;
  places[at] = (hash & ~mask) | (state + 1);
}

function growStates(table: StateTable): boolean {
  const { width, packed, parents } = table;
  const states = Math.ceil(parents.length * 1.5);
  const wantedStates = 4 * states * width;
  const wantedParents = 4 * states;
  // The old states are given up before the parents grow.
  const most = Math.max(wantedStates, wantedStates - packed.byteLength + wantedParents);
  if (!table.mayTake(tableBytes(table) + most)) return false;
  table.packed = new Int32Array(states * width);
  table.packed.set(packed);
  table.parents = new Uint32Array(states);
  table.parents.set(parents);
  return true;
}

/** The old places are given up first: they can be made again from the states. */
function growPlaces(table: StateTable): boolean {
  const { width, packed, places } = table;
  // While few they grow faster, since all states must find their places again.
  const times = places.length < manyPlaces ? 4 : 2;
  if (!table.mayTake(tableBytes(table) + (times - 1) * places.byteLength)) return false;
  table.places = new Int32Array(0);
  const wider = new Int32Array(places.length * times);
  for (let state = 0; state < table.count; state++) take(wider, hashOf(packed, state * width, width), state);
  table.places = wider;
  return true;
}
