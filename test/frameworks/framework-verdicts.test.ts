import { describe, expect, it } from "vitest";
import type { Arrangement, Tool } from "../../src/frameworks/arrangement.js";
import { arrangements } from "../../src/frameworks/arrangements.js";
import { type FrameworkVerdict, frameworkVerdicts } from "../../src/frameworks/framework-verdicts.js";

type Verdict = FrameworkVerdict["verdict"];
type PromiseName = FrameworkVerdict["promise"];

function verdictsOf(name: string): readonly FrameworkVerdict[] {
  const arrangement = arrangements.find((one) => one.name === name);
  if (arrangement === undefined) throw new Error(`no arrangement is called ${name}`);
  return frameworkVerdicts(arrangement);
}

const holds = "holds";
const violated = "violated";

/** What each arrangement is asked and answers, by reasoning; everything not listed is not applicable. */
const rows: { readonly [arrangement: string]: { readonly [promise in PromiseName]?: Verdict } } = {
  "input-beside": {
    "no model call before the input verdict": violated,
    "no effect before the input verdict": violated,
    "a tripped input leaves no effect": violated,
  },
  "input-before": {
    "no model call before the input verdict": holds,
    "no effect before the input verdict": holds,
    "a tripped input leaves no effect": holds,
  },
  // The tool's guardrails look at arguments and result; what the input was is nothing to them.
  "input-beside-with-tool-guardrails": {
    "no model call before the input verdict": violated,
    "no effect before the input verdict": violated,
    "a tripped input leaves no effect": violated,
    "a refused tool argument leaves no effect": holds,
    "a rejected tool output is not used": holds,
    "a rejected tool output leaves no effect": violated,
  },
  "input-before-with-tool-guardrails": {
    "no model call before the input verdict": holds,
    "no effect before the input verdict": holds,
    "a tripped input leaves no effect": holds,
    "a refused tool argument leaves no effect": holds,
    "a rejected tool output is not used": holds,
    "a rejected tool output leaves no effect": violated,
  },
  "output-guardrail": {
    "a tripped output is not released": holds,
    "a tripped output leaves no effect": violated,
  },
  "input-before-with-approval": {
    "no model call before the input verdict": holds,
    "no effect before the input verdict": holds,
    "a tripped input leaves no effect": holds,
    "a refused tool argument leaves no effect": holds,
    "nobody is asked to approve refused arguments": violated,
    "approval is judged by what executes": violated,
  },
  "approval-with-recheck": {
    "a refused tool argument leaves no effect": holds,
    "nobody is asked to approve refused arguments": holds,
    "approval is judged by what executes": violated,
  },
  "approval-without-recheck": {
    "a refused tool argument leaves no effect": violated,
    "nobody is asked to approve refused arguments": holds,
    "approval is judged by what executes": violated,
  },
  "approval-of-the-arguments": {
    "a refused tool argument leaves no effect": holds,
    "nobody is asked to approve refused arguments": holds,
    "approval is judged by what executes": holds,
  },
  "local-mcp-tool": {
    "a refused tool argument leaves no effect": holds,
    "a rejected tool output is not used": holds,
    "a rejected tool output leaves no effect": violated,
  },
  "hosted-tool": passedBy(),
  "built-in-tool": passedBy(),
  "agent-as-tool": passedBy(),
  "handoff-guarded-at-first": {
    "no model call before the input verdict": holds,
    "no effect before the input verdict": holds,
    "a tripped input leaves no effect": holds,
    "a tripped output is not released": violated,
    "a tripped output leaves no effect": violated,
  },
  "handoff-guarded-at-second": {
    "no model call before the input verdict": violated,
    "no effect before the input verdict": violated,
    "a tripped input leaves no effect": violated,
    "a tripped output is not released": holds,
    "a tripped output leaves no effect": violated,
  },
  "every-check": {
    "no model call before the input verdict": holds,
    "no effect before the input verdict": holds,
    "a tripped input leaves no effect": holds,
    "a refused tool argument leaves no effect": holds,
    "a rejected tool output is not used": holds,
    "a rejected tool output leaves no effect": violated,
    "a tripped output is not released": holds,
    "a tripped output leaves no effect": violated,
    "nobody is asked to approve refused arguments": holds,
    "approval is judged by what executes": holds,
  },
};

/** Guardrails that are never asked keep nothing. */
function passedBy(): { readonly [promise in PromiseName]?: Verdict } {
  return {
    "a refused tool argument leaves no effect": violated,
    "a rejected tool output is not used": violated,
    "a rejected tool output leaves no effect": violated,
    "hosted tools are guarded": violated,
  };
}

describe("an arrangement", () => {
  it("has a row here", () => {
    expect(arrangements.map(({ name }) => name)).toEqual(Object.keys(rows));
  });

  it.each(Object.entries(rows))("%s keeps what it can, and is asked nothing else", (name, row) => {
    const asked = verdictsOf(name).filter(({ verdict }) => verdict !== "not_applicable");
    expect(Object.fromEntries(asked.map(({ promise, verdict }) => [promise, verdict]))).toEqual(row);
  });

  it("has a witness exactly where a promise is violated", () => {
    const all = arrangements.flatMap(frameworkVerdicts);
    const wrong = all.filter(({ verdict, witness }) => (verdict === "violated") !== witness.length > 0);
    expect(wrong).toEqual([]);
  });

  it("is not told of an output by the input guardrail, which stops the run for another reason", () => {
    const tool: Tool = {
      kind: "function",
      before: "none",
      after: "checked",
      approval: { kind: "not_needed" },
    };
    const beside: Arrangement = { name: "beside", agents: [{ input: "beside", output: "checked", tool }] };
    const lastSteps = frameworkVerdicts(beside)
      .filter(({ promise }) => promise.includes("output"))
      .map(({ promise, witness }) => [promise, witness.at(-1)]);
    expect(lastSteps).toEqual([
      ["a rejected tool output is not used", undefined],
      [
        "a rejected tool output leaves no effect",
        "the tool output guardrail refuses: the result is replaced by a message",
      ],
      ["a tripped output is not released", undefined],
      ["a tripped output leaves no effect", "the output guardrail trips: the run stops"],
    ]);
  });
});
