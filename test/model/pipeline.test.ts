import { describe, expect, it } from "vitest";
import type { PredictedOutcome } from "../../src/model/predicted.js";
import type { AuditCause, Code, Fault, StageEvent, Status } from "../../src/model/vocabulary.js";
import type { Effect, Receipt } from "../../src/model/world.js";
import { accepted, audit, completed, draft, receipt } from "./drafts.js";
import {
  advance,
  allowed,
  begun,
  call,
  committed,
  complete,
  empty,
  finish,
  river2,
  shown,
  submit,
  take,
  worldAfter,
} from "./fixture.js";

/** What follows is what one attempt of river2 leaves under limit 3 when it is driven to its end. */
type Row = {
  readonly why: string;
  readonly faults: readonly Fault[];
  readonly outcome: PredictedOutcome;
  readonly effects: readonly Effect[];
  readonly receipts: readonly Receipt[];
  /** What the last move is called. */
  readonly last: string;
};

/** Ends with a receipt of this verdict; the effect is there if the events say that it was committed. */
function ends(
  why: string,
  fault: Fault,
  status: Status,
  code: Code,
  events: readonly StageEvent[],
  last: string,
): Row {
  const exists = events.includes("effect_committed");
  const row = receipt(status, code, events, exists);
  const effects = exists ? [draft] : [];
  return { why, faults: [fault], outcome: completed(row), effects, receipts: [row], last };
}

/** The output was allowed, the receipt could not be written: the draft stays, nothing else does. */
function unaudited(why: string, fault: Fault, causes: readonly AuditCause[]): Row {
  const last = `output_check advance ended audit_unavailable ${causes.join("+")} from accepted/ok`;
  return { why, faults: [fault], outcome: audit(causes, complete), effects: [draft], receipts: [], last };
}

const rows: readonly Row[] = [
  {
    why: "nothing goes wrong (T: success order)",
    faults: [],
    outcome: completed(accepted, "acceptable"),
    effects: [draft],
    receipts: [accepted],
    last: "output_check advance ended accepted/ok",
  },
  ends(
    "a throw on leaving before_business: business never starts",
    { kind: "throw_at", at: "before_business" },
    "error",
    "before_business",
    allowed,
    "before_business advance ended error/before_business",
  ),
  ends(
    "busy: BEGIN IMMEDIATE fails, which is an error and no policy change",
    { kind: "busy", stage: "execute" },
    "error",
    "busy",
    begun,
    "before_business advance ended error/busy",
  ),
  ends(
    "read_only: BEGIN IMMEDIATE fails",
    { kind: "read_only", stage: "execute" },
    "error",
    "read_only",
    begun,
    "before_business advance ended error/read_only",
  ),
  ends(
    "no row changed while the policy still matches: the write itself failed",
    { kind: "effect_ignored" },
    "error",
    "effect_not_written",
    begun,
    "before_business advance ended error/effect_not_written",
  ),
  ends(
    "disk_full: the insert fails",
    { kind: "disk_full", stage: "execute" },
    "error",
    "disk_full",
    begun,
    "before_business advance ended error/disk_full",
  ),
  ends(
    "a throw after the insert, before COMMIT: rolled back (T: local transaction rollback)",
    { kind: "throw_at", at: "inside_transaction" },
    "error",
    "inside_transaction",
    begun,
    "before_business advance ended error/inside_transaction",
  ),
  ends(
    "COMMIT is refused: rolled back",
    { kind: "commit_refused", stage: "execute" },
    "error",
    "commit_refused",
    begun,
    "before_business advance ended error/commit_refused",
  ),
  ends(
    "a throw after COMMIT: the effect stays, the output never starts (T: after commit)",
    { kind: "throw_at", at: "after_commit" },
    "error",
    "after_commit",
    committed,
    "before_business advance ended error/after_commit via effect_committed",
  ),
  ends(
    "a throw on leaving after_business",
    { kind: "throw_at", at: "after_business" },
    "error",
    "after_business",
    committed,
    "after_business advance ended error/after_business",
  ),
  ends(
    "a throw on leaving output_check (T: output check exception)",
    { kind: "throw_at", at: "output_check" },
    "error",
    "output_check",
    shown,
    "output_check advance ended error/output_check",
  ),
  ends(
    "a bad copy is refused, the draft stays (T: output rejection preserves effect)",
    { kind: "bad_output" },
    "output_rejected",
    "output_contract",
    shown,
    "output_check advance ended output_rejected/output_contract",
  ),
  ends(
    "an output checker that throws has given no verdict",
    { kind: "checker_throws", stage: "output" },
    "error",
    "no_verdict",
    shown,
    "output_check advance ended error/no_verdict",
  ),
  ends(
    "an output checker that rejects with a falsy value has given no verdict",
    { kind: "checker_rejects_falsy", stage: "output" },
    "error",
    "no_verdict",
    shown,
    "output_check advance ended error/no_verdict",
  ),
  ends(
    "an output checker that answers unreadably has given no verdict",
    { kind: "checker_garbled", stage: "output" },
    "error",
    "no_verdict",
    shown,
    "output_check advance ended error/no_verdict",
  ),
  unaudited(
    "an ignored insert raises nothing: no driver error to keep (T: ignored receipt)",
    { kind: "receipt_ignored" },
    ["receipt_write"],
  ),
  unaudited("an aborted insert keeps the driver's error (T: aborted receipt)", { kind: "receipt_aborted" }, [
    "receipt_write",
    "driver",
  ]),
  unaudited("a busy store at the receipt", { kind: "busy", stage: "receipt" }, ["receipt_write", "driver"]),
  unaudited("a read-only store at the receipt", { kind: "read_only", stage: "receipt" }, [
    "receipt_write",
    "driver",
  ]),
  unaudited("a full disk at the receipt", { kind: "disk_full", stage: "receipt" }, [
    "receipt_write",
    "driver",
  ]),
  unaudited("a refused COMMIT at the receipt", { kind: "commit_refused", stage: "receipt" }, [
    "receipt_write",
    "driver",
  ]),
  unaudited(
    "a throw before the receipt is no error of the driver",
    { kind: "throw_at", at: "before_receipt" },
    ["receipt_write", "other"],
  ),
  {
    why: "a throw after the receipt leaves it in place and the caller in the dark",
    faults: [{ kind: "throw_at", at: "after_receipt" }],
    outcome: { kind: "unknown", cause: "after_receipt" },
    effects: [draft],
    receipts: [accepted],
    last: "output_check advance ended unknown/after_receipt",
  },
];

describe("an attempt driven to its end", () => {
  it.each(rows)("$why", ({ faults, outcome, effects, receipts, last }) => {
    const { world, events, transitions } = take(empty, submit("a1", river2, ...faults), finish("a1"));
    expect(events.at(-1)).toEqual({ kind: "ended", attempt: "a1", outcome });
    expect(world.effects).toEqual(effects);
    expect(world.receipts).toEqual(receipts);
    expect(transitions.at(-1)).toBe(last);
  });

  it("parks at each checkpoint on the way, with the snapshot of its check", () => {
    const { events, transitions } = take(empty, submit("a1", river2), finish("a1"));
    const seen = { kind: "seen", revision: 1 };
    expect(events).toEqual([
      { kind: "parked", attempt: "a1", at: "before_business", snapshotRevision: seen },
      { kind: "parked", attempt: "a1", at: "after_business", snapshotRevision: seen },
      { kind: "parked", attempt: "a1", at: "output_check", snapshotRevision: seen },
      { kind: "ended", attempt: "a1", outcome: completed(accepted, "acceptable") },
    ]);
    expect(transitions).toEqual([
      "new submit parked before_business",
      "before_business advance parked after_business via effect_committed",
      "after_business advance parked output_check",
      "output_check advance ended accepted/ok",
    ]);
  });

  it("has committed when it stands at after_business, and has no receipt before its end", () => {
    const atBusiness = worldAfter(empty, submit("a1", river2));
    const afterBusiness = worldAfter(atBusiness, advance("a1"));
    const atOutput = worldAfter(afterBusiness, advance("a1"));
    expect([atBusiness, afterBusiness, atOutput].map(({ effects }) => effects)).toEqual([
      [],
      [draft],
      [draft],
    ]);
    expect([atBusiness, afterBusiness, atOutput].map(({ receipts }) => receipts)).toEqual([[], [], []]);
    expect(
      [atBusiness, afterBusiness, atOutput].map(({ attempts }) => attempts.map(({ events }) => events)),
    ).toEqual([[allowed], [committed], [shown]]);
  });

  it("keeps nothing of an attempt that has ended but what a retry needs", () => {
    const { attempts } = worldAfter(empty, submit("a1", river2, { kind: "bad_output" }), finish("a1"));
    expect(attempts).toEqual([
      {
        name: "a1",
        context: call("c-a1"),
        request: river2,
        facts: { kind: "valid", key: "JOB-001", digest: "river-2", weight: 2 },
        faults: [],
        snapshot: { kind: "none" },
        events: [],
        cancel: "none",
        place: { kind: "ended" },
      },
    ]);
  });
});
