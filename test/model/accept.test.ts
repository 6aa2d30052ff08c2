import { describe, expect, it } from "vitest";
import type { Happening, Profile } from "../../src/model/vocabulary.js";
import {
  begun,
  call,
  committed,
  complete,
  ledger,
  reused,
  river2,
  river3,
  river4,
  shapeless,
  shown,
  valid,
  without,
} from "./fixture.js";
import {
  advanced,
  cancelled,
  cancelRequested,
  completed,
  delivered,
  draft,
  ended,
  follow,
  observed,
  parked,
  receiptRow,
  submitted,
  tooLate,
  unaudited,
  unknown,
} from "./history.js";

const accepted = completed(1, "accepted", "ok", complete, true);
const acceptedRow = receiptRow(1, "a1", "accepted", "ok", complete, true);

/** a1 goes all the way. */
const allTheWay: readonly Happening[] = [
  submitted("a1", river2),
  parked("a1", "before_business"),
  observed(),
  advanced("a1"),
  parked("a1", "after_business"),
  observed({ effects: [draft] }),
  advanced("a1"),
  parked("a1", "output_check"),
  observed({ effects: [draft] }),
  advanced("a1"),
  ended("a1", accepted),
  observed({ effects: [draft], receipts: [acceptedRow] }),
];

describe("a right history", () => {
  const right: readonly { readonly why: string; readonly history: readonly Happening[] }[] = [
    { why: "an accepted attempt", history: allTheWay },
    {
      why: "a refused request: no key, no effect",
      history: [
        submitted("a1", shapeless),
        ended("a1", completed(1, "input_rejected", "shape", [], false)),
        observed({
          receipts: [{ ...receiptRow(1, "a1", "input_rejected", "shape", [], false), key: { kind: "none" } }],
        }),
      ],
    },
    {
      why: "a replay, and rows in whatever order the store has them",
      history: [
        ...allTheWay,
        submitted("a2", river2),
        parked("a2", "before_business"),
        advanced("a2"),
        parked("a2", "after_business"),
        advanced("a2"),
        parked("a2", "output_check"),
        advanced("a2"),
        ended("a2", completed(2, "accepted", "ok", [...reused, "output_started", "output_allowed"], true)),
        observed({
          effects: [draft],
          receipts: [
            receiptRow(2, "a2", "accepted", "ok", [...reused, "output_started", "output_allowed"], true),
            acceptedRow,
          ],
        }),
      ],
    },
    {
      why: "a cancel delivered after the commit",
      history: [
        ...allTheWay.slice(0, 6),
        cancelRequested("a1"),
        observed({ effects: [draft] }),
        advanced("a1"),
        delivered("a1", "after_business"),
        ended("a1", cancelled),
        observed({
          effects: [draft],
          receipts: [receiptRow(1, "a1", "cancelled", "cancelled", committed, true)],
        }),
      ],
    },
    {
      why: "a cancel too late for a hung checker",
      history: [
        submitted("a1", river2, { kind: "checker_hangs", stage: "check" }),
        { kind: "fault_fired", attempt: "a1", fault: { kind: "checker_hangs", stage: "check" }, at: "check" },
        { kind: "blocked", attempt: "a1", on: "check" },
        observed(),
        cancelRequested("a1"),
        observed(),
        { kind: "expired", attempt: "a1" },
        tooLate("a1"),
        ended("a1", completed(1, "error", "no_verdict", valid, false)),
        observed({ receipts: [receiptRow(1, "a1", "error", "no_verdict", valid, false)] }),
      ],
    },
    {
      why: "a stale snapshot",
      history: [
        submitted("a1", river2),
        parked("a1", "before_business"),
        observed(),
        { kind: "policy_set", setting: { kind: "limit", maxCopies: 3 } },
        observed({ policy: { kind: "present", revision: 2, maxCopies: 3 } }),
        { kind: "policy_set", setting: { kind: "remove" } },
        observed({ policy: { kind: "missing" } }),
        advanced("a1"),
        ended("a1", completed(1, "policy_changed", "policy_changed", begun, false)),
        observed({
          policy: { kind: "missing" },
          receipts: [receiptRow(1, "a1", "policy_changed", "policy_changed", begun, false)],
        }),
      ],
    },
    {
      why: "an armed fault, and none after it is disarmed",
      history: [
        { kind: "armed", fault: { kind: "receipt_aborted" } },
        observed(),
        submitted("a1", river4),
        ended("a1", unaudited(["receipt_write", "driver"], valid)),
        observed(),
        { kind: "disarmed", fault: { kind: "receipt_aborted" } },
        observed(),
        submitted("a2", river4),
        ended("a2", completed(1, "input_rejected", "batch_limit", valid, false)),
        observed({ receipts: [receiptRow(1, "a2", "input_rejected", "batch_limit", valid, false)] }),
      ],
    },
    {
      why: "a crash while parked, a restart, a retry",
      history: [
        ...allTheWay.slice(0, 6),
        { kind: "crashed", advancing: { kind: "idle" }, lost: ["a1"] },
        observed({ effects: [draft] }),
        { kind: "restarted", result: "up" },
        observed({ effects: [draft] }),
        submitted("a2", river2),
        parked("a2", "before_business"),
        observed({ effects: [draft] }),
      ],
    },
    {
      why: "a crash at a point, its neighbours lost in any order",
      history: [
        submitted("a1", river2),
        parked("a1", "before_business"),
        submitted("a2", river3),
        parked("a2", "before_business"),
        {
          kind: "crashed",
          advancing: { kind: "attempt", attempt: "a1", at: "after_commit" },
          lost: ["a2", "a1"],
        },
        observed({ effects: [draft] }),
      ],
    },
    {
      why: "a crash in a move that first delivered a cancel",
      history: [
        ...allTheWay.slice(0, 6),
        cancelRequested("a1"),
        observed({ effects: [draft] }),
        delivered("a1", "after_business"),
        { kind: "crashed", advancing: { kind: "attempt", attempt: "a1", at: "after_receipt" }, lost: ["a1"] },
        observed({
          effects: [draft],
          receipts: [receiptRow(1, "a1", "cancelled", "cancelled", committed, true)],
        }),
      ],
    },
    {
      why: "a caller in the dark behind its receipt",
      history: [
        submitted("a1", river4, { kind: "throw_at", at: "after_receipt" }),
        ended("a1", unknown("after_receipt")),
        observed({ receipts: [receiptRow(1, "a1", "input_rejected", "batch_limit", valid, false)] }),
      ],
    },
    {
      why: "an epilogue: planned and armed faults are gone",
      history: [
        { kind: "armed", fault: { kind: "busy", stage: "receipt" } },
        submitted("a1", river2, { kind: "bad_output" }),
        parked("a1", "before_business"),
        { kind: "epilogue" },
        ...allTheWay.slice(3),
      ],
    },
    {
      why: "what the machine has no word for: fired faults, log lines, late activity, skipped actions",
      history: [
        ...allTheWay.slice(0, 4),
        { kind: "fault_fired", attempt: "a1", fault: { kind: "bad_output" }, at: "execute" },
        { kind: "logged", text: "committed" },
        { kind: "late", attempt: "a1", what: "a write" },
        { kind: "skipped", reason: "a2 is not known" },
        ...allTheWay.slice(4),
      ],
    },
  ];

  it.each(right)("is followed: $why", ({ history }) => {
    const followed = follow(history);
    expect(followed).toMatchObject({ kind: "following", frontier: { members: [{}] } });
  });

  it("starts under the setting, the profile and the tool that it is given", () => {
    const none = { kind: "remove" } as const;
    expect(follow([observed({ policy: { kind: "missing" } })], ledger, none).kind).toBe("following");
    const followed = follow([], without("abilities", "kill"), none);
    expect(followed).toEqual({
      kind: "following",
      frontier: {
        profile: ledger,
        deliveries: {},
        members: [
          {
            world: expect.objectContaining({ tool: "drafts", policy: { kind: "missing" } }),
            queue: [],
            heard: [],
            awaits: "the_queue",
            before: expect.objectContaining({ tool: "drafts" }),
          },
        ],
      },
    });
  });
});

describe("an answer that the caller never heard", () => {
  const causes = ["timeout", "disconnect", "unreadable", "rejected"] as const;
  const lost: readonly Happening[] = [...allTheWay.slice(0, 4)];
  const stores = [
    { why: "nothing", stored: {} },
    { why: "the effect", stored: { effects: [draft] } },
    { why: "the effect and the receipt", stored: { effects: [draft], receipts: [acceptedRow] } },
  ];

  it.each(causes)("is explained by every durable part of the rest of the way: %s", (cause) => {
    const followed = follow([...lost, ended("a1", unknown(cause))]);
    if (followed.kind !== "following") throw new Error("diverged");
    expect(
      followed.frontier.members.map(({ world }) => [world.effects.length, world.receipts.length]),
    ).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
    ]);
    expect(
      followed.frontier.members.map(({ world }) => world.attempts.map(({ place }) => place.kind)),
    ).toEqual([["ended"], ["ended"], ["ended"]]);
  });

  it.each(stores)("is pruned by the next look at the store: $why", ({ stored }) => {
    const followed = follow([...lost, ended("a1", unknown("timeout")), observed(stored)]);
    if (followed.kind !== "following") throw new Error("diverged");
    expect(
      followed.frontier.members.map(({ world }) => [world.effects.length, world.receipts.length]),
    ).toEqual([[stored.effects?.length ?? 0, stored.receipts?.length ?? 0]]);
  });

  it("allows no store that is none of its ways on", () => {
    const history = [...lost, ended("a1", unknown("timeout")), observed({ receipts: [acceptedRow] })];
    expect(follow(history)).toEqual({
      kind: "diverged",
      position: 5,
      stage: "store",
      allowed: [
        "receipts none; effects none; policy r1 limit 3",
        "receipts none; effects JOB-001@r1; policy r1 limit 3",
        "receipts 1; effects JOB-001@r1; policy r1 limit 3",
      ],
      seen: "receipts 1; effects none; policy r1 limit 3",
    });
  });

  it("has as many ways on as are different", () => {
    // A refusal at check leaves a receipt or nothing; there is no effect on its way.
    const history = [submitted("a1", river4), ended("a1", unknown("disconnect"))];
    expect(follow(history)).toMatchObject({ frontier: { members: [{}, {}] } });
    const followed = follow(history);
    expect(followed.kind === "following" && followed.frontier.members).toHaveLength(2);
  });

  it("can come from a checker that hangs: then the error and its receipt are on the way", () => {
    const followed = follow([
      submitted("a1", river2, { kind: "checker_hangs", stage: "output" }),
      ended("a1", unknown("timeout")),
      observed({ effects: [draft], receipts: [receiptRow(1, "a1", "error", "no_verdict", shown, true)] }),
    ]);
    expect(followed.kind).toBe("following");
  });

  it("starts from where the attempt stood: what it had left is there in any case", () => {
    const history = [...allTheWay.slice(0, 7), ended("a1", unknown("timeout"))];
    expect(follow([...history, observed({ effects: [draft] })]).kind).toBe("following");
    expect(follow([...history, observed()])).toMatchObject({
      kind: "diverged",
      allowed: [
        "receipts none; effects JOB-001@r1; policy r1 limit 3",
        "receipts 1; effects JOB-001@r1; policy r1 limit 3",
      ],
    });
  });

  it("branches again for the next one, and worlds that are the same are one", () => {
    const followed = follow([
      ...lost,
      ended("a1", unknown("timeout")),
      submitted("a2", river2),
      ended("a2", unknown("timeout")),
    ]);
    // nothing | a1's effect | a1's effect and receipt, each with nothing, an effect, an effect and a receipt of a2.
    // An effect of a1 stands in the way of one of a2, so of these nine the second and the third world give two each.
    expect(followed.kind === "following" && followed.frontier.members).toHaveLength(7);
  });

  it("may follow a cancel that was due: nobody knows whether it was delivered", () => {
    const history: readonly Happening[] = [
      ...allTheWay.slice(0, 6),
      cancelRequested("a1"),
      advanced("a1"),
      tooLate("a1"),
      ended("a1", unknown("disconnect")),
      observed({
        effects: [draft],
        receipts: [receiptRow(1, "a1", "cancelled", "cancelled", committed, true)],
      }),
    ];
    expect(follow(history).kind).toBe("following");
  });

  it("is no excuse for the throw behind a receipt that is not planned", () => {
    expect(follow([...lost, ended("a1", unknown("after_receipt"))])).toEqual({
      kind: "diverged",
      position: 4,
      stage: "execute",
      allowed: ["parked at after_business, policy r1 seen"],
      seen: "unknown/after_receipt",
    });
  });
});

describe("a proof that nothing happened", () => {
  it.each(["refused", "failed"] as const)("is explained by an attempt that added nothing: %s", (kind) => {
    const history = [...allTheWay.slice(0, 4), ended("a1", { kind, proof: "never sent", errorText: "" })];
    expect(follow([...history, observed()])).toMatchObject({
      kind: "following",
      frontier: { members: [{}] },
    });
    expect(follow([...history, observed({ effects: [draft] })])).toEqual({
      kind: "diverged",
      position: 5,
      stage: "store",
      allowed: ["receipts none; effects none; policy r1 limit 3"],
      seen: "receipts none; effects JOB-001@r1; policy r1 limit 3",
    });
  });

  it.each(["refused", "failed"] as const)("is none once the attempt has committed: %s", (kind) => {
    const history = [...allTheWay.slice(0, 7), ended("a1", { kind, proof: "never sent", errorText: "" })];
    expect(follow(history)).toEqual({
      kind: "diverged",
      position: 7,
      stage: "output",
      allowed: ["parked at output_check, policy r1 seen"],
      seen: kind,
    });
  });

  it("is none once the attempt has committed, whoever else is under way", () => {
    const history: readonly Happening[] = [
      ...allTheWay.slice(0, 6),
      submitted("a2", river2),
      parked("a2", "before_business"),
      advanced("a1"),
      ended("a1", { kind: "refused", proof: "never sent", errorText: "" }),
    ];
    expect(follow(history)).toMatchObject({ kind: "diverged", position: 9, stage: "output" });
  });

  it("may come from one attempt where another has committed", () => {
    const history: readonly Happening[] = [
      ...allTheWay.slice(0, 6),
      submitted("a2", river2),
      ended("a2", { kind: "refused", proof: "never sent", errorText: "" }),
      observed({ effects: [draft] }),
    ];
    expect(follow(history).kind).toBe("following");
  });
});

describe("an ability that is not claimed", () => {
  const stored = { effects: [draft], receipts: [acceptedRow] };
  const first = allTheWay.slice(0, 11);

  const rows: readonly { readonly ability: string; readonly seen: Happening }[] = [
    { ability: "effect_digest", seen: observed({ ...stored, effects: [{ ...draft, digest: "another" }] }) },
    { ability: "effect_call", seen: observed({ ...stored, effects: [{ ...draft, callId: "c-a9" }] }) },
    { ability: "effect_call", seen: observed({ ...stored, effects: [{ ...draft, runId: "r9" }] }) },
    { ability: "effect_revision", seen: observed({ ...stored, effects: [{ ...draft, revision: 7 }] }) },
    {
      ability: "delivery_ids",
      seen: observed({ ...stored, receipts: [{ ...acceptedRow, delivery: "d-a9" }] }),
    },
    { ability: "stage_events", seen: observed({ ...stored, receipts: [{ ...acceptedRow, events: [] }] }) },
    { ability: "receipts", seen: observed({ effects: [draft] }) },
    { ability: "policy", seen: observed({ ...stored, policy: { kind: "missing" } }) },
    { ability: "second_observer", seen: observed() },
  ];

  it.each(rows)("is not looked at in the store: $ability", ({ ability, seen }) => {
    expect(follow([...first, seen]).kind).toBe("diverged");
    expect(follow([...first, seen], without("abilities", ability)).kind).toBe("following");
  });

  it("does not hide the rest of the store", () => {
    const few: Profile = without(
      "abilities",
      "effect_digest",
      "effect_revision",
      "delivery_ids",
      "stage_events",
    );
    expect(follow([...first, observed(stored)], few).kind).toBe("following");
    expect(follow([...first, observed({ ...stored, effects: [] })], few).kind).toBe("diverged");
    expect(follow([...first, observed({ ...stored, receipts: [] })], few).kind).toBe("diverged");
    expect(follow([...first, observed({ ...stored, policy: { kind: "missing" } })], few).kind).toBe(
      "diverged",
    );
  });

  const ends: readonly { readonly ability: string; readonly end: Happening }[] = [
    { ability: "receipts", end: ended("a1", completed(9, "accepted", "ok", complete, false)) },
    { ability: "stage_events", end: ended("a1", completed(1, "accepted", "ok", [], true)) },
  ];

  it.each(ends)("is not looked at in an outcome: $ability", ({ ability, end }) => {
    const history = [...allTheWay.slice(0, 10), end];
    expect(follow(history).kind).toBe("diverged");
    expect(follow(history, without("abilities", ability)).kind).toBe("following");
  });

  it("is not looked at in an audit failure: stage_events", () => {
    const history = [
      submitted("a1", river4, { kind: "receipt_ignored" }),
      ended("a1", unaudited(["receipt_write"], [])),
    ];
    expect(follow(history).kind).toBe("diverged");
    expect(follow(history, without("abilities", "stage_events")).kind).toBe("following");
  });

  it("is not looked at where an attempt is parked: snapshot_revision", () => {
    const history: readonly Happening[] = [
      submitted("a1", river2),
      { kind: "parked", attempt: "a1", at: "before_business", snapshotRevision: { kind: "none" } },
    ];
    expect(follow(history).kind).toBe("diverged");
    expect(follow(history, without("abilities", "snapshot_revision")).kind).toBe("following");
  });

  it("still gets a verdict on the outcome, and its stage from the machine alone: stage_events", () => {
    const history = [...allTheWay.slice(0, 10), ended("a1", completed(1, "error", "unforeseen", [], true))];
    expect(follow(history, without("abilities", "stage_events"))).toEqual({
      kind: "diverged",
      position: 10,
      stage: "receipt",
      allowed: ["completed accepted/ok, effectExists true, receipt 1, acceptable value released"],
      seen: "completed error/unforeseen, effectExists true, receipt 1",
    });
  });
});

describe("deliveries", () => {
  it("tie each receipt to its attempt, though retries share the call", () => {
    const row = { ...receiptRow(1, "a1", "input_rejected", "batch_limit", valid, false) };
    const history: readonly Happening[] = [
      submitted("a1", river4),
      ended("a1", completed(1, "input_rejected", "batch_limit", valid, false)),
      { ...submitted("a2", river4), context: call("c-a1") },
      ended("a2", completed(2, "input_rejected", "batch_limit", valid, false)),
    ];
    const second = { ...row, number: 2, delivery: "d-a2" };
    expect(follow([...history, observed({ receipts: [row, second] })]).kind).toBe("following");
    expect(follow([...history, observed({ receipts: [row, { ...second, delivery: "d-a1" }] })])).toEqual({
      kind: "diverged",
      position: 4,
      stage: "store",
      allowed: [
        "receipts 1 t1 r1 c-a1 JOB-001 input_rejected/batch_limit no effect d-a1 arguments_valid, 2 t1 r1 c-a1 JOB-001 input_rejected/batch_limit no effect d-a2 arguments_valid; effects none; policy r1 limit 3",
      ],
      seen: "receipts 1 t1 r1 c-a1 JOB-001 input_rejected/batch_limit no effect d-a1 arguments_valid, 2 t1 r1 c-a1 JOB-001 input_rejected/batch_limit no effect d-a1 arguments_valid; effects none; policy r1 limit 3",
    });
  });
});
