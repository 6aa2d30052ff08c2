import type { Broken, CampaignReport, PromiseId, PromiseReport } from "./verdict.js";

/**
 * The verdict of a whole campaign: the worst of all. A vacuous promise that is allowed does not count, but a campaign
 * in which nothing at all was decided is `nothing_executed` or `nothing_checked`, never a success.
 */
export function overallVerdict(
  promises: readonly PromiseReport[],
  runsExecuted: number,
  broken: readonly Broken[],
  allowVacuous: readonly PromiseId[],
): CampaignReport["verdict"] {
  const has = (kind: PromiseReport["verdict"]["kind"]) =>
    promises.some(({ verdict }) => verdict.kind === kind);
  if (has("violated")) return "violated";
  if (broken.length > 0 || has("broken")) return "broken";
  if (runsExecuted === 0) return "nothing_executed";
  if (has("undecided")) return "undecided";
  if (
    promises.some(({ promise, verdict }) => verdict.kind === "vacuous" && !allowVacuous.includes(promise))
  ) {
    return "vacuous";
  }
  return has("holds") ? "holds" : "nothing_checked";
}

/** What one promise's record says, from whether it was ever broken or left open and how often its situation occurred. */
export function worstOf(verdicts: readonly PromiseReport["verdict"][]): PromiseReport["verdict"] {
  for (const kind of precedence) {
    const found = verdicts.find((verdict) => verdict.kind === kind);
    if (found !== undefined) return found;
  }
  return { kind: "vacuous" };
}

/** `holds` before `vacuous`: a situation that occurred in one shard did occur. `not_checked` only where all say so. */
const precedence = [
  "violated",
  "broken",
  "undecided",
  "holds",
  "vacuous",
  "not_checked",
] as const satisfies readonly PromiseReport["verdict"]["kind"][];
