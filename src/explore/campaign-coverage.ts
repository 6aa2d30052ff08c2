import type { ToolContract } from "../contract/tool.js";
import { plansOfRuns, usualMaxActions } from "../properties/share.js";
import type { Reduction, Stored } from "./exploration.js";
import type { Graph } from "./graph.js";
import type { Slots } from "./machine.js";
import type { Bounded } from "./pipeline/bounded.js";
import { followRun } from "./pipeline/bounded-run.js";
import type { PipelineMachine } from "./pipeline/pipeline-machine.js";

/** What a campaign walks of a graph: the measure that walks made on purpose are held against. */
export type CampaignCoverage = { readonly walked: number; readonly actions: number; readonly runs: number };

/**
 * The edges that a campaign of so many generated actions takes, with requests, faults and keys of the bounds to choose
 * from; of a run that leaves the bounds, those up to there. The same for the same seed.
 */
export function campaignCoverage(
  machine: PipelineMachine,
  {
    stored,
    graph,
    reduction,
  }: { readonly stored: Stored; readonly graph: Graph; readonly reduction: Reduction },
  { actions, seed }: { readonly actions: number; readonly seed: number },
): CampaignCoverage {
  const { bounded } = machine;
  const settings = { profile: bounded.profile, contract: withinBounds(bounded), policy: bounded.policy };
  const nodes = nodesByState(stored, machine);
  const isWalked = new Uint8Array(graph.target.length);
  const note = (state: Slots, action: number): void => {
    const node = nodes.get(textOf(state)) ?? -1;
    for (let edge = graph.firstEdge[node] ?? 0; edge < (graph.firstEdge[node + 1] ?? 0); edge++) {
      if (graph.action[edge] === action) isWalked[edge] = 1;
    }
  };
  let [taken, runs] = [0, 0];
  const numbers = reduction.symmetry ? "canonical" : "as_they_are";
  while (taken < actions) {
    for (const plan of plansOfRuns(settings, seed, runs, runsAtATime, usualMaxActions)) {
      if (taken >= actions) break;
      runs++;
      taken += plan.actions.length;
      followRun(machine, plan.actions, numbers, note);
    }
  }
  return { walked: isWalked.reduce((sum, one) => sum + one, 0), actions: taken, runs };
}

const runsAtATime = 500;

/** The contract with no other requests to generate than those of the bounds. */
function withinBounds({ contract, requests, bounds }: Bounded): ToolContract {
  const at = (key: number, variant: number): string =>
    requests.find(
      (one) => one.kind === "valid" && one.key === key % bounds.keys && one.variant === variant % 2,
    )?.text ?? "";
  const invalid = requests.find(({ kind }) => kind === "invalid")?.text ?? "";
  const known = (text: string): { readonly key: number; readonly variant: number } => {
    const found = requests.find((request) => request.text === text);
    return found?.kind === "valid" ? found : { key: 0, variant: 0 };
  };
  return {
    ...contract,
    requests: {
      valid: at,
      invalid: () => invalid,
      changed: (text) => at(known(text).key, known(text).variant + 1),
      rekeyed: (text, key) => at(key, known(text).variant),
      simpler: () => [],
    },
  };
}

function nodesByState({ count, read }: Stored, { layout }: PipelineMachine): ReadonlyMap<string, number> {
  const nodes = new Map<string, number>();
  const state = new Uint8Array(layout.slots);
  for (let node = 0; node < count; node++) {
    read(node, state);
    nodes.set(textOf(state), node);
  }
  return nodes;
}

function textOf(state: Slots): string {
  return String.fromCharCode(...state);
}
