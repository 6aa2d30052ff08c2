import { asksGuardrails, type Tool } from "./arrangement.js";

/** A call of a tool between the model's wish and what the model gets to see. */
export type ToolCall = {
  readonly stage: Stage;
  readonly carries: Arguments;
  readonly approved: Arguments | "nothing";
  readonly result: "none" | "acceptable" | "offending";
};

/** `other`: as acceptable to the guardrail as `wished`, and not the same. */
export type Arguments = "wished" | "other" | "refused";

export type Stage =
  | "check_before"
  | "approval"
  | "granted"
  | "comparison"
  | "check_after"
  | "start"
  | "executing"
  | "output_check"
  | "use";

/** One step of a call, and what it comes to; `over` gives the turn back to the model. */
export type CallStep = {
  readonly by: "tool_guardrail" | "approver" | "somebody" | "framework" | "tool";
  readonly text: string;
  readonly end:
    | { readonly kind: "goes_on" | "commits"; readonly call: ToolCall }
    | { readonly kind: "over" }
    | { readonly kind: "stops" };
};

/** All that can come next of a call, the surroundings included. */
export function stepsOfCall(tool: Tool, call: ToolCall): readonly CallStep[] {
  return stepsAt[call.stage](tool, call);
}

/** The call as the model wishes for it, at the first stage that this tool has. */
export function newCall(tool: Tool, carries: Arguments): ToolCall {
  const [stage = "start"] = stagesOf(tool);
  return { stage, carries, approved: "nothing", result: "none" };
}

/** What the model may ask for; arguments are refused only where a guardrail is wanted that refuses them. */
export function wishesOf(tool: Tool): readonly Arguments[] {
  return tool.before === "checked" ? ["wished", "refused"] : ["wished"];
}

const order: readonly { readonly stage: Stage; readonly isIn: (tool: Tool) => boolean }[] = [
  { stage: "check_before", isIn: (tool) => isJudged(tool) && checkOf(tool) !== "after" },
  { stage: "approval", isIn: isApproved },
  { stage: "granted", isIn: isApproved },
  { stage: "comparison", isIn: ({ approval }) => approval.kind === "needed" && approval.of === "arguments" },
  // The one check of a call that nobody approves is this one: it is no earlier than the execution.
  { stage: "check_after", isIn: (tool) => isJudged(tool) && checkOf(tool) !== "before" },
  { stage: "start", isIn: () => true },
  { stage: "executing", isIn: () => true },
  { stage: "output_check", isIn: (tool) => asksGuardrails(tool) && tool.after === "checked" },
  { stage: "use", isIn: () => true },
];

function stagesOf(tool: Tool): readonly Stage[] {
  return order.filter(({ isIn }) => isIn(tool)).map(({ stage }) => stage);
}

function isJudged(tool: Tool): boolean {
  return asksGuardrails(tool) && tool.before === "checked";
}

function isApproved({ approval }: Tool): boolean {
  return approval.kind === "needed";
}

function checkOf({ approval }: Tool): "before" | "after" | "before_and_after" {
  return approval.kind === "needed" ? approval.check : "after";
}

const stepsAt: { readonly [stage in Stage]: typeof stepsOfCall } = {
  check_before: judgedArguments,
  approval: (tool, call) => [
    {
      by: "approver",
      text: `the approver grants the call with ${argumentWords[call.carries]}`,
      end: onwards(tool, { ...call, approved: call.carries }),
    },
    { by: "approver", text: "the approver denies the call, which is skipped", end: { kind: "over" } },
  ],
  granted: (tool, call) => [
    { by: "framework", text: "the paused run is resumed", end: onwards(tool, call) },
    ...changesOf(tool, call),
  ],
  comparison: (tool, call) =>
    call.carries === call.approved
      ? [{ by: "framework", text: "the arguments are those approved", end: onwards(tool, call) }]
      : [{ by: "framework", text: "the arguments are not those approved: skipped", end: { kind: "over" } }],
  check_after: judgedArguments,
  start: (tool, call) => [
    {
      by: "framework",
      text: `the tool starts with ${argumentWords[call.carries]}`,
      end: onwards(tool, call),
    },
  ],
  executing: (tool, call) => [
    committed(tool, { ...call, result: "acceptable" }, "the tool commits its effect"),
    ...(tool.after === "checked"
      ? [
          committed(
            tool,
            { ...call, result: "offending" },
            "the tool commits its effect, with a result to be refused",
          ),
        ]
      : []),
  ],
  output_check: (tool, call) =>
    call.result === "acceptable"
      ? [
          {
            by: "tool_guardrail",
            text: "the tool output guardrail allows the result",
            end: onwards(tool, call),
          },
        ]
      : refusals("output", "the result is replaced by a message"),
  use: () => [{ by: "framework", text: "the model is given the result", end: { kind: "over" } }],
};

function judgedArguments(tool: Tool, call: ToolCall): readonly CallStep[] {
  if (call.carries === "refused") return refusals("input", "the call is skipped");
  const end = onwards(tool, call);
  return [{ by: "tool_guardrail", text: "the tool input guardrail allows the arguments", end }];
}

function committed(tool: Tool, call: ToolCall, text: string): CallStep {
  const end = onwards(tool, call);
  return { by: "tool", text, end: end.kind === "goes_on" ? { ...end, kind: "commits" } : end };
}

/** A guardrail that refuses does one of these, as it was written to. */
function refusals(side: "input" | "output", message: string): readonly CallStep[] {
  return [
    { by: "tool_guardrail", text: `the tool ${side} guardrail refuses: ${message}`, end: { kind: "over" } },
    { by: "tool_guardrail", text: `the tool ${side} guardrail trips: the run stops`, end: { kind: "stops" } },
  ];
}

/** While a run is paused it lies somewhere, and its arguments with it. One change shows all there is to see. */
function changesOf(tool: Tool, call: ToolCall): readonly CallStep[] {
  if (call.carries !== call.approved) return [];
  const others: readonly Arguments[] = tool.before === "checked" ? ["other", "refused"] : ["other"];
  return others
    .filter((carries) => carries !== call.carries)
    .map((carries) => ({
      by: "somebody",
      text: `the paused call is changed to ${argumentWords[carries]}`,
      end: { kind: "goes_on", call: { ...call, carries } },
    }));
}

const argumentWords: { readonly [carries in Arguments]: string } = {
  wished: "the arguments as called",
  other: "other allowed arguments",
  refused: "arguments to be refused",
};

function onwards(tool: Tool, call: ToolCall): CallStep["end"] {
  const stages = stagesOf(tool);
  const stage = stages[stages.indexOf(call.stage) + 1];
  return stage === undefined ? { kind: "over" } : { kind: "goes_on", call: { ...call, stage } };
}
