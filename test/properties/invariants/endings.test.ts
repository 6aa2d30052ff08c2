import { describe, expect, it } from "vitest";
import type {
  EffectRow,
  Event,
  Facts,
  Happening,
  Outcome,
  Profile,
  ReceiptRow,
} from "../../../src/model/vocabulary.js";
import {
  acceptedOnce,
  advanced,
  advanceTo,
  afterAccepted,
  auditUnavailable,
  blocked,
  breaches,
  broken,
  cancelDelivered,
  cancelled,
  cancelRequested,
  cancelTooLate,
  changedRequest,
  committedAndPassed,
  crashedAt,
  crashedAtRest,
  effect,
  ended,
  epilogue,
  expired,
  happened,
  invalid,
  late,
  ledger,
  noKey,
  noPolicy,
  observed,
  occurs,
  parked,
  policy,
  receipt,
  restarted,
  restartFailed,
  reusedAndPassed,
  startOf,
  stopped,
  store,
  submitted,
  told,
  unknown,
  valid,
  verdictOn,
} from "../history.js";

const effects = [effect()];
const accepted = receipt(1, "a1");
const dropped = receipt(1, "a1", { status: "cancelled", code: "cancelled", events: stopped.afterCommit });

describe("cancel-is-not-success", () => {
  /** a1 is cancelled where it stands after its commit, and ends in action 3. */
  const cancelling = (outcome: Outcome, receipts: readonly ReceiptRow[], ...reported: readonly Happening[]) =>
    happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceTo("a1", "after_business", store({ effects })),
      cancelRequested("a1"),
      observed(store({ effects })),
      advanced("a1"),
      ...reported,
      ended("a1", outcome, store({ effects, receipts })),
      observed(store({ effects, receipts })),
    );
  const delivered = cancelDelivered("a1", "after_business");

  it.each<[string, Outcome, readonly ReceiptRow[]]>([
    ["cancelled with its receipt", cancelled, [dropped]],
    [
      "audit_unavailable without one",
      auditUnavailable(stopped.afterCommit, ["cancelled", "receipt_write"]),
      [],
    ],
    ["unknown behind its receipt", unknown(), [dropped]],
  ])("allows a cancelled attempt to end %s", (_, outcome, receipts) => {
    const history = cancelling(outcome, receipts, delivered);
    expect(broken(history)).toEqual([]);
    expect(occurs("cancel-is-not-success", history)).toBe(true);
  });

  it("forbids swallowing a delivered cancel and releasing the value", () => {
    expect(breaches("cancel-is-not-success", cancelling(told(accepted), [accepted], delivered))).toEqual([
      {
        promise: "cancel-is-not-success",
        position: 11,
        action: 3,
        sentence: "a1 released a value although it was cancelled.",
        expected: "nothing released",
        seen: "completed accepted/ok, released a value",
      },
    ]);
  });

  it("forbids never looking at a cancel that was due where the attempt stood", () => {
    const history = cancelling(told(accepted), [accepted], cancelTooLate("a1"));
    expect(breaches("cancel-is-not-success", history)).toMatchObject([
      { position: 11, sentence: "a1 released a value although it was cancelled." },
    ]);
  });

  it("forbids ending a cancelled attempt in another way", () => {
    const error = receipt(1, "a1", { status: "error", code: "after_business", events: stopped.afterCommit });
    expect(breaches("cancel-is-not-success", cancelling(told(error), [error], delivered))).toEqual([
      {
        promise: "cancel-is-not-success",
        position: 11,
        action: 3,
        sentence: "a1 ended as if it had not been cancelled.",
        expected: "cancelled",
        seen: "completed error/after_business",
      },
    ]);
    expect(breaches("cancel-is-not-success", cancelling(told(dropped), [dropped], delivered))).toEqual([]);
  });

  it("forbids a receipt of a cancelled attempt that says something else", () => {
    expect(breaches("cancel-is-not-success", cancelling(unknown(), [accepted], delivered))).toEqual([
      {
        promise: "cancel-is-not-success",
        position: 12,
        action: 3,
        sentence: "The receipt of a1, which was cancelled, says something else.",
        expected: "receipt 1: cancelled",
        seen: `receipt 1 of delivery d-a1: accepted/ok, key JOB-001, effectExists true, events ${committedAndPassed.join(", ")}`,
      },
    ]);
    const killed = happened(
      observed(store()),
      ...startOf("a1", store()),
      cancelRequested("a1"),
      observed(store()),
      crashedAt("after_receipt", "a1"),
      observed(store({ receipts: [accepted] })),
    );
    expect(breaches("cancel-is-not-success", killed)).toHaveLength(1);
  });

  it("reads only receipts of cancelled attempts", () => {
    const stray = receipt(9, "a1", { delivery: "d-a9" });
    const history = cancelling(cancelled, [dropped, stray], delivered);
    expect(breaches("cancel-is-not-success", history)).toEqual([]);
    expect(breaches("cancel-is-not-success", happened(...acceptedOnce))).toEqual([]);
    expect(occurs("cancel-is-not-success", happened(...acceptedOnce))).toBe(false);
  });

  it("allows a cancel to come too late for an attempt that stands nowhere", () => {
    const now = store({ effects, receipts: [{ ...accepted, status: "error", code: "no_verdict" }] });
    const row = { ...accepted, status: "error", code: "no_verdict", events: stopped.byOutput } as const;
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      advanced("a1"),
      blocked("a1", "output"),
      observed(store({ effects })),
      cancelRequested("a1"),
      observed(store({ effects })),
      expired("a1"),
      cancelTooLate("a1"),
      ended("a1", told(row), { ...now, receipts: [row] }),
      observed({ ...now, receipts: [row] }),
    );
    expect(broken(history)).toEqual([]);
    expect(occurs("cancel-is-not-success", history)).toBe(false);
  });

  it("counts an end that is told as a cancellation", () => {
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      advanced("a1"),
      {
        kind: "ended",
        attempt: "a1",
        outcome: cancelled,
        releasedIs: "acceptable",
        atRelease: store(),
      },
      observed(store()),
    );
    expect(breaches("cancel-is-not-success", history)).toMatchObject([
      { sentence: "a1 released a value although it was cancelled.", seen: "cancelled, released a value" },
    ]);
  });

  it("allows a cancel that waits while the executor crashes", () => {
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      cancelRequested("a1"),
      observed(store()),
      crashedAtRest("a1"),
      observed(store()),
      restarted,
      observed(store()),
      ...startOf("a2", store()),
    );
    expect(broken(history)).toEqual([]);
  });
});

describe("nothing-after-the-end", () => {
  const at = (position: number, action: number) => ({ promise: "nothing-after-the-end", position, action });

  it("allows a store that stays as it was when the attempt ended", () => {
    const history = happened(...acceptedOnce, observed(afterAccepted));
    expect(broken(history)).toEqual([]);
    expect(occurs("nothing-after-the-end", history)).toBe(true);
  });

  it("has nothing to guard before an attempt has ended and time has passed", () => {
    expect(occurs("nothing-after-the-end", happened(...acceptedOnce))).toBe(false);
    const lost = [observed(store()), ...startOf("a1", store()), crashedAtRest("a1"), observed(store())];
    expect(occurs("nothing-after-the-end", happened(...lost))).toBe(false);
    expect(occurs("nothing-after-the-end", happened(...lost, observed(store())))).toBe(true);
  });

  it("forbids activity after the end", () => {
    const history = happened(...acceptedOnce, late("a1", "released a value"));
    expect(breaches("nothing-after-the-end", history)).toEqual([
      {
        ...at(13, 4),
        sentence: "a1 was active after it had ended.",
        expected: "nothing more of it",
        seen: "released a value",
      },
    ]);
  });

  it.each<[string, Parameters<typeof store>[0], string]>([
    ["an effect that appears", { effects }, "effect of JOB-001 of t1; no receipt"],
    ["a receipt that appears", { receipts: [accepted] }, "no effect; receipt 1"],
  ])("forbids %s while no attempt moves", (_, now, seen) => {
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      cancelRequested("a1"),
      observed(store(now)),
    );
    expect(breaches("nothing-after-the-end", history)).toEqual([
      {
        ...at(5, 1),
        sentence: "The store changed although no attempt moved.",
        expected: "effects and receipts as they were",
        seen,
      },
    ]);
  });

  it.each<[string, readonly EffectRow[], readonly ReceiptRow[]]>([
    ["an effect that is changed", [effect({ revision: 2 })], [accepted]],
    ["an effect's digest that is changed", [effect({ digest: "D2" })], [accepted]],
    ["an effect's body that is changed", [effect({ body: "B2" })], [accepted]],
    ["an effect's run that is changed", [effect({ runId: "r2" })], [accepted]],
    ["an effect's call that is changed", [effect({ callId: "c-a9" })], [accepted]],
    ["an effect that is removed", [], [accepted]],
    ["a receipt's delivery that is changed", effects, [{ ...accepted, delivery: "d-a9" }]],
    ["a receipt's tenant that is changed", effects, [{ ...accepted, tenant: "t2" }]],
    ["a receipt's run that is changed", effects, [{ ...accepted, runId: "r2" }]],
    ["a receipt's call that is changed", effects, [{ ...accepted, callId: "c-a9" }]],
    ["a receipt's key that is changed", effects, [{ ...accepted, key: { kind: "key", key: "JOB-002" } }]],
    ["a receipt's key that is dropped", effects, [{ ...accepted, key: noKey }]],
    ["a receipt's status that is changed", effects, [{ ...accepted, status: "error" }]],
    ["a receipt's code that is changed", effects, [{ ...accepted, code: "busy" }]],
    ["a receipt's effectExists that is changed", effects, [{ ...accepted, effectExists: false }]],
    ["a receipt's events that are changed", effects, [{ ...accepted, events: [] }]],
    ["a receipt's text that is changed", effects, [{ ...accepted, raw: "other" }]],
    ["a receipt that is removed", effects, []],
  ])("forbids %s while no attempt moves", (_, rows, receipts) => {
    const history = happened(...acceptedOnce, observed({ ...afterAccepted, effects: rows, receipts }));
    expect(breaches("nothing-after-the-end", history)).toMatchObject([
      { ...at(13, 4), sentence: "The store changed although no attempt moved." },
    ]);
  });

  it("takes equal rows for the same, whoever read them", () => {
    const again = store({ effects: [effect()], receipts: [receipt(1, "a1")] });
    const keyless = receipt(2, "a1", { key: noKey });
    expect(breaches("nothing-after-the-end", happened(...acceptedOnce, observed(again)))).toEqual([]);
    const twice = happened(
      observed(store({ receipts: [keyless] })),
      observed(store({ receipts: [receipt(2, "a1", { key: noKey })] })),
    );
    expect(breaches("nothing-after-the-end", twice)).toEqual([]);
  });

  it("forbids a restart to bring something to light", () => {
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      crashedAtRest("a1"),
      observed(store()),
      restarted,
      observed(store({ receipts: [accepted] })),
    );
    expect(breaches("nothing-after-the-end", history)).toMatchObject([
      { ...at(7, 2), sentence: "The store changed although no attempt moved." },
    ]);
  });

  it.each<[string, Parameters<typeof store>[0], string]>([
    ["receipt", { effects, receipts: [accepted] }, "effect of JOB-001 of t1; receipt 1"],
    [
      "effect",
      { effects: [effect(), effect({ key: "JOB-002" })] },
      "effect of JOB-001 of t1, JOB-002 of t1; no receipt",
    ],
  ])("forbids writing an %s after the release", (_, now, seen) => {
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      advanced("a1"),
      ended("a1", told(accepted), store({ effects })),
      observed(store(now)),
    );
    expect(breaches("nothing-after-the-end", history)).toEqual([
      {
        ...at(6, 1),
        sentence: "The store changed after a1 had ended.",
        expected: "effect of JOB-001 of t1; no receipt",
        seen,
      },
    ]);
  });

  /** a1 has ended; a2 moves on and leaves these receipts at event 18 of action 5. */
  const meanwhile = (receipts: readonly ReceiptRow[]) =>
    happened(
      ...acceptedOnce,
      ...startOf("a2", afterAccepted),
      ...advanceTo("a2", "after_business", { ...afterAccepted, receipts }),
    );

  it.each<[string, readonly ReceiptRow[], ReceiptRow]>([
    ["a second receipt", [accepted, receipt(2, "a1", { events: [] })], receipt(2, "a1", { events: [] })],
    ["a changed receipt", [{ ...accepted, status: "error" }], accepted],
  ])("forbids %s of an ended attempt while another moves", (_, receipts, row) => {
    const events = row.events.length === 0 ? "none" : row.events.join(", ");
    expect(breaches("nothing-after-the-end", meanwhile(receipts))).toEqual([
      {
        ...at(18, 5),
        sentence: `Receipt ${row.number} of a1 was written after a1 had ended.`,
        expected: "receipts of ended attempts as they were",
        seen: `receipt ${row.number} of delivery d-a1: accepted/ok, key JOB-001, effectExists true, events ${events}`,
      },
    ]);
  });

  it("forbids a receipt of a lost attempt from beyond the grave", () => {
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      crashedAtRest("a1"),
      observed(store()),
      restarted,
      observed(store()),
      submitted("a2"),
      parked("a2", "before_business"),
      observed(store({ receipts: [accepted] })),
    );
    expect(breaches("nothing-after-the-end", history)).toMatchObject([
      { ...at(10, 3), sentence: "Receipt 1 of a1 was written after a1 had ended." },
    ]);
  });

  it("leaves receipts of attempts in flight and of nobody to other promises", () => {
    expect(breaches("nothing-after-the-end", meanwhile([accepted, receipt(2, "a2")]))).toEqual([]);
    expect(
      breaches("nothing-after-the-end", meanwhile([accepted, receipt(2, "a1", { delivery: "d-a9" })])),
    ).toEqual([]);
  });

  it("allows the last writes of an attempt that is killed", () => {
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      crashedAt("after_receipt", "a1"),
      observed(afterAccepted),
    );
    expect(broken(history)).toEqual([]);
  });
});

describe("every-attempt-ends", () => {
  const stuck = (position: number, action: number, attempt: string, standing: string) => ({
    promise: "every-attempt-ends",
    position,
    action,
    sentence: `${attempt} has not ended although faults are gone and everything was driven on.`,
    expected: `${attempt} ended`,
    seen: `${attempt} ${standing}`,
  });

  it("allows attempts that ended or were lost", () => {
    const history = happened(
      ...acceptedOnce,
      ...startOf("a2", afterAccepted),
      crashedAtRest("a2"),
      observed(afterAccepted),
      epilogue,
      restarted,
      observed(afterAccepted),
    );
    expect(verdictOn(history, ["every-attempt-ends"])).toEqual({
      violations: [],
      occurred: ["every-attempt-ends"],
      undecided: [],
    });
  });

  it.each<[string, readonly Happening[], string]>([
    ["parked", [parked("a1", "before_business"), observed(store())], "is parked at before_business"],
    ["blocked", [blocked("a1", "check"), observed(store())], "is blocked on check"],
    ["moving", [], "is moving"],
  ])("forbids an attempt to stay %s", (_, then, standing) => {
    const history = happened(submitted("a1"), ...then, epilogue);
    const action = then.length === 0 ? 0 : 1;
    expect(breaches("every-attempt-ends", history)).toEqual([
      stuck(history.length - 1, action, "a1", standing),
    ]);
  });

  it("tells the first of several", () => {
    const history = happened(...startOf("a1", store()), ...startOf("a2", store()), epilogue);
    expect(breaches("every-attempt-ends", history)).toEqual([
      stuck(6, 2, "a1", "is parked at before_business"),
    ]);
  });

  it("is undecided without an epilogue", () => {
    expect(verdictOn(happened(...acceptedOnce), ["every-attempt-ends"])).toEqual({
      violations: [],
      occurred: [],
      undecided: [{ promise: "every-attempt-ends", reason: "the run has no epilogue" }],
    });
  });

  it("has nothing to guard in a run without attempts", () => {
    expect(verdictOn(happened(observed(store()), epilogue), ["every-attempt-ends"])).toEqual({
      violations: [],
      occurred: [],
      undecided: [],
    });
  });
});

describe("always-recoverable", () => {
  /** After the epilogue a2 tries `contract` once more and ends at event 3 of the epilogue. */
  const recovering = (
    outcome: Outcome,
    now: Parameters<typeof store>[0] = {},
    contract: Facts = valid("JOB-001", "D1", 2),
  ): readonly Event[] => {
    const at = store(now);
    return happened(
      observed(at),
      epilogue,
      submitted("a2", contract),
      ended("a2", outcome, at),
      observed(at),
    );
  };
  const row = (parts: Parameters<typeof receipt>[2]) =>
    told(receipt(1, "a2", { events: reusedAndPassed, ...parts }));
  const refused = (code: string) => row({ status: "input_rejected", code });
  const conflict = row({ status: "key_conflict", code: "key_conflict" });
  const unjustified = (seen: string, position = 3) => [
    {
      promise: "always-recoverable",
      position,
      action: 0,
      sentence: "a2, a retry with every fault gone, ended in no way that the policy or its key justifies.",
      expected: "accepted, or a refusal that policy or key justifies",
      seen,
    },
  ];

  it.each<[string, readonly Event[]]>([
    ["accepted", recovering(row({}))],
    ["a weight above the limit", recovering(refused("batch_limit"), { policy: policy(1, 1) })],
    ["a missing policy", recovering(refused("missing_policy"), { policy: noPolicy })],
    ["a key that is bound to other arguments", recovering(conflict, { effects }, changedRequest)],
    ["invalid arguments", recovering(refused("copies"), {}, invalid)],
  ])("allows %s", (_, history) => {
    expect(verdictOn(history, ["always-recoverable"])).toEqual({
      violations: [],
      occurred: ["always-recoverable"],
      undecided: [],
    });
  });

  const present = "under policy revision 1 with max_copies";
  it.each<[string, readonly Event[], string]>([
    [
      "a limit that holds the weight",
      recovering(refused("batch_limit"), { policy: policy(1, 2) }),
      `a2 ended completed input_rejected/batch_limit, ${present} 2, with no effect`,
    ],
    [
      "a limit where there is no policy",
      recovering(refused("batch_limit"), { policy: noPolicy }),
      "a2 ended completed input_rejected/batch_limit, under no policy, with no effect",
    ],
    [
      "a missing policy that is there",
      recovering(refused("missing_policy"), { policy: policy(1, 1) }),
      `a2 ended completed input_rejected/missing_policy, ${present} 1, with no effect`,
    ],
    [
      "a conflict with its own arguments",
      recovering(conflict, { effects }),
      `a2 ended completed key_conflict/key_conflict, ${present} 3, with effect of JOB-001 of t1`,
    ],
    [
      "a conflict of a key without effect",
      recovering(conflict, {}),
      `a2 ended completed key_conflict/key_conflict, ${present} 3, with no effect`,
    ],
    [
      "a conflict with another tenant's effect",
      recovering(conflict, { effects: [effect({ tenant: "t2", digest: "D2" })] }),
      `a2 ended completed key_conflict/key_conflict, ${present} 3, with effect of JOB-001 of t2`,
    ],
    [
      "an error",
      recovering(row({ status: "error", code: "busy" })),
      `a2 ended completed error/busy, ${present} 3, with no effect`,
    ],
    [
      "a change of policy",
      recovering(row({ status: "policy_changed", code: "policy_changed" })),
      `a2 ended completed policy_changed/policy_changed, ${present} 3, with no effect`,
    ],
    [
      "a failed audit",
      recovering(auditUnavailable([])),
      `a2 ended audit_unavailable (receipt_write), ${present} 3, with no effect`,
    ],
    [
      "invalid arguments that are accepted",
      recovering(row({}), {}, invalid),
      `a2 ended completed accepted/ok, ${present} 3, with no effect`,
    ],
  ])("forbids %s", (_, history, seen) => {
    expect(breaches("always-recoverable", history)).toEqual(unjustified(seen));
  });

  const refusedWithProof: Outcome = { kind: "refused", proof: "it checks before it writes", errorText: "no" };
  const withoutDigests: Profile = {
    ...ledger,
    abilities: ledger.abilities.filter((ability) => ability !== "effect_digest"),
  };

  it("allows a proven refusal only where the key holds other arguments, as far as the store shows them", () => {
    const taken = recovering(refusedWithProof, { effects }, changedRequest);
    expect(verdictOn(taken, ["always-recoverable"]).violations).toEqual([]);
    // The very arguments that are refused stand in the store.
    expect(breaches("always-recoverable", recovering(refusedWithProof, { effects }))).toEqual(
      unjustified(`a2 ended refused, ${present} 3, with effect of JOB-001 of t1`),
    );
    // Where the store shows no digests, the effect may be that of other arguments; where it is empty it cannot.
    const hidden = (history: readonly Event[]) =>
      verdictOn(history, ["always-recoverable"], { profile: withoutDigests }).violations;
    expect(hidden(recovering(refusedWithProof, { effects }))).toEqual([]);
    expect(hidden(recovering(refusedWithProof, {}))).toHaveLength(1);
  });

  it("does not decide about a retry that ended unknown", () => {
    const unknown: Outcome = { kind: "unknown", cause: "rejected", errorText: "no" };
    expect(verdictOn(recovering(unknown), ["always-recoverable"])).toEqual({
      violations: [],
      occurred: ["always-recoverable"],
      undecided: [
        {
          promise: "always-recoverable",
          reason:
            "a2, a retry with every fault gone, ended unknown; an error that proves nothing happened has to say so",
        },
      ],
    });
  });

  it("forbids a retry that does not end", () => {
    const history = happened(
      observed(store()),
      epilogue,
      submitted("a2"),
      blocked("a2", "check"),
      observed(store()),
    );
    expect(breaches("always-recoverable", history)).toEqual(
      unjustified(`a2 is blocked on check, ${present} 3, with no effect`, 4),
    );
  });

  it("forbids an executor that does not come up again", () => {
    const failing = happened(
      observed(store()),
      crashedAtRest(),
      observed(store()),
      epilogue,
      restartFailed,
      observed(store()),
    );
    expect(breaches("always-recoverable", failing)).toEqual([
      {
        promise: "always-recoverable",
        position: 5,
        action: 1,
        sentence: "The executor did not come up again.",
        expected: "restarted up",
        seen: "restarted failed",
      },
    ]);
    const second = happened(
      crashedAtRest(),
      observed(store()),
      restartFailed,
      observed(store()),
      restarted,
      observed(store()),
      epilogue,
    );
    expect(breaches("always-recoverable", second)).toEqual([]);
    const down = happened(crashedAtRest(), observed(store()), epilogue);
    expect(breaches("always-recoverable", down)).toEqual([]);
  });

  it("asks nothing of attempts from before the epilogue", () => {
    const failed = receipt(1, "a1", { status: "error", code: "busy" });
    const history = happened(
      observed(store()),
      submitted("a1"),
      ended("a1", told(failed), store()),
      observed(store()),
      epilogue,
    );
    expect(verdictOn(history, ["always-recoverable"])).toEqual({
      violations: [],
      occurred: [],
      undecided: [],
    });
  });
});
