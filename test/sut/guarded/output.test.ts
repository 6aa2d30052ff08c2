import { afterAll, describe, expect, it } from "vitest";
import type { Fault, Json, OutputFinding } from "../../../src/model/vocabulary.js";
import { defaultDetector } from "../../../src/sut/guarded/output/detector.js";
import { disposeOf, fixedQuestion } from "../../../src/sut/guarded/output/disposition.js";
import {
  endingOf,
  finish,
  lastConsent,
  lastObservation,
  openGuardedBench,
  river,
  submit,
} from "./guarded-run.js";

const expected = { job: "JOB-001", text: "river / copies=2" };
const [secret, mail] = ["api_key=abc", "someone@example.org"];

describe("a disposition", () => {
  const rows: readonly { readonly value: Json; readonly kind: string; readonly why: string }[] = [
    { why: "exactly what the tool promises", value: expected, kind: "whole" },
    { why: "another form", value: "not an object", kind: "regenerate" },
    { why: "a field too many", value: { ...expected, more: 1 }, kind: "regenerate" },
    { why: "a field of another value", value: { ...expected, text: "forest" }, kind: "regenerate" },
    { why: "personal data beside it", value: { ...expected, contact: mail }, kind: "partial" },
    { why: "personal data and a wrong rest", value: { contact: mail }, kind: "regenerate" },
    { why: "a missing choice", value: { ...expected, choice: null }, kind: "clarify" },
    { why: "high impact", value: { ...expected, impact: "high" }, kind: "escalate" },
    { why: "a secret", value: { ...expected, note: secret }, kind: "block" },
    { why: "a secret in a text of no form", value: secret, kind: "block" },
    // Of several findings the strictest decides: secret, impact, question, personal, form.
    {
      why: "personal data and a missing choice",
      value: { ...expected, contact: mail, choice: null },
      kind: "clarify",
    },
    {
      why: "a missing choice and high impact",
      value: { ...expected, choice: null, impact: "high" },
      kind: "escalate",
    },
    {
      why: "everything at once",
      value: { contact: mail, choice: null, impact: "high", note: secret },
      kind: "block",
    },
  ];

  it.each(rows)("of a value with $why is $kind", ({ value, kind }) => {
    expect(disposeOf(value, expected, defaultDetector).kind).toBe(kind);
  });

  it("releases exactly the rest where personal data is hidden, and names only its kind", () => {
    expect(disposeOf({ ...expected, contact: mail }, expected, defaultDetector)).toEqual({
      kind: "partial",
      value: expected,
      withheld: ["personal"],
    });
  });

  it("goes by the detector that it is given", () => {
    expect(disposeOf(expected, expected, () => ["secret"]).kind).toBe("block");
  });

  it.each([
    ["Authorization: Bearer x", ["secret"]],
    ["api_key=x", ["secret"]],
    ["-----BEGIN RSA PRIVATE KEY-----", ["secret"]],
    ["write to someone@example.org", ["personal"]],
    ["+49 30 1234567", ["personal"]],
    ["nothing of it", []],
  ])("finds in %j %j", (text, found) => {
    expect(defaultDetector(text)).toEqual(found);
  });
});

describe("the output of the guarded executor", () => {
  const bench = openGuardedBench();
  afterAll(() => bench.close());

  const spoilt = (as: OutputFinding, tries: 1 | 2 | 3 = 1): Fault => ({ kind: "spoilt_output", as, tries });
  const ended = async (fault: Fault) => {
    const actions = [
      submit("a1", "draft", river, { sideEffects: "permitted", faults: [fault] }),
      finish("a1"),
    ];
    const { history, verdict } = await bench.run(actions, { epilogue: "left_out" });
    expect(verdict.violations).toEqual([]);
    // Whatever becomes of the value, the effect stays, and it is one.
    expect(lastObservation(history).effects).toHaveLength(1);
    return { history, ending: endingOf(history, "a1"), receipt: lastObservation(history).receipts[0] };
  };

  it.each([
    { fault: spoilt("format"), ending: "accepted/ok", times: 1 },
    { fault: spoilt("format", 2), ending: "accepted/ok", times: 2 },
    // Two regenerations are the most; the third value is as bad, so nothing is released.
    { fault: spoilt("format", 3), ending: "output_rejected/output_contract", times: 2 },
    { fault: spoilt("personal"), ending: "accepted/partial", times: 0 },
    { fault: spoilt("question"), ending: "clarification_needed/question", times: 0 },
    { fault: spoilt("impact"), ending: "escalated/impact", times: 0 },
    { fault: spoilt("secret"), ending: "output_rejected/secret", times: 0 },
  ])("ends $ending with $times regenerations for $fault", async ({ fault, ending, times }) => {
    const found = await ended(fault);
    expect(found.ending).toBe(ending);
    expect(found.receipt?.events.filter((event) => event === "output_regenerated")).toHaveLength(times);
  });

  it("releases the fixed question and nothing of the value where a choice is missing", async () => {
    const { history } = await ended(spoilt("question"));
    const end = history.find((event) => event.kind === "ended");
    expect(end).toMatchObject({
      outcome: { released: { kind: "value", value: fixedQuestion } },
      releasedIs: "acceptable",
    });
  });

  it("leaves a row for a human where it escalates", async () => {
    const { history } = await ended(spoilt("impact"));
    expect(lastConsent(history).escalations).toMatchObject([{ callId: "c-a1", layer: "output" }]);
  });

  it("lets what is hidden out by no other door", async () => {
    for (const as of ["personal", "secret"] as const) {
      const { receipt } = await ended(spoilt(as));
      expect(receipt?.raw).not.toContain("CANARY");
    }
  });
});
