import type {
  Consent,
  DecisionName,
  EscalationRow,
  RequestRow,
  StepRow,
  UseRow,
} from "../model/vocabulary.js";
import { type Compared, differences, type Mismatch, rowMismatches } from "./differences.js";
import { defaultTenant } from "./dispatch.js";
import { below } from "./document.js";
import type {
  DecisionExpectation,
  DecisionFate,
  EscalationExpectation,
  LeftBehind,
  RequestExpectation,
  RunExpectation,
  UseExpectation,
} from "./scenario.js";

/** Where the rows of consent differ; what is not observed at all differs from whatever is expected of it. */
export function consentMismatches(expect: LeftBehind, consent: Consent | undefined): readonly Mismatch[] {
  const asked = (["requests", "uses", "escalations", "stepsUsed"] as const).filter(
    (each) => expect[each] !== undefined,
  );
  if (consent === undefined) {
    return asked.map((each) => ({
      path: each === "stepsUsed" ? "steps_used" : each,
      expected: "rows of approvals and runs",
      seen: "an executor that shows none",
    }));
  }
  const { requests, uses, escalations, stepsUsed } = expect;
  return [
    ...(requests === undefined ? [] : requestMismatches(requests, consent.requests)),
    ...(uses === undefined ? [] : useMismatches(uses, consent.uses)),
    ...(escalations === undefined ? [] : escalationMismatches(escalations, consent.escalations)),
    ...stepMismatches(stepsUsed ?? [], consent.steps),
  ];
}

/** Decisions that were answered otherwise, or not at all. */
export function decisionMismatches(
  expect: readonly DecisionExpectation[],
  seen: ReadonlyMap<DecisionName, DecisionFate>,
): readonly Mismatch[] {
  return expect.flatMap(({ decision, fate }) => {
    const was = seen.get(decision) ?? "never taken";
    return was === fate ? [] : [{ path: below("decisions", decision), expected: fate, seen: was }];
  });
}

function requestMismatches(
  expect: number | readonly RequestExpectation[],
  rows: readonly RequestRow[],
): readonly Mismatch[] {
  const sorted = [...rows].sort((one, other) => one.number - other.number);
  return rowMismatches<RequestExpectation, RequestRow>("requests", expect, sorted, ofCall, (each, row) =>
    differences([
      ["number", each.number, row.number],
      ...callDifferences(each, row),
      ["principal", each.principal, row.principal],
      ["tool", each.tool, row.tool],
      ["digest", each.digest, row.digest],
      ["revision", each.revision, row.revision],
      ["role", each.role, row.role],
      ["requested_at", each.requestedAt, row.requestedAt],
      ["expires_at", each.expiresAt, row.expiresAt],
    ]),
  );
}

function useMismatches(
  expect: number | readonly UseExpectation[],
  rows: readonly UseRow[],
): readonly Mismatch[] {
  return rowMismatches<UseExpectation, UseRow>("uses", expect, rows, ofCall, (each, row) =>
    differences([
      ...callDifferences(each, row),
      ["tool", each.tool, row.tool],
      ["digest", each.digest, row.digest],
      ["request", each.request, row.request],
    ]),
  );
}

function escalationMismatches(
  expect: number | readonly EscalationExpectation[],
  rows: readonly EscalationRow[],
): readonly Mismatch[] {
  return rowMismatches<EscalationExpectation, EscalationRow>(
    "escalations",
    expect,
    rows,
    (row) => `${row.layer ?? "any"} of ${ofCall(row)}`,
    (each, row) => differences([...callDifferences(each, row), ["layer", each.layer, row.layer]]),
  );
}

type Owned = { readonly tenant?: string; readonly run?: string; readonly call?: string };
type OwnedRow = { readonly tenant: string; readonly runId: string; readonly callId: string };

function callDifferences(expect: Owned, row: OwnedRow): readonly Compared[] {
  return [
    ["tenant", expect.tenant, row.tenant],
    ["run", expect.run, row.runId],
    ["call", expect.call, row.callId],
  ];
}

/** The call of an expectation or of a row. */
function ofCall(row: { readonly call?: string } | { readonly callId: string }): string {
  return "callId" in row ? row.callId : (row.call ?? "any call");
}

/** A run without any step has used none. */
function stepMismatches(expect: readonly RunExpectation[], rows: readonly StepRow[]): readonly Mismatch[] {
  return expect.flatMap(({ run, steps }) => {
    const own = rows.filter(({ tenant, runId }) => runName(tenant, runId) === run);
    const used = new Set(own.map(({ step }) => step)).size;
    return differences([[below("steps_used", run), steps, used]]);
  });
}

function runName(tenant: string, runId: string): string {
  return tenant === defaultTenant ? runId : `${tenant}/${runId}`;
}
