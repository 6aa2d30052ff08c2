import type { Bench } from "../properties/run.js";
import type { ExploredSchedules } from "./explore-parts.js";
import type { Completeness, SchedulesReport } from "./report.js";
import type { ScheduleSearch } from "./schedules/source-dpor.js";
import type { ScheduleWorkload } from "./schedules/workloads.js";

/** What is told of the schedules of one workload. */
export function schedulesReport(
  { name, threads }: ScheduleWorkload,
  found: ExploredSchedules["found"],
  { port }: Bench,
): SchedulesReport {
  const common = {
    workload: name,
    threads: threads.map((thread) => (thread.kind === "attempt" ? thread.submit.attempt : thread.name)),
    footprints: port.footprints.kind,
  };
  if (found.kind === "broken") {
    return {
      ...common,
      outcome: { kind: "undecided", reason: "broken" },
      executions: { complete: 0, blocked: 0, repeated: 0 },
      states: 0,
      audit: { audited: 0, unaudited: 0, differences: [] },
      nondeterminism: [],
      sampled: "not_needed",
    };
  }
  const { search, audit, sampled } = found;
  const { outcome } = search;
  return {
    ...common,
    outcome: completenessOf(outcome),
    executions: search.executions,
    states: search.states.size,
    audit: { audited: audit.audited, unaudited: audit.unaudited, differences: audit.differences },
    nondeterminism: outcome.kind === "nondeterministic" ? [outcome.difference] : [],
    sampled: sampled === "not_needed" ? sampled : { size: sampled.size, samples: sampled.sampling.samples },
  };
}

function completenessOf(outcome: ScheduleSearch["outcome"]): Completeness {
  switch (outcome.kind) {
    case "complete":
      return outcome;
    case "undecided":
      return outcome;
    case "nondeterministic":
      return { kind: "undecided", reason: "nondeterministic" };
  }
}
