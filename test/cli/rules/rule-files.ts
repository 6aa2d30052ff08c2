/** Rules and traces as people write them, for the verbs of `rules`. */

/** A status question forbids a refund; a refund of one order happens once. */
export const refundRules = `rule: refund-safety
when:
  intent_any: [status]
then:
  forbid_tool: refund_order
---
rule: refund-once
severity: warning
then:
  idempotent: { tool: refund_order, key: "\${order_id}" }
`;

type Told = { readonly user: string; readonly calls?: readonly Called[]; readonly assistant?: string };
type Called = { readonly name?: string; readonly arguments?: Readonly<Record<string, string | number>> };

/** One conversation in the plain format, one turn a line, so that lines are easy to count. */
export function plainTrace(...turns: readonly Told[]): string {
  const lines = turns.map(({ user, calls = [], assistant = "ok" }) =>
    JSON.stringify({ user, tool_calls: calls, assistant }),
  );
  return `{"turns": [\n${lines.join(",\n")}\n]}\n`;
}

export function refund(order: string): Called {
  return { name: "refund_order", arguments: { order_id: order } };
}
