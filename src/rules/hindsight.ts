import type { RuleDecision, Violation } from "./decision.js";
import type { FoldedTrace, PlacedCall } from "./fold-trace.js";
import { ledgerKey } from "./ledger-key.js";
import type { KeyTemplate } from "./rule.js";
import type { EnforcedRule } from "./rule-set.js";
import { violations } from "./violations.js";

/** What a rule would have refused at a call, counted from 0, had it been on from the start. */
export type HindsightAt = { readonly index: number; readonly violation: Violation };

type Duplicate = { readonly index: number; readonly text: string; readonly outcome: "done" | "unknown" };

/**
 * The calls that a rule would have refused and did not, since it switched on late: those made before, and those that
 * repeat a transaction made before. A rule that never switched on tells nothing. It takes time for the calls once, and
 * for what it finds.
 */
export function hindsight(
  calls: readonly PlacedCall[],
  { late, decisions }: Pick<FoldedTrace, "late" | "decisions">,
): readonly HindsightAt[] {
  if (late.length === 0) {
    return [];
  }
  const byTool = positionsByTool(calls);
  const duplicatesOf = duplicatesIn(calls, byTool);
  const found: HindsightAt[] = [];
  for (const { rule, callsBefore } of late) {
    const add = (positions: readonly number[], violation: (index: number) => Violation) => {
      for (const index of positions) {
        if (index >= callsBefore) break;
        found.push({ index, violation: violation(index) });
      }
    };
    refusedByName(rule, byTool, add);
    for (const most of rule.limits) {
      for (let index = most; index < callsBefore; index += 1) {
        const violation = violations.tooMany(rule.rule, calls[index]?.call.tool, index + 1, most);
        found.push({ index, violation });
      }
    }
    for (const assertion of rule.rule.then) {
      if (assertion.kind === "idempotent") {
        for (const { index, text, outcome } of duplicatesOf(assertion.tool, assertion.key)) {
          if (index >= callsBefore && refusedRepeat(decisions[index], rule)) continue;
          const template = assertion.key.text;
          const violation = violations.duplicate(rule.rule, assertion.tool, template, text, outcome);
          found.push({ index, violation });
        }
      }
    }
  }
  return found;
}

/** Whether the rule refused the call at its moment, as the second of two. */
function refusedRepeat(decision: RuleDecision | undefined, { rule }: EnforcedRule): boolean {
  if (decision?.verdict !== "block") return false;
  return [decision.first, ...decision.alsoViolated].some(
    (violation) => violation.code === "duplicate_transaction" && violation.rule === rule.name,
  );
}

function refusedByName(
  { rule, forbids, allows }: EnforcedRule,
  byTool: ReadonlyMap<string, readonly number[]>,
  add: (positions: readonly number[], violation: (index: number) => Violation) => void,
): void {
  for (const tool of forbids) {
    add(byTool.get(tool) ?? [], () => violations.forbidden(rule, tool));
  }
  for (const { tools, list } of allows) {
    for (const [tool, positions] of byTool) {
      if (!tools.has(tool)) {
        add(positions, () => violations.notAllowed(rule, tool, list));
      }
    }
  }
}

function positionsByTool(calls: readonly PlacedCall[]): ReadonlyMap<string, readonly number[]> {
  const byTool = new Map<string, number[]>();
  calls.forEach(({ call }, index) => {
    if (call.tool !== undefined) {
      const positions = byTool.get(call.tool) ?? [];
      positions.push(index);
      byTool.set(call.tool, positions);
    }
  });
  return byTool;
}

/** For a tool and a template the calls that repeat an earlier one's key; worked out once, whoever asks. */
function duplicatesIn(calls: readonly PlacedCall[], byTool: ReadonlyMap<string, readonly number[]>) {
  const known = new Map<string, readonly Duplicate[]>();
  return (tool: string, template: KeyTemplate): readonly Duplicate[] => {
    const name = JSON.stringify([tool, template.text]);
    const duplicates = known.get(name) ?? repeats(calls, byTool.get(tool) ?? [], tool, template);
    known.set(name, duplicates);
    return duplicates;
  };
}

function repeats(
  calls: readonly PlacedCall[],
  positions: readonly number[],
  tool: string,
  template: KeyTemplate,
): readonly Duplicate[] {
  const seen = new Map<string, "done" | "unknown">();
  const duplicates: Duplicate[] = [];
  for (const index of positions) {
    const call = calls[index]?.call;
    const reading = call === undefined ? undefined : ledgerKey(tool, template, call.arguments);
    if (call === undefined || reading?.kind !== "key") continue;
    const earlier = seen.get(reading.key);
    if (earlier !== undefined) {
      duplicates.push({ index, text: reading.text, outcome: earlier });
    }
    if (call.outcome !== "nothing_happened") {
      seen.set(reading.key, earlier === "done" ? "done" : call.outcome);
    }
  }
  return duplicates;
}
