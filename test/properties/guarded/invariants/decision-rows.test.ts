import { describe, expect, it } from "vitest";
import type { DecisionAnswer, Happening, RequestRow } from "../../../../src/model/vocabulary.js";
import { decided, decisionRow, genuine, requestRow, restarted } from "../../../model/guarded/history.js";
import {
  asked,
  asks,
  breach,
  denied,
  deniedRow,
  denies,
  executes,
  granted,
  lastOf,
  occurs,
  read,
  type Stored,
} from "../history.js";

const promise = "decision-tells-truth";
const yes = genuine("d9");

describe("decision-tells-truth, of the rows,", () => {
  const elsewhere = (history: readonly Happening[], seen: string) => ({
    at: lastOf(history),
    sentence: "A decision appeared that no approver made.",
    expected: "no new decision row",
    seen,
  });
  const byItself = "decision 1: grant of request 1 by approver-1";

  it.each<[string, DecisionAnswer, number, string]>([
    ["recorded", { kind: "recorded" }, 0, "one decision row"],
    ["recorded", { kind: "recorded" }, 2, "one decision row"],
    ["unknown", { kind: "unknown" }, 2, "no decision row"],
  ])("forbids an answer of %j with %i rows", (_, answer, rows, expected) => {
    const decisions = Array.from({ length: rows }, (__, index) => ({ ...decisionRow, number: index + 1 }));
    const history = [...asks, decided(yes, answer), read({ ...asked, decisions })];
    expect(breach(promise, history)).toEqual({
      at: lastOf(history),
      sentence: "d9 was answered otherwise than its row says.",
      expected,
      seen: `${answer.kind} with ${rows} new decision rows`,
    });
  });

  it.each([0, 1])("allows an unknown answer with %i rows", (rows) => {
    const decisions = [decisionRow].slice(0, rows);
    const history = [...asks, decided(yes, { kind: "unknown" }), read({ ...asked, decisions })];
    expect(breach(promise, history)).toBe("nothing");
  });

  it("forbids a refused decision to leave a row", () => {
    const decision = { ...yes, by: { ...yes.by, roles: [] } };
    const answer = { kind: "refused", code: "not_entitled" } as const;
    const history = [...asks, decided(decision, answer), read(granted)];
    expect(breach(promise, history)).toEqual({
      at: lastOf(history),
      sentence: "d9 was answered otherwise than its row says.",
      expected: "no decision row",
      seen: "refused with 1 new decision rows",
    });
  });

  it("forbids a row that comes from nowhere, even where decisions have been made before", () => {
    expect(breach(promise, [...asks, read(granted)])).toEqual(elsewhere([...asks, read(granted)], byItself));
    const both = { ...denied, decisions: [deniedRow, { ...decisionRow, number: 2 }] };
    const history = [...denies, read(both)];
    expect(breach(promise, history)).toEqual(
      elsewhere(history, "decision 2: grant of request 1 by approver-1"),
    );
  });

  it("is vacuous while nothing was decided", () => {
    expect(occurs(promise, asks)).toBe(false);
    expect(breach(promise, asks)).toBe("nothing");
  });
});

describe("decision-tells-truth, when a crash strikes a handler,", () => {
  const crashes = (decisions: Stored["decisions"], requests: readonly RequestRow[] = [requestRow]) => [
    ...asks,
    { kind: "decision_held", ...yes } as const,
    read(asked),
    {
      kind: "crashed",
      advancing: { kind: "decision", decision: "d9", at: "after_decision" },
      lost: [],
      lostDecisions: ["d9"],
    } as const,
    restarted,
    read({ ...asked, requests, decisions: decisions ?? [] }),
  ];

  it("allows one row of the request that it was to decide on, or none", () => {
    expect(breach(promise, crashes([]))).toBe("nothing");
    expect(breach(promise, crashes([decisionRow]))).toBe("nothing");
  });

  it("forbids a second row, and one of another request", () => {
    expect(breach(promise, crashes([decisionRow, { ...decisionRow, number: 2 }]))).toMatchObject({
      sentence: "d9 was answered otherwise than its row says.",
      seen: "unknown with 2 new decision rows",
    });
    expect(breach(promise, crashes([{ ...decisionRow, request: 2 }]))).toMatchObject({
      sentence: "The row of d9 says something else than was decided.",
      expected: "grant of request 1 by approver-1 as incident_commander",
      seen: "grant of request 2 by approver-1 as incident_commander",
    });
  });

  it.each([
    ["another verdict", { verdict: "deny" }, "deny of request 1 by approver-1 as incident_commander"],
    ["another approver", { approver: "x" }, "grant of request 1 by x as incident_commander"],
    ["another role", { role: "clerk" }, "grant of request 1 by approver-1 as clerk"],
  ] as const)("forbids a row of %s than was decided", (_, difference, seen) => {
    expect(breach(promise, crashes([{ ...decisionRow, ...difference }]))).toMatchObject({
      sentence: "The row of d9 says something else than was decided.",
      seen,
    });
  });

  it("forbids a row of a decision that deserves none, though its approver heard nothing", () => {
    // Nobody without the role decides, whether or not the handler comes to answer.
    const unentitled = { ...yes, by: { ...yes.by, roles: [] } };
    const history = crashes([decisionRow]).map((happening) =>
      happening.kind === "decision_held" ? { kind: "decision_held" as const, ...unentitled } : happening,
    );
    expect(breach(promise, history)).toMatchObject({
      expected: "no decision row",
      seen: "unknown with 1 new decision rows",
    });
  });

  it("lets no row come later than the first read after it", () => {
    const history = [...crashes([]), read(granted)];
    expect(breach(promise, history)).toMatchObject({ seen: "decision 1: grant of request 1 by approver-1" });
  });
});

describe("decision-tells-truth, of a round trip,", () => {
  const trip = (tampered: boolean, answer: "restored" | "refused"): Happening => ({
    kind: "round_tripped",
    tampered,
    answer,
  });

  it.each([
    [true, "refused", "nothing"],
    [false, "restored", "nothing"],
    // That a genuine text is turned away is for always-recoverable to judge.
    [false, "refused", "nothing"],
  ] as const)("allows tampered %s to be %s", (tampered, answer, expected) => {
    expect(breach(promise, [...asks, trip(tampered, answer)])).toBe(expected);
  });

  it("forbids to believe a tampered text", () => {
    const history = [...asks, trip(true, "restored")];
    expect(breach(promise, history)).toEqual({
      at: lastOf(history),
      sentence: "A text of what waits was believed although it had been changed.",
      expected: "refused",
      seen: "restored",
    });
  });

  it("does not mind it where nothing waits", () => {
    for (const before of [[read()], denies, executes]) {
      expect(breach(promise, [...before, trip(true, "restored")])).toBe("nothing");
    }
  });
});
