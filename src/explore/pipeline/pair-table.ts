/** Numbers pairs of 32-bit numbers from 0 on, in the order in which they were first met. */
export type PairTable = {
  /** The number of this pair; the next new one if it was not met before. */
  readonly numberOf: (high: number, low: number) => number;
  readonly count: () => number;
};

const fullest = 0.5;

export function createPairTable(): PairTable {
  let highs = new Uint32Array(1024);
  let lows = new Uint32Array(1024);
  let places = new Int32Array(2048);
  let count = 0;
  const grow = (): void => {
    const widerHighs = new Uint32Array(highs.length * 2);
    const widerLows = new Uint32Array(lows.length * 2);
    widerHighs.set(highs);
    widerLows.set(lows);
    highs = widerHighs;
    lows = widerLows;
    places = new Int32Array(highs.length / fullest);
    const mask = places.length - 1;
    for (let number = 0; number < count; number++) {
      let at = hashOf(highs[number] ?? 0, lows[number] ?? 0) & mask;
      while (places[at] !== 0) at = (at + 1) & mask;
      places[at] = number + 1;
    }
  };
  return {
    numberOf: (high, low) => {
      const mask = places.length - 1;
      let at = hashOf(high, low) & mask;
      for (let entry = places[at] ?? 0; entry !== 0; entry = places[at] ?? 0) {
        if (highs[entry - 1] === high && lows[entry - 1] === low) return entry - 1;
        at = (at + 1) & mask;
      }
      if (count === highs.length) {
        grow();
        const wider = places.length - 1;
        at = hashOf(high, low) & wider;
        while (places[at] !== 0) at = (at + 1) & wider;
      }
      highs[count] = high;
      lows[count] = low;
      places[at] = count + 1;
      return count++;
    },
    count: () => count,
  };
}

function hashOf(high: number, low: number): number {
  let hash = Math.imul(high ^ 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15) ^ low, 0xc2b2ae35);
  return hash ^ (hash >>> 14);
}
