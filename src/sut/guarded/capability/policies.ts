import type { Policy } from "@cedar-policy/cedar-wasm/nodejs";
import type { CapabilityPart } from "../../../model/vocabulary.js";

/** Cedar policies by id, as text or as the engine's JSON form; each entry holds exactly one policy. */
export type Policies = { readonly [id: string]: Policy };

/** Permits what a held grant names, and nothing else. */
export const standardPolicies: Policies = {
  "capability.held.v1": `
    permit(principal, action == Action::"call", resource) when {
      principal.grants.contains({ tenant: context.tenant, tool: context.tool, resource: resource })
    };`,
};

/** Ids of the policies in every loaded set that refuse a part no grant fits. */
export const guardIds: { readonly [Part in CapabilityPart]: string } = {
  principal: "capability.principal.v1",
  tenant: "capability.tenant.v1",
  tool: "capability.tool.v1",
  resource: "capability.resource.v1",
};

/**
 * Stand beside whatever is loaded, so that no permit of an operator reaches beyond the held grants, and so that a
 * refusal tells which part did not fit.
 */
export const guardPolicies: Policies = {
  [guardIds.principal]: "forbid(principal, action, resource) when { principal.grants.isEmpty() };",
  [guardIds.tenant]:
    "forbid(principal, action, resource) unless { principal.tenants.contains(context.tenant) };",
  [guardIds.tool]: `
    forbid(principal, action, resource) unless {
      principal.tools.contains({ tenant: context.tenant, tool: context.tool })
    };`,
  [guardIds.resource]: `
    forbid(principal, action, resource) unless {
      principal.grants.contains({ tenant: context.tenant, tool: context.tool, resource: resource })
    };`,
};
