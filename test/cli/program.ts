import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type {
  CampaignRequest,
  Engine,
  ExploreRequest,
  ReplayWish,
  SelftestRequest,
} from "../../src/cli/engine.js";
import type { Output } from "../../src/cli/io.js";
import { main } from "../../src/cli/main.js";
import type { ExploreReport } from "../../src/explore/report.js";
import type { CampaignReport } from "../../src/properties/verdict.js";
import type { Scenario } from "../../src/scenario/scenario.js";
import { writeScenario } from "../../src/scenario/write.js";
import { alone, onLedger } from "../report/explorations.js";
import { replayed, scenario } from "../report/replays.js";
import { holding } from "../report/reports.js";
import { caught, selftest } from "../report/selftests.js";

/** The program in a folder of its own, with an engine that sets nothing in motion. */

export type Call = {
  readonly env?: { readonly [name: string]: string };
  readonly engine?: Partial<Engine>;
  readonly tty?: boolean;
  readonly signal?: AbortSignal;
};

export type Told = { readonly code: number; readonly out: string; readonly err: string };

export type Program = {
  readonly folder: string;
  readonly write: (name: string, text: string) => string;
  /** A line is cut at its spaces; words that have some come as a list. */
  readonly call: (line: string | readonly string[], call?: Call) => Promise<Told>;
  readonly asked: {
    readonly campaigns: CampaignRequest[];
    readonly explorations: ExploreRequest[];
    readonly replays: { readonly executor: string; readonly scenario: Scenario; readonly wish: ReplayWish }[];
    readonly selftests: SelftestRequest[];
    readonly closed: string[];
  };
};

export function openProgram(): Program {
  const folder = mkdtempSync(join(tmpdir(), "cp-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const asked: Program["asked"] = { campaigns: [], explorations: [], replays: [], selftests: [], closed: [] };
  const idle: Engine = {
    campaign: async (request) => {
      asked.campaigns.push(request);
      return reportOf(request);
    },
    explore: async (request) => {
      asked.explorations.push(request);
      return explorationOf(request);
    },
    replayer: async (executor) => ({
      replay: async (played, wish) => {
        asked.replays.push({ executor: executor.name, scenario: played, wish });
        return replayed("as_expected");
      },
      close: async () => {
        asked.closed.push(executor.name);
      },
    }),
    shrink: async () => ({ kind: "holds" }),
    selftest: async (request) => {
      asked.selftests.push(request);
      return selftest([caught]);
    },
    bugs: async () => ["reuses-a-revision", "shares-one-events-list"],
  };
  return {
    folder,
    write: (name, text) => {
      const file = join(folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    call: async (
      line,
      { env = {}, engine = {}, tty = false, signal = new AbortController().signal } = {},
    ) => {
      let out = "";
      let err = "";
      const code = await main(
        typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line,
        {
          stdout: output((text) => {
            out += text;
          }, tty),
          stderr: output((text) => {
            err += text;
          }, tty),
          env,
          cwd: folder,
          signal,
          now: () => new Date("2026-01-31T12:00:00.000Z"),
        },
        { ...idle, ...engine },
      );
      return { code, out, err };
    },
    asked,
  };
}

function output(write: Output["write"], isTty: boolean): Output {
  return { write, isTty, columns: isTty ? 100 : undefined };
}

/** A campaign in which every promise holds, as it was asked for. */
export function reportOf(request: CampaignRequest, difference: Partial<CampaignReport> = {}): CampaignReport {
  const { seed, budget, maxActions, shard, allowVacuous } = request;
  const executor = request.executor.name;
  return { ...holding, executor, seed, budget, maxActions, shard, allowVacuous, ...difference };
}

/** An exploration in which every promise holds, as it was asked for. */
export function explorationOf(
  request: ExploreRequest,
  difference: Partial<ExploreReport> = {},
): ExploreReport {
  const { seed, executor, explores, bounds, faultSets } = request;
  const report =
    explores === "machine" ? alone : { ...onLedger, executor: executor.name, profile: executor.profile.name };
  return { ...report, seed, bounds: { ...bounds, faults: [...new Set(faultSets.flat())] }, ...difference };
}

/** A scenario file that a verb can find. */
export function scenarioText(difference: Partial<Scenario> = {}): string {
  const { lines: _, ...content } = { ...scenario, ...difference };
  return writeScenario(content);
}
