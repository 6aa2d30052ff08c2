import { describe, expect, it } from "vitest";
import type { Event, Fault, Outcome, ReceiptRow } from "../../../src/model/vocabulary.js";
import {
  acceptedOnce,
  advanced,
  advanceTo,
  afterAccepted,
  auditUnavailable,
  breaches,
  broken,
  cancelDelivered,
  cancelled,
  cancelRequested,
  committedAndPassed,
  crashedAt,
  effect,
  ended,
  fired,
  happened,
  invalid,
  keyed,
  logged,
  nothingReleased,
  observed,
  occurs,
  parked,
  receipt,
  restarted,
  reusedAndPassed,
  startOf,
  stopped,
  store,
  submitted,
  told,
  unknown,
} from "../history.js";

const effects = [effect()];

/** a1 has committed JOB-001 and stands before its output check: events 0 to 9, actions 0 to 2. */
const upToOutput = [
  observed(store()),
  ...startOf("a1", store()),
  ...advanceTo("a1", "after_business", store({ effects })),
  ...advanceTo("a1", "output_check", store({ effects })),
];

/** a1 ends at event 11 of action 3; the store is read in that moment and again at event 12. */
function endingWith(outcome: Outcome, atRelease: readonly ReceiptRow[], later = atRelease): readonly Event[] {
  return happened(
    ...upToOutput,
    advanced("a1"),
    ended("a1", outcome, store({ effects, receipts: atRelease })),
    observed(store({ effects, receipts: later })),
  );
}

describe("receipt-before-release", () => {
  const missing = {
    promise: "receipt-before-release",
    position: 11,
    action: 3,
    sentence: "a1 was released before its accepted receipt was durable.",
    expected: "receipt 1 of delivery d-a1: accepted, key JOB-001",
  };

  it("allows a release whose accepted receipt is in the store", () => {
    const history = happened(...acceptedOnce);
    expect(breaches("receipt-before-release", history)).toEqual([]);
    expect(broken(history)).toEqual([]);
    expect(occurs("receipt-before-release", history)).toBe(true);
  });

  it("forbids a release on the last insert id of a receipt that was never written", () => {
    const history = endingWith(told(receipt(1, "a1")), []);
    expect(breaches("receipt-before-release", history)).toEqual([{ ...missing, seen: "no receipt" }]);
    expect(broken(history)).toContain("one-receipt-per-attempt");
  });

  it("forbids a release whose receipt is written a turn later", () => {
    const history = endingWith(told(receipt(1, "a1")), [], [receipt(1, "a1")]);
    expect(breaches("receipt-before-release", history)).toEqual([{ ...missing, seen: "no receipt" }]);
  });

  const text = (row: string) =>
    `${row}, effectExists true, events arguments_valid, input_allowed, business_started, effect_committed, output_started, output_allowed`;
  it.each<[string, ReceiptRow, string]>([
    [
      "of another delivery",
      receipt(1, "a1", { delivery: "d-a9" }),
      text("receipt 1 of delivery d-a9: accepted/ok, key JOB-001"),
    ],
    [
      "of another status",
      receipt(1, "a1", { status: "error", code: "unforeseen" }),
      text("receipt 1 of delivery d-a1: error/unforeseen, key JOB-001"),
    ],
    [
      "of another key",
      receipt(1, "a1", { key: keyed("JOB-002") }),
      text("receipt 1 of delivery d-a1: accepted/ok, key JOB-002"),
    ],
    [
      "of no key",
      receipt(1, "a1", { key: { kind: "none" } }),
      text("receipt 1 of delivery d-a1: accepted/ok, no key"),
    ],
    ["of another number", receipt(2, "a1"), "receipt 2"],
  ])("forbids a release on a receipt %s", (_, row, seen) => {
    expect(breaches("receipt-before-release", endingWith(told(receipt(1, "a1")), [row]))).toEqual([
      { ...missing, seen },
    ]);
  });

  it("names every receipt there is where the right number is missing", () => {
    const rows = [receipt(2, "a1"), receipt(3, "a1")];
    expect(breaches("receipt-before-release", endingWith(told(receipt(1, "a1")), rows))).toEqual([
      { ...missing, seen: "receipts 2, 3" },
    ]);
  });

  it("tells every receipt of the number where none is the right one", () => {
    const rows = [receipt(1, "a8", { events: [] }), receipt(1, "a9", { events: [] })];
    const seen = (delivery: string) =>
      `receipt 1 of delivery ${delivery}: accepted/ok, key JOB-001, effectExists true, events none`;
    expect(breaches("receipt-before-release", endingWith(told(receipt(1, "a1")), rows))).toEqual([
      { ...missing, seen: `${seen("d-a8")}; ${seen("d-a9")}` },
    ]);
  });

  it("forbids accepted without a receipt even where nothing is released", () => {
    const outcome = told(receipt(1, "a1"), { released: nothingReleased });
    expect(breaches("receipt-before-release", endingWith(outcome, []))).toHaveLength(1);
  });

  it("forbids releasing a value under any other status", () => {
    const row = receipt(1, "a1", { status: "output_rejected", code: "output_contract" });
    const outcome = told(row, { released: { kind: "value", value: "B1" } });
    expect(breaches("receipt-before-release", endingWith(outcome, [row]))).toHaveLength(1);
  });

  it("forbids releasing anything for a request that the contract refuses", () => {
    const row = receipt(1, "a1", { key: keyed("JOB-001") });
    const now = store({ receipts: [row] });
    const history = happened(
      observed(store()),
      submitted("a1", invalid),
      ended("a1", told(row), now),
      observed(now),
    );
    expect(breaches("receipt-before-release", history)).toEqual([
      {
        promise: "receipt-before-release",
        position: 2,
        action: 0,
        sentence: "a1 was released before its accepted receipt was durable.",
        expected: "receipt 1 of delivery d-a1: accepted, key none",
        seen: text("receipt 1 of delivery d-a1: accepted/ok, key JOB-001"),
      },
    ]);
  });

  it("has nothing to guard where nothing is released", () => {
    const row = receipt(1, "a1", { status: "error", code: "output_check", events: stopped.byOutput });
    const history = endingWith(told(row), [row]);
    expect(occurs("receipt-before-release", history)).toBe(false);
    expect(broken(history)).toEqual([]);
    expect(occurs("receipt-before-release", endingWith(cancelled, [row]))).toBe(false);
  });
});

describe("one-receipt-per-attempt", () => {
  /** Positions as in `endingWith`: the store is read at event 12 of action 3. */
  const wrong = (standing: string, expected: string, seen: string) => [
    {
      promise: "one-receipt-per-attempt",
      position: 12,
      action: 3,
      sentence: `a1 ${standing} with a wrong number of receipts.`,
      expected,
      seen,
    },
  ];
  const accepted = receipt(1, "a1");
  const error = receipt(1, "a1", { status: "error", code: "output_check", events: stopped.byOutput });
  const second = receipt(2, "a1");
  const gone: Outcome = { kind: "failed", proof: "nothing sent", errorText: "no" };
  const said = (kind: "refused" | "failed"): Outcome => ({ kind, proof: "nothing sent", errorText: "no" });

  it.each<[string, Outcome, readonly ReceiptRow[]]>([
    ["accepted with one", told(accepted), [accepted]],
    ["an error with one", told(error), [error]],
    ["cancelled with one", cancelled, [receipt(1, "a1", { status: "cancelled", events: stopped.byOutput })]],
    ["a failed audit with none", auditUnavailable(stopped.byOutput), []],
    ["unknown after the receipt with one", unknown("after_receipt"), [accepted]],
    ["a timeout with none", unknown("timeout"), []],
    ["a timeout with one", unknown("timeout"), [accepted]],
    ["a proven failure with none", gone, []],
    ["a proven failure with one", said("failed"), [error]],
    ["a proven refusal with none", said("refused"), []],
  ])("allows %s", (_, outcome, receipts) => {
    expect(breaches("one-receipt-per-attempt", endingWith(outcome, receipts))).toEqual([]);
    expect(occurs("one-receipt-per-attempt", endingWith(outcome, receipts))).toBe(true);
  });

  it.each<[string, Outcome, readonly ReceiptRow[], string, string, string]>([
    [
      "accepted with none",
      told(accepted),
      [],
      "ended completed accepted/ok",
      "exactly one receipt",
      "no receipt",
    ],
    [
      "accepted with two",
      told(accepted),
      [accepted, second],
      "ended completed accepted/ok",
      "exactly one receipt",
      "receipts 1, 2",
    ],
    ["cancelled with none", cancelled, [], "ended cancelled", "exactly one receipt", "no receipt"],
    [
      "a failed audit with one",
      auditUnavailable(stopped.byOutput, ["receipt_write", "driver"]),
      [accepted],
      "ended audit_unavailable (receipt_write, driver)",
      "no receipt",
      "receipt 1",
    ],
    [
      "unknown after the receipt with none",
      unknown("after_receipt"),
      [],
      "ended unknown/after_receipt",
      "exactly one receipt",
      "no receipt",
    ],
    [
      "unknown after the receipt with a second one",
      unknown("after_receipt"),
      [accepted, second],
      "ended unknown/after_receipt",
      "exactly one receipt",
      "receipts 1, 2",
    ],
    [
      "a timeout with two",
      unknown("timeout"),
      [accepted, second],
      "ended unknown/timeout",
      "at most one receipt",
      "receipts 1, 2",
    ],
    [
      "a proven failure with two",
      said("failed"),
      [accepted, second],
      "ended failed",
      "at most one receipt",
      "receipts 1, 2",
    ],
    [
      "a proven refusal with two",
      said("refused"),
      [accepted, second],
      "ended refused",
      "at most one receipt",
      "receipts 1, 2",
    ],
  ])("forbids %s", (_, outcome, receipts, standing, expected, seen) => {
    expect(breaches("one-receipt-per-attempt", endingWith(outcome, receipts))).toEqual(
      wrong(standing, expected, seen),
    );
  });

  it("forbids a receipt of an attempt that is still in flight", () => {
    const early = store({ effects, receipts: [receipt(1, "a1")] });
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceTo("a1", "after_business", early),
    );
    expect(breaches("one-receipt-per-attempt", history)).toEqual([
      {
        promise: "one-receipt-per-attempt",
        position: 6,
        action: 1,
        sentence: "a1 is parked at after_business with a wrong number of receipts.",
        expected: "no receipt",
        seen: "receipt 1",
      },
    ]);
  });

  it("has nothing to guard while every attempt is in flight", () => {
    expect(occurs("one-receipt-per-attempt", happened(...upToOutput))).toBe(false);
  });

  /** Killed around its receipt: events 10 and 11 of action 3. */
  const killed = (receipts: readonly ReceiptRow[]) =>
    happened(
      ...upToOutput,
      crashedAt("after_receipt", "a1"),
      observed(store({ effects, receipts })),
      restarted,
      observed(store({ effects, receipts })),
    );

  it("allows a lost attempt at most one receipt", () => {
    expect(broken(killed([]))).toEqual([]);
    expect(broken(killed([receipt(1, "a1")]))).toEqual([]);
    expect(breaches("one-receipt-per-attempt", killed([receipt(1, "a1"), receipt(2, "a1")]))).toEqual([
      {
        promise: "one-receipt-per-attempt",
        position: 11,
        action: 3,
        sentence: "a1 was lost at after_receipt with a wrong number of receipts.",
        expected: "at most one receipt",
        seen: "receipts 1, 2",
      },
    ]);
  });

  /** a2 retries the accepted call and ends at event 17 of action 5; the store is read at event 18. */
  const retried = (receipts: readonly ReceiptRow[]) => {
    const now = store({ effects, receipts });
    return happened(
      ...acceptedOnce,
      ...startOf("a2", afterAccepted),
      advanced("a2"),
      ended("a2", told(receipt(2, "a2", { events: reusedAndPassed })), now),
      observed(now),
    );
  };
  const reuse = receipt(2, "a2", { events: reusedAndPassed });
  const events = (list: readonly string[]) => `events ${list.join(", ")}`;

  it("allows a retry a receipt of its own beside the first", () => {
    expect(broken(retried([receipt(1, "a1"), reuse]))).toEqual([]);
  });

  it("forbids a receipt that a retry updates in place", () => {
    const now = { ...reuse, number: 1, raw: "other row" };
    expect(breaches("one-receipt-per-attempt", retried([now]))).toEqual([
      {
        promise: "one-receipt-per-attempt",
        position: 18,
        action: 5,
        sentence: "While a2 moved, receipt 1 was changed.",
        expected: `receipt 1 of delivery d-a1: accepted/ok, key JOB-001, effectExists true, ${events(committedAndPassed)}; as text: row 1`,
        seen: `receipt 1 of delivery d-a2: accepted/ok, key JOB-001, effectExists true, ${events(reusedAndPassed)}; as text: other row`,
      },
    ]);
  });

  it("forbids a receipt that is removed", () => {
    expect(breaches("one-receipt-per-attempt", retried([reuse]))).toEqual([
      {
        promise: "one-receipt-per-attempt",
        position: 18,
        action: 5,
        sentence: "While a2 moved, receipt 1 was removed.",
        expected: `receipt 1 of delivery d-a1: accepted/ok, key JOB-001, effectExists true, ${events(committedAndPassed)}`,
        seen: "receipt 2",
      },
    ]);
  });

  it("forbids a later receipt of an attempt that had its own", () => {
    const [violation] = breaches(
      "one-receipt-per-attempt",
      retried([receipt(1, "a1"), receipt(3, "a1"), reuse]),
    );
    expect(violation).toMatchObject({
      sentence: "a1 ended completed accepted/ok with a wrong number of receipts.",
      seen: "receipts 1, 3",
    });
  });

  it("leaves a receipt of nobody to the promise that asks whose it is", () => {
    const stray = receipt(9, "a1", { delivery: "d-a9" });
    const history = endingWith(told(accepted), [accepted, stray]);
    expect(breaches("one-receipt-per-attempt", history)).toEqual([]);
    expect(broken(history)).toEqual(["receipt-tells-truth"]);
  });
});

describe("audit-failure-is-loud", () => {
  const ignored: Fault = { kind: "receipt_ignored" };
  const prevented = (fault: Fault, outcome: Outcome, receipts: readonly ReceiptRow[] = []) => {
    const now = store({ effects, receipts });
    return happened(
      ...upToOutput,
      advanced("a1"),
      fired("a1", fault),
      ended("a1", outcome, now),
      observed(now),
    );
  };
  const violation = (sentence: string, expected: string, seen: string, position = 12) => [
    { promise: "audit-failure-is-loud", position, action: 3, sentence, expected, seen },
  ];

  it("allows a failed audit that says so", () => {
    const history = prevented(ignored, auditUnavailable(committedAndPassed));
    expect(broken(history)).toEqual([]);
    expect(occurs("audit-failure-is-loud", history)).toBe(true);
  });

  it.each<Fault>([
    ignored,
    { kind: "receipt_aborted" },
    { kind: "busy", stage: "receipt" },
    { kind: "commit_refused", stage: "receipt" },
    { kind: "disk_full", stage: "receipt" },
    { kind: "read_only", stage: "receipt" },
    { kind: "throw_at", at: "before_receipt" },
  ])("forbids being told anything else where $kind kept the receipt from being written", (fault) => {
    const history = prevented(fault, told(receipt(1, "a1")));
    expect(breaches("audit-failure-is-loud", history)).toEqual(
      violation(
        "The receipt of a1 could not be written, and its caller was not told.",
        "audit_unavailable",
        "completed accepted/ok",
      ),
    );
    expect(occurs("audit-failure-is-loud", history)).toBe(true);
  });

  it.each<Fault>([
    { kind: "effect_ignored" },
    { kind: "busy", stage: "execute" },
    { kind: "commit_refused", stage: "execute" },
    { kind: "disk_full", stage: "execute" },
    { kind: "read_only", stage: "execute" },
    { kind: "throw_at", at: "after_receipt" },
    { kind: "throw_at", at: "output_check" },
    { kind: "bad_output" },
    { kind: "checker_throws", stage: "output" },
  ])("asks nothing of $kind, which hits no receipt", (fault) => {
    const history = prevented(fault, told(receipt(1, "a1")));
    expect(breaches("audit-failure-is-loud", history)).toEqual([]);
    expect(occurs("audit-failure-is-loud", history)).toBe(false);
  });

  it("allows an end of which the caller is told that nothing is known", () => {
    const history = prevented(ignored, unknown("timeout"));
    expect(broken(history)).toEqual([]);
    expect(occurs("audit-failure-is-loud", history)).toBe(true);
  });

  it("allows an executor to write the receipt after all", () => {
    const row = receipt(1, "a1");
    expect(breaches("audit-failure-is-loud", prevented(ignored, told(row), [row]))).toEqual([]);
  });

  it("forbids a failed audit without its cause", () => {
    expect(
      breaches("audit-failure-is-loud", endingWith(auditUnavailable(stopped.byOutput, ["driver"]), [])),
    ).toEqual(
      violation(
        "a1 ended audit_unavailable without saying all that led to it.",
        "causes with receipt_write",
        "causes driver",
        11,
      ),
    );
  });

  it("forbids a failed audit that releases a value", () => {
    const now = store({ effects });
    const outcome = auditUnavailable(stopped.byOutput);
    const history = happened(
      ...upToOutput,
      advanced("a1"),
      { kind: "ended", attempt: "a1", outcome, releasedIs: "acceptable", atRelease: now },
      observed(now),
    );
    expect(breaches("audit-failure-is-loud", history)).toEqual(
      violation("a1 released a value without a receipt.", "nothing released", "acceptable value", 11),
    );
  });

  /** Cancelled after the commit, and the receipt of that failed: event 12 of action 3 tells. */
  const whileCancelling = (causes: Parameters<typeof auditUnavailable>[1]) =>
    happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceTo("a1", "after_business", store({ effects })),
      cancelRequested("a1"),
      observed(store({ effects })),
      advanced("a1"),
      cancelDelivered("a1", "after_business"),
      fired("a1", ignored),
      ended("a1", auditUnavailable(stopped.afterCommit, causes), store({ effects })),
      observed(store({ effects })),
    );

  it("allows a failed audit that keeps the cancellation among its causes", () => {
    expect(broken(whileCancelling(["cancelled", "receipt_write"]))).toEqual([]);
  });

  it("forbids a failed audit that loses the cancellation", () => {
    expect(breaches("audit-failure-is-loud", whileCancelling(["receipt_write"]))).toEqual([
      {
        promise: "audit-failure-is-loud",
        position: 12,
        action: 3,
        sentence: "a1 ended audit_unavailable without saying all that led to it.",
        expected: "causes with cancelled, receipt_write",
        seen: "causes receipt_write",
      },
    ]);
    expect(breaches("audit-failure-is-loud", whileCancelling([]))).toMatchObject([{ seen: "causes none" }]);
  });

  it("occurs by the word of the executor too, where no fault was seen to fire", () => {
    const history = endingWith(auditUnavailable(stopped.byOutput), []);
    expect(occurs("audit-failure-is-loud", history)).toBe(true);
    expect(broken(history)).toEqual([]);
  });

  it("has nothing to guard where every receipt could be written", () => {
    expect(occurs("audit-failure-is-loud", happened(...acceptedOnce))).toBe(false);
  });
});

describe("receipts-hold-no-payload", () => {
  const canaries = ["CANARY-1", ""];
  const planted = (outcome: Outcome, receipts: readonly ReceiptRow[]) =>
    happened(
      observed(store()),
      submitted("a1", invalid, { canaries }),
      ended("a1", outcome, store({ receipts })),
      observed(store({ receipts })),
    );
  const refused = (raw: string) =>
    receipt(1, "a1", {
      key: { kind: "none" },
      status: "input_rejected",
      code: "copies",
      effectExists: false,
      events: stopped.byArguments,
      raw,
    });
  const held = (holder: string, position: number) => [
    {
      promise: "receipts-hold-no-payload",
      position,
      action: 0,
      sentence: `${holder} holds a text that was planted in a request.`,
      expected: "no planted text",
      seen: '"CANARY-1"',
    },
  ];

  it("allows receipts and errors that hold nothing planted", () => {
    const row = refused("1 d-a1 t1 r1 c-a1 input_rejected copies");
    const history = planted(told(row), [row]);
    expect(broken(history)).toEqual([]);
    expect(occurs("receipts-hold-no-payload", history)).toBe(true);
  });

  it("forbids a receipt that holds what was planted", () => {
    const row = refused("1 d-a1 input_rejected CANARY-1!");
    expect(breaches("receipts-hold-no-payload", planted(told(row), [row]))).toEqual(held("Receipt 1", 3));
  });

  it.each<[string, Outcome]>([
    ["a cancellation", { kind: "cancelled", reason: "callers", errorText: "stop CANARY-1" }],
    [
      "a failed audit",
      { kind: "audit_unavailable", causes: ["receipt_write"], events: [], errorText: "CANARY-1" },
    ],
    ["a refusal", { kind: "refused", proof: "", errorText: "no CANARY-1" }],
    ["the proof of a refusal", { kind: "refused", proof: "of CANARY-1", errorText: "no" }],
    ["the proof of a failure", { kind: "failed", proof: "of CANARY-1", errorText: "no" }],
    ["an unknown end", { kind: "unknown", cause: "rejected", errorText: "CANARY-1" }],
  ])("forbids %s that holds it", (_, outcome) => {
    expect(breaches("receipts-hold-no-payload", planted(outcome, []))).toEqual(held("The error of a1", 2));
  });

  it("forbids a log line that holds it, from the submission on", () => {
    const history = happened(
      logged("CANARY-1"),
      submitted("a1", invalid, { canaries }),
      logged("it is CANARY-1"),
    );
    expect(breaches("receipts-hold-no-payload", history)).toEqual(held("A log line", 2));
  });

  it("forbids a receipt that is changed to hold what another request planted", () => {
    const row = refused("row");
    const history = happened(
      observed(store()),
      submitted("a1", invalid),
      ended("a1", told(row), store({ receipts: [row] })),
      observed(store({ receipts: [row] })),
      submitted("a2", invalid, { canaries }),
      parked("a2", "before_business"),
      observed(store({ receipts: [refused("CANARY-1")] })),
    );
    expect(breaches("receipts-hold-no-payload", history)).toMatchObject([
      { position: 6, action: 1, sentence: "Receipt 1 holds a text that was planted in a request." },
    ]);
  });

  it("has nothing to guard where nothing was planted", () => {
    const history = happened(
      observed(store()),
      submitted("a1", invalid, { canaries: [""] }),
      ended("a1", told(refused("row")), store({ receipts: [refused("row")] })),
      observed(store({ receipts: [refused("row")] })),
    );
    expect(occurs("receipts-hold-no-payload", history)).toBe(false);
  });
});
