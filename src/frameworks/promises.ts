import { type Arrangement, asksGuardrails } from "./arrangement.js";
import type { ToolCall } from "./tool-call.js";
import type { Turn, TurnStep } from "./turn.js";

/** One step of a turn within an arrangement. */
export type Moment = {
  readonly arrangement: Arrangement;
  readonly before: Turn;
  readonly step: TurnStep;
};

export type FrameworkPromise = {
  readonly id: PromiseName;
  /** Whether the situation occurs that the promise guards; without it nothing was promised. */
  readonly occurs: (moment: Moment) => boolean;
  /** Asked only where the situation occurs. */
  readonly isBroken: (moment: Moment) => boolean;
};

/** What is tripped, refused or rejected is what its guardrail would not allow, whether it is asked or passed by. */
export type PromiseName =
  | "no model call before the input verdict"
  | "no effect before the input verdict"
  | "a tripped input leaves no effect"
  | "a refused tool argument leaves no effect"
  | "a rejected tool output is not used"
  | "a rejected tool output leaves no effect"
  | "a tripped output is not released"
  | "a tripped output leaves no effect"
  | "nobody is asked to approve refused arguments"
  | "approval is judged by what executes"
  | "hosted tools are guarded";

/** The promises of an arrangement in the order of the table's columns. */
export const promises: readonly FrameworkPromise[] = [
  {
    id: "no model call before the input verdict",
    occurs: (moment) => moment.step.by === "model" && isBehindInputGuardrail(moment),
    isBroken: ({ before }) => before.inputVerdict === "pending",
  },
  {
    id: "no effect before the input verdict",
    occurs: (moment) => commits(moment) && isBehindInputGuardrail(moment),
    isBroken: ({ before }) => before.inputVerdict === "pending",
  },
  {
    id: "a tripped input leaves no effect",
    occurs: (moment) => isOver(moment) && moment.before.input === "offending",
    isBroken: leftAnEffect,
  },
  {
    id: "a refused tool argument leaves no effect",
    occurs: (moment) => callBefore(moment)?.carries === "refused",
    isBroken: commits,
  },
  {
    id: "a rejected tool output is not used",
    occurs: hasRefusedResult,
    isBroken: (moment) => callBefore(moment)?.stage === "use",
  },
  { id: "a rejected tool output leaves no effect", occurs: hasRefusedResult, isBroken: leftAnEffect },
  {
    id: "a tripped output is not released",
    occurs: isOverWithRefusedAnswer,
    isBroken: ({ step }) => step.next.run === "released",
  },
  { id: "a tripped output leaves no effect", occurs: isOverWithRefusedAnswer, isBroken: leftAnEffect },
  {
    id: "nobody is asked to approve refused arguments",
    // Whether it gets as far as the approver is what the promise is about.
    occurs: (moment) => needsApproval(moment) && callBefore(moment)?.carries === "refused",
    isBroken: ({ step }) => step.by === "approver",
  },
  {
    id: "approval is judged by what executes",
    occurs: (moment) => needsApproval(moment) && wasChanged(callBefore(moment)),
    isBroken: commits,
  },
  {
    id: "hosted tools are guarded",
    occurs: (moment) => commits(moment) && isPastGuardrails(moment),
    // Where they are passed by they are passed by always; nothing in the turn makes up for it.
    isBroken: () => true,
  },
];

function callBefore({ before }: Moment): ToolCall | undefined {
  return before.work.kind === "calls" ? before.work.call : undefined;
}

function commits({ before, step }: Moment): boolean {
  return before.effect === "none" && step.next.effect === "committed";
}

function leftAnEffect({ step }: Moment): boolean {
  return step.next.effect === "committed";
}

/** A stopped run is over too, although a tool that had started may still commit. */
function isOver({ step }: Moment): boolean {
  return step.next.run !== "going";
}

/** Whether the agent at work, or one before it in the chain, is to have its input judged. */
function isBehindInputGuardrail({ arrangement, before }: Moment): boolean {
  return arrangement.agents.slice(0, before.agent + 1).some(({ input }) => input !== "none");
}

/** Not a step of the input guardrail, which looks at nothing but the input. */
function hasRefusedResult(moment: Moment): boolean {
  return moment.step.by !== "input_guardrail" && callBefore(moment)?.result === "offending";
}

function isOverWithRefusedAnswer(moment: Moment): boolean {
  const { work } = moment.before;
  return isOver(moment) && work.kind === "answers" && work.answer === "offending";
}

function needsApproval({ arrangement, before }: Moment): boolean {
  const tool = arrangement.agents[before.agent]?.tool;
  return tool !== undefined && tool.kind !== "none" && tool.approval.kind === "needed";
}

function wasChanged(call: ToolCall | undefined): boolean {
  return call !== undefined && call.approved !== "nothing" && call.approved !== call.carries;
}

function isPastGuardrails({ arrangement, before }: Moment): boolean {
  const tool = arrangement.agents[before.agent]?.tool;
  return tool !== undefined && tool.kind !== "none" && !asksGuardrails(tool);
}
