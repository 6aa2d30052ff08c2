import { describe, expect, it } from "vitest";
import type { Happening, Profile } from "../../src/model/vocabulary.js";
import { acceptedRow, allTheWay } from "./all-the-way.js";
import { call, complete, river2, river4, valid, without } from "./fixture.js";
import { completed, draft, ended, follow, observed, receiptRow, submitted, unaudited } from "./history.js";

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
