const pairs = pairsAsked(process.env.COMMITPOINT_RULE_PAIRS);

/** 2,000 pairs of rules and a trace, or as many as `COMMITPOINT_RULE_PAIRS` says; always the same ones. */
export const drawing = { seed: 4, numRuns: pairs };

/** Far more time than the pairs ever take: nothing is judged by the clock. */
export const patience = { timeout: 60_000 + pairs * 20 };

function pairsAsked(asked = "2000"): number {
  if (/^[1-9][0-9]{0,7}$/.test(asked)) return Number(asked);
  throw new Error(
    `COMMITPOINT_RULE_PAIRS is a number of pairs, 1 to 99999999, not ${JSON.stringify(asked)}: leave it out for 2000`,
  );
}
