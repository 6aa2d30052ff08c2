import type { ExploreReport } from "../explore/report.js";
import type { CampaignReport } from "../properties/verdict.js";
import { gapsOf } from "../report/exploration-verdict.js";

/** What the program says to the shell. */
export const exitCodes = {
  holds: 0,
  /** A promise is violated or vacuous, or a scenario or the selftest did not go as it should. */
  violated: 1,
  /** Wrong use, configuration or scenario file. */
  usage: 2,
  /** Undecided or nothing decided, or the executor or the harness broke. */
  undecided: 3,
} as const;

/** 128 and the signal's number, as shells have it. */
export function interruptedCode(signal: AbortSignal): number {
  return signal.reason === "SIGTERM" ? 143 : 130;
}

/** Whether a campaign succeeded. In a shard nothing is vacuous yet: that is judged when the shards are merged. */
export function campaignCode(report: CampaignReport): number {
  switch (report.verdict) {
    case "holds":
      return report.interrupted ? exitCodes.undecided : exitCodes.holds;
    case "violated":
      return exitCodes.violated;
    case "vacuous":
      if (report.interrupted) return exitCodes.undecided;
      return report.shard.count > 1 ? exitCodes.holds : exitCodes.violated;
    case "broken":
    case "undecided":
    case "nothing_executed":
    case "nothing_checked":
      return exitCodes.undecided;
  }
}

/** Whether an exploration succeeded: what it did not finish is never success. */
export function explorationCode(report: ExploreReport): number {
  switch (report.verdict) {
    case "holds":
      return report.interrupted || gapsOf(report).length > 0 ? exitCodes.undecided : exitCodes.holds;
    case "violated":
      return exitCodes.violated;
    case "vacuous":
      return report.interrupted ? exitCodes.undecided : exitCodes.violated;
    case "broken":
    case "undecided":
    case "nothing_checked":
      return exitCodes.undecided;
  }
}

/** The code of several outcomes together: violated before undecided before success. None is never success. */
export function worstCode(codes: readonly number[]): number {
  const byWeight = [exitCodes.violated, exitCodes.usage, exitCodes.undecided, exitCodes.holds];
  return byWeight.find((code) => codes.includes(code)) ?? exitCodes.undecided;
}
