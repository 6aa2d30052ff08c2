/** The way to where a depth-first search is: packed states, and the actions of each that are still to be taken. */
export type SearchStack = {
  readonly width: number;
  /** Of the state on top; -1 if there is none. */
  depth: number;
  packed: Int32Array;
  actions: Int32Array;
  /** Where the actions left of each state end; they begin where those of the state below end. */
  ends: Uint32Array;
};

/** A stack without a state. */
export function createSearchStack(width: number): SearchStack {
  return {
    width,
    depth: -1,
    packed: new Int32Array(64 * width),
    actions: new Int32Array(256),
    ends: new Uint32Array(64),
  };
}

/** Puts a state on top with its first `count` actions, of which the one at `start` (of any size) is taken first. */
export function push(
  stack: SearchStack,
  words: Int32Array,
  actions: Int32Array,
  count: number,
  start: number,
): void {
  const begin = stack.depth < 0 ? 0 : (stack.ends[stack.depth] ?? 0);
  const depth = stack.depth + 1;
  if (depth === stack.ends.length) stack.ends = longer(stack.ends, new Uint32Array(2 * depth));
  if ((depth + 1) * stack.width > stack.packed.length) {
    stack.packed = longer(stack.packed, new Int32Array(2 * stack.packed.length));
  }
  if (begin + count > stack.actions.length) {
    stack.actions = longer(stack.actions, new Int32Array(2 * (begin + count)));
  }
  stack.packed.set(words, depth * stack.width);
  // Taken from the end.
  for (let index = 0; index < count; index++) {
    stack.actions[begin + count - 1 - index] = actions[(start + index) % count] ?? 0;
  }
  stack.ends[depth] = begin + count;
  stack.depth = depth;
}

/** The next action of the state on top; if none is left, the state is taken off and there is none to take. */
export function pop(stack: SearchStack): number | undefined {
  const { depth, ends } = stack;
  const begin = depth === 0 ? 0 : (ends[depth - 1] ?? 0);
  const end = (ends[depth] ?? 0) - 1;
  if (end < begin) {
    stack.depth--;
    return undefined;
  }
  ends[depth] = end;
  return stack.actions[end] ?? 0;
}

function longer<List extends Int32Array | Uint32Array>(list: List, into: List): List {
  into.set(list);
  return into;
}
