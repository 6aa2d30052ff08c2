import type { Agent, Arrangement, Tool } from "./arrangement.js";
import { type CallStep, newCall, stepsOfCall, type ToolCall, wishesOf } from "./tool-call.js";

/** A state of one agent turn, from the user's input to the answer released. */
export type Turn = {
  readonly input: "not_sent" | "acceptable" | "offending";
  /** Of the first agent's guardrail; `pending` for ever where it has none. */
  readonly inputVerdict: "pending" | "allowed" | "tripped";
  /** The place in the chain of the agent that works. */
  readonly agent: number;
  readonly work: Work;
  readonly effect: "none" | "committed";
  readonly run: "going" | "stopped" | "released";
};

export type Work =
  | { readonly kind: "waits_for_input" }
  | { readonly kind: "thinks"; readonly tool: "unused" | "used" }
  | { readonly kind: "calls"; readonly call: ToolCall }
  | {
      readonly kind: "answers";
      readonly answer: "acceptable" | "offending";
      readonly guardrail: "to_be_asked" | "none_left";
    };

export type TurnStep = {
  readonly by: "user" | "model" | "input_guardrail" | "output_guardrail" | CallStep["by"];
  readonly text: string;
  readonly next: Turn;
};

/** The turn before anything has happened. */
export const newTurn: Turn = {
  input: "not_sent",
  inputVerdict: "pending",
  agent: 0,
  work: { kind: "waits_for_input" },
  effect: "none",
  run: "going",
};

/** All that can come next, of the input guardrail and of the agent; no turn goes on for ever. */
export function stepsOf({ agents }: Arrangement, turn: Turn): readonly TurnStep[] {
  const [first] = agents;
  const agent = agents[turn.agent] ?? first;
  if (turn.run === "stopped") return stepsAfterTheStop(agent, turn);
  if (turn.run === "released") return [];
  if (!isInputPending(first, turn)) return workSteps(agents, agent, turn);
  return [judgedInput(turn), ...(first.input === "beside" ? workSteps(agents, agent, turn) : [])];
}

function isInputPending({ input }: Agent, turn: Turn): boolean {
  return input !== "none" && turn.input !== "not_sent" && turn.inputVerdict === "pending";
}

type Agents = Arrangement["agents"];

function sentInputs(agents: Agents, turn: Turn): readonly TurnStep[] {
  const sent = (input: Turn["input"], text: string): TurnStep => ({
    by: "user",
    text,
    next: { ...turn, input, work: { kind: "thinks", tool: "unused" } },
  });
  const acceptable = sent("acceptable", "the user sends an input");
  return agents.some(({ input }) => input !== "none")
    ? [acceptable, sent("offending", "the user sends an input to be refused")]
    : [acceptable];
}

function judgedInput(turn: Turn): TurnStep {
  const by = "input_guardrail";
  return turn.input === "offending"
    ? {
        by,
        text: "the input guardrail trips: the run stops",
        next: { ...turn, inputVerdict: "tripped", run: "stopped" },
      }
    : { by, text: "the input guardrail allows the input", next: { ...turn, inputVerdict: "allowed" } };
}

function workSteps(agents: Agents, agent: Agent, turn: Turn): readonly TurnStep[] {
  const { work } = turn;
  switch (work.kind) {
    case "waits_for_input":
      return sentInputs(agents, turn);
    case "thinks":
      return thoughts(agents, agent, turn, work);
    case "calls":
      return agent.tool.kind === "none" ? [] : callSteps(agent.tool, work.call, turn);
    case "answers":
      return work.guardrail === "to_be_asked" ? [judgedAnswer(turn, work)] : releases(agents[0], turn);
  }
}

function thoughts(
  agents: Agents,
  { tool, output }: Agent,
  turn: Turn,
  thinks: Extract<Work, { readonly kind: "thinks" }>,
): readonly TurnStep[] {
  const calls = tool.kind === "none" || thinks.tool === "used" ? [] : callThoughts(tool, turn);
  if (turn.agent + 1 < agents.length) {
    const next = { ...turn, agent: turn.agent + 1 };
    return [
      ...calls,
      thought(next, "the model hands on to the next agent", { kind: "thinks", tool: "unused" }),
    ];
  }
  const guardrail = output === "checked" ? "to_be_asked" : "none_left";
  const answers: Work = { kind: "answers", answer: "acceptable", guardrail };
  const answered = thought(turn, "the model answers", answers);
  // An answer is to be refused only where somebody in the chain wants it judged.
  if (agents.every((agent) => agent.output === "none")) return [...calls, answered];
  const refused = thought(turn, "the model gives an answer to be refused", {
    ...answers,
    answer: "offending",
  });
  return [...calls, answered, refused];
}

function callThoughts(tool: Tool, turn: Turn): readonly TurnStep[] {
  return wishesOf(tool).map((carries) => {
    const aside = carries === "refused" ? " with arguments to be refused" : "";
    return thought(turn, `the model calls the tool${aside}`, { kind: "calls", call: newCall(tool, carries) });
  });
}

function thought(turn: Turn, text: string, work: Work): TurnStep {
  return { by: "model", text, next: { ...turn, work } };
}

function callSteps(tool: Tool, call: ToolCall, turn: Turn): readonly TurnStep[] {
  return stepsOfCall(tool, call).map(({ by, text, end }) => ({ by, text, next: turnAfter(turn, end) }));
}

function turnAfter(turn: Turn, end: CallStep["end"]): Turn {
  switch (end.kind) {
    case "goes_on":
      return { ...turn, work: { kind: "calls", call: end.call } };
    case "commits":
      return { ...turn, work: { kind: "calls", call: end.call }, effect: "committed" };
    case "over":
      return { ...turn, work: { kind: "thinks", tool: "used" } };
    case "stops":
      return { ...turn, run: "stopped" };
  }
}

/** A tool that had started when the run was stopped may be past calling back. */
function stepsAfterTheStop(agent: Agent, turn: Turn): readonly TurnStep[] {
  const { work } = turn;
  if (agent.tool.kind === "none" || work.kind !== "calls" || work.call.stage !== "executing") return [];
  return callSteps(agent.tool, work.call, turn).map((step) => ({
    ...step,
    text: `${step.text}, although the run has stopped`,
  }));
}

function judgedAnswer(turn: Turn, work: Extract<Work, { readonly kind: "answers" }>): TurnStep {
  const by = "output_guardrail";
  return work.answer === "offending"
    ? { by, text: "the output guardrail trips: the run stops", next: { ...turn, run: "stopped" } }
    : {
        by,
        text: "the output guardrail allows the answer",
        next: { ...turn, work: { ...work, guardrail: "none_left" } },
      };
}

/** The answer waits for an input guardrail beside the agent: a tripwire stops the use of the result. */
function releases(first: Agent, turn: Turn): readonly TurnStep[] {
  if (isInputPending(first, turn)) return [];
  return [{ by: "framework", text: "the answer is released", next: { ...turn, run: "released" } }];
}
