import { describe, expect, it } from "vitest";
import { arrangements } from "../../src/frameworks/arrangements.js";
import { type FrameworkVerdict, frameworkVerdicts } from "../../src/frameworks/framework-verdicts.js";

function decided(name: string, promise: FrameworkVerdict["promise"]): FrameworkVerdict | undefined {
  return arrangements
    .filter((one) => one.name === name)
    .flatMap(frameworkVerdicts)
    .find((one) => one.promise === promise);
}

const effectOfACall = [
  "the model calls the tool",
  "the tool starts with the arguments as called",
  "the tool commits its effect",
];

type Fact = {
  /** What the article on the timing of checks says, in short. */
  readonly because: string;
  readonly arrangement: string;
  readonly promise: FrameworkVerdict["promise"];
} & (
  | { readonly verdict: "holds" | "not_applicable" }
  | { readonly verdict: "violated"; readonly witness: readonly string[] }
);

const facts: readonly Fact[] = [
  {
    because: "by default the input check runs in parallel; when it trips, the model may have spent tokens",
    arrangement: "input-beside",
    promise: "no model call before the input verdict",
    verdict: "violated",
    witness: ["the user sends an input", "the model calls the tool"],
  },
  {
    because: "by default the input check runs in parallel; when it trips, a tool may have executed",
    arrangement: "input-beside",
    promise: "no effect before the input verdict",
    verdict: "violated",
    witness: ["the user sends an input", ...effectOfACall],
  },
  {
    because: "a tripwire does not withdraw a request that another service has accepted",
    arrangement: "input-beside",
    promise: "a tripped input leaves no effect",
    verdict: "violated",
    // Commit and trip may come in either order; of two ways as short the trip comes first, as it is listed first.
    witness: [
      "the user sends an input to be refused",
      "the model calls the tool",
      "the tool starts with the arguments as called",
      "the input guardrail trips: the run stops",
      "the tool commits its effect, although the run has stopped",
    ],
  },
  {
    because: "not in parallel, the agent starts after the input check and does not run if that refuses",
    arrangement: "input-before",
    promise: "no model call before the input verdict",
    verdict: "holds",
  },
  {
    because: "not in parallel, a refused input finds nothing executed",
    arrangement: "input-before",
    promise: "a tripped input leaves no effect",
    verdict: "holds",
  },
  {
    because: "checks on a tool's arguments are another thing than the check on the initial input",
    arrangement: "input-beside-with-tool-guardrails",
    promise: "a tripped input leaves no effect",
    verdict: "violated",
    witness: [
      "the user sends an input to be refused",
      "the model calls the tool",
      "the tool input guardrail allows the arguments",
      "the tool starts with the arguments as called",
      "the input guardrail trips: the run stops",
      "the tool commits its effect, although the run has stopped",
    ],
  },
  {
    because: "the input check is only asked of the first agent of the chain",
    arrangement: "handoff-guarded-at-second",
    promise: "no effect before the input verdict",
    verdict: "violated",
    witness: ["the user sends an input", "the model hands on to the next agent", ...effectOfACall],
  },
  {
    because: "the output check belongs to the agent that produces the final output",
    arrangement: "handoff-guarded-at-first",
    promise: "a tripped output is not released",
    verdict: "violated",
    witness: [
      "the user sends an input",
      "the input guardrail allows the input",
      "the model hands on to the next agent",
      "the model gives an answer to be refused",
      "the answer is released",
    ],
  },
  {
    because: "the output check comes once the final output is there, and stops its delivery",
    arrangement: "output-guardrail",
    promise: "a tripped output is not released",
    verdict: "holds",
  },
  {
    because: "a refused final answer does not make the tool calls of the run go backwards",
    arrangement: "output-guardrail",
    promise: "a tripped output leaves no effect",
    verdict: "violated",
    witness: [
      "the user sends an input",
      ...effectOfACall,
      "the model is given the result",
      "the model gives an answer to be refused",
      "the output guardrail trips: the run stops",
    ],
  },
  {
    because: "an output check does not stand in for a check of each call's arguments",
    arrangement: "output-guardrail",
    promise: "a refused tool argument leaves no effect",
    verdict: "not_applicable",
  },
  {
    because: "a tool input check that refuses returns before the business call",
    arrangement: "input-before-with-tool-guardrails",
    promise: "a refused tool argument leaves no effect",
    verdict: "holds",
  },
  {
    because: "a tool output check replaces a result or trips, so that the result goes no further",
    arrangement: "input-before-with-tool-guardrails",
    promise: "a rejected tool output is not used",
    verdict: "holds",
  },
  {
    because: "a tool output check gets a result that exists already: it is no rollback",
    arrangement: "input-before-with-tool-guardrails",
    promise: "a rejected tool output leaves no effect",
    verdict: "violated",
    witness: [
      "the user sends an input",
      "the input guardrail allows the input",
      "the model calls the tool",
      "the tool input guardrail allows the arguments",
      "the tool starts with the arguments as called",
      "the tool commits its effect, with a result to be refused",
      "the tool output guardrail refuses: the result is replaced by a message",
    ],
  },
  {
    because: "guardrails given to a local MCP server are attached to its tools",
    arrangement: "local-mcp-tool",
    promise: "a refused tool argument leaves no effect",
    verdict: "holds",
  },
  {
    because: "hosted tools do not run through the pipeline of tool guardrails",
    arrangement: "hosted-tool",
    promise: "hosted tools are guarded",
    verdict: "violated",
    witness: ["the user sends an input", ...effectOfACall],
  },
  {
    because: "built-in tools that execute, such as a shell, do not run through that pipeline either",
    arrangement: "built-in-tool",
    promise: "a refused tool argument leaves no effect",
    verdict: "violated",
    witness: [
      "the user sends an input",
      "the model calls the tool with arguments to be refused",
      "the tool starts with arguments to be refused",
      "the tool commits its effect",
    ],
  },
  {
    because: "an agent offered as a tool has no option for tool guardrails",
    arrangement: "agent-as-tool",
    promise: "a rejected tool output is not used",
    verdict: "violated",
    witness: [
      "the user sends an input",
      "the model calls the tool",
      "the tool starts with the arguments as called",
      "the tool commits its effect, with a result to be refused",
      "the model is given the result",
    ],
  },
  {
    because: "the tool input check usually runs after the approval and before the execution",
    arrangement: "input-before-with-approval",
    promise: "nobody is asked to approve refused arguments",
    verdict: "violated",
    witness: [
      "the user sends an input",
      "the input guardrail allows the input",
      "the model calls the tool with arguments to be refused",
      "the approver grants the call with arguments to be refused",
    ],
  },
  {
    because: "an option has the arguments checked before the run is paused for approval",
    arrangement: "approval-with-recheck",
    promise: "nobody is asked to approve refused arguments",
    verdict: "holds",
  },
  {
    because: "what passed before the approval is checked again before the execution",
    arrangement: "approval-with-recheck",
    promise: "a refused tool argument leaves no effect",
    verdict: "holds",
  },
  {
    because: "an earlier check knows only the facts of its time; between it and the commit there is a window",
    arrangement: "approval-without-recheck",
    promise: "a refused tool argument leaves no effect",
    verdict: "violated",
    witness: [
      "the user sends an input",
      "the model calls the tool",
      "the tool input guardrail allows the arguments",
      "the approver grants the call with the arguments as called",
      "the paused call is changed to arguments to be refused",
      "the paused run is resumed",
      "the tool starts with arguments to be refused",
      "the tool commits its effect",
    ],
  },
  {
    // The article says what runs again, and no more; that it cannot know what was approved follows from it.
    because: "the recheck is the same input check again",
    arrangement: "approval-with-recheck",
    promise: "approval is judged by what executes",
    verdict: "violated",
    witness: [
      "the user sends an input",
      "the model calls the tool",
      "the tool input guardrail allows the arguments",
      "the approver grants the call with the arguments as called",
      "the paused call is changed to other allowed arguments",
      "the paused run is resumed",
      "the tool input guardrail allows the arguments",
      "the tool starts with other allowed arguments",
      "the tool commits its effect",
    ],
  },
  {
    because:
      "the commit itself has to judge the conditions that matter, here that the arguments are those approved",
    arrangement: "approval-of-the-arguments",
    promise: "approval is judged by what executes",
    verdict: "holds",
  },
];

describe("what the article says of the framework's timing", () => {
  it.each(facts)("$because ($arrangement)", (fact) => {
    const witness = fact.verdict === "violated" ? fact.witness : [];
    const { promise, verdict } = fact;
    expect(decided(fact.arrangement, promise)).toEqual({ promise, verdict, witness });
  });
});
