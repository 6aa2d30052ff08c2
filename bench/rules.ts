import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { exitCodes } from "../src/cli/exit-codes.js";
import { gate } from "../src/rules/gate.js";
import type { Rule } from "../src/rules/rule.js";
import type { Trace } from "../src/rules/trace.js";
import { cedarDecisions, guardDecisions } from "./rules/decisions.js";
import { benchRules, benchTrace } from "./rules/rule-workload.js";
import { type DecisionRound, type GateRound, type RulesReport, rulesTable } from "./rules/rules-table.js";
import { timed } from "./stopwatch.js";

const lengths = [25_000, 50_000, 100_000];
/** A guard's decision is so much shorter than one of Cedar's that a lap needs more of them to be timed. */
const guardLap = 20_000;
const cedarLap = 500;
/** Rounds until the compiler has come to rest. */
const warmUpRounds = 3;

type Options = { readonly rounds: number };

/**
 * What rules cost: the gate over traces that double in length, and the guard's decision with few and with many rules
 * beside one of Cedar's. In one process, in rounds that take a lap of each in turn.
 */
async function rules({ rounds }: Options): Promise<RulesReport> {
  // Node 20.20 aborts in about every second run without this, where it drops machine code into which a call of Cedar's
  // WebAssembly was inlined ("Fatal error: unreachable code" in the Deoptimizer).
  setFlagsFromString("--no-turbo-inline-js-wasm-calls");
  return rulesTable(await gateRounds(rounds), await decisionRounds(rounds));
}

async function gateRounds(rounds: number): Promise<readonly GateRound[]> {
  const thousandRules = benchRules(1000, "spread");
  const traces = lengths.map(benchTrace);
  const measured: GateRound[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const laps: { calls: number; lap: GateRound[number]["lap"] }[] = [];
    for (const trace of traces) {
      const lap = await timed(() => callsJudged(thousandRules, trace));
      laps.push({ calls: lap.actions, lap });
    }
    measured.push(laps);
  }
  // The first one is for the compiler.
  return measured.slice(1);
}

function callsJudged(thousandRules: readonly Rule[], trace: Trace): number {
  const { counts } = gate(thousandRules, [trace]);
  // A gate that has found nothing, or everything, would be timed for work that nobody has.
  if (counts.violations === 0 || counts.violations > counts.calls) {
    throw new Error(
      `the gate should refuse some of the calls, it has ${counts.violations} violations of ${counts.calls}`,
    );
  }
  return counts.calls;
}

async function decisionRounds(rounds: number): Promise<readonly DecisionRound[]> {
  const ten = guardDecisions(10, "spread", "check");
  const thousand = guardDecisions(1000, "spread", "check");
  const talking = guardDecisions(1000, "spread", "check", "every fifth call");
  const crowded = guardDecisions(1000, "crowded", "check");
  const executing = guardDecisions(1000, "spread", "execute");
  const cedar = cedarDecisions();
  const measured: DecisionRound[] = [];
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    measured.push({
      ten: await timed(() => ten(guardLap)),
      thousand: await timed(() => thousand(guardLap)),
      talking: await timed(() => talking(guardLap)),
      crowded: await timed(() => crowded(guardLap)),
      executing: await timed(() => executing(guardLap)),
      cedar: await timed(() => cedar(cedarLap)),
    });
  }
  return measured.slice(warmUpRounds);
}

const usage = "use: bench/rules [--rounds <rounds, 5 or more>]";

function readOptions(args: readonly string[]): Options | string {
  let values: { readonly rounds?: string };
  try {
    ({ values } = parseArgs({ args: [...args], options: { rounds: { type: "string" } }, strict: true }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const { rounds = "15" } = values;
  return /^([5-9]|[1-9][0-9]{1,3})$/.test(rounds)
    ? { rounds: Number(rounds) }
    : `--rounds takes a number of 5 or more, for a median, not ${JSON.stringify(rounds)}`;
}

const options = readOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(`${options}\n${usage}`);
  process.exitCode = exitCodes.usage;
} else {
  const { text, areBarsMet } = await rules(options);
  console.log(text);
  process.exitCode = areBarsMet ? exitCodes.holds : exitCodes.violated;
}
