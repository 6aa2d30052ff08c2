import { describe, expect, it } from "vitest";
import type { Happening, ReceiptRow, Status } from "../../../../src/model/vocabulary.js";
import { type Intent, page, region, river2, shapeless } from "../../../model/guarded/fixture.js";
import {
  decided,
  type End,
  genuine,
  receiptRow,
  requestRow,
  submitted,
  waiting,
} from "../../../model/guarded/history.js";
import { crashedAtRest } from "../../history.js";
import {
  asked,
  asks,
  breach,
  denied,
  denies,
  endsAtOnce,
  granted,
  grants,
  lastOf,
  occurs,
  pages,
  policyAt,
  read,
  requested,
  type Stored,
  sameCall,
  spent,
} from "../history.js";

const promise = "recovery-by-kind";

const driven = (answer: "repeats" | "rests", of: "a1" | "a2" = "a1"): Happening => ({
  kind: "driven",
  of,
  answer,
});

/** That the driver must not repeat the call, and why; it may always rest. */
function mustRest(before: readonly Happening[], why: string, of: "a1" | "a2" = "a1") {
  const history = [...before, driven("repeats", of)];
  expect(breach(promise, history)).toEqual({
    at: lastOf(history),
    sentence: `The driver repeats the call of ${of}, which it must leave alone.`,
    expected: `no repetition, as ${why}`,
    seen: "repeats",
  });
  expect(breach(promise, [...before, driven("rests", of)])).toBe("nothing");
}

function mayRepeat(before: readonly Happening[], of: "a1" | "a2" = "a1") {
  expect(breach(promise, [...before, driven("repeats", of)])).toBe("nothing");
}

function endedAs(status: Status, code: string, events: End["events"] = []): End {
  return { ...waiting, status, code, events };
}

/** a1 ends like this; `earlier` are receipts of its call from before. */
function ends(end: End, intent: Intent = page, earlier: readonly ReceiptRow[] = []): readonly Happening[] {
  const receipts = [...earlier, receiptRow(earlier.length + 1, "a1", end)];
  return [read({ receipts: earlier }), ...endsAtOnce("a1", receipts.length, end, { receipts }, intent)];
}

describe("recovery-by-kind", () => {
  it("occurs when the driver is asked", () => {
    expect(occurs(promise, asks)).toBe(false);
    expect(occurs(promise, [...asks, driven("rests")])).toBe(true);
  });

  it.each<[Status, string]>([
    ["accepted", "ok"],
    ["input_rejected", "shape"],
    ["permission_denied", "capability"],
    ["blocked", "run_waiting"],
    ["approval_refused", "denied"],
    ["approval_refused", "revoked"],
    ["approval_refused", "tool_mismatch"],
    ["approval_refused", "digest_mismatch"],
    ["clarification_needed", "question"],
    ["escalated", "impact"],
    ["output_rejected", "secret"],
    ["key_conflict", "key_conflict"],
    ["cancelled", "cancelled"],
  ])("forbids to repeat a call that ended %s/%s", (status, code) => {
    for (const intent of [page, river2, region]) {
      mustRest(ends(endedAs(status, code), intent), `it ended ${status}/${code}`);
    }
  });
});

describe("recovery-by-kind, of a call that failed,", () => {
  it.each<[Status, string]>([
    ["policy_changed", "policy_changed"],
    ["error", "before_business"],
  ])("allows to repeat %s/%s twice, and no more", (status, code) => {
    const end = endedAs(status, code);
    const one = receiptRow(1, "a1", end);
    const earlier = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...one,
        number: index + 1,
        delivery: `d-before-${index}`,
      }));
    mayRepeat(ends(end, page, earlier(0)));
    mayRepeat(ends(end, page, earlier(1)));
    mustRest(ends(end, page, earlier(2)), "it was tried 3 times");
  });

  it("counts both kinds of failure together, and those of its own call alone", () => {
    const end = endedAs("error", "busy");
    const other = receiptRow(1, "a1", endedAs("policy_changed", "policy_changed"));
    const first = { ...other, delivery: "d-before-1" };
    const second = { ...other, number: 2, delivery: "d-before-2" };
    mustRest(ends(end, page, [first, second]), "it was tried 3 times");
    for (const parts of [
      { callId: "c-a7" },
      { runId: "r2" },
      { tenant: "t2" },
      { status: "blocked" } as const,
    ]) {
      mayRepeat(ends(end, page, [first, { ...second, ...parts }]));
    }
  });

  const met = ["arguments_valid", "business_started", "effect_committed"] as const;
  const reused = ["arguments_valid", "business_started", "effect_reused"] as const;
  it.each<[string, End]>([
    ["whose receipt says that its effect is there", { ...endedAs("error", "busy"), effectExists: true }],
    ["that says it committed", endedAs("error", "after_commit", met)],
    ["that says it met its effect", endedAs("error", "after_business", reused)],
  ])("forbids to repeat one %s, unless it has a key or only reads", (_, end) => {
    mustRest(ends(end, page), "its effect is there and has no key");
    mayRepeat(ends(end, river2));
    mayRepeat(ends(end, region));
  });

  it("tells an effect of another attempt from none where the policy had changed", () => {
    mayRepeat(ends({ ...endedAs("policy_changed", "policy_changed"), effectExists: true }, page));
  });
});

describe("recovery-by-kind, of a call without a receipt,", () => {
  const lost = (intent: Intent) => [read(), submitted("a1", intent), crashedAtRest("a1"), read()];
  const unknown = "nobody knows what became of it and it cannot be asked about";

  it("allows to repeat one that has a key or only reads", () => {
    mayRepeat(lost(river2));
    mayRepeat(lost(region));
  });

  it("forbids to repeat one without a key, or of which nobody knows what it means", () => {
    mustRest(lost(page), unknown);
    mustRest(lost(shapeless), unknown);
  });

  it("looks for the receipt of that very attempt", () => {
    // The receipt of a1 does not tell what became of a2.
    const history = [...asks, submitted("a2", page, sameCall), crashedAtRest("a2"), read(asked)];
    mustRest(history, unknown, "a2");
  });
});

describe("recovery-by-kind, of a call that waits,", () => {
  const nobody = "nobody has granted it";
  const late: Happening = { kind: "clock_set", now: 2 };
  const set: Happening = { kind: "policy_set", setting: { kind: "limit", maxCopies: 3 } };

  it("allows to repeat it once it is granted", () => {
    mayRepeat(grants);
    mustRest(asks, nobody);
  });

  it("forbids it after a no", () => {
    mustRest(denies, nobody);
    const both = { ...granted, decisions: [...(granted.decisions ?? []), ...(denied.decisions ?? [])] };
    mustRest([...grants, decided(genuine("d2", "deny")), read(both)], nobody);
  });

  it("forbids it when the grant was not genuine", () => {
    const forged = { ...genuine("d1"), by: { ...genuine("d1").by, roles: [] } };
    mustRest([...asks, decided(forged), read(granted)], nobody);
  });

  it("forbids it when the grant is dead or spent", () => {
    mayRepeat([...grants, { kind: "clock_set", now: 1 }, read(granted)]);
    mustRest([...grants, late, read(granted)], nobody);
    mustRest([...grants, set, read({ ...granted, policy: policyAt(2) })], nobody);
    mustRest([...grants, set, read({ ...granted, policy: { kind: "missing" } })], nobody);
    mustRest([...grants, read(spent)], nobody);
    mustRest(pages, nobody);
  });

  it("asks for a grant of the latest request", () => {
    const two: Stored = { ...granted, requests: [requestRow, requested(2, { requestedAt: 0 })] };
    mustRest([...grants, read(two)], nobody);
  });

  it.each(["expired", "policy_changed"])("treats approval_refused/%s in the same way", (code) => {
    const end = endedAs("approval_refused", code);
    const stored: Stored = { requests: [requestRow], receipts: [receiptRow(1, "a1", end)] };
    const refused = [read(), ...endsAtOnce("a1", 1, end, stored)];
    mustRest(refused, nobody);
    mayRepeat([...refused, decided(genuine("d1")), read(stored)]);
  });
});
