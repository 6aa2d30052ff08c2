import type { Action, Decision, RequestRow } from "./vocabulary.js";

type Deciding = Extract<Action, { kind: "approve" | "deny" | "revoke" }>;

/** What was never shown to anybody. */
const elsewhere = { tool: "unknown", runId: "unknown", callId: "unknown", digest: "unknown" };

/**
 * The decision that an action stands for, by an approver who is shown the request's row: genuine, but for its flaw.
 * Without a row nobody is shown anything.
 */
export function decisionOn(action: Deciding, row: RequestRow | "none"): Decision {
  const { kind, decision, request, flaw } = action;
  const verdict = kind === "approve" ? "grant" : "deny";
  if (row === "none") {
    const by = { approver: "approver-1", tenant: "t1", roles: [] };
    return { decision, request, verdict, by, shown: elsewhere };
  }
  const { tenant, role, principal, tool, runId, callId, digest } = row;
  const genuine: Decision = {
    decision,
    request,
    verdict,
    by: { approver: "approver-1", tenant, roles: [role] },
    shown: { tool, runId, callId, digest },
  };
  switch (flaw) {
    case "none":
      return genuine;
    case "request":
      return { ...genuine, request: request + 1000 };
    case "tenant":
      return { ...genuine, by: { ...genuine.by, tenant: "t9" } };
    case "role":
      return { ...genuine, by: { ...genuine.by, roles: [] } };
    case "requester":
      return { ...genuine, by: { ...genuine.by, approver: principal } };
    case "tool":
      return { ...genuine, shown: { ...genuine.shown, tool: "other_tool" } };
    case "call":
      return { ...genuine, shown: { ...genuine.shown, callId: "c-other" } };
    case "digest":
      return { ...genuine, shown: { ...genuine.shown, digest: "0".repeat(64) } };
  }
}
