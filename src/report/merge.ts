import { overallVerdict, worstOf } from "../properties/overall.js";
import type { CampaignReport, Counterexample, PromiseReport } from "../properties/verdict.js";

export type Merged =
  | { readonly kind: "merged"; readonly report: CampaignReport }
  | { readonly kind: "mismatch"; readonly reason: string };

/**
 * The report of the campaign whose shards these are, each given once and in any order. Coverage, vacuity and the
 * verdict are judged on the whole; everything but `times` equals the report of the unsharded campaign.
 */
export function mergeReports(reports: readonly CampaignReport[]): Merged {
  const shards = reports.toSorted((left, right) => left.shard.index - right.shard.index);
  const [first] = shards;
  if (first === undefined) return { kind: "mismatch", reason: "there is no report to merge" };
  const reason = difference(first, shards) ?? wrongShards(shards, first.shard.count);
  return reason === undefined
    ? { kind: "merged", report: merged(first, shards) }
    : { kind: "mismatch", reason };
}

const mustAgree = {
  version: (report) => report.version,
  executor: (report) => report.executor,
  profile: (report) => report.profile,
  seed: (report) => String(report.seed),
  "number of actions in a run": (report) => String(report.maxActions),
  budget: ({ budget }) =>
    budget.kind === "runs" ? `${budget.runs} runs` : `${budget.milliseconds} milliseconds`,
  "number of shards": (report) => String(report.shard.count),
  "list of promises": (report) => report.promises.map(({ promise }) => promise).join(", "),
  "list of promises that may be vacuous": (report) => report.allowVacuous.join(", ") || "empty",
  "number of reachable transitions": (report) => String(report.coverage.reachable),
} as const satisfies { readonly [what: string]: (report: CampaignReport) => string };

function difference(first: CampaignReport, shards: readonly CampaignReport[]): string | undefined {
  for (const [what, read] of Object.entries(mustAgree)) {
    const other = shards.find((report) => read(report) !== read(first));
    if (other !== undefined) {
      return (
        `these reports are not of one campaign: the ${what} is ${read(first)} in shard ${name(first)} ` +
        `and ${read(other)} in shard ${name(other)}`
      );
    }
  }
  return undefined;
}

function wrongShards(shards: readonly CampaignReport[], count: number): string | undefined {
  const twice = shards.find((report, at) => report.shard.index === shards[at - 1]?.shard.index);
  if (twice !== undefined) return `shard ${name(twice)} is given twice`;
  const present = new Set(shards.map((report) => report.shard.index));
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !present.has(index));
  if (missing.length === 0) return undefined;
  const list = missing.map((index) => `${index}/${count}`).join(", ");
  return missing.length === 1 ? `shard ${list} is missing` : `shards ${list} are missing`;
}

function name({ shard }: CampaignReport): string {
  return `${shard.index}/${shard.count}`;
}

function merged(first: CampaignReport, shards: readonly CampaignReport[]): CampaignReport {
  const promises = first.promises.map(({ promise }, at) => mergedPromise(promise, at, shards));
  const broken = shards.flatMap((report) => report.broken).toSorted((left, right) => left.run - right.run);
  const executed = total(shards, ({ runs }) => runs.executed);
  return {
    ...first,
    shard: { index: 1, count: 1 },
    interrupted: shards.some((report) => report.interrupted),
    runs: {
      first: Math.min(...shards.map(({ runs }) => runs.first)),
      planned: total(shards, ({ runs }) => runs.planned),
      executed,
    },
    actions: {
      performed: total(shards, ({ actions }) => actions.performed),
      skipped: total(shards, ({ actions }) => actions.skipped),
      byKind: summed(shards.map(({ actions }) => actions.byKind)),
    },
    verdict: overallVerdict(promises, executed, broken, first.allowVacuous),
    promises,
    counterexamples: firstOfEach(shards),
    broken,
    coverage: mergedCoverage(first, shards),
    times: mergedTimes(shards),
  };
}

function mergedPromise(
  promise: PromiseReport["promise"],
  at: number,
  shards: readonly CampaignReport[],
): PromiseReport {
  const parts = shards.flatMap((report) => report.promises.slice(at, at + 1));
  return {
    promise,
    verdict: worstOf(parts.map(({ verdict }) => verdict)),
    occurredInRuns: total(parts, ({ occurredInRuns }) => occurredInRuns),
  };
}

/** A campaign keeps the first run that broke a promise; shards each have a first of their own. */
function firstOfEach(shards: readonly CampaignReport[]): readonly Counterexample[] {
  const inOrder = shards
    .flatMap((report) => report.counterexamples)
    .toSorted((left, right) => left.run - right.run);
  return inOrder.filter((one, at) => inOrder.findIndex((other) => other.promise === one.promise) === at);
}

function mergedCoverage(
  first: CampaignReport,
  shards: readonly CampaignReport[],
): CampaignReport["coverage"] {
  const reached = summed(shards.map(({ coverage }) => coverage.reached));
  return {
    reachable: first.coverage.reachable,
    reached,
    notReached: first.coverage.notReached.filter((transition) => !Object.hasOwn(reached, transition)),
  };
}

/** Shards ran side by side or one after the other; the time told is the machine time that they took together. */
function mergedTimes(shards: readonly CampaignReport[]): CampaignReport["times"] {
  const wallMs = total(shards, ({ times }) => times.wallMs);
  const actions = total(shards, (report) => report.actions.performed + report.actions.skipped);
  return {
    startedAt: shards.map(({ times }) => times.startedAt).toSorted()[0] ?? "",
    wallMs,
    actionsPerSecond: wallMs === 0 ? 0 : Math.round((actions * 1000) / wallMs),
    workers: total(shards, ({ times }) => times.workers),
  };
}

function total<Part>(parts: readonly Part[], read: (part: Part) => number): number {
  return parts.reduce((sum, part) => sum + read(part), 0);
}

function summed(counts: readonly { readonly [name: string]: number }[]): { readonly [name: string]: number } {
  const sums = new Map<string, number>();
  for (const count of counts) {
    for (const [key, value] of Object.entries(count)) sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return Object.fromEntries([...sums].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
