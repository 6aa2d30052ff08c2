import { describe, expect, it } from "vitest";
import type { Event, Happening } from "../../src/model/vocabulary.js";
import { eventsOf } from "../../src/properties/account/outcomes.js";
import { addedItsEffect, effectsOf, receiptsOf } from "../../src/properties/account/rows.js";
import { effectChanges, isUntouched, receiptChanges } from "../../src/properties/account/store-change.js";
import { type Account, attemptOf, createAccount, wasCancelled } from "../../src/properties/account.js";
import {
  acceptedOnce,
  advanced,
  advanceTo,
  afterAccepted,
  auditUnavailable,
  blocked,
  cancelDelivered,
  cancelled,
  cancelRequested,
  changedRequest,
  crashedAt,
  crashedAtRest,
  effect,
  ended,
  epilogue,
  expired,
  happened,
  invalid,
  ledger,
  noPolicy,
  observed,
  parked,
  policy,
  policyRemoved,
  policySet,
  receipt,
  restarted,
  restartFailed,
  startOf,
  stopped,
  store,
  submitted,
  told,
  unknown,
} from "./history.js";

function accountOf(history: readonly Event[]): Account {
  const { account, add } = createAccount(ledger, "draft", { kind: "limit", maxCopies: 3 });
  for (const event of history) add(event);
  return account;
}

const effects = [effect()];

describe("an account", () => {
  it("follows an attempt from its submission to its end", () => {
    const steps = [
      submitted("a1"),
      parked("a1", "before_business"),
      advanced("a1"),
      blocked("a1", "output"),
      expired("a1"),
      ended("a1", unknown(), store()),
    ] as const;
    const standings = steps.map(
      (_, index) => attemptOf(accountOf(happened(...steps.slice(0, index + 1))), "a1").standing,
    );
    expect(standings).toEqual([
      { kind: "moving" },
      { kind: "parked", at: "before_business" },
      { kind: "moving" },
      { kind: "blocked", on: "output" },
      { kind: "moving" },
      { kind: "ended", outcome: unknown(), atRelease: store(), position: 5 },
    ]);
  });

  it("tells where each attempt was lost", () => {
    const account = accountOf(
      happened(...startOf("a1", store()), ...startOf("a2", store()), crashedAt("after_commit", "a2", "a1")),
    );
    expect(account.attempts.map(({ name, standing }) => [name, standing])).toEqual([
      ["a1", { kind: "lost", at: "rest" }],
      ["a2", { kind: "lost", at: "after_commit" }],
    ]);
  });

  it("keeps what an attempt had seen of the policy when it set off, not what it says later", () => {
    const account = accountOf(
      happened(...startOf("a1", store()), advanced("a1"), parked("a1", "after_business", 2)),
    );
    const { departedWith, lastStop } = attemptOf(account, "a1");
    expect(departedWith).toEqual({ kind: "seen", revision: 1 });
    expect(lastStop).toEqual({
      kind: "checkpoint",
      at: "after_business",
      snapshotRevision: { kind: "seen", revision: 2 },
    });
  });

  it("knows whether a cancel takes hold", () => {
    const cancelOf = (...then: readonly Happening[]) =>
      attemptOf(accountOf(happened(submitted("a1"), ...then)), "a1");
    expect(cancelOf().cancel).toEqual({ kind: "none" });
    expect(cancelOf(blocked("a1", "check"), cancelRequested("a1")).cancel).toEqual({ kind: "requested" });
    const pending = cancelOf(parked("a1", "before_business"), cancelRequested("a1"));
    expect(pending.cancel).toEqual({ kind: "pending", at: "before_business" });
    expect(wasCancelled(pending)).toBe(false);
    const due = cancelOf(parked("a1", "before_business"), cancelRequested("a1"), advanced("a1"));
    expect(due.cancel).toEqual({ kind: "took_hold", at: "before_business" });
    expect(wasCancelled(due)).toBe(true);
    expect(cancelOf(cancelDelivered("a1", "output_check")).cancel).toEqual({
      kind: "took_hold",
      at: "output_check",
    });
    expect(wasCancelled(cancelOf(ended("a1", cancelled, store())))).toBe(true);
    expect(wasCancelled(cancelOf(ended("a1", unknown(), store())))).toBe(false);
  });

  it("attributes what appears to the attempt that moved", () => {
    const account = accountOf(
      happened(
        observed(store()),
        ...startOf("a1", store()),
        ...startOf("a2", store(), changedRequest),
        ...advanceTo("a1", "after_business", store({ effects })),
        observed(store({ effects: [effect(), effect({ key: "JOB-002" })] })),
      ),
    );
    expect(account.attempts.map(({ added }) => added)).toEqual([[effect()], []]);
    expect(account.change.mover).toEqual({ kind: "nobody" });
    expect(addedItsEffect(attemptOf(account, "a1"), account)).toBe(true);
    expect(addedItsEffect(attemptOf(account, "a2"), account)).toBe(false);
    expect(effectsOf(attemptOf(account, "a2"), account, account.observation)).toEqual([effect()]);
  });

  it("gathers what happened between two reads, and starts anew after each", () => {
    const history = happened(
      observed(store()),
      submitted("a1"),
      ended("a1", told(receipt(1, "a1")), afterAccepted),
      observed(afterAccepted),
      policySet(2),
      policyRemoved,
      observed({ ...afterAccepted, policy: policy(2, 2) }),
    );
    const first = accountOf(history.slice(0, 4)).change;
    expect(first.mover).toMatchObject({ kind: "attempt", attempt: { name: "a1" } });
    expect(first.settled.map(({ name }) => name)).toEqual(["a1"]);
    expect(first.receipts).toEqual({ added: [receipt(1, "a1")], changed: [], removed: [] });
    expect(first.settings).toEqual([]);
    const second = accountOf(history);
    expect(second.change.before).toBe(first.now);
    expect(second.change.mover).toEqual({ kind: "nobody" });
    expect(second.change.settled).toEqual([]);
    expect(second.change.settings).toEqual([{ kind: "limit", maxCopies: 2 }, { kind: "remove" }]);
    expect(second.change.largestRevision).toBe(1);
  });

  it("knows every valid request, every planted text and the attempt of every delivery", () => {
    const account = accountOf(
      happened(
        submitted("a1", undefined, { canaries: ["x", ""] }),
        submitted("a2", changedRequest, { canaries: ["y", "x"] }),
        submitted("a3", invalid),
        submitted("a4", undefined, { tenant: "t2" }),
      ),
    );
    expect([...account.requested].map(([place, digests]) => [place, [...digests]])).toEqual([
      [
        "t1\ndraft\nJOB-001",
        [
          ["D1", 2],
          ["D2", 3],
        ],
      ],
      ["t2\ndraft\nJOB-001", [["D1", 2]]],
    ]);
    expect([...account.canaries]).toEqual(["x", "y"]);
    expect(account.byDelivery.get("d-a2")).toBe(attemptOf(account, "a2"));
    expect(account.position).toBe(3);
  });

  it("tells attempts of the epilogue and the state of the executor", () => {
    const before = accountOf(happened(submitted("a1"), crashedAtRest("a1")));
    expect([before.faults, before.executor]).toEqual(["possible", "down"]);
    const failed = accountOf(happened(crashedAtRest(), restartFailed));
    expect(failed.executor).toBe("failed_to_restart");
    const after = accountOf(
      happened(submitted("a1"), crashedAtRest("a1"), epilogue, restarted, submitted("a2")),
    );
    expect([after.faults, after.executor]).toEqual(["gone", "up"]);
    expect(after.attempts.map(({ purpose }) => purpose)).toEqual(["generated", "recovery"]);
  });

  it("begins with the first read where nothing moved before it", () => {
    const begun = accountOf(happened(observed(store({ effects, policy: policy(4, 1) }))));
    expect(isUntouched(begun.change.effects)).toBe(true);
    expect(begun.change.largestRevision).toBe(4);
    const started = createAccount(ledger, "draft", { kind: "remove" }).account;
    expect(started.observation).toEqual(store({ policy: noPolicy, writeLock: "not_probed" }));
  });
});

describe("row changes", () => {
  it("tell what was added, changed and removed, by the row's place", () => {
    const other = effect({ key: "JOB-002" });
    expect(
      effectChanges([effect(), other], [other, effect({ body: "B2" }), effect({ tenant: "t2" })]),
    ).toEqual({
      added: [effect({ tenant: "t2" })],
      changed: [{ before: effect(), now: effect({ body: "B2" }) }],
      removed: [],
    });
    expect(
      receiptChanges([receipt(1, "a1"), receipt(2, "a2")], [receipt(2, "a2"), receipt(3, "a3")]),
    ).toEqual({
      added: [receipt(3, "a3")],
      changed: [],
      removed: [receipt(1, "a1")],
    });
  });

  it("take a second row at one place for an addition, and its loss for a removal", () => {
    expect(effectChanges([effect()], [effect(), effect({ body: "B2" })]).added).toEqual([
      effect({ body: "B2" }),
    ]);
    expect(effectChanges([effect(), effect()], [effect()]).removed).toEqual([effect()]);
  });
});

describe("rows of an attempt", () => {
  it("are its receipts by delivery and its key's effects", () => {
    const account = accountOf(happened(...acceptedOnce, submitted("a2", invalid)));
    const first = attemptOf(account, "a1");
    expect(receiptsOf(first, account.observation)).toEqual([receipt(1, "a1")]);
    expect(effectsOf(attemptOf(account, "a2"), account, account.observation)).toEqual([]);
    const foreign = store({
      effects: [effect({ tool: "letter" }), effect({ tenant: "t2" }), effect({ key: "JOB-002" })],
    });
    expect(effectsOf(first, account, foreign)).toEqual([]);
  });

  it("are the events that its outcome tells", () => {
    expect(eventsOf(told(receipt(1, "a1", { events: stopped.byCheck })))).toEqual(stopped.byCheck);
    expect(eventsOf(auditUnavailable(stopped.byCheck))).toEqual(stopped.byCheck);
    expect(eventsOf(unknown())).toEqual([]);
  });
});
