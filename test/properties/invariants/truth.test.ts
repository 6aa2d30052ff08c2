import { describe, expect, it } from "vitest";
import type { Event, Outcome, ReceiptRow, StageEvent, Status } from "../../../src/model/vocabulary.js";
import {
  acceptedOnce,
  advanceTo,
  advanceToEnd,
  afterAccepted,
  auditUnavailable,
  breaches,
  broken,
  cancelled,
  committedAndPassed,
  crashedAt,
  effect,
  ended,
  happened,
  invalid,
  keyed,
  ledger,
  noKey,
  observed,
  occurs,
  policy,
  policySet,
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

/** a1 commits and ends with this receipt: it is read at event 9 of action 2. */
function committedWith(row: ReceiptRow, outcome: Outcome = told(row)): readonly Event[] {
  return happened(
    observed(store()),
    ...startOf("a1", store()),
    ...advanceTo("a1", "after_business", store({ effects })),
    ...advanceToEnd("a1", outcome, store({ effects, receipts: [row] })),
  );
}

/** a1 ends in the move that should have committed, and nothing is committed: read at event 6 of action 1. */
function uncommittedWith(row: ReceiptRow): readonly Event[] {
  return happened(
    observed(store()),
    ...startOf("a1", store()),
    ...advanceToEnd("a1", told(row), store({ receipts: [row] })),
  );
}

/** a1 is accepted, then a2 retries it and ends with this receipt: read at event 18 of action 5. */
function retriedWith(row: ReceiptRow): readonly Event[] {
  const receipts = [receipt(1, "a1"), row];
  return happened(
    ...acceptedOnce,
    ...startOf("a2", afterAccepted),
    ...advanceToEnd("a2", told(row), store({ effects, receipts })),
  );
}

const lie = (
  at: { readonly position: number; readonly action: number },
  receiptNumber: number,
  attempt: string,
  expected: string,
  seen: string,
) => [
  {
    promise: "receipt-tells-truth",
    ...at,
    sentence: `Receipt ${receiptNumber} does not tell what ${attempt} did.`,
    expected,
    seen,
  },
];
const atCommit = { position: 9, action: 2 };
const atFailure = { position: 6, action: 1 };
const atRetry = { position: 18, action: 5 };

const lateError = { status: "error", code: "after_business", events: stopped.afterCommit } as const;
const failedInside = {
  status: "error",
  code: "inside_transaction",
  events: stopped.inBusiness,
  effectExists: false,
} as const;

describe("receipt-tells-truth", () => {
  it("allows receipts of every honest end", () => {
    const honest = [
      committedWith(receipt(1, "a1", lateError)),
      uncommittedWith(receipt(1, "a1", failedInside)),
      retriedWith(receipt(2, "a2", { events: reusedAndPassed })),
      happened(...acceptedOnce),
    ];
    expect(honest.map(broken)).toEqual([[], [], [], []]);
    expect(honest.map((history) => occurs("receipt-tells-truth", history))).toEqual([true, true, true, true]);
  });

  it("has nothing to guard without a receipt", () => {
    const history = happened(observed(store()), ...startOf("a1", store()));
    expect(occurs("receipt-tells-truth", history)).toBe(false);
  });

  it("forbids a receipt of a delivery that was never submitted", () => {
    const row = receipt(1, "a1", { ...lateError, delivery: "d-a7" });
    expect(breaches("receipt-tells-truth", committedWith(row))).toEqual([
      {
        promise: "receipt-tells-truth",
        ...atCommit,
        sentence: "Receipt 1 belongs to no attempt.",
        expected: "the delivery of a submitted attempt",
        seen: "delivery d-a7",
      },
    ]);
  });

  it.each<[string, Partial<ReceiptRow>, string]>([
    ["tenant", { tenant: "t2" }, "call t2/r1/c-a1"],
    ["run", { runId: "r2" }, "call t1/r2/c-a1"],
    ["call", { callId: "c-a2" }, "call t1/r1/c-a2"],
  ])("forbids another %s than the attempt's", (_, parts, seen) => {
    const history = committedWith(receipt(1, "a1", { ...lateError, ...parts }));
    expect(breaches("receipt-tells-truth", history)).toEqual(lie(atCommit, 1, "a1", "call t1/r1/c-a1", seen));
  });

  it("forbids the key of whatever effect was written last", () => {
    const history = committedWith(receipt(1, "a1", { ...lateError, key: keyed("JOB-002") }));
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(atCommit, 1, "a1", "key JOB-001", "key JOB-002"),
    );
  });

  it("forbids leaving out the key of valid arguments", () => {
    const history = committedWith(receipt(1, "a1", { ...lateError, key: noKey }));
    expect(breaches("receipt-tells-truth", history)).toEqual(lie(atCommit, 1, "a1", "key JOB-001", "no key"));
  });

  /** a1 has invalid arguments: its receipt is read at event 3 of action 0. */
  const refusedWith = (parts: Partial<ReceiptRow>) => {
    const row = receipt(1, "a1", {
      key: noKey,
      status: "input_rejected",
      code: "copies",
      effectExists: false,
      events: stopped.byArguments,
      ...parts,
    });
    const now = store({ receipts: [row] });
    return happened(observed(store()), submitted("a1", invalid), ended("a1", told(row), now), observed(now));
  };
  const atRefusal = { position: 3, action: 0 };

  it("allows invalid arguments a receipt without key and events", () => {
    expect(broken(refusedWith({}))).toEqual([]);
  });

  it("forbids a key where the arguments are invalid", () => {
    const history = refusedWith({ key: keyed("JOB-001"), events: stopped.byCheck });
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(atRefusal, 1, "a1", "no key", "key JOB-001"),
    );
  });

  it("forbids arguments_valid without a key", () => {
    expect(breaches("receipt-tells-truth", refusedWith({ events: stopped.byCheck }))).toEqual(
      lie(
        atRefusal,
        1,
        "a1",
        "a key if and only if arguments_valid is among the events",
        "no key with events arguments_valid",
      ),
    );
  });

  it("forbids a key without arguments_valid", () => {
    const history = uncommittedWith(receipt(1, "a1", { ...failedInside, events: [] }));
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(
        atFailure,
        1,
        "a1",
        "a key if and only if arguments_valid is among the events",
        "key JOB-001 with no events",
      ),
    );
  });

  it("forbids events that another attempt put into a shared list", () => {
    const shared: readonly StageEvent[] = [...stopped.beforeBusiness, ...stopped.afterCommit];
    const history = committedWith(receipt(1, "a1", { ...lateError, events: shared }));
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(
        atCommit,
        1,
        "a1",
        "each once and in order: events arguments_valid, input_allowed, business_started, effect_committed",
        "events arguments_valid, input_allowed, arguments_valid, input_allowed, business_started, effect_committed",
      ),
    );
  });

  it("forbids events out of order", () => {
    const events: readonly StageEvent[] = ["input_allowed", "arguments_valid", "business_started"];
    const history = uncommittedWith(receipt(1, "a1", { ...failedInside, events }));
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(
        atFailure,
        1,
        "a1",
        "each once and in order: events arguments_valid, input_allowed, business_started",
        "events input_allowed, arguments_valid, business_started",
      ),
    );
  });

  it("forbids committed and reused at once", () => {
    const events: readonly StageEvent[] = [...stopped.afterCommit, "effect_reused"];
    const history = committedWith(receipt(1, "a1", { ...lateError, events }));
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(
        atCommit,
        1,
        "a1",
        "effect_committed or effect_reused, not both",
        "error with events arguments_valid, input_allowed, business_started, effect_committed, effect_reused",
      ),
    );
  });

  it("forbids effect_committed where the transaction was rolled back", () => {
    const history = uncommittedWith(receipt(1, "a1", { ...failedInside, events: stopped.afterCommit }));
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(
        atFailure,
        1,
        "a1",
        "no effect_committed, as no effect of its key appeared while it moved",
        "error with events arguments_valid, input_allowed, business_started, effect_committed",
      ),
    );
  });

  it("forbids effect_committed where the effect was another attempt's", () => {
    const history = retriedWith(receipt(2, "a2", { events: committedAndPassed }));
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(
        atRetry,
        2,
        "a2",
        "no effect_committed, as no effect of its key appeared while it moved",
        "accepted with events arguments_valid, input_allowed, business_started, effect_committed, output_started, output_allowed",
      ),
    );
  });

  it("forbids telling an error after the commit as if nothing had happened", () => {
    const history = committedWith(
      receipt(1, "a1", { ...lateError, events: stopped.inBusiness, effectExists: false }),
    );
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(
        atCommit,
        1,
        "a1",
        "effect_committed, as its effect appeared while it moved",
        "error with events arguments_valid, input_allowed, business_started",
      ),
    );
  });

  it("forbids effect_reused where there was nothing to reuse", () => {
    const history = uncommittedWith(receipt(1, "a1", { ...failedInside, events: stopped.afterReuse }));
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(
        atFailure,
        1,
        "a1",
        "no effect_reused, as its key had no effect",
        "error with events arguments_valid, input_allowed, business_started, effect_reused",
      ),
    );
  });

  it("forbids accepted without the whole passage", () => {
    const history = committedWith(receipt(1, "a1", { events: stopped.byOutput }));
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(
        atCommit,
        1,
        "a1",
        "accepted with events arguments_valid, input_allowed, business_started, effect_committed, output_started, output_allowed or events arguments_valid, input_allowed, business_started, effect_reused, output_started, output_allowed",
        "accepted with events arguments_valid, input_allowed, business_started, effect_committed, output_started",
      ),
    );
  });

  it("asks an accepted attempt for the events of the layers that the profile claims", () => {
    const checkless = { ...ledger, layers: ["validate", "execute", "receipt"] as const };
    const events: readonly StageEvent[] = ["arguments_valid", "business_started", "effect_committed"];
    const onCheckless = (row: ReceiptRow) =>
      verdictOn(committedWith(row), ["receipt-tells-truth"], { profile: checkless }).violations;
    expect(onCheckless(receipt(1, "a1", { events }))).toEqual([]);
    expect(onCheckless(receipt(1, "a1"))).toMatchObject([
      {
        expected:
          "accepted with events arguments_valid, business_started, effect_committed or events arguments_valid, business_started, effect_reused",
      },
    ]);
  });

  const afterExecute = "effect_committed, effect_reused, output_started, output_allowed";
  it.each<[Status, readonly StageEvent[], string]>([
    [
      "input_rejected",
      stopped.inBusiness,
      `input_rejected without any of input_allowed, business_started, ${afterExecute}`,
    ],
    [
      "key_conflict",
      [...stopped.inBusiness, "output_started"],
      `key_conflict without any of ${afterExecute}`,
    ],
    [
      "policy_changed",
      [...stopped.inBusiness, "output_started"],
      `policy_changed without any of ${afterExecute}`,
    ],
    [
      "output_rejected",
      [...stopped.inBusiness, "output_allowed"],
      "output_rejected without any of output_allowed",
    ],
    ["error", [...stopped.inBusiness, "output_allowed"], "error without any of output_allowed"],
    ["cancelled", [...stopped.inBusiness, "output_allowed"], "cancelled without any of output_allowed"],
  ])("forbids %s with events that it cannot have reached", (status, events, expected) => {
    const history = uncommittedWith(
      receipt(1, "a1", { status, code: "unforeseen", events, effectExists: false }),
    );
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(atFailure, 1, "a1", expected, `${status} with events ${events.join(", ")}`),
    );
  });

  it.each<[Status, readonly StageEvent[]]>([
    ["input_rejected", stopped.byCheck],
    ["key_conflict", stopped.inBusiness],
    ["policy_changed", stopped.inBusiness],
    ["output_rejected", [...stopped.inBusiness, "output_started"]],
    ["error", [...stopped.inBusiness, "output_started"]],
    ["cancelled", [...stopped.inBusiness, "output_started"]],
  ])("allows %s with events up to where it stopped", (status, events) => {
    const history = uncommittedWith(
      receipt(1, "a1", { status, code: "unforeseen", events, effectExists: false }),
    );
    expect(breaches("receipt-tells-truth", history)).toEqual([]);
  });

  it("forbids effectExists true where the key has no effect", () => {
    const history = uncommittedWith(receipt(1, "a1", { ...failedInside, effectExists: true }));
    expect(breaches("receipt-tells-truth", history)).toEqual(
      lie(atFailure, 1, "a1", "effectExists false, as its key has no effect", "effectExists true"),
    );
  });

  it("forbids effectExists true that is said of another key's or another tenant's effect", () => {
    const others = [effect({ key: "JOB-002" }), effect({ tenant: "t2" }), effect({ tool: "letter" })];
    const row = receipt(1, "a1", { ...failedInside, effectExists: true });
    const history = happened(
      observed(store({ effects: others })),
      ...startOf("a1", store({ effects: others })),
      ...advanceToEnd("a1", told(row), store({ effects: others, receipts: [row] })),
    );
    expect(breaches("receipt-tells-truth", history)).toMatchObject([
      { expected: "effectExists false, as its key has no effect", seen: "effectExists true" },
    ]);
  });

  it("forbids effectExists false that is taken from the attempt's own events", () => {
    // a2 is refused by a tightened policy; the effect of its key is a1's.
    const tight = policy(2, 1);
    const row = receipt(2, "a2", {
      status: "input_rejected",
      code: "batch_limit",
      events: stopped.byCheck,
      effectExists: false,
    });
    const refused = (effectExists: boolean) =>
      happened(
        ...acceptedOnce,
        policySet(1),
        observed({ ...afterAccepted, policy: tight }),
        submitted("a2"),
        ended("a2", told({ ...row, effectExists }), {
          ...afterAccepted,
          receipts: [receipt(1, "a1"), { ...row, effectExists }],
          policy: tight,
        }),
        observed({
          effects,
          receipts: [receipt(1, "a1"), { ...row, effectExists }],
          policy: tight,
          writeLock: "free",
        }),
      );
    expect(broken(refused(true))).toEqual([]);
    expect(breaches("receipt-tells-truth", refused(false))).toEqual(
      lie(
        { position: 17, action: 5 },
        2,
        "a2",
        "effectExists true, as its key had an effect by then",
        "effectExists false",
      ),
    );
  });

  it("forbids effectExists false of an effect that the attempt itself has just committed", () => {
    const row = receipt(1, "a1", { status: "error", code: "after_commit", events: stopped.afterCommit });
    const failing = (effectExists: boolean) => {
      const now = store({ effects, receipts: [{ ...row, effectExists }] });
      return happened(
        observed(store()),
        ...startOf("a1", store()),
        ...advanceToEnd("a1", told({ ...row, effectExists }), now),
      );
    };
    expect(broken(failing(true))).toEqual([]);
    expect(breaches("receipt-tells-truth", failing(false))).toEqual(
      lie(atFailure, 1, "a1", "effectExists true, as its key had an effect by then", "effectExists false"),
    );
  });

  it("allows effectExists false before another attempt commits the key", () => {
    const row = receipt(1, "a1", {
      status: "error",
      code: "before_business",
      events: stopped.beforeBusiness,
      effectExists: false,
    });
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      ...startOf("a2", store()),
      ...advanceToEnd("a1", told(row), store({ receipts: [row] })),
      ...advanceTo("a2", "after_business", store({ receipts: [row], effects: [effect({ callId: "c-a2" })] })),
    );
    expect(broken(history)).toEqual([]);
  });

  it("judges the receipt of an attempt that was killed behind it", () => {
    const killedWith = (row: ReceiptRow) =>
      happened(
        observed(store()),
        ...startOf("a1", store()),
        crashedAt("after_receipt", "a1"),
        observed(store({ effects, receipts: [row] })),
      );
    expect(broken(killedWith(receipt(1, "a1")))).toEqual([]);
    expect(breaches("receipt-tells-truth", killedWith(receipt(1, "a1", { effectExists: false })))).toEqual(
      lie(
        { position: 5, action: 1 },
        1,
        "a1",
        "effectExists true, as its key had an effect by then",
        "effectExists false",
      ),
    );
  });
});

describe("outcome-tells-truth", () => {
  const row = receipt(1, "a1", { status: "error", code: "after_business", events: stopped.afterCommit });
  const written =
    "receipt 1: error/after_business, effectExists true, events arguments_valid, input_allowed, business_started, effect_committed";
  const differs = (seen: string) => [
    {
      promise: "outcome-tells-truth",
      position: 8,
      action: 2,
      sentence: "a1 told its caller something else than its receipt says.",
      expected: written,
      seen,
    },
  ];

  it("allows telling what the receipt says", () => {
    const history = committedWith(row);
    expect(broken(history)).toEqual([]);
    expect(occurs("outcome-tells-truth", history)).toBe(true);
  });

  it.each<[string, Parameters<typeof told>[1], string]>([
    ["number", { receiptNumber: 2 }, written.replace("receipt 1", "receipt 2")],
    ["status", { status: "key_conflict" }, written.replace("error/", "key_conflict/")],
    ["code", { code: "busy" }, written.replace("after_business,", "busy,")],
    ["effectExists", { effectExists: false }, written.replace("true", "false")],
    ["list of events", { events: stopped.inBusiness }, written.replace(", effect_committed", "")],
  ])("forbids telling another %s", (_, parts, seen) => {
    expect(breaches("outcome-tells-truth", committedWith(row, told(row, parts)))).toEqual(differs(seen));
  });

  it("forbids telling a cancellation of what the receipt calls an error", () => {
    expect(breaches("outcome-tells-truth", committedWith(row, cancelled))).toEqual(differs("cancelled"));
    const honest = { ...row, status: "cancelled", code: "cancelled" } as const;
    expect(breaches("outcome-tells-truth", committedWith(honest, cancelled))).toEqual([]);
  });

  it("leaves it to other promises where the attempt has no receipt", () => {
    const stray = { ...row, delivery: "d-a9" };
    expect(breaches("outcome-tells-truth", committedWith(stray, told(row, { code: "busy" })))).toEqual([]);
  });

  it("compares nothing with an outcome that does not know", () => {
    for (const outcome of [unknown(), auditUnavailable(stopped.afterCommit)]) {
      expect(breaches("outcome-tells-truth", committedWith(row, outcome))).toEqual([]);
      expect(occurs("outcome-tells-truth", committedWith(row, outcome))).toBe(false);
    }
  });

  it.each(["refused", "failed"] as const)("forbids %s of an attempt that added an effect", (kind) => {
    const outcome: Outcome = { kind, proof: "nothing was sent", errorText: "no" };
    const leaving = (now: Parameters<typeof store>[0]) =>
      happened(observed(store()), ...startOf("a1", store()), ...advanceToEnd("a1", outcome, store(now)));
    expect(broken(leaving({}))).toEqual([]);
    expect(occurs("outcome-tells-truth", leaving({}))).toBe(true);
    expect(breaches("outcome-tells-truth", leaving({ effects }))).toEqual([
      {
        promise: "outcome-tells-truth",
        position: 6,
        action: 1,
        sentence: "a1 told its caller that nothing happened, but it had added an effect.",
        expected: "no effect",
        seen: "effect of JOB-001 of t1",
      },
    ]);
  });

  it("allows an unknown end of an attempt that added an effect", () => {
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceToEnd("a1", unknown("timeout"), store({ effects })),
    );
    expect(broken(history)).toEqual([]);
  });
});

describe("unknown-is-not-failed", () => {
  const ending = (outcome: Outcome, now: Parameters<typeof store>[0]) =>
    happened(observed(store()), ...startOf("a1", store()), ...advanceToEnd("a1", outcome, store(now)));
  const left = (kind: "refused" | "failed", what: string) => [
    {
      promise: "unknown-is-not-failed",
      position: 6,
      action: 1,
      sentence: `a1 left something behind, so its caller cannot be told that it ${kind}.`,
      expected: "outcome unknown",
      seen: `${kind} with ${what}`,
    },
  ];
  const error = receipt(1, "a1", { ...failedInside });

  it("allows an end that is reported unknown", () => {
    const history = ending(unknown(), { effects, receipts: [receipt(1, "a1")] });
    expect(broken(history)).toEqual([]);
    expect(occurs("unknown-is-not-failed", history)).toBe(true);
  });

  it.each(["refused", "failed"] as const)("forbids %s where something was left behind", (kind) => {
    const outcome: Outcome = { kind, proof: "nothing was sent", errorText: "no" };
    expect(breaches("unknown-is-not-failed", ending(outcome, {}))).toEqual([]);
    expect(occurs("unknown-is-not-failed", ending(outcome, {}))).toBe(false);
    expect(breaches("unknown-is-not-failed", ending(outcome, { effects }))).toEqual(
      left(kind, "effect of JOB-001 of t1 and no receipt"),
    );
    expect(breaches("unknown-is-not-failed", ending(outcome, { receipts: [error] }))).toEqual(
      left(kind, "no effect and receipt 1"),
    );
  });

  it("asks nothing of an error that is told with its receipt, or of a lost attempt", () => {
    expect(breaches("unknown-is-not-failed", ending(told(error), { receipts: [error] }))).toEqual([]);
    const lost = happened(
      observed(store()),
      ...startOf("a1", store()),
      crashedAt("after_commit", "a1"),
      observed(store({ effects })),
    );
    expect(broken(lost)).toEqual([]);
  });
});
