/** A growing list of numbers from 0 to 2^32 - 1, without an object for any of them. */
export type NumberList = { numbers: Uint32Array; count: number };

/** An empty list. */
export function createNumberList(): NumberList {
  return { numbers: new Uint32Array(64), count: 0 };
}

/** Puts a number at the end. */
export function append(list: NumberList, number: number): void {
  if (list.count === list.numbers.length) {
    const longer = new Uint32Array(Math.ceil(list.count * 1.5));
    longer.set(list.numbers);
    list.numbers = longer;
  }
  list.numbers[list.count] = number;
  list.count++;
}

/** The numbers of the list, sharing its array. */
export function numbersOf({ numbers, count }: NumberList): Uint32Array {
  return numbers.subarray(0, count);
}
