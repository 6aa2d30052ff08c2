import { describe, expect, it } from "vitest";
import type {
  AttemptName,
  Happening,
  Profile,
  ReservationRow,
  ReservationState,
  RuleFlaw,
  RuleSetting,
} from "../../../src/model/vocabulary.js";
import { allowed, forest1, ledger, river2 } from "../fixture.js";
import {
  advanced,
  cancelRequested,
  completed,
  delivered,
  draft,
  ended,
  type Followed,
  follow,
  observed,
  parked,
  receiptRow,
  submitted,
} from "../history.js";
import { complete, forbidden, once, reserved, ruled, without } from "./fixture.js";

function set(to: RuleSetting, flaw: RuleFlaw = "none", answer: "taken" | "refused" = "taken"): Happening {
  return { kind: "rules_set", to, flaw, answer };
}

function stored(state: ReservationState, attempt: AttemptName = "a1", key = "JOB-001"): ReservationRow {
  return { tenant: "t1", key, state, delivery: `d-${attempt}` };
}

function followed(happenings: readonly Happening[], profile: Profile = ruled): Followed {
  return follow(happenings, profile);
}

/** The rule `once` holds, and a1 stands before its business with its key. */
const entered: readonly Happening[] = [set([once]), submitted("a1", river2), parked("a1", "before_business")];
const executed: readonly Happening[] = [...entered, advanced("a1"), parked("a1", "after_business")];
const released: readonly Happening[] = [
  ...executed,
  advanced("a1"),
  parked("a1", "output_check"),
  advanced("a1"),
  ended("a1", completed(1, "accepted", "ok", complete, true)),
];
const effects = [draft];
const receipts = [receiptRow(1, "a1", "accepted", "ok", complete, true)];
const blocked = (code: string) => ended("a2", completed(1, "blocked", code, allowed, true));
const up: Happening = { kind: "restarted", result: "up" };
const damaged: Happening = { kind: "ledger_damaged" };
const reconciled: Happening = { kind: "reconciled" };
const cut: Happening = { kind: "crashed", advancing: { kind: "idle" }, lost: ["a1"] };

function killed(
  at: "after_reserve" | "before_settle" | "after_commit",
  attempt: AttemptName = "a1",
): Happening {
  return { kind: "crashed", advancing: { kind: "attempt", attempt, at }, lost: [attempt] };
}

describe("a history with rules and reservations", () => {
  it.each<readonly [string, readonly Happening[]]>([
    ["of one attempt all its way", released],
    [
      "of its rows at each place",
      [
        ...entered,
        observed({ reservations: [stored("reserved")] }),
        ...executed.slice(entered.length),
        observed({ effects, reservations: [stored("done")] }),
        ...released.slice(executed.length),
        observed({ effects, receipts, reservations: [stored("done")] }),
      ],
    ],
    ["of a duplicate", [...executed, submitted("a2", river2), blocked("duplicate_transaction")]],
    ["of damage", [...entered, damaged, observed({ reservations: [stored("unreadable")] })]],
    ["of damage after damage", [...entered, damaged, damaged]],
    ["of reconciling", [...entered, reconciled, observed({ reservations: [stored("reserved")] })]],
    [
      "of turns that switch a rule on",
      [
        set([{ ...forbidden, saidAny: ["no"] }]),
        { kind: "said", text: "No!" },
        submitted("a2", river2),
        ended("a2", completed(1, "blocked", "forbidden_tool", allowed, false)),
      ],
    ],
    ["of a flawed set that is refused", [set([forbidden], "unknown_key", "refused"), ...entered]],
    [
      "of a broken set that is refused",
      [
        set([forbidden]),
        set([], "broken_file", "refused"),
        submitted("a2", river2),
        ended("a2", completed(1, "blocked", "forbidden_tool", allowed, false)),
      ],
    ],
    [
      "of a gate, whatever it says",
      [
        ...entered,
        { kind: "gated", flaw: "none", verdicts: ["allow", "nonsense"] },
        advanced("a1"),
        parked("a1", "after_business"),
      ],
    ],
    [
      "of a crash and a restart that frees the key",
      [...entered, cut, observed({ reservations: [stored("reserved")] }), up, observed({ reservations: [] })],
    ],
    [
      "of a kill on its way in",
      [
        set([once]),
        submitted("a1", river2),
        killed("after_reserve"),
        observed({ reservations: [stored("reserved")] }),
        up,
        observed({ reservations: [] }),
      ],
    ],
    [
      "of a kill and its settling",
      [
        ...entered,
        killed("before_settle"),
        observed({ effects, reservations: [stored("reserved")] }),
        up,
        observed({ effects, reservations: [stored("done")] }),
      ],
    ],
    [
      "of a cancel that lets the key go",
      [
        ...entered,
        cancelRequested("a1"),
        advanced("a1"),
        delivered("a1", "before_business"),
        ended("a1", { kind: "cancelled", reason: "callers", errorText: "stop" }),
        observed({
          receipts: [receiptRow(1, "a1", "cancelled", "cancelled", reserved, false)],
          reservations: [],
        }),
      ],
    ],
    [
      "of two keys, in whatever order",
      [
        ...entered,
        submitted("a2", forest1),
        parked("a2", "before_business"),
        observed({ reservations: [stored("reserved", "a2", "JOB-002"), stored("reserved")] }),
      ],
    ],
  ])("%s is followed", (_, happenings) => {
    expect(followed(happenings)).toMatchObject({ kind: "following" });
  });

  it.each<readonly [RuleFlaw, "taken" | "refused", string, string]>([
    ["none", "refused", "rules_set: taken", "rules_set: refused"],
    ["unknown_key", "taken", "rules_set with unknown_key: refused", "rules_set with unknown_key: taken"],
    ["broken_file", "taken", "rules_set with broken_file: refused", "rules_set with broken_file: taken"],
  ])("diverges at a rule set with flaw %s that is %s", (flaw, answer, allowedText, seen) => {
    expect(followed([set([once], flaw, answer)])).toEqual({
      kind: "diverged",
      position: 0,
      stage: "rules",
      allowed: [allowedText],
      seen,
    });
  });

  it.each<Happening>([
    set([]),
    { kind: "said", text: "hi" },
    reconciled,
    damaged,
    { kind: "gated", flaw: "none", verdicts: [] },
  ])("diverges at %j while an attempt still owes its news", (happening) => {
    expect(followed([...entered, advanced("a1"), happening])).toMatchObject({
      kind: "diverged",
      stage: "execute",
      seen: happening.kind,
    });
  });

  it.each<Happening>([
    set([]),
    { kind: "said", text: "hi" },
    reconciled,
    damaged,
    { kind: "gated", flaw: "none", verdicts: [] },
  ])("diverges at %j in a profile without the ability, and while the executor is down", (happening) => {
    expect(follow([happening], ledger)).toMatchObject({ kind: "diverged", position: 0, stage: "control" });
    expect(followed([cut, happening].map((one) => (one === cut ? { ...cut, lost: [] } : one)))).toMatchObject(
      {
        kind: "diverged",
        position: 1,
        allowed: ["nothing, as the executor is down"],
      },
    );
  });
});

const before = "receipts none; effects none; policy r1 limit 3";
const after = "receipts none; effects JOB-001@r1; policy r1 limit 3";
const fully = "policy r1 limit 3; reservations";

describe("a look at the reservations", () => {
  it.each<readonly [string, readonly ReservationRow[], string, string]>([
    ["a missing row", [], `${before}; reservations JOB-001 reserved`, `${before}; reservations none`],
    [
      "another state",
      [stored("done")],
      `${before}; reservations JOB-001 reserved`,
      `${before}; reservations JOB-001 done`,
    ],
    [
      "another key",
      [stored("reserved", "a1", "JOB-002")],
      `${before}; reservations JOB-001 reserved`,
      `${before}; reservations JOB-002 reserved`,
    ],
    [
      "a row too many",
      [stored("reserved"), stored("reserved", "a1", "JOB-002")],
      `${before}; reservations JOB-001 reserved`,
      `${before}; reservations JOB-001 reserved, JOB-002 reserved`,
    ],
    [
      "another attempt's row",
      [stored("reserved", "a2")],
      `receipts none; effects none; ${fully} t1 JOB-001 reserved d-a1`,
      `receipts none; effects none; ${fully} t1 JOB-001 reserved d-a2`,
    ],
    [
      "another tenant's row",
      [{ ...stored("reserved"), tenant: "t2" }],
      `receipts none; effects none; ${fully} t1 JOB-001 reserved d-a1`,
      `receipts none; effects none; ${fully} t2 JOB-001 reserved d-a1`,
    ],
  ])("diverges at %s", (_, reservations, allowedText, seen) => {
    expect(followed([...entered, observed({ reservations })])).toEqual({
      kind: "diverged",
      position: 3,
      stage: "store",
      allowed: [allowedText],
      seen,
    });
  });

  it("diverges where no rows are shown at all", () => {
    expect(followed([...entered, observed()])).toMatchObject({
      kind: "diverged",
      stage: "store",
      allowed: [`${before}; reservations JOB-001 reserved`],
      seen: before,
    });
  });

  it("tells several rows in order of their keys, whoever came first", () => {
    const two = [
      set([once]),
      submitted("a2", forest1),
      parked("a2", "before_business"),
      submitted("a1", river2),
      parked("a1", "before_business"),
    ];
    const changed = { ...stored("reserved"), delivery: "d-a2" };
    expect(
      followed([...two, observed({ reservations: [changed, stored("reserved", "a2", "JOB-002")] })]),
    ).toMatchObject({
      allowed: [`receipts none; effects none; ${fully} t1 JOB-001 reserved d-a1, t1 JOB-002 reserved d-a2`],
      seen: `receipts none; effects none; ${fully} t1 JOB-001 reserved d-a2, t1 JOB-002 reserved d-a2`,
    });
    expect(followed([...two, observed({ reservations: [stored("reserved")] })])).toMatchObject({
      allowed: [`${before}; reservations JOB-001 reserved, JOB-002 reserved`],
    });
    expect(
      followed([...two, observed({ reservations: [stored("done"), stored("reserved", "a2", "JOB-002")] })]),
    ).toMatchObject({ seen: `${before}; reservations JOB-001 done, JOB-002 reserved` });
  });

  it("asks nobody for deliveries who does not show them", () => {
    const profile = without("abilities", "delivery_ids");
    const unnamed = { ...stored("reserved"), delivery: "none" };
    expect(followed([...entered, observed({ reservations: [unnamed] })], profile)).toMatchObject({
      kind: "following",
    });
    const other = { ...unnamed, tenant: "t2" };
    expect(followed([...entered, observed({ reservations: [other] })], profile)).toMatchObject({
      allowed: [`receipts none; effects none; ${fully} t1 JOB-001 reserved`],
      seen: `receipts none; effects none; ${fully} t2 JOB-001 reserved`,
    });
  });

  it("asks nobody for rows who does not show them", () => {
    const profile = without("abilities", "reservations");
    expect(followed([...entered, observed()], profile)).toMatchObject({ kind: "following" });
    expect(followed([...entered, observed({ effects })], profile)).toMatchObject({
      allowed: [before],
      seen: after,
    });
    const strange = { ...draft, digest: "other" };
    expect(followed([...executed, observed({ effects: [strange] })], profile)).toMatchObject({
      allowed: ["receipts none; effects t1 drafts JOB-001 r1 c-a1 river-2 r1; policy r1 limit 3"],
    });
  });

  it("is taken again each time a row may have changed", () => {
    const seen = observed({ reservations: [stored("reserved")] });
    expect(followed([...entered, seen, seen])).toMatchObject({ kind: "following" });
    expect(followed([...entered, seen, damaged, seen])).toMatchObject({ kind: "diverged", position: 5 });
    // The same rows of everything else, read in the same place.
    const [shared] = [observed({ reservations: [stored("reserved")] })];
    if (shared?.kind !== "observed") throw new Error("an observation is one");
    const other: Happening = {
      kind: "observed",
      observation: { ...shared.observation, reservations: [stored("done")] },
    };
    expect(followed([...entered, shared, other])).toMatchObject({ kind: "diverged", position: 4 });
  });
});

describe("a crash", () => {
  it.each<readonly [string, Happening, string]>([
    ["after a reservation that was none", killed("after_reserve"), "reserve"],
    ["at a settling that was none", killed("before_settle"), "reserve"],
  ])("%s diverges at the stage of that point", (_, crashedThere, stage) => {
    const start: readonly Happening[] = [submitted("a1", river2), parked("a1", "before_business")];
    expect(followed([...start, crashedThere])).toMatchObject({ kind: "diverged", stage });
  });

  it("is told apart by what it left", () => {
    expect(
      followed([...entered, killed("before_settle"), observed({ effects, reservations: [stored("done")] })]),
    ).toMatchObject({
      kind: "diverged",
      stage: "store",
    });
    expect(followed([...entered, cut, up, observed({ reservations: [stored("reserved")] })])).toMatchObject({
      kind: "diverged",
      stage: "store",
    });
  });
});
