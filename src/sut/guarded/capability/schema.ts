/** The Cedar schema that policies and requests are validated against: one action `call` of a principal on a resource. */
export const schema = `
entity Tenant;
entity Tool;
entity Resource;
entity Principal {
  tenants: Set<Tenant>,
  tools: Set<{ tenant: Tenant, tool: Tool }>,
  grants: Set<{ tenant: Tenant, tool: Tool, resource: Resource }>,
};
action "call" appliesTo {
  principal: Principal,
  resource: Resource,
  context: { tenant: Tenant, tool: Tool },
};
`;
