import { interpretFor } from "../../contract/tool.js";
import { step } from "../../model/step.js";
import { initialWorld, type World } from "../../model/world.js";
import { createHistoryJudge } from "../history-judge.js";
import type { PromiseScope, Slots } from "../machine.js";
import type { Take } from "../pipeline/fired.js";
import type { ReferenceMachine } from "../reference-machine.js";
import { type ShowingList, showingList } from "../showing-list.js";
import {
  actionIn,
  callActions,
  type GuardedAction,
  guardedActionKinds,
  guardedActionName,
  sharedActions,
} from "./actions.js";
import { type CallGraph, callGraph } from "./call-graph.js";
import type { gateOf } from "./projection.js";
import type { CallPlan, GuardedWorkload } from "./workload.js";

/** The reference machine of the guarded profile, and what is needed to follow it on whole worlds. */
export type GuardedMachine = ReferenceMachine & {
  readonly workload: GuardedWorkload;
  /** The model's step, or a stand-in for it. */
  readonly take: Take;
  readonly start: World;
  /** What happens and to which call; the first where it happens to all. */
  readonly meant: (action: number) => { readonly action: GuardedAction; readonly call: CallPlan };
  /** The state of a world in which all calls happen; `undefined` if the search has not met it. */
  readonly stateOf: (world: World) => Uint8Array | undefined;
  /** States of each call met so far. */
  readonly callStates: () => readonly number[];
};

export type GuardedMachineOptions = {
  /** Another machine than the reference machine, to see that what is wrong with it is found. */
  readonly take?: Take;
  readonly compareEvery?: number;
};

const usualComparison = 64;
const bytesOfCall = 3;

/**
 * The guarded machine as the product of its calls. Two calls of a run have in common only the executor, the policy, the
 * clock, and what an earlier step says to a later one; all else of them is stepped, judged and remembered apart.
 */
export function guardedMachine(
  workload: GuardedWorkload,
  options: GuardedMachineOptions = {},
): GuardedMachine {
  const { profile, contract, policy, calls, faults } = workload;
  const take: Take = options.take ?? ((world, action) => step(world, action, interpretFor(contract)));
  const judge = createHistoryJudge(workload);
  const showings = showingList();
  const met = new Set<string>();
  const [own, shared] = [callActions(workload), sharedActions(workload)];
  const graphs = calls.map((call) =>
    callGraph({
      workload,
      call,
      own,
      shared,
      judge,
      take,
      showingNumber: (showing, transitions) => {
        for (const name of transitions) met.add(name);
        return showings.numberOf(showing);
      },
      compareEvery: options.compareEvery ?? usualComparison,
    }),
  );
  const product = productOf(workload, graphs, { own: own.length, showings });
  const all: readonly GuardedAction[] = [...calls.flatMap(() => own), ...shared];
  const kinds = Uint8Array.from(all, ({ kind }) => guardedActionKinds.indexOf(kind));
  const start = initialWorld(profile, policy, contract.name, contract.toolbox?.capabilities);
  const meant: GuardedMachine["meant"] = (number) => {
    const call = calls[Math.floor(number / own.length)] ?? calls[0];
    const action = all[number];
    if (action === undefined || call === undefined) throw new Error(`there is no action ${number}`);
    return { action, call };
  };
  const nameOf = (number: number): string => {
    const { action, call } = meant(number);
    const name = guardedActionName(action, workload);
    const isShared = number >= calls.length * own.length;
    return calls.length < 2 || isShared ? name : `${call.context.dispatch?.tool}: ${name}`;
  };
  return {
    ...product,
    name: `${profile.name} machine, ${workload.name}`,
    schema: {
      fields: calls.map((_, call) => ({ name: `call ${call + 1}`, length: bytesOfCall, values: 256 })),
    },
    mostEnabled: all.length,
    actionKinds: guardedActionKinds,
    kindOf: (action) => kinds[action] ?? 0,
    actionName: (_, action) => nameOf(action),
    showings: showings.list,
    always: [...judge.always, ...judge.inTheEnd].map(scopeOf),
    sometimes: [...judge.always, ...judge.inTheEnd].map(scopeOf),
    liveness: [],
    // Attempts of one call are told apart by nothing but what they carry, in every search.
    reductions: { processes: 1, processOf: () => 0, isLocal: () => false, toCanonical: () => {} },
    faults,
    transitionsMet: () => [...met].sort(),
    path: () => {
      let world = start;
      return {
        follow: (number) => {
          const { action: wanted, call } = meant(number);
          const action = actionIn(world, call, wanted, workload);
          const moved = action === "none" ? undefined : take(world, action);
          if (action === "none" || moved?.kind !== "moved")
            throw new Error(`${nameOf(number)} is not enabled`);
          world = moved.world;
          return action;
        },
      };
    },
    workload,
    take,
    start,
    meant,
    stateOf: (world) => {
      const state = new Uint8Array(calls.length * bytesOfCall);
      for (const [call, graph] of graphs.entries()) {
        const number = graph.numberOf(world);
        if (number === undefined) return undefined;
        write(state, call, number);
      }
      return state;
    },
    callStates: () => graphs.map((graph) => graph.count()),
  };
}

function read(state: Slots, call: number): number {
  const at = call * bytesOfCall;
  return (state[at] ?? 0) | ((state[at + 1] ?? 0) << 8) | ((state[at + 2] ?? 0) << 16);
}

function write(state: Slots, call: number, number: number): void {
  const at = call * bytesOfCall;
  state[at] = number & 255;
  state[at + 1] = (number >>> 8) & 255;
  state[at + 2] = number >>> 16;
}

/** The steps of all calls together. Of two calls the second may have to wait for the first. */
function productOf(
  { calls }: GuardedWorkload,
  graphs: readonly CallGraph[],
  { own, showings }: { readonly own: number; readonly showings: ShowingList },
): Pick<ReferenceMachine, "initial" | "enabled" | "step" | "showingOfState" | "showingOfStep"> {
  const sharedFrom = own * graphs.length;
  const isOrdered = new Set(calls.map(({ context }) => context.dispatch?.step)).size > 1;
  let shown = 0;
  const stepOwn = (state: Slots, action: number, next: Slots): void => {
    const mover = Math.floor(action / own);
    const taken = graphs[mover]?.own(read(state, mover))[action - mover * own];
    if (taken === undefined) throw new Error(`action ${action} is not enabled`);
    write(next, mover, taken.target);
    shown = taken.showing;
    for (const [call, graph] of graphs.entries()) {
      if (call === mover) continue;
      let other = read(state, call);
      if (isOrdered && call > mover) other = graph.behind(other, taken.gate);
      if (taken.crashes) other = graph.shared(other)[crashAmong(graph, other)]?.target ?? other;
      write(next, call, other);
    }
  };
  const stepShared = (state: Slots, action: number, next: Slots): void => {
    shown = 0;
    for (const [call, graph] of graphs.entries()) {
      const taken = graph.shared(read(state, call))[action - sharedFrom];
      if (taken === undefined) throw new Error(`action ${action} is not enabled`);
      write(next, call, taken.target);
      shown = showings.both(shown, taken.showing);
    }
  };
  return {
    initial: (into) => into.fill(0),
    enabled: (state, into) => {
      let count = 0;
      for (const [call, graph] of graphs.entries()) {
        const steps = graph.own(read(state, call));
        for (let action = 0; action < own; action++) {
          if (steps[action] !== undefined) into[count++] = call * own + action;
        }
      }
      const together = graphs[0]?.shared(read(state, 0)) ?? [];
      for (let action = 0; action < together.length; action++) {
        if (together[action] !== undefined) into[count++] = sharedFrom + action;
      }
      return count;
    },
    step: (state, action, next) => {
      if (action < sharedFrom) stepOwn(state, action, next);
      else stepShared(state, action, next);
    },
    showingOfStep: () => shown,
    // From every state everything is brought to its end; what then shows is a property of the state.
    showingOfState: (state) => {
      let all = 0;
      let gate = gateOfNothing;
      for (const [call, graph] of graphs.entries()) {
        const number = read(state, call);
        const end = graph.end(isOrdered && call > 0 ? graph.behind(number, gate) : number);
        gate = end.gate;
        all = showings.both(all, end.showing);
      }
      return all;
    },
  };
}

const gateOfNothing: ReturnType<typeof gateOf> = "absent";

/** The crash of a call that takes the others along. */
function crashAmong(graph: CallGraph, state: number): number {
  return graph.shared(state).findIndex((taken) => taken?.crashes === true);
}

/** A reduced search asks nothing of it: no reduction but that of attempts is made here. */
function scopeOf(id: string): PromiseScope {
  return { id, over: "one_attempt", looksAt: "values" };
}
