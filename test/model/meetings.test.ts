import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/model/vocabulary.js";
import { audit, receipt } from "./drafts.js";
import { empty, finish, river2, river4, submit, take, valid } from "./fixture.js";

describe("two faults that meet", () => {
  const meetings: readonly {
    readonly why: string;
    readonly faults: readonly Fault[];
    readonly last: string;
  }[] = [
    {
      why: "an insert that writes nothing never reaches the crash point behind it",
      faults: [{ kind: "effect_ignored" }, { kind: "throw_at", at: "inside_transaction" }],
      last: "before_business advance ended error/effect_not_written",
    },
    {
      why: "an insert on a full disk never reaches the crash point behind it",
      faults: [
        { kind: "disk_full", stage: "execute" },
        { kind: "throw_at", at: "inside_transaction" },
      ],
      last: "before_business advance ended error/disk_full",
    },
    {
      why: "a throw inside the transaction comes before its COMMIT",
      faults: [
        { kind: "commit_refused", stage: "execute" },
        { kind: "throw_at", at: "inside_transaction" },
      ],
      last: "before_business advance ended error/inside_transaction",
    },
    {
      why: "a throw on leaving a checkpoint comes before what the stage would do",
      faults: [
        { kind: "busy", stage: "execute" },
        { kind: "throw_at", at: "before_business" },
      ],
      last: "before_business advance ended error/before_business",
    },
    {
      why: "a checker without a verdict never sees the bad copy",
      faults: [{ kind: "bad_output" }, { kind: "checker_throws", stage: "output" }],
      last: "output_check advance ended error/no_verdict",
    },
    {
      why: "a throw before the receipt comes before its insert",
      faults: [{ kind: "receipt_aborted" }, { kind: "throw_at", at: "before_receipt" }],
      last: "output_check advance ended audit_unavailable receipt_write+other from accepted/ok",
    },
    {
      why: "an error whose receipt fails surfaces as the audit failure",
      faults: [{ kind: "busy", stage: "execute" }, { kind: "receipt_aborted" }],
      last: "before_business advance ended audit_unavailable receipt_write+driver from error/busy",
    },
    {
      why: "an error whose receipt is followed by a throw leaves the caller in the dark",
      faults: [{ kind: "bad_output" }, { kind: "throw_at", at: "after_receipt" }],
      last: "output_check advance ended unknown/after_receipt",
    },
    {
      why: "a receipt that was not written is not followed by the point after it",
      faults: [{ kind: "receipt_ignored" }, { kind: "throw_at", at: "after_receipt" }],
      last: "output_check advance ended audit_unavailable receipt_write from accepted/ok",
    },
  ];

  it.each(meetings)("$why", ({ faults, last }) => {
    expect(take(empty, submit("a1", river2, ...faults), finish("a1")).transitions.at(-1)).toBe(last);
  });

  it("keeps the receipt of a refusal whose caller is left in the dark", () => {
    const { world } = take(empty, submit("a1", river4, { kind: "throw_at", at: "after_receipt" }));
    expect(world.receipts).toEqual([receipt("input_rejected", "batch_limit", valid, false)]);
  });

  it("carries the stage events of a refusal whose receipt fails", () => {
    const { world, events } = take(empty, submit("a1", river4, { kind: "receipt_ignored" }));
    expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: audit(["receipt_write"], valid) }]);
    expect(world.receipts).toEqual([]);
  });
});
