import { describe, expect, it } from "vitest";
import type { Event, Fault, Outcome, StageEvent } from "../../../src/model/vocabulary.js";
import {
  acceptedOnce,
  advanced,
  advanceTo,
  advanceToEnd,
  afterAccepted,
  auditUnavailable,
  blocked,
  breaches,
  broken,
  cancelRequested,
  cancelTooLate,
  committedAndPassed,
  crashedAt,
  effect,
  ended,
  expired,
  fired,
  happened,
  nothingReleased,
  observed,
  occurs,
  parked,
  receipt,
  reusedAndPassed,
  startOf,
  stopped,
  store,
  submitted,
  told,
  unknown,
} from "../history.js";

const effects = [effect()];

describe("checked-every-time", () => {
  /** After a1 was accepted, a2 reuses its effect and ends at event 17 of action 5. */
  const ending = (outcome: Outcome, releasedIs: "acceptable" | "unacceptable" | "nothing") =>
    happened(
      ...acceptedOnce,
      ...startOf("a2", afterAccepted),
      advanced("a2"),
      { kind: "ended", attempt: "a2", outcome, releasedIs, atRelease: afterAccepted },
      observed(afterAccepted),
    );
  const row = receipt(2, "a2", { events: reusedAndPassed });
  const at = { promise: "checked-every-time", position: 17, action: 5 };

  it("allows an accepted attempt that passed its check on what it released", () => {
    expect(breaches("checked-every-time", ending(told(row), "acceptable"))).toEqual([]);
    expect(occurs("checked-every-time", happened(...acceptedOnce))).toBe(true);
  });

  it("forbids releasing what was stored after checking something else", () => {
    expect(breaches("checked-every-time", ending(told(row), "unacceptable"))).toEqual([
      {
        ...at,
        sentence: "a2 did not release what its output check must have passed.",
        expected: "a value that the contract accepts for this request",
        seen: "completed accepted/ok, released an unacceptable value",
      },
    ]);
  });

  it("forbids accepted without a value", () => {
    const outcome = told(row, { released: nothingReleased });
    expect(breaches("checked-every-time", ending(outcome, "nothing"))).toEqual([
      {
        ...at,
        sentence: "a2 did not release what its output check must have passed.",
        expected: "a value that the contract accepts for this request",
        seen: "completed accepted/ok, released nothing",
      },
    ]);
  });

  it("forbids releasing an unacceptable value under any status", () => {
    const error = receipt(2, "a2", { status: "error", code: "unforeseen", events: stopped.afterReuse });
    expect(breaches("checked-every-time", ending(told(error), "unacceptable"))).toMatchObject([
      { seen: "completed error/unforeseen, released an unacceptable value" },
    ]);
    expect(breaches("checked-every-time", ending(told(error), "nothing"))).toEqual([]);
  });

  it.each<[string, readonly StageEvent[]]>([
    ["no check at all", stopped.afterReuse],
    ["a check that only began", [...stopped.afterReuse, "output_started"]],
    ["a check that never began", [...stopped.afterReuse, "output_allowed"]],
  ])("forbids accepting a reused effect after %s", (_, events) => {
    expect(breaches("checked-every-time", ending(told({ ...row, events }), "acceptable"))).toEqual([
      {
        ...at,
        sentence: "a2 was accepted without an output check of its own.",
        expected: "events output_started, output_allowed",
        seen: `events ${events.join(", ")}`,
      },
    ]);
  });

  it("has nothing to guard where nothing is accepted", () => {
    const error = receipt(1, "a1", { status: "error", code: "unforeseen", events: [], effectExists: false });
    const only = (outcome: Outcome) =>
      happened(observed(store()), ...startOf("a1", store()), ...advanceToEnd("a1", outcome, store()));
    expect(occurs("checked-every-time", only(told(error)))).toBe(false);
    expect(occurs("checked-every-time", only(unknown()))).toBe(false);
  });
});

describe("fail-closed", () => {
  const kinds = ["checker_throws", "checker_rejects_falsy", "checker_hangs", "checker_garbled"] as const;
  const noVerdict = (events: readonly StageEvent[]) =>
    receipt(1, "a1", { status: "error", code: "no_verdict", effectExists: events.length > 1, events });

  /** The check of a1 gives no verdict at event 2; it ends at event 3 of action 0. */
  const unchecked = (kind: (typeof kinds)[number], outcome: Outcome, now: Parameters<typeof store>[0]) =>
    happened(
      observed(store()),
      submitted("a1"),
      fired("a1", { kind, stage: "check" }),
      ended("a1", outcome, store(now)),
      observed(store(now)),
    );
  const wentOn = (stage: "check" | "output" | "own", seen: string, position: number, action: number) => ({
    promise: "fail-closed",
    position,
    action,
    sentence: `a1 went on although its ${stage} check gave no verdict.`,
    expected:
      stage === "check" ? "nothing released, no later stage, no effect" : "nothing released, no later stage",
    seen,
  });

  it.each(kinds)("allows refusing where the check had %s", (kind) => {
    const row = noVerdict(stopped.byCheck);
    const history = unchecked(kind, told(row), { receipts: [row] });
    expect(broken(history)).toEqual([]);
    expect(occurs("fail-closed", history)).toBe(true);
  });

  it.each(kinds)("forbids starting the business where the check had %s", (kind) => {
    const history = happened(
      observed(store()),
      submitted("a1"),
      fired("a1", { kind, stage: "check" }),
      parked("a1", "before_business"),
      observed(store()),
    );
    expect(breaches("fail-closed", history)).toEqual([wentOn("check", "parked at before_business", 3, 0)]);
  });

  it("forbids committing, being accepted and telling later events without a checkpoint in between", () => {
    const accepted = receipt(1, "a1");
    const seen = `completed accepted/ok, events ${committedAndPassed.join(", ")}, released a value`;
    expect(breaches("fail-closed", unchecked("checker_throws", told(accepted), { effects }))).toEqual([
      wentOn("check", seen, 3, 0),
    ]);
    expect(breaches("fail-closed", unchecked("checker_throws", unknown("timeout"), { effects }))).toEqual([
      wentOn("check", "effect of JOB-001 of t1", 4, 0),
    ]);
    const later = auditUnavailable(["arguments_valid", "business_started"]);
    expect(breaches("fail-closed", unchecked("checker_throws", later, {}))).toEqual([
      wentOn(
        "check",
        "audit_unavailable (receipt_write), events arguments_valid, business_started, released nothing",
        3,
        0,
      ),
    ]);
    expect(
      breaches("fail-closed", unchecked("checker_throws", auditUnavailable(stopped.byCheck), {})),
    ).toEqual([]);
  });

  it("allows a hung check that is given up, also under a cancel that comes too late", () => {
    const row = noVerdict(stopped.byCheck);
    const now = store({ receipts: [row] });
    const history = happened(
      observed(store()),
      submitted("a1"),
      fired("a1", { kind: "checker_hangs", stage: "check" }),
      blocked("a1", "check"),
      observed(store()),
      cancelRequested("a1"),
      observed(store()),
      expired("a1"),
      cancelTooLate("a1"),
      ended("a1", told(row), now),
      observed(now),
    );
    expect(broken(history)).toEqual([]);
  });

  /** The output check of a1 gives no verdict at event 11; it ends at event 12 of action 3. */
  const unread = (fault: Fault, outcome: Outcome, now: Parameters<typeof store>[0]): readonly Event[] =>
    happened(
      observed(store()),
      ...startOf("a1", store()),
      ...advanceTo("a1", "after_business", store({ effects })),
      ...advanceTo("a1", "output_check", store({ effects })),
      advanced("a1"),
      fired("a1", fault),
      ended("a1", outcome, store(now)),
      observed(store(now)),
    );

  it.each(kinds)("allows the effect to stay where the output check had %s", (kind) => {
    const row = noVerdict(stopped.byOutput);
    const history = unread({ kind, stage: "output" }, told(row), { effects, receipts: [row] });
    expect(broken(history)).toEqual([]);
    expect(occurs("fail-closed", history)).toBe(true);
  });

  it.each(kinds)("forbids passing the output where its check had %s", (kind) => {
    const row = receipt(1, "a1");
    const fault: Fault = { kind, stage: "output" };
    const seen = `completed accepted/ok, events ${committedAndPassed.join(", ")}, released a value`;
    expect(breaches("fail-closed", unread(fault, told(row), { effects, receipts: [row] }))).toEqual([
      wentOn("output", seen, 12, 3),
    ]);
  });

  it("forbids accepted without a value, a value without accepted, and output_allowed", () => {
    const fault: Fault = { kind: "checker_garbled", stage: "output" };
    const seen = (outcome: Outcome) =>
      breaches("fail-closed", unread(fault, outcome, { effects })).map((violation) => violation.seen);
    const quiet = receipt(1, "a1", { events: [] });
    expect(seen(told(quiet, { released: nothingReleased }))).toEqual([
      "completed accepted/ok, no events, released nothing",
    ]);
    const error = receipt(1, "a1", { status: "error", code: "no_verdict", events: [] });
    expect(seen(told(error, { released: { kind: "value", value: "B1" } }))).toEqual([
      "completed error/no_verdict, no events, released a value",
    ]);
    expect(seen(auditUnavailable(["output_allowed"]))).toEqual([
      "audit_unavailable (receipt_write), events output_allowed, released nothing",
    ]);
    expect(seen(auditUnavailable(["output_started"]))).toEqual([]);
    expect(seen(unknown())).toEqual([]);
  });

  it("reads what an attempt that was killed behind its receipt wrote there", () => {
    const killed = (stage: "check" | "output", row: ReturnType<typeof receipt>) =>
      breaches(
        "fail-closed",
        happened(
          observed(store()),
          ...startOf("a1", store({})),
          fired("a1", { kind: "checker_throws", stage }),
          crashedAt("after_receipt", "a1"),
          observed(store({ receipts: [row] })),
        ),
      );
    const text = "receipt 1 of delivery d-a1: accepted/ok, key JOB-001, effectExists true, events none";
    expect(killed("output", receipt(1, "a1", { events: [] }))).toEqual([wentOn("output", text, 6, 1)]);
    const error = receipt(1, "a1", { status: "error", code: "no_verdict", events: stopped.byOutput });
    expect(killed("output", error)).toEqual([]);
    expect(killed("output", { ...error, events: ["output_allowed"] })).toHaveLength(1);
    expect(killed("check", error)).toHaveLength(1);
    expect(killed("check", { ...error, events: stopped.byCheck })).toEqual([]);
    expect(killed("check", receipt(1, "a1", { events: [], delivery: "d-a9" }))).toEqual([]);
  });

  it("forbids releasing under no_verdict, whoever kept the check from it", () => {
    const row = noVerdict(stopped.byOutput);
    const ending = (outcome: Outcome) =>
      breaches(
        "fail-closed",
        happened(
          observed(store()),
          ...startOf("a1", store()),
          ...advanceToEnd("a1", outcome, store({ effects, receipts: [row] })),
        ),
      );
    expect(ending(told(row))).toEqual([]);
    expect(ending(told(row, { released: { kind: "value", value: "B1" } }))).toEqual([
      wentOn(
        "own",
        `completed error/no_verdict, events ${stopped.byOutput.join(", ")}, released a value`,
        5,
        1,
      ),
    ]);
    expect(ending(told(receipt(1, "a1")))).toEqual([]);
  });

  it("allows effects of attempts whose checks gave a verdict", () => {
    const output = unread({ kind: "checker_throws", stage: "output" }, unknown("timeout"), { effects: [] });
    expect(breaches("fail-closed", output)).toEqual([]);
    const other = unread({ kind: "bad_output" }, told(receipt(1, "a1")), { effects });
    expect(breaches("fail-closed", other)).toEqual([]);
    expect(occurs("fail-closed", other)).toBe(false);
  });
});
