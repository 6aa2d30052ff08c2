import type { EntityJson, StatefulAuthorizationCall, TypeAndId } from "@cedar-policy/cedar-wasm/nodejs";
import type { Grant } from "../../../model/vocabulary.js";
import type { LoadedPolicies } from "./load-policies.js";

/**
 * The question as the engine takes it, with the asked principal's held grants as its only entity. Every name travels
 * as data: none is ever part of a policy, of an entity reference in text, or of a schema.
 */
export const engineCall = (
  { schemaName, policySetId }: LoadedPolicies,
  asked: Grant,
  held: readonly Grant[],
): StatefulAuthorizationCall => ({
  principal: uid("Principal", asked.principal),
  action: uid("Action", "call"),
  resource: uid("Resource", asked.resource),
  context: { tenant: reference("Tenant", asked.tenant), tool: reference("Tool", asked.tool) },
  preparsedSchemaName: schemaName,
  preparsedPolicySetId: policySetId,
  validateRequest: true,
  entities: [
    principalEntity(
      asked.principal,
      held.filter((grant) => isNamed(grant) && grant.principal === asked.principal),
    ),
  ],
});

/** Present even without a grant: policies that read an absent principal fail instead of deciding. */
const principalEntity = (principal: string, grants: readonly Grant[]): EntityJson => ({
  uid: uid("Principal", principal),
  attrs: {
    tenants: grants.map(({ tenant }) => reference("Tenant", tenant)),
    tools: grants.map(({ tenant, tool }) => ({
      tenant: reference("Tenant", tenant),
      tool: reference("Tool", tool),
    })),
    grants: grants.map(({ tenant, tool, resource }) => ({
      tenant: reference("Tenant", tenant),
      tool: reference("Tool", tool),
      resource: reference("Resource", resource),
    })),
  },
  parents: [],
});

type EntityType = "Principal" | "Action" | "Tenant" | "Tool" | "Resource";

/** A text that names nothing becomes the empty name, which no grant bears. */
const uid = (type: EntityType, id: string): TypeAndId => ({ type, id: namesSomething(id) ? id : "" });

const reference = (type: EntityType, id: string): { readonly __entity: TypeAndId } => ({
  __entity: uid(type, id),
});

const isNamed = (grant: Grant): boolean =>
  [grant.principal, grant.tenant, grant.tool, grant.resource].every(namesSomething);

/** The engine throws on half a surrogate pair, and a store turns it into another name. */
const namesSomething = (id: string): boolean => id !== "" && !/\p{Surrogate}/u.test(id);
