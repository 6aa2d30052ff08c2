import { startingPolicy } from "../src/config/open-bench.js";
import { draftContract } from "../src/contract/draft.js";
import type { Event } from "../src/model/vocabulary.js";
import { createJudge } from "../src/properties/judge.js";
import type { Plan } from "../src/properties/planner.js";
import { ledgerProfile } from "../src/sut/ledger/system.js";
import { median, timed } from "./stopwatch.js";

/** Processor time in µs an action of what a campaign does beside the executor, where it can be had alone. */
export type Parts = { readonly planning: number; readonly judging: number };

const repetitions = 9;

/** Measures the planner on the lists of the first runs, and the judge on histories that were recorded before. */
export async function measureParts(
  histories: readonly (readonly Event[])[],
  plan: (run: number) => Plan,
): Promise<Parts> {
  const planning: number[] = [];
  const judging: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const planned = await timed(() => sum(histories, (_, run) => plan(run).actions.length));
    const judged = await timed(() => sum(histories, judge));
    planning.push((planned.processor * 1000) / planned.actions);
    judging.push((judged.processor * 1000) / judged.actions);
  }
  return { planning: median(planning), judging: median(judging) };
}

/** Judges a history anew; the number of its actions, the epilogue not counted. */
function judge(history: readonly Event[]): number {
  const judge = createJudge(ledgerProfile, { policy: startingPolicy, tool: draftContract.name });
  for (const event of history) judge.add(event);
  judge.finish();
  return history.at(-1)?.action ?? 0;
}

function sum<Item>(items: readonly Item[], count: (item: Item, index: number) => number): number {
  return items.reduce((total, item, index) => total + count(item, index), 0);
}
