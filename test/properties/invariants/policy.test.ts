import { describe, expect, it } from "vitest";
import type { EffectRow, Facts, Happening, Policy } from "../../../src/model/vocabulary.js";
import {
  acceptedOnce,
  advanced,
  advanceTo,
  advanceToEnd,
  afterAccepted,
  breaches,
  broken,
  cancelRequested,
  changedRequest,
  crashedAt,
  crashedAtRest,
  effect,
  ended,
  happened,
  ledger,
  noPolicy,
  observed,
  occurs,
  parked,
  policy,
  policyRemoved,
  policySet,
  receipt,
  restarted,
  startOf,
  stopped,
  store,
  submitted,
  told,
  verdictOn,
} from "../history.js";

const set = (maxCopies: number, now: Policy): readonly Happening[] => [
  policySet(maxCopies),
  observed(store({ policy: now })),
];

describe("no-stale-commit", () => {
  /** a1, of weight 2, is checked under revision 1; then the policy changes; then a1 commits `row` in the last action. */
  const committing = (changes: readonly Happening[], now: Policy, row: EffectRow, contract?: Facts) =>
    happened(
      observed(store()),
      ...startOf("a1", store(), contract),
      ...changes,
      advanced("a1"),
      parked("a1", "after_business", row.revision),
      observed(store({ policy: now, effects: [row] })),
    );
  const stale = (position: number, action: number, expected: string, seen: string) => [
    {
      promise: "no-stale-commit",
      position,
      action,
      sentence: "While a1 moved, JOB-001 of t1 was committed on a policy that was not in force.",
      expected,
      seen,
    },
  ];

  it("allows a commit under the policy that was checked", () => {
    const history = committing([], policy(1, 3), effect());
    expect(broken(history)).toEqual([]);
    expect(occurs("no-stale-commit", history)).toBe(false);
  });

  it("allows refusing a stale snapshot", () => {
    const row = receipt(1, "a1", {
      status: "policy_changed",
      code: "policy_changed",
      effectExists: false,
      events: stopped.inBusiness,
    });
    const history = happened(
      observed(store()),
      ...startOf("a1", store()),
      ...set(1, policy(2, 1)),
      ...advanceToEnd("a1", told(row), store({ policy: policy(2, 1), receipts: [row] })),
    );
    expect(broken(history)).toEqual([]);
    expect(occurs("no-stale-commit", history)).toBe(true);
  });

  it("forbids committing on the snapshot alone", () => {
    const history = committing(set(1, policy(2, 1)), policy(2, 1), effect());
    expect(breaches("no-stale-commit", history)).toEqual(
      stale(
        8,
        2,
        "a commit under policy revision 2 with max_copies 1",
        "effect of revision 1, checked at revision 1, weight 2",
      ),
    );
  });

  it("forbids committing after the limit went down and came back", () => {
    const changes = [...set(1, policy(2, 1)), ...set(3, policy(3, 3))];
    expect(breaches("no-stale-commit", committing(changes, policy(3, 3), effect()))).toEqual(
      stale(
        10,
        3,
        "a commit under policy revision 3 with max_copies 3",
        "effect of revision 1, checked at revision 1, weight 2",
      ),
    );
    // The row may say the new revision: what the attempt had seen before it moved is still the old one.
    expect(
      breaches("no-stale-commit", committing(changes, policy(3, 3), effect({ revision: 3 }))),
    ).toMatchObject([{ seen: "effect of revision 3, checked at revision 1, weight 2" }]);
  });

  it("forbids taking the new snapshot without the check", () => {
    const history = committing(set(5, policy(2, 5)), policy(2, 5), effect({ revision: 2 }));
    expect(breaches("no-stale-commit", history)).toMatchObject([
      { seen: "effect of revision 2, checked at revision 1, weight 2" },
    ]);
  });

  it("forbids arguments above the limit, even under the right revision", () => {
    const row = effect({ digest: "D2" });
    const weighing = (maxCopies: number) =>
      happened(
        observed(store({ policy: policy(1, maxCopies) })),
        ...startOf("a1", store({ policy: policy(1, maxCopies) }), changedRequest),
        ...advanceTo("a1", "after_business", store({ policy: policy(1, maxCopies), effects: [row] })),
      );
    expect(breaches("no-stale-commit", weighing(3))).toEqual([]);
    expect(breaches("no-stale-commit", weighing(2))).toEqual(
      stale(
        6,
        1,
        "a commit under policy revision 1 with max_copies 2",
        "effect of revision 1, checked at revision 1, weight 3",
      ),
    );
  });

  it("forbids reading a missing policy as no limit", () => {
    const removed = [policyRemoved, observed(store({ policy: noPolicy }))];
    expect(breaches("no-stale-commit", committing(removed, noPolicy, effect()))).toEqual(
      stale(
        8,
        2,
        "no commit, as there is no policy",
        "effect of revision 1, checked at revision 1, weight 2",
      ),
    );
    expect(occurs("no-stale-commit", committing(removed, noPolicy, effect()))).toBe(true);
  });

  it("forbids a row that says another revision than the one that was checked and is in force", () => {
    const history = committing([], policy(1, 3), effect({ revision: 2 }));
    expect(breaches("no-stale-commit", history)).toEqual(
      stale(
        6,
        1,
        "a commit under policy revision 1 with max_copies 3",
        "effect of revision 2, checked at revision 1, weight 2",
      ),
    );
  });

  it("judges a commit of an attempt that was killed right behind it", () => {
    const killed = (row: EffectRow) =>
      happened(
        observed(store()),
        ...startOf("a1", store()),
        ...set(3, policy(2, 3)),
        crashedAt("after_commit", "a1"),
        observed(store({ policy: policy(2, 3), effects: [row] })),
      );
    expect(breaches("no-stale-commit", killed(effect({ revision: 2 })))).toMatchObject([
      { position: 7, seen: "effect of revision 2, checked at revision 1, weight 2" },
    ]);
  });

  it("takes the revision of the row alone where no snapshot was seen", () => {
    const straight = (revision: number) =>
      happened(
        observed(store()),
        submitted("a1"),
        ended("a1", told(receipt(1, "a1")), store({ effects: [effect({ revision })] })),
        observed(store({ effects: [effect({ revision })] })),
      );
    expect(breaches("no-stale-commit", straight(1))).toEqual([]);
    expect(breaches("no-stale-commit", straight(2))).toMatchObject([
      { seen: "effect of revision 2, checked at revision 2, weight 2" },
    ]);
    const byNobody = happened(
      ...acceptedOnce,
      observed({ ...afterAccepted, effects: [effect(), effect({ key: "JOB-009", revision: 4 })] }),
    );
    expect(breaches("no-stale-commit", byNobody)).toMatchObject([
      {
        sentence: "While no attempt moved, JOB-009 of t1 was committed on a policy that was not in force.",
        seen: "effect of revision 4, checked at revision 4, weight 0",
      },
    ]);
  });

  it("leaves committed effects alone when the policy changes later", () => {
    const history = happened(
      ...acceptedOnce,
      policySet(1),
      observed({ ...afterAccepted, policy: policy(2, 1) }),
    );
    expect(broken(history)).toEqual([]);
  });

  it("occurs where an attempt enters execute with a stale snapshot, and only there", () => {
    const changed = [observed(store()), ...startOf("a1", store()), ...set(3, policy(2, 3))];
    expect(occurs("no-stale-commit", happened(...changed))).toBe(false);
    expect(occurs("no-stale-commit", happened(...changed, advanced("a1")))).toBe(true);
    const same = [observed(store()), ...startOf("a1", store()), observed(store({ policy: policy(1, 4) }))];
    expect(occurs("no-stale-commit", happened(...same, advanced("a1")))).toBe(true);
    const dropped = happened(
      ...changed,
      cancelRequested("a1"),
      observed(store({ policy: policy(2, 3) })),
      advanced("a1"),
    );
    expect(occurs("no-stale-commit", dropped)).toBe(false);
    const pastIt = happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceTo("a1", "after_business", store({ effects: [effect()] })),
      policySet(3),
      observed(store({ policy: policy(2, 3), effects: [effect()] })),
      advanced("a1"),
    );
    expect(occurs("no-stale-commit", pastIt)).toBe(false);
    const never = happened(submitted("a1"), observed(store()), ...set(3, policy(2, 3)), advanced("a1"));
    expect(occurs("no-stale-commit", never)).toBe(false);
  });
});

describe("revision-only-grows", () => {
  const at = (position: number, action: number) => ({ promise: "revision-only-grows", position, action });

  it("allows every setting a new revision, also to the same limit and after a removal", () => {
    const history = happened(
      observed(store()),
      ...set(3, policy(2, 3)),
      policyRemoved,
      observed(store({ policy: noPolicy })),
      observed(store({ policy: noPolicy })),
      ...set(1, policy(3, 1)),
      observed(store({ policy: policy(3, 1) })),
    );
    expect(broken(history)).toEqual([]);
    expect(occurs("revision-only-grows", history)).toBe(true);
  });

  const notNew = (largest: number, seen: string) => ({
    sentence: "Setting the policy did not take a new revision.",
    expected: `a revision above ${largest}`,
    seen,
  });

  it("forbids keeping the revision when the same limit is set again", () => {
    const history = happened(observed(store()), ...set(3, policy(1, 3)));
    expect(breaches("revision-only-grows", history)).toEqual([
      { ...at(2, 0), ...notNew(1, "policy revision 1 with max_copies 3") },
    ]);
  });

  it("forbids reusing a revision when the old limit is restored", () => {
    const history = happened(observed(store()), ...set(1, policy(2, 1)), ...set(3, policy(1, 3)));
    expect(breaches("revision-only-grows", history)).toEqual([
      { ...at(4, 1), ...notNew(2, "policy revision 1 with max_copies 3") },
    ]);
  });

  it("forbids starting anew after a removal", () => {
    const history = happened(
      observed(store()),
      ...set(1, policy(2, 1)),
      policyRemoved,
      observed(store({ policy: noPolicy })),
      ...set(3, policy(2, 3)),
    );
    expect(breaches("revision-only-grows", history)).toEqual([
      { ...at(6, 2), ...notNew(2, "policy revision 2 with max_copies 3") },
    ]);
  });

  it("forbids recreating the policy at a restart", () => {
    const restarting = (now: Policy) =>
      happened(
        observed(store()),
        policyRemoved,
        observed(store({ policy: noPolicy })),
        crashedAtRest(),
        observed(store({ policy: noPolicy })),
        restarted,
        observed(store({ policy: now })),
      );
    expect(broken(restarting(noPolicy))).toEqual([]);
    for (const revision of [1, 2]) {
      expect(breaches("revision-only-grows", restarting(policy(revision, 3)))).toEqual([
        {
          ...at(6, 2),
          sentence: "While no attempt moved, the policy changed although nobody set it.",
          expected: "no policy",
          seen: `policy revision ${revision} with max_copies 3`,
        },
      ]);
    }
  });

  it.each<[string, Policy]>([
    ["revision", policy(2, 3)],
    ["limit", policy(1, 4)],
  ])("forbids an attempt to change the %s", (_, now) => {
    const history = happened(
      observed(store()),
      submitted("a1"),
      parked("a1", "before_business"),
      observed(store({ policy: now })),
    );
    expect(breaches("revision-only-grows", history)).toEqual([
      {
        ...at(3, 0),
        sentence: "While a1 moved, the policy changed although nobody set it.",
        expected: "policy revision 1 with max_copies 3",
        seen:
          now.kind === "present" ? `policy revision ${now.revision} with max_copies ${now.maxCopies}` : "",
      },
    ]);
  });

  it("forbids a policy that a removal does not remove but renews", () => {
    const history = happened(observed(store()), policyRemoved, observed(store({ policy: policy(2, 3) })));
    expect(breaches("revision-only-grows", history)).toMatchObject([
      { sentence: "While no attempt moved, the policy changed although nobody set it." },
    ]);
  });

  it("leaves a policy that vanishes to the machine", () => {
    expect(
      breaches("revision-only-grows", happened(observed(store()), observed(store({ policy: noPolicy })))),
    ).toEqual([]);
  });

  it("takes the first read for the beginning, whatever it says", () => {
    const started = happened(
      observed(store({ policy: policy(7, 2) })),
      observed(store({ policy: policy(7, 2) })),
    );
    expect(breaches("revision-only-grows", started)).toEqual([]);
    const grown = happened(observed(store({ policy: policy(7, 2) })), ...set(3, policy(2, 3)));
    expect(breaches("revision-only-grows", grown)).toMatchObject([{ expected: "a revision above 7" }]);
  });

  it("begins with the policy it was told where the first read comes later", () => {
    const late = (now: Policy) =>
      happened(submitted("a1"), parked("a1", "before_business"), observed(store({ policy: now })));
    const judged = (now: Policy, setting: Parameters<typeof verdictOn>[2]) =>
      verdictOn(late(now), ["revision-only-grows"], setting).violations.map(({ expected }) => expected);
    expect(judged(policy(1, 3), { policy: { kind: "limit", maxCopies: 3 } })).toEqual([]);
    expect(judged(policy(1, 3), { policy: { kind: "limit", maxCopies: 2 } })).toEqual([
      "policy revision 1 with max_copies 2",
    ]);
    expect(judged(policy(1, 3), { policy: { kind: "remove" } })).toEqual(["no policy"]);
    const setFirst = (setting: Parameters<typeof verdictOn>[2]) =>
      verdictOn(happened(...set(3, policy(1, 3))), ["revision-only-grows"], setting).violations;
    expect(setFirst({ policy: { kind: "limit", maxCopies: 2 } })).toMatchObject([
      { expected: "a revision above 1" },
    ]);
    expect(setFirst({ policy: { kind: "remove" } })).toEqual([]);
  });

  it("has nothing to guard where no limit is set", () => {
    const history = happened(observed(store()), policyRemoved, observed(store({ policy: noPolicy })));
    expect(occurs("revision-only-grows", history)).toBe(false);
  });

  it("is not asked of a profile without policies", () => {
    const profile = { ...ledger, abilities: ledger.abilities.filter((ability) => ability !== "policy") };
    const history = happened(observed(store()), ...set(3, policy(1, 3)));
    expect(verdictOn(history, ["revision-only-grows"], { profile }).violations).toEqual([]);
  });
});
