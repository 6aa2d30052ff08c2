import { describe, expect, it } from "vitest";
import type { Happening } from "../../src/model/vocabulary.js";
import { acceptedRow, allTheWay } from "./all-the-way.js";
import {
  begun,
  committed,
  ledger,
  reused,
  river2,
  river3,
  river4,
  shapeless,
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
        agreed: "never",
      },
    });
  });
});
