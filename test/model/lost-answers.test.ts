import { describe, expect, it } from "vitest";
import type { Happening } from "../../src/model/vocabulary.js";
import { acceptedRow, allTheWay } from "./all-the-way.js";
import { committed, river2, river4, shown } from "./fixture.js";
import {
  advanced,
  cancelRequested,
  draft,
  ended,
  follow,
  observed,
  parked,
  receiptRow,
  submitted,
  tooLate,
  unknown,
} from "./history.js";

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
