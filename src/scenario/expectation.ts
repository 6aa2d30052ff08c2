import {
  type EffectRow,
  type Event,
  guardLayers,
  type Json,
  type LayerResults,
  type Observation,
  type Outcome,
  type ReceiptRow,
  type Released,
} from "../model/vocabulary.js";
import type { RunVerdict } from "../properties/verdict.js";
import { consentMismatches, decisionMismatches } from "./consent-expectation.js";
import {
  type Compared,
  differences,
  jsonOf,
  type Mismatch,
  order,
  rowMismatches,
  textOf,
  under,
} from "./differences.js";
import { below } from "./document.js";
import { describeStanding, type Remains, remainsOf } from "./left-behind.js";
import { rulesMismatches } from "./rules-expectation.js";
import type {
  AttemptExpectation,
  EffectExpectation,
  Expectation,
  LayerExpectation,
  LeftBehind,
  PolicyExpectation,
  ReceiptExpectation,
} from "./scenario.js";

export type Ran = { readonly history: readonly Event[]; readonly verdict: RunVerdict };

/**
 * Compares with the expectation what the steps left behind, before the epilogue drives on what they left open, and
 * the verdict on the whole run. Empty if all is as expected; an undecided promise is no mismatch.
 */
export function checkExpectation(expect: Expectation, { history, verdict }: Ran): readonly Mismatch[] {
  const remains = remainsOf(history);
  return [
    ...promiseMismatches(expect, verdict),
    ...compare(expect, remains),
    ...alternativeMismatches(expect.anyOf, remains),
  ];
}

function promiseMismatches({ violates }: Expectation, { violations }: RunVerdict): readonly Mismatch[] {
  if (violates === undefined) {
    return violations.map(({ promise, action, sentence }) => ({
      path: "promises",
      expected: "every promise holds",
      seen: `${promise} is broken at action ${action}: ${sentence}`,
    }));
  }
  if (violations.some(({ promise }) => promise === violates)) {
    return [];
  }
  const broken = violations.map(({ promise }) => promise).join(", ");
  const seen = broken === "" ? "no promise is broken" : `broken: ${broken}`;
  return [{ path: "violates", expected: `${violates} is broken`, seen }];
}

function compare(expect: LeftBehind, remains: Remains): readonly Mismatch[] {
  const { attempts, decisions, store } = remains;
  const ofAttempts = (expect.attempts ?? []).flatMap((each) =>
    under(below("attempts", each.attempt), attemptMismatches(each, attempts.get(each.attempt))),
  );
  const answered = [...ofAttempts, ...decisionMismatches(expect.decisions ?? [], decisions)];
  if (store === undefined) {
    const unread = { path: "", expected: "a store that was read", seen: "no observation" };
    return asksStore(expect) ? [...answered, unread] : answered;
  }
  return [
    ...answered,
    ...(expect.effects === undefined ? [] : effectMismatches(expect.effects, store.effects)),
    ...(expect.receipts === undefined ? [] : receiptMismatches(expect.receipts, store.receipts)),
    ...(expect.policy === undefined ? [] : policyMismatches(expect.policy, store.policy)),
    ...consentMismatches(expect, store.consent),
    ...rulesMismatches(expect, remains),
  ];
}

function asksStore({ attempts: _attempts, decisions: _decisions, ...rows }: LeftBehind): boolean {
  return Object.values(rows).some((each) => each !== undefined);
}

/** If no alternative holds: those of the one that comes nearest. */
function alternativeMismatches(
  alternatives: readonly LeftBehind[] | undefined,
  remains: Remains,
): readonly Mismatch[] {
  const all = (alternatives ?? []).map((each, index) => under(`any_of[${index}]`, compare(each, remains)));
  const [nearest] = [...all.entries()].sort(([, one], [, other]) => one.length - other.length);
  if (nearest === undefined || nearest[1].length === 0) {
    return [];
  }
  const [index, mismatches] = nearest;
  const seen = `none of them; any_of[${index}] is nearest`;
  return [{ path: "any_of", expected: `one of ${all.length} alternatives`, seen }, ...mismatches];
}

function attemptMismatches(
  expect: AttemptExpectation,
  standing: ReturnType<Remains["attempts"]["get"]>,
): readonly Mismatch[] {
  const outcome = standing?.kind === "ended" ? standing.outcome : undefined;
  const fate = outcome?.kind ?? standing?.kind;
  if (fate !== expect.outcome) {
    return [{ path: "outcome", expected: expect.outcome, seen: describeStanding(standing) }];
  }
  return outcome === undefined ? [] : outcomeMismatches(expect, outcome);
}

function outcomeMismatches(expect: AttemptExpectation, outcome: Outcome): readonly Mismatch[] {
  if (outcome.kind === "completed") {
    return differences([
      ["status", expect.status, outcome.status],
      ["code", expect.code, outcome.code],
      ["events", expect.events, outcome.events],
      ["effect_exists", expect.effectExists, outcome.effectExists],
      ["receipt", expect.receipt, outcome.receiptNumber],
      ...layerDifferences(expect.layers, outcome.layers),
      ["released", expect.released && plainly(expect.released), plainly(outcome.released)],
    ]);
  }
  const leaked = (expect.errorExcludes ?? []).filter((text) => outcome.errorText.includes(text));
  return [
    ...(outcome.kind === "audit_unavailable"
      ? differences([
          ["causes", expect.causes, outcome.causes],
          ["events", expect.events, outcome.events],
        ])
      : []),
    ...(outcome.kind === "unknown" ? differences([["causes", expect.causes, [outcome.cause]]]) : []),
    ...leaked.map((text) => ({
      path: "error_excludes",
      expected: `an error without ${textOf(text)}`,
      seen: textOf(outcome.errorText),
    })),
  ];
}

/** Layer by layer, those of which something is expected. */
function layerDifferences(
  expect: LayerExpectation | undefined,
  seen: LayerResults | undefined,
): readonly Compared[] {
  return guardLayers.map((layer) => [`layers.${layer}`, expect?.[layer], seen?.[layer]] as const);
}

/** Released values as they stand in a file. */
function plainly(released: Released): Json {
  return released.kind === "value" ? released.value : null;
}

function effectMismatches(
  expect: readonly EffectExpectation[],
  rows: readonly EffectRow[],
): readonly Mismatch[] {
  const sorted = [...rows].sort(
    (one, other) =>
      order(one.key, other.key) || order(one.tenant, other.tenant) || order(one.tool, other.tool),
  );
  return rowMismatches<EffectExpectation, EffectRow>("effects", expect, sorted, describeEffect, (each, row) =>
    differences([
      ["key", each.key, row.key === "" ? null : row.key],
      ["tool", each.tool, row.tool],
      ["tenant", each.tenant, row.tenant],
      ["digest", each.digest, row.digest],
      ["body", each.body, typeof each.body === "string" ? row.body : jsonOf(row.body)],
      ["revision", each.revision, row.revision],
      ["run", each.run, row.runId],
      ["call", each.call, row.callId],
    ]),
  );
}

/** One without a business key is known by its tool. */
function describeEffect({ key, tool, revision }: EffectExpectation): string {
  const name = key === null || key === "" ? (tool ?? "no key") : key;
  return revision === undefined ? name : `${name}@r${revision}`;
}

function receiptMismatches(
  expect: number | readonly ReceiptExpectation[],
  rows: readonly ReceiptRow[],
): readonly Mismatch[] {
  const sorted = [...rows].sort((one, other) => one.number - other.number);
  return rowMismatches<ReceiptExpectation, ReceiptRow>(
    "receipts",
    expect,
    sorted,
    describeReceipt,
    (each, row) => [
      ...differences([
        ["number", each.number, row.number],
        ["status", each.status, row.status],
        ["code", each.code, row.code],
        ["key", each.key, row.key.kind === "key" ? row.key.key : null],
        ["effect_exists", each.effectExists, row.effectExists],
        ["events", each.events, row.events],
        ...layerDifferences(each.layers, row.layers),
        ["run", each.run, row.runId],
        ["call", each.call, row.callId],
      ]),
      ...(each.excludes ?? [])
        .filter((text) => row.raw.includes(text))
        .map((text) => ({
          path: "excludes",
          expected: `a row without ${textOf(text)}`,
          seen: textOf(row.raw),
        })),
    ],
  );
}

function describeReceipt({ number, status }: Pick<ReceiptExpectation, "number" | "status">): string {
  return [number ?? "", status ?? "any"].join(" ").trim();
}

function policyMismatches(expect: PolicyExpectation, policy: Observation["policy"]): readonly Mismatch[] {
  if (expect.kind !== policy.kind) {
    return [{ path: "policy", expected: expect.kind, seen: policy.kind }];
  }
  if (expect.kind === "missing" || policy.kind === "missing") {
    return [];
  }
  return under(
    "policy",
    differences([
      ["revision", expect.revision, policy.revision],
      ["max_copies", expect.maxCopies, policy.maxCopies],
      ["approval", expect.approval, policy.approval],
    ]),
  );
}
