import { describe, expect, it } from "vitest";
import type { Action, Fault, StageEvent } from "../../src/model/vocabulary.js";
import { accepted, completed, draft, receipt } from "./drafts.js";
import {
  advance,
  begun,
  call,
  empty,
  finish,
  forest1,
  retry,
  reused,
  river2,
  river3,
  river4,
  shapeless,
  submit,
  take,
  worldAfter,
} from "./fixture.js";

describe("a key that has an effect", () => {
  const once = () => worldAfter(empty, submit("a1", river2), finish("a1"));

  it("replays it for the same digest and checks the output again (T: retry runs output check again)", () => {
    const { world, events, transitions } = take(once(), retry("a2", "a1"), finish("a2"));
    expect(transitions).toEqual([
      "new submit parked before_business",
      "before_business advance parked after_business via effect_reused",
      "after_business advance parked output_check",
      "output_check advance ended accepted/ok",
    ]);
    const all: readonly StageEvent[] = [...reused, "output_started", "output_allowed"];
    expect(events.at(-1)).toEqual({
      kind: "ended",
      attempt: "a2",
      outcome: { ...completed(receipt("accepted", "ok", all, true), "acceptable"), receiptNumber: 2 },
    });
    expect(world.effects).toEqual([draft]);
    // Same call, so the receipt has the call of a1; a receipt of its own all the same.
    expect(world.receipts).toEqual([
      accepted,
      { ...receipt("accepted", "ok", all, true), number: 2, attempt: "a2" },
    ]);
  });

  it("conflicts with another digest and stays as it is (T: same key conflict)", () => {
    const { world, events, transitions } = take(once(), submit("a2", river3), advance("a2"));
    const row = {
      ...receipt("key_conflict", "key_conflict", begun, true),
      number: 2,
      attempt: "a2",
      callId: "c-a2",
    } as const;
    expect(events.at(-1)).toEqual({ kind: "ended", attempt: "a2", outcome: completed(row) });
    expect(transitions.at(-1)).toBe("before_business advance ended key_conflict/key_conflict");
    expect(world.effects).toEqual([draft]);
    expect(world.receipts).toEqual([accepted, row]);
  });

  it.each<Fault>([
    { kind: "effect_ignored" },
    { kind: "disk_full", stage: "execute" },
    { kind: "commit_refused", stage: "execute" },
    { kind: "throw_at", at: "inside_transaction" },
    { kind: "throw_at", at: "after_commit" },
  ])("inserts nothing for a replay or a conflict, so that $kind $at does not matter", (fault) => {
    expect(take(once(), retry("a2", "a1", fault), advance("a2")).transitions.at(-1)).toBe(
      "before_business advance parked after_business via effect_reused",
    );
    expect(take(once(), submit("a2", river3, fault), advance("a2")).transitions.at(-1)).toBe(
      "before_business advance ended key_conflict/key_conflict",
    );
  });

  it.each(["busy", "read_only"] as const)("cannot be read when the transaction cannot begin: %s", (kind) => {
    const { transitions } = take(once(), retry("a2", "a1", { kind, stage: "execute" }), advance("a2"));
    expect(transitions.at(-1)).toBe(`before_business advance ended error/${kind}`);
  });

  it("belongs to its tenant: another tenant's same key is another effect", () => {
    const other: Action = {
      kind: "submit",
      attempt: "a2",
      request: river2,
      context: call("c-a2", "t2"),
      faults: [],
    };
    const { world, transitions } = take(once(), other, finish("a2"));
    expect(transitions.at(1)).toBe("before_business advance parked after_business via effect_committed");
    expect(world.effects).toEqual([draft, { ...draft, tenant: "t2", callId: "c-a2" }]);
    expect(world.receipts.at(-1)).toEqual({
      ...accepted,
      number: 2,
      attempt: "a2",
      tenant: "t2",
      callId: "c-a2",
    });
  });

  it("does not exist for a tenant who has none", () => {
    const other: Action = {
      kind: "submit",
      attempt: "a2",
      request: river4,
      context: call("c-a2", "t2"),
      faults: [],
    };
    expect(worldAfter(once(), other).receipts.at(-1)?.effectExists).toBe(false);
  });

  it("is one of two under two keys (T: new key is new effect)", () => {
    const { world } = take(once(), submit("a2", forest1), finish("a2"));
    expect(world.effects).toEqual([draft, { ...draft, key: "JOB-002", digest: "forest-1", callId: "c-a2" }]);
  });

  it("is found by a neighbour who was checked before it existed", () => {
    const { world, transitions } = take(
      empty,
      submit("a1", river2),
      submit("a2", river2),
      submit("a3", river3),
      advance("a1"),
      advance("a2"),
      advance("a3"),
    );
    expect(transitions.slice(3)).toEqual([
      "before_business advance parked after_business via effect_committed",
      "before_business advance parked after_business via effect_reused",
      "before_business advance ended key_conflict/key_conflict",
    ]);
    expect(world.effects).toEqual([draft]);
  });
});

describe("the number of a receipt", () => {
  it("is not used up by one that could not be written", () => {
    const { world } = take(
      empty,
      submit("a1", river2, { kind: "receipt_aborted" }),
      finish("a1"),
      submit("a2", river4),
      submit("a3", shapeless),
    );
    expect(world.receipts.map(({ number, attempt }) => [number, attempt])).toEqual([
      [1, "a2"],
      [2, "a3"],
    ]);
  });
});
