import { describe, expect, it } from "vitest";
import { decisionOn } from "../../../src/model/decision.js";
import type { Decision, DecisionFlaw, RequestRow } from "../../../src/model/vocabulary.js";
import { approve, deny, revoke } from "./fixture.js";

const row: RequestRow = {
  number: 4,
  tenant: "t2",
  runId: "r2",
  callId: "c-a7",
  principal: "p1",
  tool: "write_file",
  digest: "digest-of-a7",
  revision: 3,
  role: "editor",
  requestedAt: 1,
  expiresAt: 3,
};

const genuine: Decision = {
  decision: "d5",
  request: 4,
  verdict: "grant",
  by: { approver: "approver-1", tenant: "t2", roles: ["editor"] },
  shown: { tool: "write_file", runId: "r2", callId: "c-a7", digest: "digest-of-a7" },
};

describe("the decision that an action stands for", () => {
  it.each<readonly [DecisionFlaw, Partial<Decision>]>([
    ["none", {}],
    ["request", { request: 1004 }],
    ["tenant", { by: { ...genuine.by, tenant: "t9" } }],
    ["role", { by: { ...genuine.by, roles: [] } }],
    ["requester", { by: { ...genuine.by, approver: "p1" } }],
    ["tool", { shown: { ...genuine.shown, tool: "other_tool" } }],
    ["call", { shown: { ...genuine.shown, callId: "c-other" } }],
    [
      "digest",
      {
        shown: {
          ...genuine.shown,
          digest: "0000000000000000000000000000000000000000000000000000000000000000",
        },
      },
    ],
  ])("shows what the row says, but for its flaw: %s", (flaw, changed) => {
    expect(decisionOn(approve("d5", 4, flaw), row)).toEqual({ ...genuine, ...changed });
  });

  it("is a deny for deny and revoke", () => {
    expect(decisionOn(deny("d5", 4), row)).toEqual({ ...genuine, verdict: "deny" });
    expect(decisionOn(revoke("d5", 4), row)).toEqual({ ...genuine, verdict: "deny" });
  });

  it.each<DecisionFlaw>(["none", "request", "role"])("shows nothing where there is no row: %s", (flaw) => {
    expect(decisionOn(deny("d5", 4, flaw), "none")).toEqual({
      decision: "d5",
      request: 4,
      verdict: "deny",
      by: { approver: "approver-1", tenant: "t1", roles: [] },
      shown: { tool: "unknown", runId: "unknown", callId: "unknown", digest: "unknown" },
    });
  });
});
