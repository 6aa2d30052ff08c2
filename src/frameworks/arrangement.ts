/** Where the checks of an agent framework sit around one turn. */
export type Arrangement = {
  readonly name: string;
  /** Each hands the turn on to the next, and the last one answers. */
  readonly agents: readonly [Agent, ...Agent[]];
};

export type Agent = {
  /**
   * `beside`: the agent works while its input is judged. `before`: it starts once its input is allowed.
   * A framework asks only the first agent's; that of a later one is wanted and never asked.
   */
  readonly input: "none" | "beside" | "before";
  /** Judges what this agent answers itself, not what it hands on. */
  readonly output: "none" | "checked";
  readonly tool: Tool | { readonly kind: "none" };
};

/** A tool with one effect that nothing takes back, and the guardrails that its owner wants around it. */
export type Tool = {
  readonly kind: ToolKind;
  readonly before: "none" | "checked";
  readonly after: "none" | "checked";
  readonly approval: Approval;
};

/** `local_mcp` is a tool of a local MCP server, `agent` is an agent offered as a tool. */
export type ToolKind = "function" | "local_mcp" | "hosted" | "built_in" | "agent";

/** When the guardrail on the arguments runs, as seen from the approval, and what the approval is of. */
export type Approval =
  | { readonly kind: "not_needed" }
  | {
      readonly kind: "needed";
      readonly check: "before" | "after" | "before_and_after";
      /** `call`: whatever this call carries when it goes on. `arguments`: only the arguments that were shown. */
      readonly of: "call" | "arguments";
    };

/** Whether the framework asks the tool guardrails about calls of this kind at all. */
export function asksGuardrails({ kind }: Tool): boolean {
  return asked[kind];
}

const asked: { readonly [kind in ToolKind]: boolean } = {
  function: true,
  local_mcp: true,
  hosted: false,
  built_in: false,
  agent: false,
};
