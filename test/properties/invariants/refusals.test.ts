import { describe, expect, it } from "vitest";
import type { Fault, Outcome, StageEvent, WriteLock } from "../../../src/model/vocabulary.js";
import {
  acceptedOnce,
  advanced,
  advanceTo,
  advanceToEnd,
  auditUnavailable,
  breaches,
  broken,
  cancelDelivered,
  cancelled,
  cancelRequested,
  crashedAt,
  crashedAtRest,
  effect,
  ended,
  fired,
  happened,
  observed,
  occurs,
  parked,
  receipt,
  reusedAndPassed,
  startOf,
  stopped,
  store,
  submitted,
  told,
  unknown,
  verdictOn,
} from "../history.js";

const effects = [effect()];

describe("refused-leaves-nothing", () => {
  const added = (position: number, action: number, standing: string) => [
    {
      promise: "refused-leaves-nothing",
      position,
      action,
      sentence: "a1 was stopped before execute, but it added an effect.",
      expected: "no effect",
      seen: `effect of JOB-001 of t1; a1 ${standing}`,
    },
  ];
  const limit = receipt(1, "a1", {
    status: "input_rejected",
    code: "batch_limit",
    effectExists: false,
    events: stopped.byCheck,
  });
  /** Refused at once: the store is read at event 3 of action 0. */
  const refused = (now: Parameters<typeof store>[0]) =>
    happened(observed(store()), submitted("a1"), ended("a1", told(limit), store(now)), observed(store(now)));

  it("allows a refused attempt that leaves only its receipt", () => {
    const history = refused({ receipts: [limit] });
    expect(broken(history)).toEqual([]);
    expect(occurs("refused-leaves-nothing", history)).toBe(true);
  });

  it("forbids an effect of an attempt that the check refused", () => {
    expect(breaches("refused-leaves-nothing", refused({ effects, receipts: [limit] }))).toEqual(
      added(3, 0, "ended completed input_rejected/batch_limit"),
    );
  });

  const dropped = receipt(1, "a1", {
    status: "cancelled",
    code: "cancelled",
    effectExists: false,
    events: stopped.beforeBusiness,
  });
  /** Cancelled where it stood before its business: it moves at event 6 of action 2. */
  const cancelledThere = (outcome: Outcome, now: Parameters<typeof store>[0]) =>
    happened(
      observed(store()),
      ...startOf("a1", store()),
      cancelRequested("a1"),
      observed(store()),
      advanced("a1"),
      ended("a1", outcome, store(now)),
      observed(store(now)),
    );

  it("allows a cancel before the business that leaves only its receipt", () => {
    const history = cancelledThere(cancelled, { receipts: [dropped] });
    expect(broken(history)).toEqual([]);
    expect(occurs("refused-leaves-nothing", history)).toBe(true);
  });

  it.each<[string, Outcome, string]>([
    ["cancelled", cancelled, "ended cancelled"],
    [
      "with a failed audit",
      auditUnavailable(stopped.beforeBusiness, ["cancelled", "receipt_write"]),
      "ended audit_unavailable (cancelled, receipt_write)",
    ],
    ["unknown", unknown(), "ended unknown/after_receipt"],
  ])(
    "forbids an effect of an attempt cancelled before its business that ended %s",
    (_, outcome, standing) => {
      expect(breaches("refused-leaves-nothing", cancelledThere(outcome, { effects }))).toEqual(
        added(8, 2, standing),
      );
    },
  );

  it("counts an attempt that was killed while it was being cancelled there", () => {
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      cancelRequested("a1"),
      observed(store()),
      crashedAt("before_receipt", "a1"),
      observed(store({ effects })),
    );
    expect(breaches("refused-leaves-nothing", history)).toEqual(added(7, 2, "was lost at before_receipt"));
  });

  it("counts a cancellation that was told but never seen to be delivered", () => {
    const abruptly = (at: Parameters<typeof parked>[1]) =>
      happened(
        observed(store()),
        submitted("a1"),
        parked("a1", at),
        observed(store()),
        ...advanceToEnd("a1", cancelled, store({ effects })),
      );
    expect(breaches("refused-leaves-nothing", abruptly("before_business"))).toEqual(
      added(6, 1, "ended cancelled"),
    );
    expect(breaches("refused-leaves-nothing", abruptly("after_business"))).toEqual([]);
    const straight = happened(
      observed(store()),
      submitted("a1"),
      ended("a1", cancelled, store({ effects })),
      observed(store({ effects })),
    );
    expect(breaches("refused-leaves-nothing", straight)).toEqual([]);
  });

  it("allows the effect of an attempt cancelled after its business to stay", () => {
    const row = receipt(1, "a1", { status: "cancelled", code: "cancelled", events: stopped.afterCommit });
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceTo("a1", "after_business", store({ effects })),
      cancelRequested("a1"),
      observed(store({ effects })),
      advanced("a1"),
      cancelDelivered("a1", "after_business"),
      ended("a1", cancelled, store({ effects, receipts: [row] })),
      observed(store({ effects, receipts: [row] })),
    );
    expect(broken(history)).toEqual([]);
    expect(occurs("refused-leaves-nothing", history)).toBe(false);
  });

  it("has nothing to guard where an attempt is lost or gets through", () => {
    const lost = happened(
      observed(store()),
      ...startOf("a1", store()),
      crashedAtRest("a1"),
      observed(store()),
    );
    expect(occurs("refused-leaves-nothing", lost)).toBe(false);
    expect(occurs("refused-leaves-nothing", happened(...acceptedOnce))).toBe(false);
  });

  it("allows another attempt to commit the key after a refusal", () => {
    const now = store({ effects: [effect({ callId: "c-a2" })], receipts: [limit] });
    const history = happened(
      observed(store()),
      submitted("a1"),
      ended("a1", told(limit), store({ receipts: [limit] })),
      observed(store({ receipts: [limit] })),
      ...startOf("a2", store({ receipts: [limit] })),
      ...advanceTo("a2", "after_business", now),
    );
    expect(broken(history)).toEqual([]);
  });
});

describe("rollback-is-complete", () => {
  const error = (code: string, events: readonly StageEvent[] = stopped.inBusiness) =>
    receipt(1, "a1", { status: "error", code, effectExists: false, events });
  /** a1 ends in the move that should have committed: the store is read at event 6 of action 1. */
  const failing = (outcome: Outcome, now: Parameters<typeof store>[0], ...faults: readonly Fault[]) =>
    happened(
      observed(store()),
      ...startOf("a1", store()),
      advanced("a1"),
      ...faults.map((fault) => fired("a1", fault)),
      ended("a1", outcome, store(now)),
      observed(store(now)),
    );
  const codes = [
    "inside_transaction",
    "commit_refused",
    "effect_not_written",
    "disk_full",
    "busy",
    "read_only",
  ];

  it.each(codes)("allows an attempt that failed with %s and added nothing", (code) => {
    const history = failing(told(error(code)), { receipts: [error(code)] });
    expect(broken(history)).toEqual([]);
    expect(occurs("rollback-is-complete", history)).toBe(true);
  });

  it.each(codes)("forbids an effect of an attempt that failed with %s", (code) => {
    expect(breaches("rollback-is-complete", failing(told(error(code)), { effects }))).toEqual([
      {
        promise: "rollback-is-complete",
        position: 6,
        action: 1,
        sentence: "a1 failed inside its transaction, but it added an effect.",
        expected: "no effect",
        seen: `effect of JOB-001 of t1; a1 ended completed error/${code}`,
      },
    ]);
  });

  const transactionFaults: readonly Fault[] = [
    { kind: "effect_ignored" },
    { kind: "busy", stage: "execute" },
    { kind: "commit_refused", stage: "execute" },
    { kind: "disk_full", stage: "execute" },
    { kind: "read_only", stage: "execute" },
    { kind: "throw_at", at: "inside_transaction" },
  ];
  it.each(transactionFaults)("forbids it behind a failed audit too, where $kind had fired", (fault) => {
    const outcome = auditUnavailable(stopped.inBusiness);
    expect(breaches("rollback-is-complete", failing(outcome, {}, fault))).toEqual([]);
    expect(occurs("rollback-is-complete", failing(outcome, {}, fault))).toBe(true);
    expect(breaches("rollback-is-complete", failing(outcome, { effects }, fault))).toMatchObject([
      { position: 7, seen: "effect of JOB-001 of t1; a1 ended audit_unavailable (receipt_write)" },
    ]);
  });

  const otherFaults: readonly Fault[] = [
    { kind: "receipt_ignored" },
    { kind: "busy", stage: "receipt" },
    { kind: "commit_refused", stage: "receipt" },
    { kind: "disk_full", stage: "receipt" },
    { kind: "read_only", stage: "receipt" },
    { kind: "throw_at", at: "after_commit" },
    { kind: "bad_output" },
    { kind: "checker_throws", stage: "output" },
  ];
  it.each(otherFaults)("allows the effect to stay where $kind fired, outside the transaction", (fault) => {
    const outcome = auditUnavailable(stopped.afterCommit);
    expect(breaches("rollback-is-complete", failing(outcome, { effects }, fault))).toEqual([]);
    expect(occurs("rollback-is-complete", failing(outcome, { effects }, fault))).toBe(false);
  });

  it("allows the effect to stay after a late error", () => {
    const late = receipt(1, "a1", { status: "error", code: "after_commit", events: stopped.afterCommit });
    const history = failing(told(late), { effects, receipts: [late] });
    expect(broken(history)).toEqual([]);
    expect(occurs("rollback-is-complete", history)).toBe(false);
  });

  it("takes a code for a failed transaction only where it is an error", () => {
    const row = { ...error("busy"), status: "policy_changed" } as const;
    expect(occurs("rollback-is-complete", failing(told(row), { receipts: [row] }))).toBe(false);
    expect(occurs("rollback-is-complete", failing(unknown(), {}))).toBe(false);
  });

  it("forbids an effect of an attempt that was killed inside its transaction", () => {
    const killed = (at: Parameters<typeof crashedAt>[0], now: Parameters<typeof store>[0]) =>
      happened(observed(store()), ...startOf("a1", store()), crashedAt(at, "a1"), observed(store(now)));
    expect(broken(killed("inside_transaction", {}))).toEqual([]);
    expect(occurs("rollback-is-complete", killed("inside_transaction", {}))).toBe(true);
    expect(breaches("rollback-is-complete", killed("inside_transaction", { effects }))).toEqual([
      {
        promise: "rollback-is-complete",
        position: 5,
        action: 1,
        sentence: "a1 failed inside its transaction, but it added an effect.",
        expected: "no effect",
        seen: "effect of JOB-001 of t1; a1 was lost at inside_transaction",
      },
    ]);
    expect(breaches("rollback-is-complete", killed("after_commit", { effects }))).toEqual([]);
    expect(occurs("rollback-is-complete", killed("after_commit", { effects }))).toBe(false);
  });

  const locked = (writeLock: WriteLock) =>
    failing(told(error("inside_transaction")), { receipts: [error("inside_transaction")], writeLock });

  it.each<WriteLock>(["free", "held_by_harness"])("allows a write lock that is %s", (writeLock) => {
    expect(verdictOn(locked(writeLock), ["rollback-is-complete"])).toEqual({
      violations: [],
      occurred: ["rollback-is-complete"],
      undecided: [],
    });
  });

  it("forbids a transaction that stays open after an error", () => {
    expect(breaches("rollback-is-complete", locked("held"))).toEqual([
      {
        promise: "rollback-is-complete",
        position: 6,
        action: 1,
        sentence: "While a1 moved, a transaction stayed open.",
        expected: "write lock free, or held by the harness",
        seen: "write lock held",
      },
    ]);
  });

  it("forbids a transaction that spans a checkpoint, whoever looks", () => {
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceTo("a1", "after_business", store({ writeLock: "not_probed" })),
      observed(store({ writeLock: "held" })),
    );
    expect(breaches("rollback-is-complete", history)).toMatchObject([
      { position: 7, action: 2, sentence: "While no attempt moved, a transaction stayed open." },
    ]);
  });

  it("is undecided where the lock was not probed after such a failure", () => {
    expect(verdictOn(locked("not_probed"), ["rollback-is-complete"])).toEqual({
      violations: [],
      occurred: ["rollback-is-complete"],
      undecided: [
        {
          promise: "rollback-is-complete",
          reason: "the write lock was not probed after a1 failed inside its transaction",
        },
      ],
    });
  });

  it("is decided without a probe where nothing failed in a transaction", () => {
    const history = failing(told(receipt(1, "a1")), { effects, writeLock: "not_probed" });
    expect(verdictOn(history, ["rollback-is-complete"])).toEqual({
      violations: [],
      occurred: [],
      undecided: [],
    });
  });

  it("allows a busy attempt whose key another attempt has committed", () => {
    const busy = receipt(2, "a2", { status: "error", code: "busy", events: stopped.inBusiness });
    const receipts = [receipt(1, "a1"), busy];
    const third = receipt(3, "a3", { events: reusedAndPassed });
    const history = happened(
      ...acceptedOnce,
      ...startOf("a2", store({ effects, receipts: [receipt(1, "a1")] })),
      ...advanceToEnd("a2", told(busy), store({ effects, receipts })),
      ...startOf("a3", store({ effects, receipts })),
      ...advanceToEnd("a3", told(third), store({ effects, receipts: [...receipts, third] })),
    );
    expect(broken(history)).toEqual([]);
  });
});
