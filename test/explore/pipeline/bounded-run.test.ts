import { describe, expect, it } from "vitest";
import { coveringWalks } from "../../../src/explore/covering-walks.js";
import type { Graph } from "../../../src/explore/graph.js";
import { followRun } from "../../../src/explore/pipeline/bounded-run.js";
import { concretePath } from "../../../src/explore/pipeline/concrete-path.js";
import { type PipelineMachine, pipelineMachine } from "../../../src/explore/pipeline/pipeline-machine.js";
import { search } from "../../../src/explore/search.js";
import type { Action } from "../../../src/model/vocabulary.js";
import { smallBounds } from "./small-bounds.js";

type Explored = {
  readonly machine: PipelineMachine;
  readonly graph: Graph;
  readonly textOf: (node: number) => string;
};

function explored(bounds: Parameters<typeof smallBounds>[0], symmetry: boolean): Explored {
  const machine = pipelineMachine(smallBounds(bounds), { recovery: "left_out" });
  const { stored } = search(machine, { reduction: { partialOrder: false, symmetry }, stored: "graph" });
  if (stored.graph.kind !== "stored") throw new Error("the graph was asked for");
  const state = new Uint8Array(machine.layout.slots);
  const textOf = (node: number): string => {
    stored.read(node, state);
    return state.join();
  };
  return { machine, graph: stored.graph.graph, textOf };
}

/** The actions of a walk as an executor is given them, up to the end of the machine without recovery. */
function actionsOf(
  machine: PipelineMachine,
  graph: Graph,
  walk: readonly number[],
  numbers: "canonical" | "as_they_are",
): readonly Action[] {
  const path = concretePath(machine, numbers);
  return walk.flatMap((edge) => {
    const taken = path.follow(graph.action[edge] ?? 0);
    return taken === "epilogue" ? [] : [taken];
  });
}

const bounds = { attempts: 2, keys: 2, policyChanges: 1, crashes: 1, requests: [0, 2] } as const;

describe("a run that is followed on the bounded machine", () => {
  it.each([
    ["canonical", true],
    ["as_they_are", false],
  ] as const)("takes the very edges that its actions were made of, with numbers %s", (numbers, symmetry) => {
    const { machine, graph, textOf } = explored(bounds, symmetry);
    for (const walk of coveringWalks(graph)) {
      const seen: string[] = [];
      followRun(machine, actionsOf(machine, graph, walk, numbers), numbers, (state, action) => {
        seen.push(`${state.join()} ${action}`);
      });
      let node = 0;
      const due = walk.map((edge) => {
        const text = `${textOf(node)} ${graph.action[edge]}`;
        node = graph.target[edge] ?? 0;
        return text;
      });
      expect(seen.join("\n")).toBe(due.join("\n"));
    }
  });

  const machine = pipelineMachine(smallBounds({ attempts: 2, keys: 2, policyChanges: 1 }), {
    recovery: "left_out",
  });
  const [light = "", heavy = ""] = machine.bounded.requests.map(({ text }) => text);
  const context = { tenant: "t1", runId: "r1", callId: "c", principal: "p1" };
  const submit = (attempt: `a${number}`, request: string, tenant = "t1"): Action => ({
    kind: "submit",
    attempt,
    request,
    context: { ...context, tenant },
    faults: [],
  });
  const taken = (actions: readonly Action[]): readonly string[] => {
    const names: string[] = [];
    followRun(machine, actions, "as_they_are", (state, action) =>
      names.push(machine.actionName(state, action)),
    );
    return names;
  };

  it("counts a finish as its advances, and a look as nothing", () => {
    const advance = "advance attempt 1";
    const run = taken([submit("a1", light), { kind: "observe" }, { kind: "finish", attempt: "a1" }]);
    expect(run.slice(1)).toEqual([advance, advance, advance]);
  });

  it("counts the same job of another tenant as another key", () => {
    const [first, second] = taken([submit("a1", light), submit("a2", light, "t2")]);
    expect(first).toContain("JOB-001");
    expect(second).toContain("JOB-002");
  });

  it("counts a limit as the one that refuses the same requests", () => {
    // 2 lets one copy pass and not three, as the low limit of the bounds does.
    expect(taken([{ kind: "change_policy", to: { kind: "limit", maxCopies: 2 } }])).toEqual(["limit to 1"]);
  });

  it.each<[string, readonly Action[]]>([
    ["a third attempt", [submit("a1", light), submit("a2", heavy), submit("a3", light)]],
    [
      "a request that is not of the bounds",
      [submit("a1", light), submit("a2", light.replace("river", "forest"))],
    ],
    [
      "a limit that refuses everything",
      [
        submit("a1", light),
        { kind: "change_policy", to: { kind: "limit", maxCopies: 0 } },
        submit("a2", light),
      ],
    ],
  ])("stops at %s", (_, actions) => {
    const within =
      actions.length === 3 && actions[2]?.kind === "submit" && actions[1]?.kind === "submit" ? 2 : 1;
    expect(taken(actions)).toHaveLength(within);
  });
});
