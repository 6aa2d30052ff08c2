import { describe, expect, it } from "vitest";
import { checkFits } from "../../src/cli/fits.js";
import { builtInExecutors } from "../../src/config/executors.js";
import { UsageError } from "../../src/config/usage-error.js";
import { fileWith, scenarioOf, submitA1 } from "../scenario/text.js";

type Name = "ledger" | "guarded";

/** What a file asks too much of a built-in executor, as `line: what`. */
function misfitsOf(text: string, name: Name): readonly string[] {
  const executor = builtInExecutors.find((each) => each.name === name);
  if (executor === undefined) throw new Error(`there is no executor ${name}`);
  try {
    checkFits([{ file: "x.yaml", scenario: scenarioOf(text), executor }]);
    return [];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message.split("\n").map((line) => line.replace("x.yaml:", ""));
  }
}

/** The same of a first submit and these steps. */
function misfits(steps: readonly string[], name: Name, profile = "guarded"): readonly string[] {
  const text = fileWith([submitA1, ...steps]);
  return misfitsOf(text.replace("profile: ledger", `profile: ${profile}`), name);
}

/** Steps behind the first, on line 9; what a ledger lacks for them. */
const asksTooMuch: readonly (readonly [step: string, needs: string])[] = [
  ["approve: { request: 1 }", "the ability approvals"],
  ["deny: { request: 1 }", "the ability approvals"],
  ["revoke: { request: 1, held: true }", "the ability approvals"],
  ["advance_clock: 1", "the ability clock"],
  ["set_capability: { tool: draft, resource: drafts, held: false }", "the ability capabilities"],
  ["round_trip: genuine", "the ability round_trip"],
  ["drive: { attempt: a2, of: a1 }", "the ability driver"],
  ["change_policy: { max_copies: 1, approval: not_required }", "the ability approvals"],
  ["crash: { attempt: a1, at: after_request }", "the crash point after_request"],
  ["crash: { entering: { retry: { attempt: a2, of: a1 } }, at: after_step }", "the crash point after_step"],
  [
    "crash: { entering: { retry: { attempt: a2, of: a1, faults: [{ spoilt_output: { as: secret } }] } }, at: after_commit }",
    "the fault spoilt_output secret",
  ],
  [
    "retry: { attempt: a2, of: a1, faults: [{ checker_throws: approval }] }",
    "the fault checker_throws at approval",
  ],
  [
    "retry: { attempt: a2, of: a1, faults: [{ throw_at: before_request }] }",
    "the fault throw_at before_request",
  ],
  ["submit: { attempt: a2, tool: draft, args: {} }", "a layer that looks at its dispatch"],
];

describe("checkFits", () => {
  it.each(asksTooMuch)("finds that a ledger does not claim what %s needs", (step, needs) => {
    expect(misfits([step], "ledger", "ledger")).toEqual([
      `9: step 2 needs ${needs}, which ledger does not claim`,
    ]);
  });

  it.each(asksTooMuch)("lets the guarded executor take %s", (step) => {
    expect(misfits([step], "guarded")).toEqual([]);
  });

  it("finds that a call names no tool where there are several", () => {
    expect(misfits([], "guarded", "ledger")).toEqual(["8: step 1 names no tool, and guarded has several"]);
  });

  it("finds a rule about approvals in the policy at the start", () => {
    const text = fileWith([submitA1]).replace("max_copies: 3", "max_copies: 3, approval: required");
    expect(misfitsOf(text, "ledger")).toEqual([
      " its policy needs the ability approvals, which ledger does not claim",
    ]);
    expect(misfitsOf(text.replace("profile: ledger", "profile: guarded"), "guarded")).toEqual([]);
  });

  it("finds faults that only the ledger has", () => {
    expect(misfits(["retry: { attempt: a2, of: a1, faults: [bad_output] }"], "guarded")).toEqual([
      "9: step 2 needs the fault bad_output, which guarded does not claim",
    ]);
  });
});
