import { checkParseEntities, statefulIsAuthorized, validate } from "@cedar-policy/cedar-wasm/nodejs";
import { describe, expect, it } from "vitest";
import type { Grant } from "../../../src/model/vocabulary.js";
import { decide } from "../../../src/sut/guarded/capability/decide.js";
import type { Decision } from "../../../src/sut/guarded/capability/decision.js";
import { engineCall } from "../../../src/sut/guarded/capability/engine-call.js";
import { loadPolicies } from "../../../src/sut/guarded/capability/load-policies.js";
import {
  guardPolicies,
  type Policies,
  standardPolicies,
} from "../../../src/sut/guarded/capability/policies.js";
import { PolicyMistake } from "../../../src/sut/guarded/capability/policy-mistake.js";
import { schema } from "../../../src/sut/guarded/capability/schema.js";

const anna: Grant = { principal: "anna", tenant: "t1", tool: "draft", resource: "JOB-001" };
const row = (grant: Grant, held: unknown = 1): unknown => ({ ...grant, held });
const standard = loadPolicies(standardPolicies);

const decided = (asked: Grant, rows: readonly unknown[], policies = standard): Decision =>
  decide(policies, asked, rows, "corr-1");

/** Validates, since its type is right, and fails whenever it is asked: the sum is larger than the largest whole number. */
const failingForbid: Policies = {
  "operator.overflow": "forbid(principal, action, resource) when { 9223372036854775807 + 1 == 0 };",
};

const mistake = (policies: Policies): string => {
  try {
    loadPolicies(policies);
  } catch (error) {
    if (error instanceof PolicyMistake) return error.message;
    throw error;
  }
  return "loaded";
};

describe("the executor's capability decision", () => {
  it("allows what a row says is held, and names policy and correlation", () => {
    expect(decided(anna, [row(anna)])).toEqual({
      action: "allow",
      reason: "held",
      policyId: "capability.held.v1",
      evidence: ["capability.held.v1"],
      correlationId: "corr-1",
    });
  });

  it("names the first part that no grant fits, with every guard that refused as evidence", () => {
    // In another tenant neither the pair (tenant, tool) nor the triple with the resource is held either.
    expect(decided(anna, [row({ ...anna, tenant: "t2" })])).toEqual({
      action: "block",
      reason: "tenant",
      policyId: "capability.tenant.v1",
      evidence: ["capability.resource.v1", "capability.tenant.v1", "capability.tool.v1"],
      correlationId: "corr-1",
    });
  });

  it("refuses once the row says that the grant is not held any more", () => {
    expect(decided(anna, [row(anna, 0)])).toMatchObject({ action: "block", reason: "principal" });
  });

  it("lends no grant of another principal", () => {
    expect(decided(anna, [row({ ...anna, principal: "bert" })])).toMatchObject({
      action: "block",
      reason: "principal",
    });
  });

  it.each<readonly [string, unknown]>([
    ["null", null],
    ["a row without `held`", anna],
    ["`held` as text", row(anna, "1")],
    ["`held` as true", row(anna, true)],
    ["`held` as 2", row(anna, 2)],
    ["a missing tool", { principal: "anna", tenant: "t1", resource: "JOB-001", held: 1 }],
    ["a tool that is no text", { ...anna, tool: 7, held: 1 }],
  ])("refuses when a row is unreadable, beside one that grants: %s", (_, unreadable) => {
    expect(decided(anna, [row(anna), unreadable])).toMatchObject({
      action: "block",
      reason: "no_verdict",
      policyId: "capability.no_verdict.v1",
    });
  });

  it.each(["principal", "tenant", "tool", "resource"])("refuses when %s is missing at run time", (part) => {
    const asked: Grant = JSON.parse(JSON.stringify({ ...anna, [part]: undefined }));
    expect(decided(asked, [row(anna)])).toMatchObject({ action: "block", reason: "no_verdict" });
  });

  it("tells names of 200,000 characters apart by the last one", () => {
    const long = { ...anna, resource: "x".repeat(200_000) };
    expect(decided(long, [row(long)]).action).toBe("allow");
    expect(decided({ ...long, resource: `${long.resource.slice(1)}y` }, [row(long)]).reason).toBe("resource");
  });

  it("refuses when the policies it is given were never loaded", () => {
    const unloaded = { ...standard, policySetId: "never loaded" };
    expect(decided(anna, [row(anna)], unloaded)).toMatchObject({ action: "block", reason: "no_verdict" });
  });

  it("refuses when the engine throws instead of answering", () => {
    const unreadable = { ...standard, policySetId: "\ud800" };
    expect(() => statefulIsAuthorized(engineCall(unreadable, anna, [anna]))).toThrow();
    expect(decided(anna, [row(anna)], unreadable)).toMatchObject({ action: "block", reason: "no_verdict" });
  });

  it("lets no permit of an operator reach beyond the held grants", () => {
    const wide = loadPolicies({ "operator.all": "permit(principal, action, resource);" });
    expect(decided(anna, [row(anna)], wide)).toMatchObject({ action: "allow", policyId: "operator.all" });
    expect(decided(anna, [row({ ...anna, resource: "JOB-002" })], wide)).toMatchObject({
      action: "block",
      reason: "resource",
    });
  });

  it("says `policy` when a grant fits but an operator's forbid applies, or nothing permits", () => {
    const forbidding = loadPolicies({
      ...standardPolicies,
      "operator.no_draft": 'forbid(principal, action, resource) when { context.tool == Tool::"draft" };',
    });
    expect(decided(anna, [row(anna)], forbidding)).toMatchObject({
      action: "block",
      reason: "policy",
      policyId: "operator.no_draft",
    });
    expect(decided(anna, [row(anna)], loadPolicies({}))).toMatchObject({
      action: "block",
      reason: "policy",
      policyId: "capability.nothing_permits.v1",
      evidence: [],
    });
  });

  it("keeps each loaded set apart from those loaded later", () => {
    const first = loadPolicies(standardPolicies);
    loadPolicies({});
    expect(decided(anna, [row(anna)], first).action).toBe("allow");
  });

  it("holds no name of the request in a decision", () => {
    const secret = { principal: "canary-p", tenant: "canary-t", tool: "canary-o", resource: "canary-r" };
    const failing = loadPolicies({ ...standardPolicies, ...failingForbid });
    const decisions = [
      decided(secret, [row(secret)]),
      decided(secret, []),
      decided(secret, [row(secret)], failing),
      decided(secret, ["canary-row"]),
    ];
    expect(JSON.stringify(decisions)).not.toContain("canary");
  });
});

describe("a forbid whose condition fails", () => {
  const policies = loadPolicies({ ...standardPolicies, ...failingForbid });

  it("is skipped by the engine, which answers allow and lists the error", () => {
    const answer = statefulIsAuthorized(engineCall(policies, anna, [anna]));
    expect(answer).toMatchObject({
      type: "success",
      response: {
        decision: "allow",
        diagnostics: { reason: ["capability.held.v1"], errors: [{ policyId: "operator.overflow" }] },
      },
    });
  });

  it("is a refusal in our decision, which names it", () => {
    expect(decided(anna, [row(anna)], policies)).toEqual({
      action: "block",
      reason: "no_verdict",
      policyId: "operator.overflow",
      evidence: ["operator.overflow"],
      correlationId: "corr-1",
    });
  });
});

describe("the engine", () => {
  const call = engineCall(standard, anna, [anna]);

  it("reports success for policies that do not validate, and tells so in a list only", () => {
    const answer = validate({
      schema,
      policies: {
        staticPolicies: { wrong: "permit(principal, action, resource) when { principal.boss };" },
      },
    });
    expect(answer).toMatchObject({ type: "success", validationErrors: [{ policyId: "wrong" }] });
  });

  it("takes the guards by themselves without an error or a warning", () => {
    expect(validate({ schema, policies: { staticPolicies: { ...guardPolicies } } })).toEqual({
      type: "success",
      validationErrors: [],
      validationWarnings: [],
      otherWarnings: [],
    });
  });

  it("fails every policy that reads an entity it was not given, and denies with errors", () => {
    const answer = statefulIsAuthorized({ ...call, entities: [] });
    expect(answer).toMatchObject({ type: "success", response: { decision: "deny" } });
    // The permit and the four guards all read the principal.
    expect(answer.type === "success" && answer.response.diagnostics.errors).toHaveLength(5);
  });

  it("holds requests and entities against the schema", () => {
    const ofWrongType = [{ uid: { type: "Principal", id: "anna" }, attrs: { tenants: "t1" }, parents: [] }];
    expect(statefulIsAuthorized({ ...call, entities: ofWrongType })).toMatchObject({ type: "failure" });
    expect(statefulIsAuthorized({ ...call, context: { tenant: "t1", tool: "draft" } })).toMatchObject({
      type: "failure",
    });
    expect(statefulIsAuthorized({ ...call, action: { type: "Action", id: "else" } })).toMatchObject({
      type: "failure",
    });
    expect(statefulIsAuthorized({ ...call, principal: { type: "Tool", id: "anna" } })).toMatchObject({
      type: "failure",
    });
  });

  it("throws for half a surrogate pair instead of answering, and answers again afterwards", () => {
    const half = { type: "Principal", id: "\ud800" };
    expect(() => statefulIsAuthorized({ ...call, principal: half })).toThrow();
    expect(() => checkParseEntities({ entities: [{ uid: half, attrs: {}, parents: [] }] })).toThrow();
    expect(decided(anna, [row(anna)]).action).toBe("allow");
  });
});

describe("loading policies", () => {
  it("tells place, cause and next step of a policy that does not parse", () => {
    // A comparison without a left side: `=` is the 9th character of the second line.
    const text = mistake({ "operator.open": "permit(principal, action, resource)\n when { == 1 };" });
    expect(text).toContain('policy "operator.open", line 2, column 9');
    expect(text).toContain("unexpected token `==`");
    expect(text).toContain("Correct the policies and load again");
  });

  it("counts columns in characters although the engine counts bytes", () => {
    // A comparison without a right side: `}` is the 23rd character of its line, but the 26th byte.
    const text = mistake({
      umlauts: 'permit(principal, action, resource)\nwhen { Tool::"äöü" == };',
    });
    expect(text).toContain("line 2, column 23");
  });

  it.each<readonly [string, Policies, string]>([
    [
      "an attribute that does not exist",
      { p: "permit(principal, action, resource) when { principal.boss };" },
      "`boss`",
    ],
    [
      "an action that does not exist",
      { p: 'permit(principal, action == Action::"cal", resource);' },
      "unrecognized action",
    ],
    [
      "an entity type that does not exist",
      { p: 'permit(principal == User::"x", action, resource);' },
      "User",
    ],
    [
      "a comparison that can never hold, so that the forbid guards nothing",
      { p: 'forbid(principal, action, resource) when { context.tool == Tenant::"draft" };' },
      "impossible",
    ],
    [
      "a name in mixed scripts, which looks like another",
      { p: 'forbid(principal, action, resource) when { context.tool == Tool::"dr\u0430ft" };' },
      "mixed scripts",
    ],
    [
      "a name with a control character",
      { p: 'forbid(principal, action, resource) when { context.tool == Tool::"a\\nb" };' },
      "printable",
    ],
    ["two policies under one id", { p: "permit(principal, action, resource);".repeat(2) }, "permit"],
    ["no policy under an id", { p: "" }, "unexpected end of input"],
    ["a template", { p: "permit(principal == ?principal, action, resource);" }, "template"],
    ["half a surrogate pair", { p: "// \ud800\npermit(principal, action, resource);" }, "cannot read"],
    ["the id of a guard", { "capability.tool.v1": "permit(principal, action, resource);" }, "built-in guard"],
  ])("refuses %s", (_, policies, cause) => {
    const text = mistake({ ...standardPolicies, ...policies });
    const [id] = Object.keys(policies);
    expect(text).toContain(`policy "${id}"`);
    expect(text).toContain(cause);
  });

  it("lists every mistake in one error", () => {
    const text = mistake({ one: "permit(", two: "forbid(", three: "permit(principal, action, resource);" });
    expect(text).toContain('policy "one"');
    expect(text).toContain('policy "two"');
    expect(text).not.toContain('policy "three"');
  });
});
