import { describe, expect, it } from "vitest";
import type { AuditCause, Checkpoint, Fault, StageEvent } from "../../src/model/vocabulary.js";
import type { Receipt, World } from "../../src/model/world.js";
import {
  advance,
  allowed,
  cancel,
  committed,
  empty,
  expire,
  finish,
  refusal,
  river2,
  shown,
  submit,
  take,
  valid,
  worldAfter,
} from "./fixture.js";

type Stop = {
  readonly at: Checkpoint;
  /** Advances from before_business to there. */
  readonly advances: number;
  readonly events: readonly StageEvent[];
  readonly effects: number;
};

/** What an attempt of river2 has said and left when it stands at each checkpoint. */
const stops: readonly Stop[] = [
  { at: "before_business", advances: 0, events: allowed, effects: 0 },
  { at: "after_business", advances: 1, events: committed, effects: 1 },
  { at: "output_check", advances: 2, events: shown, effects: 1 },
];

function standingAt({ advances }: Stop, ...faults: readonly Fault[]): World {
  return worldAfter(
    empty,
    submit("a1", river2, ...faults),
    ...Array.from({ length: advances }, () => advance("a1")),
  );
}

function cancelledReceipt(stop: Stop): Receipt {
  return {
    number: 1,
    attempt: "a1",
    tenant: "t1",
    runId: "r1",
    callId: "c-a1",
    key: { kind: "key", key: "JOB-001" },
    status: "cancelled",
    code: "cancelled",
    effectExists: stop.effects === 1,
    events: stop.events,
  };
}

describe.each(stops)("a cancel of an attempt at $at", (stop) => {
  const { at, effects } = stop;
  const delivered = { kind: "cancel_delivered", attempt: "a1", at };

  it("only asks: nothing happens before the attempt moves", () => {
    const before = standingAt(stop);
    const { world, events, transitions } = take(before, cancel("a1"));
    expect(events).toEqual([]);
    expect(transitions).toEqual([`${at} cancel requested`]);
    expect({ ...world, attempts: [] }).toEqual({ ...before, attempts: [] });
    expect(world.attempts.map((attempt) => attempt.cancel)).toEqual(["requested"]);
  });

  it("takes hold when it moves: a cancelled receipt, the effect as it was, the caller's reason", () => {
    const { world, events, transitions } = take(standingAt(stop), cancel("a1"), finish("a1"));
    expect(events).toEqual([
      delivered,
      { kind: "ended", attempt: "a1", outcome: { kind: "cancelled", reason: "callers" } },
    ]);
    expect(transitions.slice(1)).toEqual([`${at} cancelled ended cancelled`]);
    expect(world.effects).toHaveLength(effects);
    expect(world.receipts).toEqual([cancelledReceipt(stop)]);
    expect(world.attempts.map(({ place, cancel }) => [place, cancel])).toEqual([[{ kind: "ended" }, "none"]]);
  });

  it("beats a throw that is armed there", () => {
    const { world, events } = take(standingAt(stop, { kind: "throw_at", at }), cancel("a1"), advance("a1"));
    expect(events).toEqual([
      delivered,
      { kind: "ended", attempt: "a1", outcome: { kind: "cancelled", reason: "callers" } },
    ]);
    expect(world.receipts).toEqual([cancelledReceipt(stop)]);
  });

  const failures: readonly (readonly [Fault, readonly AuditCause[]])[] = [
    [{ kind: "receipt_ignored" }, ["cancelled", "receipt_write"]],
    [{ kind: "receipt_aborted" }, ["cancelled", "receipt_write", "driver"]],
    [{ kind: "busy", stage: "receipt" }, ["cancelled", "receipt_write", "driver"]],
    [{ kind: "throw_at", at: "before_receipt" }, ["cancelled", "receipt_write", "other"]],
  ];

  it.each(failures)("yields to an audit failure and stays among its causes: %o", (fault, causes) => {
    const { world, events, transitions } = take(standingAt(stop, fault), cancel("a1"), advance("a1"));
    expect(events).toEqual([
      delivered,
      { kind: "ended", attempt: "a1", outcome: { kind: "audit_unavailable", causes, events: stop.events } },
    ]);
    expect(transitions.slice(1)).toEqual([
      `${at} cancelled ended audit_unavailable ${causes.join("+")} from cancelled/cancelled`,
    ]);
    expect(world.effects).toHaveLength(effects);
    expect(world.receipts).toEqual([]);
  });

  it("leaves the caller in the dark after a throw behind its receipt", () => {
    const { world, events } = take(
      standingAt(stop, { kind: "throw_at", at: "after_receipt" }),
      cancel("a1"),
      advance("a1"),
    );
    expect(events).toEqual([
      delivered,
      { kind: "ended", attempt: "a1", outcome: { kind: "unknown", cause: "after_receipt" } },
    ]);
    expect(world.receipts).toEqual([cancelledReceipt(stop)]);
  });

  it("is asked for once", () => {
    expect(refusal(standingAt(stop), cancel("a1"), cancel("a1"))).toEqual({
      kind: "refused",
      reason: "a cancel of a1 is requested already",
    });
  });
});

describe("a cancel of an attempt whose checker hangs", () => {
  // No checkpoint follows, neither after check nor after output: a verdict that never came is an error, not a cancel.
  it.each([
    { stage: "check", said: valid, effects: 0, from: "blocked_check" },
    { stage: "output", said: shown, effects: 1, from: "blocked_output" },
  ] as const)("comes too late at $stage", ({ stage, said, effects, from }) => {
    const submitted = take(empty, submit("a1", river2, { kind: "checker_hangs", stage }));
    const hung = stage === "check" ? submitted.world : worldAfter(submitted.world, finish("a1"));
    const { world, events, transitions } = take(hung, cancel("a1"), expire("a1"));
    expect(events).toEqual([
      { kind: "cancel_too_late", attempt: "a1" },
      {
        kind: "ended",
        attempt: "a1",
        outcome: {
          kind: "completed",
          receiptNumber: 1,
          status: "error",
          code: "no_verdict",
          events: said,
          effectExists: effects === 1,
          released: "nothing",
        },
      },
    ]);
    expect(transitions).toEqual([`${from} cancel requested`, `${from} expire ended error/no_verdict`]);
    expect(world.effects).toHaveLength(effects);
  });

  it("is not among the causes of an audit failure then", () => {
    const { events } = take(
      empty,
      submit("a1", river2, { kind: "checker_hangs", stage: "check" }, { kind: "receipt_aborted" }),
      cancel("a1"),
      expire("a1"),
    );
    expect(events.at(-1)).toEqual({
      kind: "ended",
      attempt: "a1",
      outcome: { kind: "audit_unavailable", causes: ["receipt_write", "driver"], events: valid },
    });
  });
});

describe("a cancel that finds nobody", () => {
  it.each([
    { why: "unknown", before: [], reason: "a1 is not known" },
    { why: "ended", before: [submit("a1", river2), finish("a1")], reason: "a1 has ended" },
    {
      why: "lost",
      before: [submit("a1", river2), { kind: "crash", where: { kind: "parked" } }, { kind: "restart" }],
      reason: "a1 was lost in a crash",
    },
  ] as const)("is refused: the attempt is $why", ({ before, reason }) => {
    expect(refusal(empty, ...before, cancel("a1"))).toEqual({ kind: "refused", reason });
  });
});
