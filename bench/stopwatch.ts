/** How many actions ran, in how many milliseconds: what passed, and what this process had of the processors. */
export type Lap = { readonly actions: number; readonly wall: number; readonly processor: number };

/** One after the other, so that what disturbs one of them disturbs them all over the rounds. */
export type Round = {
  readonly campaign: Lap;
  /** The campaign's lists, planned beforehand. */
  readonly judged: Lap;
  /** The same without a promise to judge: recorded histories and nothing else. */
  readonly driven: Lap;
  readonly bare: Lap;
  /** The plain harness with lists of as many commands as a campaign's lists have actions. */
  readonly plain: Lap;
  /** The plain harness with lists so long that as many of their commands run as a campaign's list has actions. */
  readonly longer: Lap;
};

/** Times work that answers the number of its actions. */
export async function timed(work: () => number | Promise<number>): Promise<Lap> {
  const wall = performance.now();
  const used = process.cpuUsage();
  const actions = await work();
  const { user, system } = process.cpuUsage(used);
  return { actions, wall: performance.now() - wall, processor: (user + system) / 1000 };
}

/** The middle one, or the mean of the two in the middle; NaN of none. */
export function median(numbers: readonly number[]): number {
  const inOrder = [...numbers].sort((left, right) => left - right);
  const middle = inOrder.slice(Math.ceil(inOrder.length / 2) - 1, Math.floor(inOrder.length / 2) + 1);
  return middle.reduce((sum, number) => sum + number, 0) / middle.length;
}
