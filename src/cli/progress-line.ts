import type { Budget } from "../config/settings.js";
import type { CampaignProgress } from "../properties/campaign.js";
import { clipped, counted, grouped } from "../report/text.js";
import type { Session } from "./session.js";

/** One line on a terminal that is rewritten as work goes on, and wiped when it ends. */
export type ProgressLine = { readonly show: (text: () => string) => void; readonly wipe: () => void };

/** Ten times a second is as often as anyone can read. */
const everyMs = 100;

/** The live line on stderr; does nothing where nobody watches: under CI, when quiet, or where stderr is no terminal. */
export function progressLine(session: Session): ProgressLine {
  const { stderr, env } = session.io;
  const watched =
    stderr.isTty && env.TERM !== "dumb" && !session.environment.ci && session.detail !== "quiet";
  if (!watched) return { show: () => {}, wipe: () => {} };
  const { paint } = session.canvas(stderr);
  let last = Number.NEGATIVE_INFINITY;
  return {
    show: (text) => {
      const now = session.io.now().getTime();
      if (now - last < everyMs) return;
      last = now;
      stderr.write(`\r\u001b[2K${paint.dim(clipped(text(), (stderr.columns ?? 80) - 1))}`);
    },
    wipe: () => {
      if (last > Number.NEGATIVE_INFINITY) stderr.write("\r\u001b[2K");
    },
  };
}

/** Runs, actions a second, coverage and time left of a campaign. */
export function campaignProgressText(progress: CampaignProgress, budget: Budget, elapsedMs: number): string {
  const { runs, planned, actionsPerSecond, reached, reachable } = progress;
  const of = planned === undefined ? "" : ` of ${grouped(planned)}`;
  const left = leftMs(progress, budget, elapsedMs);
  return [
    `  ${grouped(runs)}${of} ${runs === 1 && planned === undefined ? "run" : "runs"}`,
    `${grouped(actionsPerSecond)} actions/s`,
    `coverage ${grouped(reached)}/${grouped(reachable)}`,
    ...(left === undefined ? [] : [`${counted(Math.ceil(left / 1000), "second")} left`]),
  ].join("   ");
}

function leftMs({ runs, planned }: CampaignProgress, budget: Budget, elapsedMs: number): number | undefined {
  if (budget.kind === "time") return Math.max(0, budget.milliseconds - elapsedMs);
  if (planned === undefined || runs === 0) return undefined;
  return (elapsedMs / runs) * Math.max(0, planned - runs);
}
