import { z } from "zod";
import { type CampaignReport, promiseIds } from "../properties/verdict.js";
import { actionSchema } from "./action-schema.js";
import { eventSchema } from "./event-schema.js";

const count = z.int().min(0);
const counts = z.record(z.string(), count);
const promise = z.enum(promiseIds);

const violation = z.object({
  promise,
  position: count,
  action: count,
  sentence: z.string(),
  expected: z.string(),
  seen: z.string(),
});

const verdict = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["holds", "violated", "vacuous"]) }),
  z.object({ kind: z.enum(["broken", "undecided"]), reason: z.string() }),
  z.object({ kind: z.literal("not_checked"), lacks: z.array(z.string()) }),
]);

const counterexample = z.object({
  promise,
  run: count,
  violation,
  actions: z.array(actionSchema),
  minimal: z.object({
    actions: z.array(actionSchema),
    violation,
    history: z.array(eventSchema),
    kind: z.enum(["one_minimal", "out_of_budget", "not_reproduced"]),
    candidatesTried: count,
    why: z.string().exactOptional(),
  }),
});

const campaignSchema: z.ZodType<CampaignReport> = z.object({
  format: z.literal("commitpoint-report"),
  formatVersion: z.literal(1),
  version: z.string(),
  executor: z.string(),
  profile: z.string(),
  seed: z.int(),
  maxActions: count,
  shard: z.object({ index: z.int().min(1), count: z.int().min(1) }),
  budget: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("runs"), runs: count }),
    z.object({ kind: z.literal("time"), milliseconds: count }),
  ]),
  interrupted: z.boolean(),
  runs: z.object({ first: count, planned: count, executed: count }),
  actions: z.object({ performed: count, skipped: count, byKind: counts }),
  allowVacuous: z.array(promise),
  verdict: z.enum([
    "holds",
    "violated",
    "broken",
    "undecided",
    "vacuous",
    "nothing_executed",
    "nothing_checked",
  ]),
  promises: z.array(z.object({ promise, verdict, occurredInRuns: count })),
  counterexamples: z.array(counterexample),
  broken: z.array(
    z.object({ run: count, where: z.string(), message: z.string(), actions: z.array(actionSchema) }),
  ),
  coverage: z.object({ reachable: count, reached: counts, notReached: z.array(z.string()) }),
  times: z.object({
    startedAt: z.string(),
    wallMs: z.number(),
    actionsPerSecond: z.number(),
    workers: count,
  }),
});

const bundleSchema = z.object({
  format: z.literal("commitpoint-reports"),
  formatVersion: z.literal(1),
  reports: z.array(campaignSchema),
});

/** What `run` writes when it tested several executors. */
export type ReportBundle = {
  readonly format: "commitpoint-reports";
  readonly formatVersion: 1;
  readonly reports: readonly CampaignReport[];
};

export type ReadReports =
  | { readonly kind: "read"; readonly reports: readonly CampaignReport[] }
  | { readonly kind: "unreadable"; readonly reason: string };

/** The campaign reports that one JSON file holds: one, or one for each executor. */
export function readReports(text: string): ReadReports {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      kind: "unreadable",
      reason: `not JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  const format = typeof value === "object" && value !== null ? Reflect.get(value, "format") : undefined;
  if (format === "commitpoint-reports") {
    const bundle = bundleSchema.safeParse(value);
    return bundle.success ? { kind: "read", reports: bundle.data.reports } : refused(bundle.error);
  }
  if (format !== "commitpoint-report") {
    const seen = format === undefined ? "none" : JSON.stringify(format);
    return { kind: "unreadable", reason: `expected format "commitpoint-report", got ${seen}` };
  }
  const report = campaignSchema.safeParse(value);
  return report.success ? { kind: "read", reports: [report.data] } : refused(report.error);
}

function refused(error: z.ZodError): ReadReports {
  const [issue] = error.issues;
  const place = issue === undefined ? "" : `${issue.path.map(String).join(".")}: `;
  return { kind: "unreadable", reason: `${place}${issue?.message ?? "not a report"}` };
}
