import { type GateResult, gateResult } from "../../../src/report/rules/gate-result.js";
import { gate } from "../../../src/rules/gate.js";
import { parseRules } from "../../../src/rules/load/parse-rules.js";
import { readTrace } from "../../../src/rules/traces/read-trace.js";

/** A gate's result for the texts of one rule file and one trace file; critical and warning are enforced. */
export function resultOf(rules: string, trace: string, file = "traces/a.json"): GateResult {
  const parsed = parseRules(rules, "rules/a.yaml");
  const read = readTrace(trace, file);
  if (parsed.kind === "refused" || read.kind === "refused") {
    throw new Error(JSON.stringify([parsed, read]));
  }
  const report = gate(parsed.rules, read.traces);
  const enforced = ["critical", "warning"] as const;
  return gateResult(parsed.rules, report, { baseline: { kind: "none" }, enforced });
}

/** Every kind of finding, of every severity, with a name that is hostile in every format. */
export const everyKind = {
  rules: `rule: "no [refund](x) {0} | <b> @all"
description: "Never."
then: { forbid_tool: refund_order }
---
rule: slow-down
severity: warning
when: { turn_range: [2, 3] }
then: { max_tool_calls: 2 }
---
rule: for-the-record
severity: info
then: { forbid_tool: refund_order }
---
rule: in-hindsight
when: { intent_any: [status] }
then: { forbid_tool: get_order }
---
rule: needs-arguments
severity: warning
then: { idempotent: { tool: get_order, key: "\${order_id}" } }
`,
  trace: `{"turns": [
{"user": "hi", "tool_calls": [{"name": "refund_order", "arguments": {"a": 1}}, {"name": "get_order"}]},
{"user": "status?", "tool_calls": [{"name": "list", "arguments": {}}]}
]}`,
};
