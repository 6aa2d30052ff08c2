import type { Doubt, RuleDecision, Violation } from "./decision.js";
import { ledgerKey, type ReadLedger } from "./ledger-key.js";
import type { KeyClaim, KeyGroup, RuleSet } from "./rule-set.js";
import { byTool, conclude, type Standing } from "./standing.js";
import type { TracedArguments } from "./trace.js";
import { doubt, violations } from "./violations.js";

/** A call that is about to be made, or that a trace tells of. */
export type ProposedCall = { readonly tool: string | undefined; readonly arguments: TracedArguments };

/** What a conversation has come to. */
export type Moment = {
  readonly standing: Standing;
  /** How many calls it has had. */
  readonly calls: number;
  /** Claims that were on when a call without a readable key may have been one of theirs. */
  readonly unread: ReadonlySet<KeyClaim>;
};

/** The one decision about a call that gate and guard have; it changes nothing, and equal questions get equal answers. */
export function decide(set: RuleSet, moment: Moment, call: ProposedCall, ledger: ReadLedger): RuleDecision {
  const known = byTool(set, moment.standing, call.tool);
  const tooMany = overLimit(moment, call.tool);
  const keys = judgeKeys(known.groups, moment.unread, call.arguments, ledger);
  if (tooMany.length === 0 && keys.violations.length === 0 && keys.doubts.length === 0) {
    return known.decision;
  }
  return conclude(
    [...keys.violations, ...known.violations, ...tooMany],
    [...withoutLimits(known.doubts, tooMany), ...keys.doubts],
    known.hint,
  );
}

function overLimit({ standing, calls }: Moment, tool: string | undefined): readonly Violation[] {
  const number = calls + 1;
  if (number <= standing.lowestLimit) {
    return [];
  }
  return standing.limiting.flatMap(({ rule, limits }) =>
    limits.filter((most) => number > most).map((most) => violations.tooMany(rule, tool, number, most)),
  );
}

/** A limit that the known calls are over is no longer in doubt. */
function withoutLimits(doubts: readonly Doubt[], tooMany: readonly Violation[]): readonly Doubt[] {
  if (tooMany.length === 0) {
    return doubts;
  }
  const decided = new Set(tooMany.map(({ rule }) => rule));
  return doubts.filter(({ because, rule }) => because !== "no_history" || !decided.has(rule));
}

type Ranked<Reason> = { readonly rank: number; readonly reason: Reason };

function judgeKeys(
  groups: readonly KeyGroup[],
  unread: ReadonlySet<KeyClaim>,
  given: TracedArguments,
  ledger: ReadLedger,
): { readonly violations: readonly Violation[]; readonly doubts: readonly Doubt[] } {
  const duplicates: Ranked<Violation>[] = [];
  const unreadable: Ranked<Doubt>[] = [];
  const unreadBefore: Ranked<Doubt>[] = [];
  for (const { tool, template, claims } of groups) {
    const reading = ledgerKey(tool, template, given);
    const held = reading.kind === "key" ? ledger(reading.key) : "free";
    for (const claim of claims) {
      const { rank, rule } = claim.by;
      if (reading.kind === "unreadable") {
        const argument = reading.argument ?? null;
        const detail = { tool, template: template.text, argument };
        unreadable.push({ rank, reason: doubt(reading.because, rule, detail) });
      } else if (held !== "free") {
        const reason = violations.duplicate(rule, tool, template.text, reading.text, held);
        duplicates.push({ rank, reason });
      } else if (unread.has(claim)) {
        const detail = { tool, template: template.text, key: reading.text };
        unreadBefore.push({ rank, reason: doubt("unread_call_before", rule, detail) });
      }
    }
  }
  return { violations: inOrder(duplicates), doubts: [...inOrder(unreadable), ...inOrder(unreadBefore)] };
}

function inOrder<Reason>(reasons: Ranked<Reason>[]): readonly Reason[] {
  return reasons.sort((one, other) => one.rank - other.rank).map(({ reason }) => reason);
}
