import { parseArgs } from "node:util";
import { exitCodes } from "../../src/cli/exit-codes.js";
import { configurationsTable } from "./configurations.js";
import { measure } from "./contestants.js";
import { type ExploreRound, exploreTable } from "./explore-table.js";
import { prepareSpin, type Spin } from "./spin.js";

const size = "3/2/2/1";
/** Attempts, keys, policy changes and crashes, and two kinds of fault of which one may strike. */
const ledgerSize = "2/2/2/1 busy,checker_hangs";
/** Of the baselines. SPIN counts the initial state as a transition. */
const expected = { states: 2_316_557, transitions: 9_693_888 };

type Options = { readonly rounds: number; readonly configurations: boolean };

/**
 * What an exhaustive search costs beside SPIN and beside a naive search over objects, in one run and by ratios. Rejects
 * if the searches have not counted the same; a bar that is not met is told and no failure.
 */
async function explore({ rounds, configurations }: Options): Promise<string> {
  const spin = prepareSpin(size);
  const measured: ExploreRound[] = [];
  for (let round = 0; round < rounds; round++) {
    measured.push({
      spin: spin.kind === "missing" ? undefined : await spin.run(),
      full: await measure("full", size),
      "partial order": await measure("partial order", size),
      "partial order and symmetry": await measure("partial order and symmetry", size),
      naive: await measure("naive", size),
      "ledger, full": await measure("ledger, full", ledgerSize),
      "ledger, naive": await measure("ledger, naive", ledgerSize),
    });
  }
  if (spin.kind === "ready") spin.remove();
  for (const round of measured) assertSameCounts(round);
  return [
    `exhaustive search of the small model ${size}: medians of ${rounds} rounds, each search in a fresh process`,
    "SPIN: wall time of its process; the others: of the search, after a small one to warm up, by the sources through tsx",
    ...spinLines(spin),
    `the ledger machine: ${ledgerSize}; explore judges every step, the naive search asks no promise`,
    "",
    exploreTable(measured),
    ...(configurations ? ["", await configurationsTable()] : []),
  ].join("\n");
}

function spinLines(spin: Spin): readonly string[] {
  if (spin.kind === "missing") {
    return [`NO SPIN: ${spin.why}`, "it takes spin and gcc on the PATH: apt-get install spin gcc"];
  }
  return [`${spin.version}:`, ...spin.commands.map((command) => `  ${command}`)];
}

function assertSameCounts(round: ExploreRound): void {
  const { spin, full, naive } = round;
  const counts = [
    full,
    naive,
    ...(spin === undefined ? [] : [{ ...spin, transitions: spin.transitions - 1 }]),
  ];
  const [ours, theirs] = [round["ledger, full"], round["ledger, naive"]];
  if (ours.states !== theirs.states || ours.transitions !== theirs.transitions) {
    throw new Error(
      `the searches of the ledger machine have not counted the same: ${ours.states} and ${theirs.states} states, ` +
        `${ours.transitions} and ${theirs.transitions} transitions`,
    );
  }
  for (const { states, transitions } of counts) {
    if (states === expected.states && transitions === expected.transitions) continue;
    throw new Error(
      `the searches have not counted the same: expected ${expected.states} states and ${expected.transitions} ` +
        `transitions, seen ${states} and ${transitions}`,
    );
  }
}

const usage = "use: bench/explore [--rounds <rounds, 1 or more>] [--configurations]";

function readOptions(args: readonly string[]): Options | string {
  let values: { readonly rounds?: string; readonly configurations?: boolean };
  try {
    const options = { rounds: { type: "string" }, configurations: { type: "boolean" } } as const;
    ({ values } = parseArgs({ args: [...args], options, strict: true }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const { rounds = "3", configurations = false } = values;
  if (!/^[1-9][0-9]?$/.test(rounds))
    return `--rounds takes a number from 1 to 99, not ${JSON.stringify(rounds)}`;
  return { rounds: Number(rounds), configurations };
}

const options = readOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(`${options}\n${usage}`);
  process.exitCode = exitCodes.usage;
} else console.log(await explore(options));
