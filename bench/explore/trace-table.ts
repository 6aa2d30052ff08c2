import { allSchedules } from "../../src/explore/schedules/all-schedules.js";
import { executorProgram, type ProgramThread } from "../../src/explore/schedules/executor-program.js";
import { traceKey } from "../../src/explore/schedules/happens-before.js";
import { exploreSchedules } from "../../src/explore/schedules/source-dpor.js";
import { request } from "../../src/sut/faulty/witness-steps.js";
import { openScheduleBench, unlimited } from "./schedule-bench.js";
import { attempt, cancelOf, policy } from "./threads.js";

/** Of all executions that DPOR starts, this share is given up at most. */
const mostBlocked = 0.35;

const workloads: readonly { readonly name: string; readonly threads: readonly ProgramThread[] }[] = [
  { name: "2 attempts, 1 key", threads: [attempt("a1"), attempt("a2")] },
  { name: "2 attempts, 2 keys", threads: [attempt("a1"), attempt("a2", request.otherKey)] },
  { name: "1 attempt, policy change, cancel", threads: [attempt("a1"), policy(3), cancelOf("a1")] },
  {
    name: "2 attempts, 1 key, policy change, cancel",
    threads: [attempt("a1"), attempt("a2"), policy(3), cancelOf("a1")],
  },
];

/** Complete executions of DPOR on the ledger beside the traces of the full enumeration, and those given up. */
export async function traceTable(): Promise<string> {
  const { bench, close } = openScheduleBench("ledger");
  const rows: string[] = [];
  for (const { name, threads } of workloads) {
    const program = executorProgram(bench, threads);
    const keys: string[] = [];
    const { executions } = await exploreSchedules(program, {
      ...unlimited,
      repeat: "none",
      onExecution: ({ kind, records }) => {
        if (kind === "complete") keys.push(traceKey(threads.length, records));
      },
    });
    const all = await allSchedules(program, unlimited);
    const { complete, blocked } = executions;
    const isExact = keys.length === all.traces.size && keys.every((key) => all.traces.has(key));
    const isUnique = new Set(keys).size === keys.length;
    const share = blocked / (blocked + complete);
    rows.push(
      line(name, [all.executions, all.traces.size, complete, blocked, `${(100 * share).toFixed(0)} %`]) +
        `   complete = traces: ${isExact && isUnique ? "met" : "NOT MET"}, blocked: ${share < mostBlocked ? "met" : "NOT MET"}`,
    );
  }
  await close();
  return [
    `schedules of the ledger: each trace executed once, fewer than ${100 * mostBlocked} % of the executions blocked`,
    line("", ["schedules", "traces", "complete", "blocked", "blocked"]),
    ...rows,
  ].join("\n");
}

function line(name: string, cells: readonly (string | number)[]): string {
  return `  ${name.padEnd(44)}${cells.map((cell) => String(cell).padStart(10)).join("")}`;
}
