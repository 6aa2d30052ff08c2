import { parseArgs } from "node:util";
import { exitCodes } from "../../src/cli/exit-codes.js";
import { foundBy } from "./found-by.js";
import { harnessShare } from "./harness-share.js";
import { traceTable } from "./trace-table.js";

type Options = { readonly rounds: number };

/**
 * What the schedules of the real executor cost and find, in one run: whose time an execution takes, how many
 * executions the bugs that need an interleaving take to be found, and how many executions a workload takes. Rejects
 * if the ledger breaks a promise; a bar that is not met is told and no failure.
 */
async function schedules({ rounds }: Options): Promise<string> {
  const tables = [await harnessShare(rounds), await foundBy(), await traceTable()];
  return tables.join("\n\n");
}

const usage = "use: bench/explore/schedules [--rounds <rounds, 5 or more>]";

function readOptions(args: readonly string[]): Options | string {
  let values: { readonly rounds?: string };
  try {
    ({ values } = parseArgs({ args: [...args], options: { rounds: { type: "string" } }, strict: true }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const { rounds = "15" } = values;
  if (!/^([5-9]|[1-9][0-9]{1,3})$/.test(rounds)) {
    return `--rounds takes a number of 5 or more, for a median, not ${JSON.stringify(rounds)}`;
  }
  return { rounds: Number(rounds) };
}

const options = readOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(`${options}\n${usage}`);
  process.exitCode = exitCodes.usage;
} else console.log(await schedules(options));
