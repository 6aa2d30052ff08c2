import { describe, expect, it } from "vitest";
import type { EffectRow, Event, Outcome } from "../../../src/model/vocabulary.js";
import {
  acceptedOnce,
  advanceTo,
  advanceToEnd,
  afterAccepted,
  auditUnavailable,
  breaches,
  broken,
  cancelled,
  changedRequest,
  committedAndPassed,
  crashedAt,
  crashedAtRest,
  effect,
  ended,
  happened,
  invalid,
  noKey,
  nothingReleased,
  observed,
  occurs,
  otherKey,
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
  valid,
} from "../history.js";

const first = effect();
const described = "JOB-001 of t1: digest D1, body B1, revision 1";

/** After a1 was accepted, a2 asks for `contract` and moves past execute, leaving `effects`: read at event 18 of action 5. */
function afterFirst(effects: readonly EffectRow[], contract = changedRequest): readonly Event[] {
  return happened(
    ...acceptedOnce,
    ...startOf("a2", afterAccepted, contract),
    ...advanceTo("a2", "after_business", { ...afterAccepted, effects }),
  );
}

/** As above, but a2 ends as a conflict with receipt 2. */
const conflict = receipt(2, "a2", {
  status: "key_conflict",
  code: "key_conflict",
  events: stopped.inBusiness,
});
const refusedSecond = happened(
  ...acceptedOnce,
  ...startOf("a2", afterAccepted, changedRequest),
  ...advanceToEnd("a2", told(conflict), { ...afterAccepted, receipts: [receipt(1, "a1"), conflict] }),
);

describe("one-effect-per-key", () => {
  const at = { promise: "one-effect-per-key", position: 18, action: 5 };

  it("allows one effect of each key, tool and tenant", () => {
    const others = [
      effect({ key: "JOB-002", digest: "D3" }),
      effect({ tenant: "t2" }),
      effect({ tool: "letter" }),
    ];
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceTo("a1", "after_business", store({ effects: [first, ...others] })),
    );
    expect(breaches("one-effect-per-key", history)).toEqual([]);
  });

  it("forbids a second effect of a key that was remembered in memory only", () => {
    const again = effect({ callId: "c-a2" });
    const history = happened(
      ...acceptedOnce,
      crashedAtRest(),
      observed(afterAccepted),
      restarted,
      observed(afterAccepted),
      ...startOf("a2", afterAccepted),
      ...advanceTo("a2", "after_business", { ...afterAccepted, effects: [first, again] }),
    );
    expect(breaches("one-effect-per-key", history)).toEqual([
      {
        promise: "one-effect-per-key",
        position: 22,
        action: 7,
        sentence: "While a2 moved, a second effect of JOB-001 of t1 appeared.",
        expected: "at most one effect of a key",
        seen: `${described}; ${described}`,
      },
    ]);
  });

  it.each<[string, EffectRow, string]>([
    ["digest", effect({ digest: "D2" }), "JOB-001 of t1: digest D2, body B1, revision 1"],
    ["body", effect({ body: "B2" }), "JOB-001 of t1: digest D1, body B2, revision 1"],
  ])("forbids a changed %s", (_, row, seen) => {
    expect(breaches("one-effect-per-key", afterFirst([row]))).toEqual([
      {
        ...at,
        sentence: "While a2 moved, the effect of JOB-001 of t1 was changed.",
        expected: described,
        seen,
      },
    ]);
  });

  it("leaves the other columns of an effect to the machine", () => {
    expect(breaches("one-effect-per-key", afterFirst([effect({ revision: 2, runId: "r2" })]))).toEqual([]);
  });

  it("says so where nobody moved", () => {
    const history = happened(...acceptedOnce, observed({ ...afterAccepted, effects: [first, first] }));
    expect(breaches("one-effect-per-key", history)).toMatchObject([
      { position: 13, sentence: "While no attempt moved, a second effect of JOB-001 of t1 appeared." },
    ]);
  });

  it("occurs once an attempt meets the effect of another", () => {
    expect(occurs("one-effect-per-key", happened(...acceptedOnce))).toBe(false);
    const waiting = happened(...acceptedOnce, ...startOf("a2", afterAccepted));
    expect(occurs("one-effect-per-key", waiting)).toBe(false);
    expect(occurs("one-effect-per-key", happened(...acceptedOnce, observed(afterAccepted)))).toBe(false);
    const without = happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceTo("a1", "after_business", store()),
    );
    expect(occurs("one-effect-per-key", without)).toBe(false);
    expect(occurs("one-effect-per-key", refusedSecond)).toBe(true);
    expect(occurs("one-effect-per-key", afterFirst([first], valid("JOB-001", "D1", 2)))).toBe(true);
    expect(occurs("one-effect-per-key", afterFirst([first, effect({ key: "JOB-002" })], otherKey))).toBe(
      false,
    );
  });
});

describe("effect-has-request", () => {
  const committing = (row: EffectRow, contract = valid("JOB-001", "D1", 2)) =>
    happened(
      observed(store()),
      submitted("a1", contract),
      parked("a1", "before_business"),
      observed(store()),
      ...advanceTo("a1", "after_business", store({ effects: [row] })),
    );
  const stray = (expected: string, seen: string) => [
    {
      promise: "effect-has-request",
      position: 6,
      action: 1,
      sentence: "While a1 moved, an effect appeared that no submitted request asks for.",
      expected,
      seen: `draft ${seen}`,
    },
  ];

  it("allows the effect of a submitted request", () => {
    expect(broken(committing(first))).toEqual([]);
    expect(occurs("effect-has-request", committing(first))).toBe(true);
  });

  it("forbids an effect under a new key that the executor made up", () => {
    expect(breaches("effect-has-request", committing(effect({ key: "JOB-901" })))).toEqual(
      stray(
        "a valid request of t1 for draft with key JOB-901",
        "JOB-901 of t1: digest D1, body B1, revision 1",
      ),
    );
  });

  it("forbids a digest that depends on the order of properties", () => {
    expect(breaches("effect-has-request", committing(effect({ digest: "D1-unsorted" })))).toEqual(
      stray("digest D1", "JOB-001 of t1: digest D1-unsorted, body B1, revision 1"),
    );
  });

  it("forbids the effect of another tenant or tool, or of an invalid request", () => {
    expect(breaches("effect-has-request", committing(effect({ tenant: "t2" })))).toEqual(
      stray(
        "a valid request of t2 for draft with key JOB-001",
        "JOB-001 of t2: digest D1, body B1, revision 1",
      ),
    );
    expect(breaches("effect-has-request", committing(effect({ tool: "letter" })))).toMatchObject([
      {
        expected: "a valid request of t1 for letter with key JOB-001",
        seen: `letter ${described}`,
      },
    ]);
    const ofInvalid = happened(
      observed(store()),
      submitted("a1", invalid),
      parked("a1", "before_business"),
      observed(store({ effects: [first] })),
    );
    expect(breaches("effect-has-request", ofInvalid)).toHaveLength(1);
  });

  it("takes every digest submitted for the key", () => {
    const history = (digest: string) =>
      happened(
        observed(store()),
        ...startOf("a1", store()),
        ...startOf("a2", store(), changedRequest),
        ...advanceTo("a2", "after_business", store({ effects: [effect({ digest })] })),
      );
    expect(breaches("effect-has-request", history("D1"))).toEqual([]);
    expect(breaches("effect-has-request", history("D2"))).toEqual([]);
    expect(breaches("effect-has-request", history("D9"))).toMatchObject([{ expected: "digest D1 or D2" }]);
  });

  it("forbids changing an effect into one that nobody asked for", () => {
    expect(breaches("effect-has-request", afterFirst([effect({ digest: "D9" })]))).toMatchObject([
      { position: 18, expected: "digest D1 or D2" },
    ]);
  });

  it("has nothing to guard where no effect appears", () => {
    expect(occurs("effect-has-request", happened(observed(store()), ...startOf("a1", store())))).toBe(false);
  });
});

describe("commit-survives", () => {
  const effects = [first];
  /** a1 committed at event 6 and ends with `outcome` at event 8; the store is read at event 9 of action 2. */
  const ending = (outcome: Outcome, now: Parameters<typeof store>[0]) =>
    happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceTo("a1", "after_business", store({ effects })),
      ...advanceToEnd("a1", outcome, store(now)),
    );
  const gone = {
    promise: "commit-survives",
    position: 9,
    action: 2,
    sentence: "While a1 moved, the committed effect of JOB-001 of t1 disappeared.",
    expected: described,
    seen: "no effect",
  };
  const rejected = receipt(1, "a1", {
    status: "output_rejected",
    code: "output_contract",
    events: stopped.byOutput,
  });
  const dropped = receipt(1, "a1", { status: "cancelled", code: "cancelled", events: stopped.afterCommit });

  it.each<[string, Outcome, Parameters<typeof store>[0]]>([
    ["a rejected output", told(rejected), { effects, receipts: [rejected] }],
    ["a cancel", cancelled, { effects, receipts: [dropped] }],
    ["a failed audit", auditUnavailable(stopped.afterCommit), { effects }],
    ["an unknown end", unknown(), { effects, receipts: [receipt(1, "a1")] }],
  ])("allows an effect to outlive %s", (_, outcome, now) => {
    expect(broken(ending(outcome, now))).toEqual([]);
    expect(occurs("commit-survives", ending(outcome, now))).toBe(true);
  });

  it("forbids deleting the effect when the output is rejected", () => {
    const row = { ...rejected, effectExists: false, events: stopped.inBusiness };
    expect(breaches("commit-survives", ending(told(row), { receipts: [row] }))).toEqual([gone]);
  });

  it("forbids deleting the effect when the attempt is cancelled", () => {
    const row = { ...dropped, effectExists: false, events: stopped.inBusiness };
    expect(breaches("commit-survives", ending(cancelled, { receipts: [row] }))).toEqual([gone]);
  });

  it("names the effects that are left", () => {
    const others = [effect({ key: "JOB-002" }), effect({ tenant: "t2" })];
    expect(breaches("commit-survives", ending(auditUnavailable([]), { effects: others }))).toEqual([
      { ...gone, seen: "effect of JOB-002 of t1, JOB-001 of t2" },
    ]);
  });

  it("forbids losing an effect in a restart", () => {
    const history = happened(
      ...acceptedOnce,
      crashedAtRest(),
      observed(afterAccepted),
      restarted,
      observed(store()),
    );
    expect(breaches("commit-survives", history)).toMatchObject([
      {
        position: 16,
        sentence: "While no attempt moved, the committed effect of JOB-001 of t1 disappeared.",
      },
    ]);
  });

  it("takes losing one of two effects of a key for no loss", () => {
    const history = happened(
      ...acceptedOnce,
      observed({ ...afterAccepted, effects: [first, first] }),
      observed(afterAccepted),
    );
    expect(breaches("commit-survives", history)).toEqual([]);
  });

  /** a2's failed BEGIN rolled back what a1 had written but not committed; a1 goes on as if it had. */
  const claimed = {
    promise: "commit-survives",
    position: 6,
    action: 1,
    sentence: "a1 is said to have committed JOB-001, but its effect is not there.",
    expected: "effect of JOB-001 of t1",
    seen: "effect of JOB-002 of t1",
  };
  const neighbours = [effect({ key: "JOB-002" })];
  const claiming = (outcome: Outcome, receipts: readonly ReturnType<typeof receipt>[]) =>
    happened(
      observed(store({ effects: neighbours })),
      ...startOf("a1", store({ effects: neighbours })),
      ...advanceToEnd("a1", outcome, store({ effects: neighbours, receipts })),
    );

  it("forbids telling a commit that is not there, by receipt or by outcome", () => {
    const row = receipt(1, "a1", { events: committedAndPassed });
    expect(breaches("commit-survives", claiming(told(row), [row]))).toEqual([claimed]);
    expect(breaches("commit-survives", claiming(auditUnavailable(stopped.afterCommit), []))).toEqual([
      claimed,
    ]);
    expect(breaches("commit-survives", claiming(unknown(), [row]))).toEqual([claimed]);
    expect(breaches("commit-survives", claiming(auditUnavailable(stopped.inBusiness), []))).toEqual([]);
    expect(
      breaches("commit-survives", claiming(unknown(), [{ ...row, events: stopped.afterReuse }])),
    ).toEqual([]);
  });

  it("knows no key of an invalid request or of a stranger's receipt", () => {
    const row = receipt(1, "a1", { key: noKey, events: stopped.afterCommit });
    const history = happened(
      observed(store()),
      submitted("a1", invalid),
      ended("a1", told(row), store({ receipts: [row, { ...row, number: 2, delivery: "d-a9" }] })),
      observed(store({ receipts: [row, { ...row, number: 2, delivery: "d-a9" }] })),
    );
    expect(breaches("commit-survives", history)).toEqual([]);
  });

  it("occurs in a crash with an effect in the store", () => {
    const crashing = (now: Parameters<typeof store>[0]) =>
      happened(
        observed(store()),
        ...startOf("a1", store()),
        crashedAt("after_commit", "a1"),
        observed(store(now)),
      );
    expect(occurs("commit-survives", crashing({ effects }))).toBe(true);
    expect(occurs("commit-survives", crashing({}))).toBe(false);
  });

  it("does not occur where everything is accepted or nothing was added", () => {
    expect(occurs("commit-survives", happened(...acceptedOnce))).toBe(false);
    expect(occurs("commit-survives", refusedSecond)).toBe(false);
  });
});

describe("key-binds-arguments", () => {
  const wentOn = (position: number, seen: string) => [
    {
      promise: "key-binds-arguments",
      position,
      action: 5,
      sentence: "a2 went on although JOB-001 of t1 is bound to other arguments.",
      expected: "key_conflict with digest D1",
      seen,
    },
  ];
  const ending = (outcome: Outcome, contract = changedRequest) =>
    happened(
      ...acceptedOnce,
      ...startOf("a2", afterAccepted, contract),
      ...advanceToEnd("a2", outcome, afterAccepted),
    );

  it("allows a conflict", () => {
    expect(broken(refusedSecond)).toEqual([]);
    expect(occurs("key-binds-arguments", refusedSecond)).toBe(true);
  });

  it("allows a retry with the same arguments", () => {
    const row = receipt(2, "a2", { events: reusedAndPassed });
    const history = happened(
      ...acceptedOnce,
      ...startOf("a2", afterAccepted),
      ...advanceTo("a2", "after_business", afterAccepted),
      ...advanceToEnd("a2", told(row), { ...afterAccepted, receipts: [receipt(1, "a1"), row] }),
    );
    expect(broken(history)).toEqual([]);
    expect(occurs("key-binds-arguments", history)).toBe(false);
  });

  it("forbids replaying the stored output: the conflict shows as soon as execute is passed", () => {
    expect(breaches("key-binds-arguments", afterFirst([first]))).toEqual(
      wentOn(17, "parked at after_business, past execute"),
    );
  });

  it("allows a conflicting attempt to wait before its business", () => {
    const history = happened(...acceptedOnce, ...startOf("a2", afterAccepted, changedRequest));
    expect(broken(history)).toEqual([]);
  });

  it.each<[string, Outcome, string]>([
    ["being accepted", told(receipt(2, "a2", { events: [] })), "completed accepted/ok"],
    [
      "being accepted without a value",
      told(receipt(2, "a2", { events: [] }), { released: nothingReleased }),
      "completed accepted/ok",
    ],
    [
      "releasing a value as a conflict",
      told(conflict, { released: { kind: "value", value: "B1" } }),
      "completed key_conflict/key_conflict",
    ],
    [
      "reusing the effect",
      told(receipt(2, "a2", { status: "error", code: "after_business", events: stopped.afterReuse })),
      "completed error/after_business",
    ],
    ["committing", auditUnavailable(stopped.afterCommit), "audit_unavailable (receipt_write)"],
  ])("forbids %s", (_, outcome, seen) => {
    expect(breaches("key-binds-arguments", ending(outcome))).toEqual(wentOn(17, seen));
  });

  it.each<[string, Outcome]>([
    ["a busy store", told(receipt(2, "a2", { status: "error", code: "busy", events: stopped.inBusiness }))],
    ["an unknown end", unknown("timeout")],
    ["a failed audit of the conflict", auditUnavailable(stopped.inBusiness)],
  ])("allows %s", (_, outcome) => {
    expect(breaches("key-binds-arguments", ending(outcome))).toEqual([]);
    expect(occurs("key-binds-arguments", ending(outcome))).toBe(false);
  });

  it("forbids replacing the row", () => {
    const replaced = effect({ digest: "D2", body: "B2" });
    const history = happened(
      ...acceptedOnce,
      ...startOf("a2", afterAccepted, changedRequest),
      ...advanceToEnd("a2", unknown("timeout"), { ...afterAccepted, effects: [replaced] }),
    );
    expect(breaches("key-binds-arguments", history)).toEqual([
      {
        promise: "key-binds-arguments",
        position: 18,
        action: 5,
        sentence: "While a2 moved, JOB-001 of t1 was executed again with other arguments.",
        expected: described,
        seen: "JOB-001 of t1: digest D2, body B2, revision 1",
      },
    ]);
    expect(broken(history)).toContain("one-effect-per-key");
  });

  it("forbids adding a row beside the first, unless it has the same digest", () => {
    const adding = (row: EffectRow) =>
      breaches(
        "key-binds-arguments",
        happened(...acceptedOnce, observed({ ...afterAccepted, effects: [first, row] })),
      );
    expect(adding(effect({ digest: "D2" }))).toMatchObject([
      {
        position: 13,
        sentence: "While no attempt moved, JOB-001 of t1 was executed again with other arguments.",
      },
    ]);
    expect(adding(effect())).toEqual([]);
    expect(adding(effect({ key: "JOB-002", digest: "D3" }))).toEqual([]);
    expect(adding(effect({ tenant: "t2", digest: "D3" }))).toEqual([]);
  });

  it("holds nothing against an attempt that goes on with the effect it added itself", () => {
    // Its digest is not the contract's: that is for effect-has-request to say.
    const unsorted = [effect({ digest: "D1-unsorted" })];
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceTo("a1", "after_business", store({ effects: unsorted })),
      ...advanceTo("a1", "output_check", store({ effects: unsorted })),
    );
    expect(breaches("key-binds-arguments", history)).toEqual([]);
  });

  it("binds no key of an invalid request, of another tenant or of another tool", () => {
    const passing = (contract: typeof changedRequest, others: readonly EffectRow[]) =>
      breaches(
        "key-binds-arguments",
        happened(
          observed(store({ effects: others })),
          submitted("a1", contract),
          parked("a1", "after_business"),
          observed(store({ effects: others })),
        ),
      );
    expect(passing(invalid, [first])).toEqual([]);
    expect(passing(changedRequest, [effect({ tenant: "t2" }), effect({ tool: "letter" })])).toEqual([]);
    expect(passing(changedRequest, [first])).toHaveLength(1);
  });

  it("does not occur by a conflict that nothing stored explains", () => {
    const row = receipt(1, "a1", {
      ...conflict,
      number: 1,
      delivery: "d-a1",
      callId: "c-a1",
      effectExists: false,
    });
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceToEnd("a1", told(row), store({ receipts: [row] })),
    );
    expect(occurs("key-binds-arguments", history)).toBe(false);
    expect(broken(history)).toEqual([]);
  });
});
