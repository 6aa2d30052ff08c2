import { describe, expect, it } from "vitest";
import type { Observation } from "../../src/model/vocabulary.js";
import { storeChanges } from "../../src/report/store-changes.js";
import { effect, receipt, store } from "./histories.js";

function texts(before: Observation | undefined, after: Observation): readonly string[] {
  return storeChanges(before, after).map(({ kind, text }) => `${kind}: ${text}`);
}

const one = store([effect(1, "a1")], [receipt(1, "a1", "accepted", "ok")]);

describe("storeChanges", () => {
  it("is nothing between two equal looks", () => {
    expect(texts(one, store([effect(1, "a1")], [receipt(1, "a1", "accepted", "ok")]))).toEqual([]);
  });

  it("tells what was written", () => {
    expect(texts(store([], []), one)).toEqual([
      "effect_written: effect JOB-001 written under policy revision 1",
      "receipt_written: receipt 1: accepted/ok, key JOB-001, effect exists",
    ]);
  });

  it("tells of rows what no executor may do with them", () => {
    expect(texts(one, store([], []))).toEqual(["wrong: effect JOB-001 REMOVED", "wrong: receipt 1 REMOVED"]);
    expect(
      texts(one, store([{ ...effect(1, "a1"), body: "{}" }], [receipt(1, "a1", "error", "busy")])),
    ).toEqual(["wrong: effect JOB-001 CHANGED in place", "wrong: receipt 1 CHANGED in place"]);
    expect(
      texts(one, store([effect(1, "a1"), effect(1, "a2")], [receipt(1, "a1", "accepted", "ok")])),
    ).toEqual(["wrong: effect JOB-001 written A SECOND TIME"]);
    expect(
      texts(one, store([effect(1, "a1"), effect(1, "a1")], [receipt(1, "a1", "accepted", "ok")])),
    ).toEqual(["wrong: effect JOB-001 written A SECOND TIME"]);
  });

  it("names a tenant that is not the usual one", () => {
    const foreign = { ...effect(1, "a1"), tenant: "t2" };
    expect(texts(one, store([effect(1, "a1"), foreign], one.receipts))).toEqual([
      "effect_written: effect t2/JOB-001 written under policy revision 1",
    ]);
  });

  it("tells a new policy, one that is gone, and a lock that nobody gives back", () => {
    expect(texts(one, { ...one, policy: { kind: "present", revision: 2, maxCopies: 0 } })).toEqual([
      "policy_changed: policy is now revision 2, at most 0",
    ]);
    expect(texts(one, { ...one, policy: { kind: "missing" } })).toEqual([
      "policy_changed: policy is now missing",
    ]);
    expect(texts(one, { ...one, writeLock: "held" })).toEqual([
      "wrong: a transaction STAYS OPEN: the write lock is held",
    ]);
    expect(texts(one, { ...one, writeLock: "held_by_harness" })).toEqual([]);
  });
});
