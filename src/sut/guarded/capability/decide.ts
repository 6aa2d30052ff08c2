import { type AuthorizationAnswer, statefulIsAuthorized } from "@cedar-policy/cedar-wasm/nodejs";
import { capabilityParts, type Grant } from "../../../model/vocabulary.js";
import type { Decision } from "./decision.js";
import { engineCall } from "./engine-call.js";
import { readGrantRows } from "./grant-rows.js";
import type { LoadedPolicies } from "./load-policies.js";
import { guardIds } from "./policies.js";

/**
 * Whether the loaded policies let the principal use the tool on the resource, by the `rows` that the caller read from
 * the store in this very moment. Answers `allow` or `block` and never throws: no readable answer is a `block`.
 */
export const decide = (
  policies: LoadedPolicies,
  asked: Grant,
  rows: readonly unknown[],
  correlationId: string,
): Decision => {
  try {
    const grants = readGrantRows(rows);
    if (grants.kind === "unreadable") return { ...noVerdict([]), correlationId };
    const answer = statefulIsAuthorized(engineCall(policies, asked, grants.held));
    return { ...judged(answer), correlationId };
  } catch {
    // What the engine throws quotes the request; the decision must not.
    return { ...noVerdict([]), correlationId };
  }
};

type Judgement = Omit<Decision, "correlationId">;

const judged = (answer: AuthorizationAnswer): Judgement => {
  if (answer.type !== "success") return noVerdict([]);
  const { decision, diagnostics } = answer.response;
  // The engine skips a policy whose condition fails, also a forbid, and may then answer allow.
  if (diagnostics.errors.length !== 0) return noVerdict(diagnostics.errors.map(({ policyId }) => policyId));
  const evidence = diagnostics.reason.toSorted();
  if (decision === "allow") return { action: "allow", reason: "held", policyId: named(evidence), evidence };
  const misfit = capabilityParts.find((part) => evidence.includes(guardIds[part]));
  if (misfit !== undefined) return { action: "block", reason: misfit, policyId: guardIds[misfit], evidence };
  return { action: "block", reason: "policy", policyId: named(evidence), evidence };
};

const noVerdict = (failed: readonly string[]): Judgement => {
  const evidence = failed.toSorted();
  return {
    action: "block",
    reason: "no_verdict",
    policyId: evidence[0] ?? "capability.no_verdict.v1",
    evidence,
  };
};

/** Without a policy that decided, nothing permitted the call. */
const named = ([first]: readonly string[]): string => first ?? "capability.nothing_permits.v1";
