import { describe, expect, it } from "vitest";
import type { Happening } from "../../../src/model/vocabulary.js";
import { page, right } from "./fixture.js";
import {
  advanced,
  decided,
  decisionRow,
  ended,
  follow,
  genuine,
  layers,
  observed,
  parked,
  receiptRow,
  recorded,
  requestRow,
  stepRow,
  submitted,
  waiting,
} from "./history.js";
import { asks, escalated, escalates, escalation, grants, loses, paged, pagedStore, pages } from "./story.js";

describe("a right guarded history", () => {
  it("is followed to its end", () => {
    expect(follow([...pages, observed(paged, pagedStore)]).kind).toBe("following");
  });

  it("may tell of clock, rights, policy, round trips and the driver between all that", () => {
    const happenings: readonly Happening[] = [
      ...asks,
      { kind: "clock_set", now: 1 },
      { kind: "round_tripped", tampered: false, answer: "restored" },
      { kind: "round_tripped", tampered: true, answer: "refused" },
      { kind: "driven", of: "a1", answer: "rests" },
      loses,
      { kind: "capability_set", capability: right("notify_oncall", "oncall/search"), held: true },
      decided(genuine("d1")),
      { kind: "driven", of: "a1", answer: "repeats" },
      submitted("a2", page, { callId: "c-a1" }),
      parked("a2", "before_business"),
      { kind: "clock_set", now: 2 },
      advanced("a2"),
      ended("a2", 2, {
        status: "approval_refused",
        code: "expired",
        events: [...waiting.events, "approval_matched", "business_started"],
        layers: layers("allow", "allow", "allow", "block"),
      }),
      observed(
        { steps: [stepRow], requests: [requestRow], decisions: [{ ...decisionRow, decidedAt: 1 }] },
        {
          receipts: [
            receiptRow(1, "a1", waiting),
            receiptRow(2, "a2", {
              status: "approval_refused",
              code: "expired",
              events: [...waiting.events, "approval_matched", "business_started"],
              layers: layers("allow", "allow", "allow", "block"),
            }),
          ],
        },
      ),
    ];
    expect(follow(happenings).kind).toBe("following");
  });

  it("shows an escalation with its receipt", () => {
    const stored = observed(
      { steps: [stepRow], escalations: [escalation] },
      { receipts: [receiptRow(1, "a1", escalated)] },
    );
    expect(follow([...escalates, stored]).kind).toBe("following");
    const missing = observed({ steps: [stepRow] }, { receipts: [receiptRow(1, "a1", escalated)] });
    expect(follow([...escalates, missing])).toMatchObject({ kind: "diverged", stage: "store" });
  });

  it.each(["tenant", "runId", "callId", "delivery", "layer"] as const)(
    "shows an escalation in its very %s",
    (column) => {
      const other = { ...escalation, [column]: column === "layer" ? "output" : "other" };
      const stored = { receipts: [receiptRow(1, "a1", escalated)] };
      expect(follow([...escalates, observed({ steps: [stepRow], escalations: [other] }, stored)]).kind).toBe(
        "diverged",
      );
    },
  );
});

describe("what is owed", () => {
  const owing: readonly Happening[] = asks.slice(0, 1);

  it.each<readonly [string, Happening]>([
    ["d1 grant of request 1", decided(genuine("d1"))],
    ["decision_held", { kind: "decision_held", ...genuine("d1") }],
    ["round_tripped", { kind: "round_tripped", tampered: false, answer: "restored" }],
    ["driver on a1", { kind: "driven", of: "a1", answer: "rests" }],
    ["clock_set", { kind: "clock_set", now: 1 }],
    ["capability_set", loses],
    ["crashed", { kind: "crashed", advancing: { kind: "idle" }, lost: ["a1"] }],
  ])("comes before %s", (seen, wrong) => {
    expect(follow([...owing, wrong])).toEqual({
      kind: "diverged",
      position: 1,
      stage: "approval",
      allowed: ["a1 parked at before_request, policy r1 seen"],
      seen,
    });
  });
});

describe("an answer that the machine would not give", () => {
  it.each<
    readonly [why: string, start: readonly Happening[], wrong: Happening, allowed: string, seen: string]
  >([
    [
      "a genuine round trip that is refused",
      asks,
      { kind: "round_tripped", tampered: false, answer: "refused" },
      "round_tripped: restored",
      "round_tripped: refused",
    ],
    [
      "a tampered text that is believed",
      asks,
      { kind: "round_tripped", tampered: true, answer: "restored" },
      "round_tripped: refused",
      "round_tripped: restored",
    ],
    [
      "a driver that repeats what waits",
      asks,
      { kind: "driven", of: "a1", answer: "repeats" },
      "driver on a1: rests",
      "driver on a1: repeats",
    ],
    [
      "a driver that rests on a live grant",
      grants,
      { kind: "driven", of: "a1", answer: "rests" },
      "driver on a1: repeats",
      "driver on a1: rests",
    ],
    [
      "a driver that looks at what is not over",
      asks.slice(0, 3),
      { kind: "driven", of: "a1", answer: "rests" },
      "driver on a1: nothing",
      "driver on a1: rests",
    ],
  ])("diverges there: %s", (_, start, wrong, allowed, seen) => {
    expect(follow([...start, wrong])).toEqual({
      kind: "diverged",
      position: start.length,
      stage: "control",
      allowed: [allowed],
      seen,
    });
  });

  it("is said of a decision in the words of its answer", () => {
    expect(follow([...asks, decided(genuine("d1"), { kind: "refused", code: "expired" })])).toEqual({
      kind: "diverged",
      position: asks.length,
      stage: "approval",
      allowed: ["d1 grant of request 1 recorded"],
      seen: "d1 grant of request 1 refused expired",
    });
    expect(follow([...grants, decided(genuine("d2"), recorded)])).toMatchObject({
      allowed: ["d2 grant of request 1 refused already_granted"],
      seen: "d2 grant of request 1 recorded",
    });
    expect(follow([...grants, decided(genuine("d2"), { kind: "refused", code: "expired" })]).kind).toBe(
      "diverged",
    );
    expect(
      follow([...grants, decided(genuine("d2"), { kind: "refused", code: "already_granted" })]).kind,
    ).toBe("following");
  });

  it("is judged by what the history says of the decision", () => {
    const forged = { ...genuine("d1"), request: 7 };
    expect(follow([...asks, decided(forged)]).kind).toBe("diverged");
    expect(follow([...asks, decided(forged, { kind: "refused", code: "no_such_request" })]).kind).toBe(
      "following",
    );
    const roleless = { ...genuine("d1"), by: { approver: "approver-1", tenant: "t1", roles: [] } };
    expect(follow([...asks, decided(roleless, { kind: "refused", code: "not_entitled" })]).kind).toBe(
      "following",
    );
  });
});
