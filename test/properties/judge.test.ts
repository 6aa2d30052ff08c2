import { describe, expect, it } from "vitest";
import type { Event, Profile } from "../../src/model/vocabulary.js";
import type { Machine, MachineAnswer } from "../../src/properties/judge/follower.js";
import { createJudge, type JudgeOptions } from "../../src/properties/judge.js";
import { type PromiseId, promiseIds, type Violation } from "../../src/properties/verdict.js";
import {
  acceptedOnce,
  advanceTo,
  advanceToEnd,
  afterAccepted,
  crashedAtRest,
  epilogue,
  happened,
  late,
  ledger,
  observed,
  receipt,
  startOf,
  stopped,
  store,
  submitted,
  told,
} from "./history.js";

const options: JudgeOptions = { policy: { kind: "limit", maxCopies: 3 }, tool: "draft" };

/** A machine that parts from the history at one position; `heard` keeps what it was asked. */
function partingAt(position: number, heard: number[] = []): () => Machine {
  return () =>
    (event): MachineAnswer => {
      heard.push(event.position);
      if (event.position !== position) return { kind: "following" };
      return {
        kind: "diverged",
        stage: "execute",
        allowed: ["parked at after_business", "ended error/busy"],
        seen: "ended accepted/ok",
      };
    };
}
const never = -1;

const parting = (position: number, action: number): Violation => ({
  promise: "matches-the-machine",
  position,
  action,
  sentence: "The machine has no run with this history: they part at execute.",
  expected: "parked at after_business or ended error/busy",
  seen: "ended accepted/ok",
});

function judged(history: readonly Event[], machine: () => Machine, more: Partial<JudgeOptions> = {}) {
  const judge = createJudge(ledger, { ...options, ...more }, machine);
  const told = history.map((event) => judge.add(event));
  const atTheEnd = judge.finish();
  return { judge, told, atTheEnd, verdict: judge.verdict() };
}

const broke = (position: number, action: number, what: string): Violation => ({
  promise: "nothing-after-the-end",
  position,
  action,
  sentence: "a1 was active after it had ended.",
  expected: "nothing more of it",
  seen: what,
});

describe("a judge's verdict", () => {
  it("finds nothing in what a sound executor does, and says what occurred", () => {
    const { verdict, told, atTheEnd } = judged(happened(...acceptedOnce, epilogue), partingAt(never));
    expect(told.flat()).toEqual([]);
    expect(atTheEnd).toEqual([]);
    expect(verdict).toEqual({
      violations: [],
      occurred: [
        "receipt-before-release",
        "one-receipt-per-attempt",
        "receipt-tells-truth",
        "outcome-tells-truth",
        "effect-has-request",
        "checked-every-time",
        "every-attempt-ends",
        "matches-the-machine",
      ],
      undecided: [],
    });
  });

  it("tells what an event broke at that event, and keeps it", () => {
    const history = happened(...acceptedOnce, late("a1", "writes"));
    const { told, verdict } = judged(history, partingAt(never));
    expect(told.map((violations) => violations.length)).toEqual([...Array(13).fill(0), 1]);
    expect(told.at(-1)).toEqual([broke(13, 4, "writes")]);
    expect(verdict.violations).toEqual([broke(13, 4, "writes")]);
    expect(verdict.occurred).toContain("nothing-after-the-end");
  });

  it("tells each promise once", () => {
    const { told, verdict } = judged(
      happened(...acceptedOnce, late("a1", "writes"), late("a1", "writes more")),
      partingAt(never),
    );
    expect(told.slice(13)).toEqual([[broke(13, 4, "writes")], []]);
    expect(verdict.violations).toEqual([broke(13, 4, "writes")]);
  });

  it("keeps every promise that one action broke, in the order of events, and none of a later action", () => {
    const history = happened(
      ...acceptedOnce,
      late("a1", "writes"),
      observed(store({ receipts: [receipt(1, "a1")] })),
      observed(store()),
    );
    const { verdict } = judged(history, partingAt(never));
    // Action 4 tells of late activity, then loses the effect; action 5 loses the receipt.
    expect(verdict.violations.map(({ promise, position }) => [promise, position])).toEqual([
      ["nothing-after-the-end", 13],
      ["commit-survives", 14],
    ]);
  });

  it("judges promises of one event in the order of their list", () => {
    const history = happened(...acceptedOnce, observed(store()));
    const { verdict } = judged(history, partingAt(never));
    expect(verdict.violations.map(({ promise }) => promise)).toEqual([
      "one-receipt-per-attempt",
      "commit-survives",
      "nothing-after-the-end",
    ]);
  });
});

describe("the machine beside the promises", () => {
  const history = happened(
    ...acceptedOnce,
    late("a1", "writes"),
    observed(afterAccepted),
    observed(afterAccepted),
  );

  it("tells a divergence and asks the machine no more", () => {
    const heard: number[] = [];
    const { told, verdict } = judged(happened(...acceptedOnce), partingAt(5, heard));
    expect(told[5]).toEqual([parting(5, 1)]);
    expect(told.flat()).toHaveLength(1);
    expect(verdict.violations).toEqual([parting(5, 1)]);
    expect(heard).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("goes on with the promises after a divergence, and names what they find first", () => {
    const { verdict } = judged(history, partingAt(5));
    expect(verdict.violations).toEqual([broke(13, 4, "writes"), parting(5, 1)]);
  });

  it("keeps a divergence of the very action that broke a promise, also behind it", () => {
    const { verdict } = judged(history, partingAt(14));
    expect(verdict.violations).toEqual([broke(13, 4, "writes"), parting(14, 4)]);
  });

  it("asks the machine nothing about actions behind a broken promise", () => {
    const heard: number[] = [];
    const { verdict, told } = judged(history, partingAt(15, heard));
    expect(told[15]).toEqual([]);
    expect(verdict.violations).toEqual([broke(13, 4, "writes")]);
    expect(heard.at(-1)).toBe(14);
  });

  it("has something to follow once an attempt is submitted", () => {
    const idle = judged(happened(observed(store())), partingAt(never)).verdict;
    expect(idle.occurred).toEqual([]);
    const busy = judged(happened(submitted("a1")), partingAt(never)).verdict;
    expect(busy.occurred).toEqual(["matches-the-machine"]);
  });

  it("is left out where it is not asked for", () => {
    const heard: number[] = [];
    const { judge, verdict } = judged(history, partingAt(5, heard), { promises: ["nothing-after-the-end"] });
    expect(heard).toEqual([]);
    expect(verdict.violations).toEqual([broke(13, 4, "writes")]);
    expect(judge.checked()).toEqual(["nothing-after-the-end"]);
  });

  it("starts for the profile and policy at hand", () => {
    const started: [Profile, JudgeOptions][] = [];
    createJudge(ledger, options, (...given) => {
      started.push(given);
      return () => ({ kind: "following" });
    });
    expect(started).toEqual([[ledger, options]]);
  });

  it("is the reference machine unless told otherwise", () => {
    const judge = createJudge(ledger, options);
    for (const event of happened(...acceptedOnce, epilogue)) judge.add(event);
    expect(judge.finish()).toEqual([]);
    expect(judge.verdict().violations).toEqual([]);
    // Without another attempt in the way, a first commit cannot end in a conflict.
    const row = receipt(1, "a1", {
      status: "key_conflict",
      code: "key_conflict",
      effectExists: false,
      events: stopped.inBusiness,
    });
    const strict = createJudge(ledger, options);
    const found = happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceToEnd("a1", told(row), store({ receipts: [row] })),
    ).flatMap((event) => strict.add(event));
    expect(found).toMatchObject([{ promise: "matches-the-machine", position: 5, action: 1 }]);
  });
});

describe("the end of a run", () => {
  const open = (reason: string) => [
    { promise: "every-attempt-ends", reason },
    { promise: "always-recoverable", reason },
  ];

  it("judges what must hold in the end, once", () => {
    const history = happened(...startOf("a1", store()), epilogue);
    const { judge, atTheEnd, verdict } = judged(history, partingAt(never));
    const stuck: Violation = {
      promise: "every-attempt-ends",
      position: 3,
      action: 1,
      sentence: "a1 has not ended although faults are gone and everything was driven on.",
      expected: "a1 ended",
      seen: "a1 is parked at before_business",
    };
    expect(atTheEnd).toEqual([stuck]);
    expect(verdict).toEqual({
      violations: [stuck],
      occurred: ["every-attempt-ends", "matches-the-machine"],
      undecided: [],
    });
    expect(judge.finish()).toEqual([]);
    expect(judge.verdict()).toEqual(verdict);
  });

  it("leaves it undecided without an epilogue, or before the run is at its end", () => {
    const judge = createJudge(ledger, options, partingAt(never));
    for (const event of happened(...startOf("a1", store()))) judge.add(event);
    expect(judge.verdict().undecided).toEqual(open("the run was not brought to its end"));
    expect(judge.finish()).toEqual([]);
    expect(judge.verdict().undecided).toEqual(open("the run has no epilogue"));
  });

  it("leaves open what is asked for, and nothing else", () => {
    const { verdict } = judged(happened(...acceptedOnce), partingAt(never), {
      promises: ["always-recoverable"],
    });
    expect(verdict.undecided).toEqual([{ promise: "always-recoverable", reason: "the run has no epilogue" }]);
    const other = judged(happened(...acceptedOnce), partingAt(never), { promises: ["fail-closed"] });
    expect(other.verdict.undecided).toEqual([]);
  });

  it("calls nothing undecided in a run that broke a promise and ended there", () => {
    const { verdict } = judged(happened(...acceptedOnce, late("a1", "writes")), partingAt(never));
    expect(verdict.undecided).toEqual([]);
    const diverged = judged(happened(...acceptedOnce), partingAt(5)).verdict;
    expect(diverged.undecided).toEqual(open("the run has no epilogue"));
  });

  it("adds nothing to a run that broke a promise in an earlier action", () => {
    const history = happened(
      ...acceptedOnce,
      late("a1", "writes"),
      observed(afterAccepted),
      ...startOf("a2", afterAccepted),
      epilogue,
    );
    const { atTheEnd, verdict } = judged(history, partingAt(never));
    expect(atTheEnd).toEqual([]);
    expect(verdict.violations).toEqual([broke(13, 4, "writes")]);
  });

  it("adds to a run that broke a promise in its last action", () => {
    const history = happened(
      ...acceptedOnce,
      ...startOf("a2", afterAccepted),
      epilogue,
      late("a1", "writes"),
    );
    const { verdict } = judged(history, partingAt(never));
    expect(verdict.violations.map(({ promise, position }) => [promise, position])).toEqual([
      ["nothing-after-the-end", 17],
      ["every-attempt-ends", 17],
    ]);
  });
});

describe("missing evidence", () => {
  const busy = receipt(1, "a1", {
    status: "error",
    code: "busy",
    effectExists: false,
    events: stopped.inBusiness,
  });
  const unprobed = [
    observed(store()),
    ...startOf("a1", store()),
    ...advanceToEnd("a1", told(busy), store({ receipts: [busy], writeLock: "not_probed" })),
  ];
  const second = receipt(2, "a2", { status: "error", code: "busy" });
  const again = [
    ...startOf("a2", store({ receipts: [busy], writeLock: "not_probed" })),
    ...advanceToEnd("a2", told(second), store({ receipts: [busy, second], writeLock: "not_probed" })),
  ];

  it("is told with the first reason", () => {
    const { verdict, told } = judged(happened(...unprobed, ...again, epilogue), partingAt(never), {
      promises: ["rollback-is-complete"],
    });
    expect(told.flat()).toEqual([]);
    expect(verdict.undecided).toEqual([
      {
        promise: "rollback-is-complete",
        reason: "the write lock was not probed after a1 failed inside its transaction",
      },
    ]);
  });

  it("does not matter once the promise is broken, but does for another", () => {
    const held = observed(store({ receipts: [busy], writeLock: "held" }));
    const { verdict } = judged(happened(...unprobed, held), partingAt(never));
    expect(verdict.violations.map(({ promise }) => promise)).toEqual(["rollback-is-complete"]);
    expect(verdict.undecided).toEqual([]);
    const other = judged(happened(...unprobed, late("a1", "writes")), partingAt(never));
    expect(other.verdict.undecided.map(({ promise }) => promise)).toEqual(["rollback-is-complete"]);
  });
});

describe("what a profile can be asked", () => {
  /** What is promised about approvals, runs, capabilities, a driver and rules, none of which a ledger has. */
  const othersAlone: readonly PromiseId[] = [
    "approval-binds",
    "denied-stays-denied",
    "approve-once-executes-once",
    "pause-consumes-nothing",
    "consent-survives",
    "decision-tells-truth",
    "asks-once",
    "authority-at-commit",
    "recovery-by-kind",
    "repair-is-bounded",
    "identity-from-context",
    "layers-do-not-average",
    "gate-equals-guard",
    "reservation-is-exclusive",
  ];

  it("is for the ledger every promise but those about what it does not have", () => {
    const judge = createJudge(ledger, options, partingAt(never));
    expect(judge.checked()).toEqual(promiseIds.filter((promise) => !othersAlone.includes(promise)));
    expect(judge.lacking().map(({ promise }) => promise)).toEqual(othersAlone);
  });

  const lackingIn = (profile: Partial<Profile>, promises: readonly PromiseId[] = promiseIds) =>
    createJudge({ ...ledger, ...profile }, { ...options, promises }, partingAt(never)).lacking();
  const without = (...gone: readonly string[]) => ({
    abilities: ledger.abilities.filter((ability) => !gone.includes(ability)),
  });

  it("is only what needs no ability where none is claimed", () => {
    const bare: Profile = {
      name: "bare",
      layers: [],
      checkpoints: [],
      crashPoints: [],
      faults: [],
      abilities: [],
    };
    const judge = createJudge(bare, options, partingAt(never));
    expect(judge.checked()).toEqual(["every-attempt-ends", "matches-the-machine"]);
    const lacking = judge.lacking().filter(({ promise }) => !othersAlone.includes(promise));
    expect(lacking).toEqual([
      { promise: "receipt-before-release", lacks: ["second_observer", "receipts", "delivery_ids"] },
      { promise: "one-effect-per-key", lacks: ["second_observer"] },
      { promise: "one-receipt-per-attempt", lacks: ["second_observer", "receipts", "delivery_ids"] },
      {
        promise: "receipt-tells-truth",
        lacks: ["second_observer", "receipts", "delivery_ids", "stage_events"],
      },
      { promise: "outcome-tells-truth", lacks: ["second_observer", "receipts", "delivery_ids"] },
      { promise: "effect-has-request", lacks: ["second_observer", "effect_digest"] },
      { promise: "refused-leaves-nothing", lacks: ["second_observer"] },
      {
        promise: "rollback-is-complete",
        lacks: ["second_observer", "lock_probe", "layer execute", "fault of the transaction"],
      },
      { promise: "commit-survives", lacks: ["second_observer"] },
      {
        promise: "no-stale-commit",
        lacks: [
          "second_observer",
          "policy",
          "recheck_at_commit",
          "effect_revision",
          "effect_digest",
          "checkpoint before_business",
        ],
      },
      { promise: "checked-every-time", lacks: ["stage_events", "layer output"] },
      { promise: "cancel-is-not-success", lacks: ["cancel"] },
      {
        promise: "audit-failure-is-loud",
        lacks: ["second_observer", "receipts", "delivery_ids", "fault of the receipt"],
      },
      { promise: "receipts-hold-no-payload", lacks: ["second_observer", "receipts"] },
      { promise: "key-binds-arguments", lacks: ["second_observer", "effect_digest"] },
      { promise: "fail-closed", lacks: ["fault_reports", "second_observer", "fault of the checker"] },
      { promise: "revision-only-grows", lacks: ["second_observer", "policy"] },
      { promise: "unknown-is-not-failed", lacks: ["second_observer"] },
      { promise: "nothing-after-the-end", lacks: ["second_observer"] },
      { promise: "always-recoverable", lacks: ["second_observer"] },
    ]);
  });

  it("names only what is missing, of what is wanted, in the order of the list", () => {
    expect(lackingIn(without("receipts"), ["receipt-before-release", "fail-closed"])).toEqual([
      { promise: "receipt-before-release", lacks: ["receipts"] },
    ]);
    const judge = createJudge(
      ledger,
      { ...options, promises: ["fail-closed", "one-effect-per-key"] },
      partingAt(never),
    );
    expect(judge.checked()).toEqual(["one-effect-per-key", "fail-closed"]);
  });

  it("judges nothing that is lacking", () => {
    const judge = createJudge({ ...ledger, ...without("second_observer") }, options, partingAt(never));
    const found = happened(...acceptedOnce, observed(store())).flatMap((event) => judge.add(event));
    expect(found).toEqual([]);
  });

  it.each(["effect_ignored", "busy", "commit_refused", "disk_full", "read_only"] as const)(
    "takes %s for a fault of the transaction",
    (fault) => {
      expect(lackingIn({ faults: [fault] }, ["rollback-is-complete"])).toEqual([]);
    },
  );

  it.each([
    "receipt_ignored",
    "receipt_aborted",
    "busy",
    "commit_refused",
    "disk_full",
    "read_only",
  ] as const)("takes %s for a fault of the receipt", (fault) => {
    expect(lackingIn({ faults: [fault] }, ["audit-failure-is-loud"])).toEqual([]);
  });

  it.each(["checker_throws", "checker_rejects_falsy", "checker_hangs", "checker_garbled"] as const)(
    "takes %s for a fault of the checker",
    (fault) => {
      expect(lackingIn({ faults: [fault] }, ["fail-closed"])).toEqual([]);
    },
  );

  it("takes a throw for a fault only where the profile has the point to throw at", () => {
    const throwing = (crashPoints: Profile["crashPoints"]) =>
      lackingIn({ faults: ["throw_at", "bad_output"], crashPoints }, [
        "rollback-is-complete",
        "audit-failure-is-loud",
        "fail-closed",
      ]).map(({ promise }) => promise);
    expect(throwing([])).toEqual(["rollback-is-complete", "audit-failure-is-loud", "fail-closed"]);
    expect(throwing(["inside_transaction", "after_commit"])).toEqual([
      "audit-failure-is-loud",
      "fail-closed",
    ]);
    expect(throwing(["before_receipt", "after_receipt"])).toEqual(["rollback-is-complete", "fail-closed"]);
    expect(lackingIn({ faults: ["bad_output"] }, ["rollback-is-complete"])).toHaveLength(1);
  });
});

describe("a history that no harness can have recorded", () => {
  it("is refused where it names an attempt that was never submitted", () => {
    const judge = createJudge(ledger, options, partingAt(never));
    expect(() => happened(...advanceTo("a3", "after_business", store())).map(judge.add)).toThrow(
      "the history names a3, which was never submitted",
    );
    expect(() => happened(crashedAtRest("a4")).map(judge.add)).toThrow("a4, which was never submitted");
  });

  it("is refused where it submits an attempt twice", () => {
    const judge = createJudge(ledger, options, partingAt(never));
    expect(() => happened(submitted("a1"), submitted("a1")).map(judge.add)).toThrow("a1 is submitted twice");
  });
});
