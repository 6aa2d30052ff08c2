import { describe } from "vitest";
import type { Happening } from "../../../src/model/vocabulary.js";
import { complete, forest1, reused, shown } from "../fixture.js";
import { advanced, draft, observed, parked, submitted } from "../history.js";
import { divergesThere, executed, type Forbidden, released, row } from "./forbidden.js";

const stored = { effects: [draft], receipts: [row] };
const full = (receipt: string, effect: string): string =>
  `receipts ${receipt}; effects ${effect}; policy r1 limit 3`;
const fullReceipt =
  "1 t1 r1 c-a1 JOB-001 accepted/ok effect exists d-a1 arguments_valid input_allowed business_started effect_committed output_started output_allowed";
const fullEffect = "t1 drafts JOB-001 r1 c-a1 river-2 r1";
const brief = "receipts 1; effects JOB-001@r1; policy r1 limit 3";

function differs(why: string, wrong: Happening, seen: string): Forbidden {
  return { why, start: released, wrong, stage: "store", allowed: full(fullReceipt, fullEffect), seen };
}

const stores: readonly Forbidden[] = [
  {
    why: "the draft is deleted",
    start: released,
    wrong: observed({ receipts: [row] }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects none; policy r1 limit 3",
  },
  {
    why: "there are two drafts",
    start: released,
    wrong: observed({ ...stored, effects: [draft, draft] }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects JOB-001@r1, JOB-001@r1; policy r1 limit 3",
  },
  {
    why: "there is no receipt",
    start: released,
    wrong: observed({ effects: [draft] }),
    stage: "store",
    allowed: brief,
    seen: "receipts none; effects JOB-001@r1; policy r1 limit 3",
  },
  {
    why: "there are two receipts",
    start: released,
    wrong: observed({ ...stored, receipts: [row, { ...row, number: 2 }] }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1, 2; effects JOB-001@r1; policy r1 limit 3",
  },
  {
    why: "a receipt has another number",
    start: released,
    wrong: observed({ ...stored, receipts: [{ ...row, number: 2 }] }),
    stage: "store",
    allowed: brief,
    seen: "receipts 2; effects JOB-001@r1; policy r1 limit 3",
  },
  {
    why: "a draft was checked under another revision",
    start: released,
    wrong: observed({ ...stored, effects: [{ ...draft, revision: 2 }] }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects JOB-001@r2; policy r1 limit 3",
  },
  {
    why: "a draft has another key",
    start: released,
    wrong: observed({ ...stored, effects: [{ ...draft, key: "JOB-002" }] }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects JOB-002@r1; policy r1 limit 3",
  },
  {
    why: "the policy is gone",
    start: released,
    wrong: observed({ ...stored, policy: { kind: "missing" } }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects JOB-001@r1; policy missing",
  },
  {
    why: "the policy has another revision",
    start: released,
    wrong: observed({ ...stored, policy: { kind: "present", revision: 2, maxCopies: 3 } }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects JOB-001@r1; policy r2 limit 3",
  },
  {
    why: "the policy has another limit",
    start: released,
    wrong: observed({ ...stored, policy: { kind: "present", revision: 1, maxCopies: 2 } }),
    stage: "store",
    allowed: brief,
    seen: "receipts 1; effects JOB-001@r1; policy r1 limit 2",
  },
  {
    why: "a restart recreates the policy",
    start: [
      { kind: "policy_set", setting: { kind: "remove" } },
      { kind: "crashed", advancing: { kind: "idle" }, lost: [] },
      { kind: "restarted", result: "up" },
    ],
    wrong: observed(),
    stage: "store",
    allowed: "receipts none; effects none; policy missing",
    seen: "receipts none; effects none; policy r1 limit 3",
  },
  differs(
    "a draft of another tenant",
    observed({ ...stored, effects: [{ ...draft, tenant: "t2" }] }),
    full(fullReceipt, fullEffect.replace("t1", "t2")),
  ),
  differs(
    "a draft of another tool",
    observed({ ...stored, effects: [{ ...draft, tool: "mail" }] }),
    full(fullReceipt, fullEffect.replace("drafts", "mail")),
  ),
  differs(
    "a draft of another run",
    observed({ ...stored, effects: [{ ...draft, runId: "r2" }] }),
    full(fullReceipt, "t1 drafts JOB-001 r2 c-a1 river-2 r1"),
  ),
  differs(
    "a draft of another call",
    observed({ ...stored, effects: [{ ...draft, callId: "c-a2" }] }),
    full(fullReceipt, fullEffect.replace("c-a1", "c-a2")),
  ),
  differs(
    "a draft of another digest",
    observed({ ...stored, effects: [{ ...draft, digest: "river-3" }] }),
    full(fullReceipt, fullEffect.replace("river-2", "river-3")),
  ),
  differs(
    "a receipt of another tenant",
    observed({ ...stored, receipts: [{ ...row, tenant: "t2" }] }),
    full(fullReceipt.replace("t1", "t2"), fullEffect),
  ),
  differs(
    "a receipt of another run",
    observed({ ...stored, receipts: [{ ...row, runId: "r2" }] }),
    full(fullReceipt.replace("r1", "r2"), fullEffect),
  ),
  differs(
    "a receipt of another call",
    observed({ ...stored, receipts: [{ ...row, callId: "c-a2" }] }),
    full(fullReceipt.replace("c-a1", "c-a2"), fullEffect),
  ),
  differs(
    "a receipt of another key",
    observed({ ...stored, receipts: [{ ...row, key: { kind: "key", key: "JOB-002" } }] }),
    full(fullReceipt.replace("JOB-001", "JOB-002"), fullEffect),
  ),
  differs(
    "a receipt without its key",
    observed({ ...stored, receipts: [{ ...row, key: { kind: "none" } }] }),
    full(fullReceipt.replace("JOB-001", "no key"), fullEffect),
  ),
  differs(
    "a receipt of another status",
    observed({ ...stored, receipts: [{ ...row, status: "error" }] }),
    full(fullReceipt.replace("accepted/ok", "error/ok"), fullEffect),
  ),
  differs(
    "a receipt of another code",
    observed({ ...stored, receipts: [{ ...row, code: "unforeseen" }] }),
    full(fullReceipt.replace("accepted/ok", "accepted/unforeseen"), fullEffect),
  ),
  differs(
    "a receipt that denies the effect",
    observed({ ...stored, receipts: [{ ...row, effectExists: false }] }),
    full(fullReceipt.replace("effect exists", "no effect"), fullEffect),
  ),
  differs(
    "a receipt of another delivery",
    observed({ ...stored, receipts: [{ ...row, delivery: "d-a2" }] }),
    full(fullReceipt.replace("d-a1", "d-a2"), fullEffect),
  ),
  differs(
    "a receipt with fewer events",
    observed({ ...stored, receipts: [{ ...row, events: shown }] }),
    full(fullReceipt.replace(" output_allowed", ""), fullEffect),
  ),
  differs(
    "a receipt with more events",
    observed({ ...stored, receipts: [{ ...row, events: [...complete, "output_allowed"] }] }),
    full(`${fullReceipt} output_allowed`, fullEffect),
  ),
  differs(
    "a receipt with other events",
    observed({ ...stored, receipts: [{ ...row, events: [...reused, "output_started", "output_allowed"] }] }),
    full(fullReceipt.replace("effect_committed", "effect_reused"), fullEffect),
  ),
  {
    why: "one of two drafts has another digest",
    start: [
      ...executed,
      submitted("a2", forest1),
      parked("a2", "before_business"),
      advanced("a2"),
      parked("a2", "after_business"),
      { kind: "policy_set", setting: { kind: "remove" } },
    ],
    wrong: observed({
      effects: [
        { ...draft, digest: "river-3" },
        { ...draft, key: "JOB-002", digest: "forest-1", callId: "c-a2" },
      ],
      policy: { kind: "missing" },
    }),
    stage: "store",
    allowed:
      "receipts none; effects t1 drafts JOB-001 r1 c-a1 river-2 r1, t1 drafts JOB-002 r1 c-a2 forest-1 r1; policy missing",
    seen: "receipts none; effects t1 drafts JOB-001 r1 c-a1 river-3 r1, t1 drafts JOB-002 r1 c-a2 forest-1 r1; policy missing",
  },
];

describe("a history with the wrong end: a store", () => {
  divergesThere(stores);
});
