import { resolve } from "node:path";
import type { Command } from "commander";
import { outputDirOf } from "../config/settings.js";
import { UsageError } from "../config/usage-error.js";
import type { CampaignReport } from "../properties/verdict.js";
import { mergeReports } from "../report/merge.js";
import { campaignCode, exitCodes, worstCode } from "./exit-codes.js";
import { presentCampaigns } from "./present.js";
import { readReportFile } from "./report-files.js";
import { readReporters } from "./reporters.js";
import { loadSessionConfig, type Session } from "./session.js";
import { collected, type Verb } from "./verb.js";
import { checkFolderWritable } from "./write-whole.js";

type Flags = { readonly reporter?: readonly string[]; readonly outputDir?: string };

/** `merge-reports`: the JSON reports of all shards of a campaign into the report of the whole. */
export function addMergeReports(program: Command, verb: Verb): void {
  const command = program
    .command("merge-reports")
    .description("merge the JSON reports of all shards of a campaign; coverage and vacuity are judged here")
    .argument("<file...>", "JSON reports of every shard")
    .option("--reporter <name[:file]>", "terminal, json or junit; repeatable", collected)
    .option("--output-dir <folder>", "folder for counterexamples");
  verb(command, (session) => merge(session, command.args, command.opts<Flags>()));
}

async function merge(session: Session, files: readonly string[], flags: Flags): Promise<number> {
  const loaded = await loadSessionConfig(session);
  const config = loaded.kind === "loaded" ? loaded.config : undefined;
  const outputDir = outputDirOf({ flags, environment: session.environment, config });
  const reporters = readReporters(session, flags.reporter);
  const shards = files.flatMap((file) => readReportFile(session, file));
  const reports = byExecutor(shards).map(merged);
  checkFolderWritable(resolve(session.io.cwd, outputDir), "the output folder");
  const unwritten = presentCampaigns(session, reports, { reporters, outputDir });
  for (const line of unwritten) session.io.stderr.write(`error: not written: ${line}\n`);
  return worstCode([...reports.map(campaignCode), ...unwritten.map(() => exitCodes.undecided)]);
}

/** Shards that tested several executors are merged executor by executor. */
function byExecutor(shards: readonly CampaignReport[]): readonly (readonly CampaignReport[])[] {
  const names = [...new Set(shards.map(({ executor }) => executor))];
  return names.map((name) => shards.filter(({ executor }) => executor === name));
}

function merged(shards: readonly CampaignReport[]): CampaignReport {
  const result = mergeReports(shards);
  if (result.kind === "merged") return result.report;
  throw new UsageError({
    message: result.reason,
    place: "merge-reports",
    nextStep: "Give the report of every shard of one campaign, each once.",
  });
}
