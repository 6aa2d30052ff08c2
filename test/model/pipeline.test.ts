import { describe, expect, it } from "vitest";
import type { PredictedOutcome } from "../../src/model/predicted.js";
import type { Action, AuditCause, Code, Fault, StageEvent, Status } from "../../src/model/vocabulary.js";
import type { Effect, Receipt } from "../../src/model/world.js";
import {
  advance,
  allowed,
  begun,
  call,
  committed,
  complete,
  empty,
  expire,
  finish,
  forest1,
  removePolicy,
  retry,
  reused,
  river2,
  river3,
  river4,
  shapeless,
  shown,
  submit,
  take,
  valid,
  worldAfter,
} from "./fixture.js";

/** The effect of a1, as the request river2 leaves it under revision 1. */
const draft: Effect = {
  tenant: "t1",
  tool: "drafts",
  key: "JOB-001",
  digest: "river-2",
  revision: 1,
  runId: "r1",
  callId: "c-a1",
};

function receipt(status: Status, code: Code, events: readonly StageEvent[], effectExists: boolean): Receipt {
  return {
    number: 1,
    attempt: "a1",
    tenant: "t1",
    runId: "r1",
    callId: "c-a1",
    key: { kind: "key", key: "JOB-001" },
    status,
    code,
    effectExists,
    events,
  };
}

function completed(row: Receipt, released: "acceptable" | "nothing" = "nothing"): PredictedOutcome {
  const { number: receiptNumber, status, code, events, effectExists } = row;
  return { kind: "completed", receiptNumber, status, code, events, effectExists, released };
}

function audit(causes: readonly AuditCause[], events: readonly StageEvent[]): PredictedOutcome {
  return { kind: "audit_unavailable", causes, events };
}

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

const accepted = receipt("accepted", "ok", complete, true);

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

describe("a refusal before the first checkpoint", () => {
  it("refuses what the contract refuses, without a key in the receipt", () => {
    const { world, events, transitions } = take(empty, submit("a1", shapeless));
    // Nothing was validated: no event, no key, and so no effect under a key.
    const row = { ...receipt("input_rejected", "shape", [], false), key: { kind: "none" } };
    expect(events).toEqual([
      { kind: "ended", attempt: "a1", outcome: completed(receipt("input_rejected", "shape", [], false)) },
    ]);
    expect(world.receipts).toEqual([row]);
    expect(transitions).toEqual(["new submit ended input_rejected/shape"]);
  });

  it("refuses more copies than the policy allows (T: batch policy)", () => {
    const { world, events, transitions } = take(empty, submit("a1", river4));
    const row = receipt("input_rejected", "batch_limit", valid, false);
    expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: completed(row) }]);
    expect(world.receipts).toEqual([row]);
    expect(transitions).toEqual(["new submit ended input_rejected/batch_limit"]);
  });

  it("allows exactly as many copies as the policy does", () => {
    expect(take(empty, submit("a1", river3)).transitions).toEqual(["new submit parked before_business"]);
  });

  it("refuses everything valid where there is no policy", () => {
    const { events, world } = take(empty, removePolicy, submit("a1", river2));
    const row = receipt("input_rejected", "missing_policy", valid, false);
    expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: completed(row) }]);
    expect(world.receipts).toEqual([row]);
  });

  it.each(["checker_throws", "checker_rejects_falsy", "checker_garbled"] as const)(
    "takes %s at check for no verdict, whatever the weight",
    (kind) => {
      const row = receipt("error", "no_verdict", valid, false);
      for (const request of [river2, river4]) {
        const { world, events, transitions } = take(empty, submit("a1", request, { kind, stage: "check" }));
        expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: completed(row) }]);
        expect([world.effects, world.receipts]).toEqual([[], [row]]);
        expect(transitions).toEqual(["new submit ended error/no_verdict"]);
      }
    },
  );

  it.each(["checker_throws", "checker_hangs"] as const)(
    "asks no checker where there is no policy: %s stays unheard",
    (kind) => {
      const { events } = take(empty, removePolicy, submit("a1", river2, { kind, stage: "check" }));
      const row = receipt("input_rejected", "missing_policy", valid, false);
      expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: completed(row) }]);
    },
  );

  it("says in the receipt that the key has an effect, if an earlier attempt left one", () => {
    const { world } = take(empty, submit("a1", river2), finish("a1"), submit("a2", river4));
    expect(world.receipts.at(-1)).toEqual({
      ...receipt("input_rejected", "batch_limit", valid, true),
      number: 2,
      attempt: "a2",
      callId: "c-a2",
    });
  });
});

describe("a checker that hangs", () => {
  it("blocks at check until the wait is ended, and then has given no verdict", () => {
    const hung = take(empty, submit("a1", river2, { kind: "checker_hangs", stage: "check" }));
    expect(hung.events).toEqual([{ kind: "blocked", attempt: "a1", on: "check" }]);
    expect(hung.transitions).toEqual(["new submit blocked check"]);
    expect(hung.world.receipts).toEqual([]);
    const row = receipt("error", "no_verdict", valid, false);
    const { world, events, transitions } = take(hung.world, expire("a1"));
    expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: completed(row) }]);
    expect([world.effects, world.receipts]).toEqual([[], [row]]);
    expect(transitions).toEqual(["blocked_check expire ended error/no_verdict"]);
  });

  it("blocks at output with the effect in place, and then has given no verdict", () => {
    const hung = take(empty, submit("a1", river2, { kind: "checker_hangs", stage: "output" }), finish("a1"));
    expect(hung.events.at(-1)).toEqual({ kind: "blocked", attempt: "a1", on: "output" });
    expect(hung.transitions.at(-1)).toBe("output_check advance blocked output");
    const row = receipt("error", "no_verdict", shown, true);
    const { world, events, transitions } = take(hung.world, expire("a1"));
    expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: completed(row) }]);
    expect([world.effects, world.receipts]).toEqual([[draft], [row]]);
    expect(transitions).toEqual(["blocked_output expire ended error/no_verdict"]);
  });

  it("leaves the other checker alone", () => {
    const atOutput = take(empty, submit("a1", river2, { kind: "checker_hangs", stage: "output" }));
    expect(atOutput.transitions).toEqual(["new submit parked before_business"]);
    const atCheck = take(empty, submit("a1", river2, { kind: "checker_throws", stage: "check" }));
    expect(atCheck.world.effects).toEqual([]);
  });
});

describe("two faults that meet", () => {
  const meetings: readonly {
    readonly why: string;
    readonly faults: readonly Fault[];
    readonly last: string;
  }[] = [
    {
      why: "an insert that writes nothing never reaches the crash point behind it",
      faults: [{ kind: "effect_ignored" }, { kind: "throw_at", at: "inside_transaction" }],
      last: "before_business advance ended error/effect_not_written",
    },
    {
      why: "an insert on a full disk never reaches the crash point behind it",
      faults: [
        { kind: "disk_full", stage: "execute" },
        { kind: "throw_at", at: "inside_transaction" },
      ],
      last: "before_business advance ended error/disk_full",
    },
    {
      why: "a throw inside the transaction comes before its COMMIT",
      faults: [
        { kind: "commit_refused", stage: "execute" },
        { kind: "throw_at", at: "inside_transaction" },
      ],
      last: "before_business advance ended error/inside_transaction",
    },
    {
      why: "a throw on leaving a checkpoint comes before what the stage would do",
      faults: [
        { kind: "busy", stage: "execute" },
        { kind: "throw_at", at: "before_business" },
      ],
      last: "before_business advance ended error/before_business",
    },
    {
      why: "a checker without a verdict never sees the bad copy",
      faults: [{ kind: "bad_output" }, { kind: "checker_throws", stage: "output" }],
      last: "output_check advance ended error/no_verdict",
    },
    {
      why: "a throw before the receipt comes before its insert",
      faults: [{ kind: "receipt_aborted" }, { kind: "throw_at", at: "before_receipt" }],
      last: "output_check advance ended audit_unavailable receipt_write+other from accepted/ok",
    },
    {
      why: "an error whose receipt fails surfaces as the audit failure",
      faults: [{ kind: "busy", stage: "execute" }, { kind: "receipt_aborted" }],
      last: "before_business advance ended audit_unavailable receipt_write+driver from error/busy",
    },
    {
      why: "an error whose receipt is followed by a throw leaves the caller in the dark",
      faults: [{ kind: "bad_output" }, { kind: "throw_at", at: "after_receipt" }],
      last: "output_check advance ended unknown/after_receipt",
    },
    {
      why: "a receipt that was not written is not followed by the point after it",
      faults: [{ kind: "receipt_ignored" }, { kind: "throw_at", at: "after_receipt" }],
      last: "output_check advance ended audit_unavailable receipt_write from accepted/ok",
    },
  ];

  it.each(meetings)("$why", ({ faults, last }) => {
    expect(take(empty, submit("a1", river2, ...faults), finish("a1")).transitions.at(-1)).toBe(last);
  });

  it("keeps the receipt of a refusal whose caller is left in the dark", () => {
    const { world } = take(empty, submit("a1", river4, { kind: "throw_at", at: "after_receipt" }));
    expect(world.receipts).toEqual([receipt("input_rejected", "batch_limit", valid, false)]);
  });

  it("carries the stage events of a refusal whose receipt fails", () => {
    const { world, events } = take(empty, submit("a1", river4, { kind: "receipt_ignored" }));
    expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: audit(["receipt_write"], valid) }]);
    expect(world.receipts).toEqual([]);
  });
});

describe("a key that has an effect", () => {
  const once = () => worldAfter(empty, submit("a1", river2), finish("a1"));

  it("replays it for the same digest and checks the output again (T: retry runs output check again)", () => {
    const { world, events, transitions } = take(once(), retry("a2", "a1"), finish("a2"));
    expect(transitions).toEqual([
      "new submit parked before_business",
      "before_business advance parked after_business via effect_reused",
      "after_business advance parked output_check",
      "output_check advance ended accepted/ok",
    ]);
    const all: readonly StageEvent[] = [...reused, "output_started", "output_allowed"];
    expect(events.at(-1)).toEqual({
      kind: "ended",
      attempt: "a2",
      outcome: { ...completed(receipt("accepted", "ok", all, true), "acceptable"), receiptNumber: 2 },
    });
    expect(world.effects).toEqual([draft]);
    // Same call, so the receipt has the call of a1; a receipt of its own all the same.
    expect(world.receipts).toEqual([
      accepted,
      { ...receipt("accepted", "ok", all, true), number: 2, attempt: "a2" },
    ]);
  });

  it("conflicts with another digest and stays as it is (T: same key conflict)", () => {
    const { world, events, transitions } = take(once(), submit("a2", river3), advance("a2"));
    const row = {
      ...receipt("key_conflict", "key_conflict", begun, true),
      number: 2,
      attempt: "a2",
      callId: "c-a2",
    } as const;
    expect(events.at(-1)).toEqual({ kind: "ended", attempt: "a2", outcome: completed(row) });
    expect(transitions.at(-1)).toBe("before_business advance ended key_conflict/key_conflict");
    expect(world.effects).toEqual([draft]);
    expect(world.receipts).toEqual([accepted, row]);
  });

  it.each<Fault>([
    { kind: "effect_ignored" },
    { kind: "disk_full", stage: "execute" },
    { kind: "commit_refused", stage: "execute" },
    { kind: "throw_at", at: "inside_transaction" },
    { kind: "throw_at", at: "after_commit" },
  ])("inserts nothing for a replay or a conflict, so that $kind $at does not matter", (fault) => {
    expect(take(once(), retry("a2", "a1", fault), advance("a2")).transitions.at(-1)).toBe(
      "before_business advance parked after_business via effect_reused",
    );
    expect(take(once(), submit("a2", river3, fault), advance("a2")).transitions.at(-1)).toBe(
      "before_business advance ended key_conflict/key_conflict",
    );
  });

  it.each(["busy", "read_only"] as const)("cannot be read when the transaction cannot begin: %s", (kind) => {
    const { transitions } = take(once(), retry("a2", "a1", { kind, stage: "execute" }), advance("a2"));
    expect(transitions.at(-1)).toBe(`before_business advance ended error/${kind}`);
  });

  it("belongs to its tenant: another tenant's same key is another effect", () => {
    const other: Action = {
      kind: "submit",
      attempt: "a2",
      request: river2,
      context: call("c-a2", "t2"),
      faults: [],
    };
    const { world, transitions } = take(once(), other, finish("a2"));
    expect(transitions.at(1)).toBe("before_business advance parked after_business via effect_committed");
    expect(world.effects).toEqual([draft, { ...draft, tenant: "t2", callId: "c-a2" }]);
    expect(world.receipts.at(-1)).toEqual({
      ...accepted,
      number: 2,
      attempt: "a2",
      tenant: "t2",
      callId: "c-a2",
    });
  });

  it("does not exist for a tenant who has none", () => {
    const other: Action = {
      kind: "submit",
      attempt: "a2",
      request: river4,
      context: call("c-a2", "t2"),
      faults: [],
    };
    expect(worldAfter(once(), other).receipts.at(-1)?.effectExists).toBe(false);
  });

  it("is one of two under two keys (T: new key is new effect)", () => {
    const { world } = take(once(), submit("a2", forest1), finish("a2"));
    expect(world.effects).toEqual([draft, { ...draft, key: "JOB-002", digest: "forest-1", callId: "c-a2" }]);
  });

  it("is found by a neighbour who was checked before it existed", () => {
    const { world, transitions } = take(
      empty,
      submit("a1", river2),
      submit("a2", river2),
      submit("a3", river3),
      advance("a1"),
      advance("a2"),
      advance("a3"),
    );
    expect(transitions.slice(3)).toEqual([
      "before_business advance parked after_business via effect_committed",
      "before_business advance parked after_business via effect_reused",
      "before_business advance ended key_conflict/key_conflict",
    ]);
    expect(world.effects).toEqual([draft]);
  });
});

describe("the number of a receipt", () => {
  it("is not used up by one that could not be written", () => {
    const { world } = take(
      empty,
      submit("a1", river2, { kind: "receipt_aborted" }),
      finish("a1"),
      submit("a2", river4),
      submit("a3", shapeless),
    );
    expect(world.receipts.map(({ number, attempt }) => [number, attempt])).toEqual([
      [1, "a2"],
      [2, "a3"],
    ]);
  });
});
