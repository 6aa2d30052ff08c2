import { parseArgs } from "node:util";
import { exitCodes } from "../src/cli/exit-codes.js";
import { scratchFolder } from "../src/cli/scratch.js";
import { resolveExecutor } from "../src/config/executors.js";
import { openBench, startingPolicy } from "../src/config/open-bench.js";
import { draftContract } from "../src/contract/draft.js";
import type { Plan } from "../src/properties/planner.js";
import { type Bench, executeRun } from "../src/properties/run.js";
import { executeShare, planOfRun } from "../src/properties/share.js";
import { ledgerProfile } from "../src/sut/ledger/system.js";
import { type Bare, closeBare, openBare, runBare } from "./bare-executor.js";
import { overheadTable } from "./overhead-table.js";
import { runPlain } from "./plain-harness.js";
import { assertSameAttempts } from "./same-attempts.js";
import { type Round, timed } from "./stopwatch.js";

const seed = 1;
const maxActions = 30;
/** About half of what is drawn without knowledge of the state is refused: so many make the runs equally long. */
const maxCommandsForLength = 2 * maxActions;
const planning = { profile: ledgerProfile, contract: draftContract, policy: startingPolicy };

/** Rounds until the compiler has come to rest with six kinds of laps in one process. */
const warmUpRounds = 10;

type Options = { readonly runs: number; readonly rounds: number };

/**
 * What the harness costs, in one process and by ratios: a campaign against the same attempts made by the least code
 * that can make them, and against what somebody would write with `fc.commands`. Each round is the next share of one
 * campaign, so that nothing is measured that has been executed before. Rejects if the three have not done what is
 * to be compared; a bar that is not met is told and no failure. The sources run through tsx: as fast as the built
 * JavaScript to within the noise, and never out of date.
 */
async function overhead({ runs, rounds }: Options): Promise<string> {
  const total = runs * (warmUpRounds + rounds);
  const plans = Array.from({ length: total }, (_, run) => planOfRun(planning, seed, run, maxActions));
  await assertAllSame(plans);
  const bench = await openLedger();
  const bare = openBare(scratchFolder(), bench.contract, startingPolicy);
  const directory = scratchFolder();
  const measured: Round[] = [];
  for (let first = 0; first < total; first += runs) {
    const lists = plans.slice(first, first + runs);
    const plain = { directory, policy: startingPolicy, runs, seed: seed + first };
    measured.push({
      campaign: await timed(() => runCampaign(bench, first, lists)),
      judged: await timed(() => runLists(bench, lists)),
      driven: await timed(() => runLists({ ...bench, promises: [] }, lists)),
      bare: await timed(() => runAllBare(bare, lists)),
      plain: await timed(() => runPlain({ ...plain, maxCommands: maxActions })),
      longer: await timed(() => runPlain({ ...plain, maxCommands: maxCommandsForLength })),
    });
  }
  closeBare(bare);
  await bench.close();
  const after = measured.slice(warmUpRounds);
  return overheadTable({ rounds: after, runs, seed, maxActions, maxCommandsForLength });
}

/** Of stores and readers of its own, so that no round finds anything prepared. */
async function assertAllSame(plans: readonly Plan[]): Promise<void> {
  const bench = await openLedger();
  const bare = openBare(scratchFolder(), bench.contract, startingPolicy);
  await assertSameAttempts(bench, bare, plans);
  closeBare(bare);
  await bench.close();
}

async function openLedger(): Promise<Bench & { readonly close: () => Promise<void> }> {
  const found = resolveExecutor("ledger", undefined);
  if (found.kind === "unknown") throw new Error("the built-in ledger is gone");
  return openBench(found.executor, { directory: scratchFolder() });
}

/** The share of the campaign that these lists are; the number of its actions. */
async function runCampaign(bench: Bench, first: number, lists: readonly Plan[]): Promise<number> {
  const request = { seed, first, runs: lists.length, maxActions, stopAt: [] };
  const control = { stopped: () => false, began: () => {}, ended: () => {} };
  const { performed, failures, end } = await executeShare(bench, request, control);
  if (end !== "complete" || failures.length > 0 || performed !== actionsIn(lists)) {
    throw new Error(
      `the campaign has not made the attempts of its lists: expected ${actionsIn(lists)} actions and no failure, ` +
        `seen ${performed} actions, ${failures.length} failures, end ${end}`,
    );
  }
  return performed;
}

/** The lists as a campaign runs them, planned beforehand. */
async function runLists(bench: Bench, lists: readonly Plan[]): Promise<number> {
  for (const { actions } of lists) await executeRun(bench, actions);
  return actionsIn(lists);
}

async function runAllBare(bare: Bare, lists: readonly Plan[]): Promise<number> {
  for (const { actions } of lists) await runBare(bare, actions);
  return actionsIn(lists);
}

function actionsIn(lists: readonly Plan[]): number {
  return lists.reduce((sum, { actions }) => sum + actions.length, 0);
}

const usage = "use: bench/overhead [--runs <runs in a round>] [--rounds <rounds, 5 or more>]";

function readOptions(args: readonly string[]): Options | string {
  let values: { readonly runs?: string; readonly rounds?: string };
  try {
    const options = { runs: { type: "string" }, rounds: { type: "string" } } as const;
    ({ values } = parseArgs({ args: [...args], options, strict: true }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const { runs = "100", rounds = "15" } = values;
  if (!/^[1-9][0-9]{0,5}$/.test(runs))
    return `--runs takes a number of 1 or more, not ${JSON.stringify(runs)}`;
  if (!/^([5-9]|[1-9][0-9]{1,3})$/.test(rounds)) {
    return `--rounds takes a number of 5 or more, for a median, not ${JSON.stringify(rounds)}`;
  }
  return { runs: Number(runs), rounds: Number(rounds) };
}

const options = readOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(`${options}\n${usage}`);
  process.exitCode = exitCodes.usage;
} else console.log(await overhead(options));
