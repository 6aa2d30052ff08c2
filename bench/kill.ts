import { parseArgs } from "node:util";
import { exitCodes } from "../src/cli/exit-codes.js";
import { scratchFolder } from "../src/cli/scratch.js";
import { startingPolicy } from "../src/config/open-bench.js";
import { guardedContract } from "../src/contract/guarded/toolbox.js";
import type { Event } from "../src/model/vocabulary.js";
import { createBudget } from "../src/properties/budget.js";
import { executeRun, type RunRecord } from "../src/properties/run.js";
import { plansOfRuns, usualMaxActions } from "../src/properties/share.js";
import { openKillablePort } from "../src/sut/process/killable-port.js";

const budgetMs = 10_000;

type Options = { readonly runs: number; readonly seed: number };

/** A campaign on the guarded executor in a process of its own, whose crashes are real kills; `sound` if every run held. */
async function kill({ runs, seed }: Options): Promise<{ readonly sound: boolean; readonly text: string }> {
  const port = openKillablePort({ directory: scratchFolder(), budgetMs });
  const budget = createBudget(budgetMs * 1.5);
  const bench = { port, contract: guardedContract, policy: startingPolicy, budget };
  const settings = { profile: port.profile, contract: guardedContract, policy: startingPolicy };
  const where: { [place: string]: number } = {};
  const wrong: string[] = [];
  let performed = 0;
  try {
    for (const [run, { actions }] of plansOfRuns(settings, seed, 0, runs, usualMaxActions).entries()) {
      const record = await executeRun(bench, actions);
      performed += record.performed;
      for (const place of placesOfKills(record.history)) where[place] = (where[place] ?? 0) + 1;
      wrong.push(...wrongIn(record).map((sentence) => `run ${run}: ${sentence}`));
    }
    const text = [
      `${runs} runs (seed ${seed}), ${performed} actions, ${port.kills()} processes killed`,
      ...Object.entries(where)
        .sort()
        .map(([place, times]) => `  ${place.padEnd(20)} ${times}`),
      wrong.length === 0 ? "every promise held in every run" : wrong.join("\n"),
    ].join("\n");
    return { sound: wrong.length === 0, text };
  } finally {
    budget.close();
    await port.stop();
  }
}

/** Where each kill of a run struck; `parked` where nothing was on its way. */
function placesOfKills(history: readonly Event[]): readonly string[] {
  return history.flatMap((event) => {
    if (event.kind !== "crashed") return [];
    return [event.advancing.kind === "idle" ? "parked" : event.advancing.at];
  });
}

/** A broken promise, one left open, or a run that could not be judged. */
function wrongIn({ verdict, end }: RunRecord): readonly string[] {
  return [
    ...verdict.violations.map(({ promise, sentence }) => `${promise} is broken: ${sentence}`),
    ...verdict.undecided.map(({ promise, reason }) => `${promise} is undecided: ${reason}`),
    ...(end.kind === "broken" ? [`broken in ${end.where}: ${end.message}`] : []),
  ];
}

const { values } = parseArgs({
  options: { runs: { type: "string", default: "300" }, seed: { type: "string", default: "1" } },
});
const { sound, text } = await kill({ runs: Number(values.runs), seed: Number(values.seed) });
process.stdout.write(`${text}\n`);
process.exitCode = sound ? exitCodes.holds : exitCodes.violated;
