import type { Agent, Approval, Arrangement, Tool } from "./arrangement.js";

/** The arrangements that are compared, in the order of the table; no two share a name. */
export const arrangements: readonly Arrangement[] = [
  alone("input-beside", { input: "beside" }, {}),
  alone("input-before", { input: "before" }, {}),
  alone("input-beside-with-tool-guardrails", { input: "beside" }, bothSides()),
  alone("input-before-with-tool-guardrails", { input: "before" }, bothSides()),
  alone("output-guardrail", { output: "checked" }, {}),
  // What is asked for by default: the arguments are judged once, when the approval is there.
  alone("input-before-with-approval", { input: "before" }, approved("after", "call")),
  alone("approval-with-recheck", {}, approved("before_and_after", "call")),
  alone("approval-without-recheck", {}, approved("before", "call")),
  alone("approval-of-the-arguments", {}, approved("before_and_after", "arguments")),
  alone("local-mcp-tool", {}, { ...bothSides(), kind: "local_mcp" }),
  alone("hosted-tool", {}, { ...bothSides(), kind: "hosted" }),
  alone("built-in-tool", {}, { ...bothSides(), kind: "built_in" }),
  alone("agent-as-tool", {}, { ...bothSides(), kind: "agent" }),
  handedOn("handoff-guarded-at-first", { input: "before", output: "checked" }, {}),
  handedOn("handoff-guarded-at-second", {}, { input: "before", output: "checked" }),
  alone(
    "every-check",
    { input: "before", output: "checked" },
    { ...bothSides(), ...approved("before_and_after", "arguments") },
  ),
];

type Guards = Partial<Pick<Agent, "input" | "output">>;

function alone(name: string, guards: Guards, tool: Partial<Tool>): Arrangement {
  return { name, agents: [{ ...unguarded(), ...guards, tool: { ...plainTool(), ...tool } }] };
}

/** The first agent has nothing but the second one to turn to. */
function handedOn(name: string, first: Guards, second: Guards): Arrangement {
  return {
    name,
    agents: [
      { ...unguarded(), ...first, tool: { kind: "none" } },
      { ...unguarded(), ...second, tool: plainTool() },
    ],
  };
}

function unguarded(): Pick<Agent, "input" | "output"> {
  return { input: "none", output: "none" };
}

function plainTool(): Tool {
  return { kind: "function", before: "none", after: "none", approval: { kind: "not_needed" } };
}

function bothSides(): Partial<Tool> {
  return { before: "checked", after: "checked" };
}

type Needed = Extract<Approval, { readonly kind: "needed" }>;

function approved(check: Needed["check"], of: Needed["of"]): Partial<Tool> {
  return { before: "checked", approval: { kind: "needed", check, of } };
}
