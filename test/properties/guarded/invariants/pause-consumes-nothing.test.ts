import { describe, expect, it } from "vitest";
import type { Happening } from "../../../../src/model/vocabulary.js";
import { page, region, type Saying } from "../../../model/guarded/fixture.js";
import {
  accepted,
  type End,
  ended,
  layers,
  parked,
  receiptRow,
  stepRow,
  submitted,
  waiting,
} from "../../../model/guarded/history.js";
import {
  asked,
  asks,
  breach,
  denied,
  denies,
  endsAtOnce,
  lastOf,
  occurs,
  paged,
  pages,
  read,
  type Stored,
} from "../history.js";

const promise = "pause-consumes-nothing";
const later: Saying = { step: 1 };

const blocked: End = {
  status: "blocked",
  code: "run_waiting",
  events: [],
  layers: layers("not_reached", "not_reached", "not_reached", "not_reached"),
};
/** The steps that have begun when a2 has begun step 1. */
const laterStep = { ...stepRow, step: 1, callId: "c-a2" };

function overtook(history: readonly Happening[], seen: string, name = "a2") {
  return {
    at: lastOf(history),
    sentence: `${name} moved although an earlier step still waits.`,
    expected: "blocked",
    seen,
  };
}

describe("pause-consumes-nothing", () => {
  it("allows a later step to be blocked while an earlier one waits", () => {
    const stored = {
      ...asked,
      receipts: [receiptRow(1, "a1", waiting), receiptRow(2, "a2", blocked, "c-a2")],
    };
    const history = [...asks, ...endsAtOnce("a2", 2, blocked, stored, page, later)];
    expect(breach(promise, history)).toBe("nothing");
    expect(occurs(promise, history)).toBe(true);
  });

  it.each(["before_request", "before_business"] as const)("forbids a later step to come to %s", (at) => {
    const history = [...asks, submitted("a2", page, later), parked("a2", at)];
    expect(breach(promise, history)).toEqual(overtook(history, `parked at ${at}`));
  });

  it("forbids it to end as one that was looked at", () => {
    const history = [...asks, submitted("a2", page, later), ended("a2", 2, waiting)];
    expect(breach(promise, history)).toEqual(
      overtook(history, "completed waiting_for_approval/approval_required"),
    );
  });

  it("forbids it to begin its step, even if it is blocked then", () => {
    const history = [
      ...asks,
      ...endsAtOnce("a2", 2, blocked, { ...asked, steps: [stepRow, laterStep] }, page, later),
    ];
    expect(breach(promise, history)).toEqual(overtook(history, "step 1 was begun"));
  });

  it("tells a run that has ended with a no from one that waits", () => {
    const history = [...denies, submitted("a2", page, later), parked("a2", "before_request")];
    expect(breach(promise, history)).toEqual({
      ...overtook(history, "parked at before_request"),
      sentence: "a2 moved although the run has ended with a no.",
    });
    const heeded = [
      ...denies,
      ...endsAtOnce("a2", 2, { ...blocked, code: "run_ended" }, denied, page, later),
    ];
    expect(breach(promise, heeded)).toBe("nothing");
  });

  // What was known when it was submitted counts: a step that has come to its end lets the next one go on.
  it("lets the next step go on once the earlier one is accepted", () => {
    const history = [...pages, submitted("a3", page, later), parked("a3", "before_request")];
    expect(breach(promise, history)).toBe("nothing");
    expect(occurs(promise, history)).toBe(false);
  });

  it.each<[string, Saying]>([
    ["of the same step", {}],
    ["of another run", { step: 1, runId: "r2" }],
    ["of another tenant", { step: 1, tenant: "t2" }],
  ])("is vacuous for a call %s", (_, saying) => {
    const history = [...asks, submitted("a2", page, saying), parked("a2", "before_request")];
    expect(breach(promise, history)).toBe("nothing");
    expect(occurs(promise, history)).toBe(false);
  });

  it("is vacuous where no earlier step has begun", () => {
    const history = [read(), submitted("a1", page, later), parked("a1", "before_request")];
    expect(breach(promise, history)).toBe("nothing");
    expect(occurs(promise, history)).toBe(false);
  });
});

describe("a place of a step", () => {
  const rejected: End = {
    status: "input_rejected",
    code: "shape",
    events: [],
    layers: layers("block", "not_reached", "not_reached", "not_reached"),
  };
  const repairing = { ...stepRow, callId: "c-a2", replaces: "c-a1" };
  const firstRejected: Stored = { steps: [stepRow], receipts: [receiptRow(1, "a1", rejected)] };
  const goesOn = (name: "a2" | "a3" | "a4", step: number) => [
    submitted(name, region, { step }),
    parked(name, "before_business"),
  ];

  it("is open while its call has only been rejected", () => {
    const history = [read(), ...endsAtOnce("a1", 1, rejected, firstRejected), ...goesOn("a2", 1)];
    expect(breach(promise, history)).toEqual(overtook(history, "parked at before_business"));
  });

  it("is taken once the call that repairs it is accepted", () => {
    const receipts = [receiptRow(1, "a1", rejected), receiptRow(2, "a2", accepted, "c-a2")];
    const history = [
      read(),
      ...endsAtOnce("a1", 1, rejected, firstRejected),
      ...endsAtOnce("a2", 2, accepted, { steps: [stepRow, repairing], receipts }, region, {
        replaces: "c-a1",
      }),
      ...goesOn("a3", 1),
    ];
    expect(breach(promise, history)).toBe("nothing");
    expect(occurs(promise, history)).toBe(false);
  });

  it("is not taken by a call beside it that repairs nothing", () => {
    const receipts = [receiptRow(1, "a1", rejected), receiptRow(2, "a2", accepted, "c-a2")];
    const beside = { ...stepRow, callId: "c-a2" };
    const history = [
      read(),
      ...endsAtOnce("a1", 1, rejected, firstRejected),
      ...endsAtOnce("a2", 2, accepted, { steps: [stepRow, beside], receipts }, region),
      ...goesOn("a3", 1),
    ];
    expect(breach(promise, history)).toEqual(overtook(history, "parked at before_business", "a3"));
  });

  it("counts the accepted receipt of its own call alone", () => {
    const receipts = [receiptRow(1, "a1", waiting), { ...receiptRow(2, "a2", accepted), runId: "r2" }];
    const history = [
      ...asks,
      ...endsAtOnce("a2", 2, accepted, { ...asked, receipts }, region, { callId: "c-a1", runId: "r2" }),
      ...goesOn("a3", 1),
    ];
    expect(breach(promise, history)).toEqual(overtook(history, "parked at before_business", "a3"));
  });

  it("holds back every later step, not the next alone", () => {
    const history = [...asks, ...goesOn("a2", 4)];
    expect(breach(promise, history)).toEqual(overtook(history, "parked at before_business"));
  });

  it("is taken by what the store says, not by what a caller was told", () => {
    // a2 was told that it was accepted, but no receipt says so.
    const history = [
      ...pages.slice(0, -1),
      read({ ...paged, receipts: asked.receipts ?? [] }),
      ...goesOn("a3", 1),
    ];
    expect(breach(promise, history)).toEqual(overtook(history, "parked at before_business", "a3"));
  });
});
