import type { Program } from "../../../src/explore/schedules/program.js";
import { fixed, read, type ToyStep, type ToyThread, toyProgram, write } from "./toy-programs.js";

/** Threads that write one variable: every order is another trace. */
export function writersOfOne(count: number): Program {
  return toyProgram(Array.from({ length: count }, (_, index) => fixed(write("x", index + 1))));
}

/** Threads that write a variable each. */
export function independentWriters(count: number): Program {
  return toyProgram(Array.from({ length: count }, (_, index) => fixed(write(`x${index}`, 1))));
}

/** One writer, and readers that do not see one another. */
export function writerAndReaders(readers: number): Program {
  return toyProgram([fixed(write("x", 1)), ...Array.from({ length: readers }, () => fixed(read("x")))]);
}

/**
 * "lastzero" of Abdulla and others: thread j reads a[j] and writes a[j + 1], and one thread looks from the end for the
 * last 0, so that how far it goes depends on who was there before it.
 */
export function lastZero(count: number): Program {
  const searcher: ToyThread = (seen) => {
    const isFound = seen.at(-1)?.includes(0) ?? false;
    return isFound || seen.length > count ? undefined : read(`a${count - seen.length}`);
  };
  const copier = (index: number): ToyThread => fixed(read(`a${index}`), write(`a${index + 1}`, 1));
  return toyProgram([searcher, ...Array.from({ length: count }, (_, index) => copier(index))]);
}

/** "indexer": threads that put entries into the slots that a hash names, and meet only where two hashes do. */
export function indexer(slotsOf: readonly (readonly number[])[]): Program {
  return toyProgram(
    slotsOf.map((slots) =>
      fixed(
        ...slots.map((slot) => ({
          label: `put into ${slot}`,
          run: (memory: Parameters<ToyStep["run"]>[0]) => {
            if (memory.read(`slot${slot}`) === 0) memory.write(`slot${slot}`, 1);
          },
        })),
      ),
    ),
  );
}

export function acquire(lock: string): ToyStep {
  return {
    label: `acquire ${lock}`,
    run: (memory) => memory.write(lock, 1),
    waitsUntil: (look) => look(lock) === 0,
  };
}

export function release(lock: string): ToyStep {
  return { label: `release ${lock}`, run: (memory) => memory.write(lock, 0) };
}
