import assert from "node:assert/strict";
import { decisionOn } from "../../model/decision.js";
import type { Happening, RequestRow } from "../../model/vocabulary.js";
import { initialWorld, type World } from "../../model/world.js";
import { observationOfWorld } from "../happenings.js";
import type { History, HistoryJudge } from "../history-judge.js";
import type { Showing } from "../machine.js";
import type { Take } from "../pipeline/fired.js";
import { actionIn, type CallAction, type SharedAction } from "./actions.js";
import { type Gate, gateBefore, gateOf, projection } from "./projection.js";
import { recover } from "./recovery.js";
import type { CallPlan, GuardedWorkload } from "./workload.js";

/** A step of a call from one of its states; numbers are those of its states and of showings. */
export type CallStep = {
  readonly target: number;
  readonly showing: number;
  /** What the call has come to, for a later step of the run. */
  readonly gate: Gate;
  readonly crashes: boolean;
};

/** Recovering a call: what it shows in the end, and what it has come to then. */
export type CallEnd = { readonly showing: number; readonly gate: Gate };

/** All that one call can go through, worked out as far as it is asked for. States are numbered from 0, the start. */
export type CallGraph = {
  /** By number of the action; undefined where it is not enabled. */
  readonly own: (state: number) => readonly (CallStep | undefined)[];
  readonly shared: (state: number) => readonly (CallStep | undefined)[];
  /** The state once the earlier step of the run has come so far. */
  readonly behind: (state: number, gate: Gate) => number;
  readonly end: (state: number) => CallEnd;
  readonly numberOf: (world: World) => number | undefined;
  readonly count: () => number;
};

type Node = {
  readonly world: World;
  readonly history: History | "nothing";
  own?: readonly (CallStep | undefined)[];
  shared?: readonly (CallStep | undefined)[];
  end?: CallEnd;
  readonly behind: Map<Gate, number>;
};

export type CallGraphOptions = {
  readonly workload: GuardedWorkload;
  readonly call: CallPlan;
  readonly own: readonly CallAction[];
  readonly shared: readonly SharedAction[];
  readonly judge: HistoryJudge;
  readonly take: Take;
  readonly showingNumber: (showing: Showing, transitions: readonly string[]) => number;
  /** Of the other ways to a state, one in so many is compared with the way by which it was met first. */
  readonly compareEvery: number;
};

/**
 * Steps are the model's own, taken on a world in which nothing but this call happens; each is judged over the history
 * by which its state was met first. Throws if another way to the same state shows something else.
 */
export function callGraph(options: CallGraphOptions): CallGraph {
  const { workload, call, judge, take, showingNumber, compareEvery } = options;
  const nodes: Node[] = [];
  const numbers = new Map<string, number>();
  let again = 0;

  const meet = (world: World, history: History | "nothing"): number => {
    const text = projection(world, call);
    const known = numbers.get(text);
    if (known === undefined) {
      numbers.set(text, nodes.length);
      return nodes.push({ world, history, behind: new Map() }) - 1;
    }
    again++;
    if (again % compareEvery === 0) compare(known, { world, history, behind: new Map() });
    return known;
  };

  const steps = (node: Node, actions: readonly (CallAction | SharedAction)[]): readonly Taken[] =>
    actions.map((what) => {
      const { world, history } = node;
      const action = actionIn(world, call, what, workload);
      if (action === "none") return "not_enabled";
      const moved = take(world, action);
      if (moved.kind === "refused") return "not_enabled";
      const crashes = action.kind === "crash" && moved.world.executor === "down";
      // Where a point is not passed it is a plain advance, which is there already.
      if (action.kind === "crash" && !crashes) return "not_enabled";
      const happenings = judge.tell(world, action, moved);
      return { moved, happenings, crashes, showing: judge.show(history, happenings) };
    });

  const expand = (
    node: Node,
    actions: readonly (CallAction | SharedAction)[],
  ): readonly (CallStep | undefined)[] =>
    steps(node, actions).map((taken) => {
      if (taken === "not_enabled") return undefined;
      const { moved, happenings, crashes, showing } = taken;
      return {
        target: meet(moved.world, { happenings, before: node.history }),
        showing: showingNumber(showing, moved.transitions),
        gate: gateOf(moved.world, call.context),
        crashes,
      };
    });

  const compare = (known: number, other: Node): void => {
    const first = nodeNumbered(nodes, known);
    for (const actions of [options.own, options.shared]) {
      assert.deepEqual(
        steps(other, actions).map(told),
        steps(first, actions).map(told),
        `a promise can ask more than state ${known} of a call holds`,
      );
    }
  };
  const told = (taken: Taken) =>
    taken === "not_enabled"
      ? taken
      : {
          broken: taken.showing.broken,
          to: projection(taken.moved.world, call),
          by: taken.moved.transitions.toSorted(),
        };

  const { profile, contract, policy } = workload;
  const start = initialWorld(profile, policy, contract.name, contract.toolbox?.capabilities);
  meet(start, {
    happenings: [{ kind: "observed", observation: observationOfWorld(start) }],
    before: "nothing",
  });

  return {
    own: (state) => {
      const node = nodeNumbered(nodes, state);
      node.own ??= expand(node, options.own);
      return node.own;
    },
    shared: (state) => {
      const node = nodeNumbered(nodes, state);
      node.shared ??= expand(node, options.shared);
      return node.shared;
    },
    behind: (state, gate) => {
      const node = nodeNumbered(nodes, state);
      if (gateBefore(node.world, call) === gate) return state;
      const known = node.behind.get(gate) ?? movedGate(node, gate, call, meet);
      node.behind.set(gate, known);
      return known;
    },
    end: (state) => {
      const node = nodeNumbered(nodes, state);
      if (node.end === undefined) {
        const { world, history } = recover(node.world, node.history, call, { take, judge });
        node.end = { showing: showingNumber(judge.showEnd(history), []), gate: gateOf(world, call.context) };
      }
      return node.end;
    },
    numberOf: (world) => numbers.get(projection(world, call)),
    count: () => nodes.length,
  };
}

type Taken =
  | "not_enabled"
  | {
      readonly moved: Extract<ReturnType<Take>, { kind: "moved" }>;
      readonly happenings: readonly Happening[];
      readonly crashes: boolean;
      readonly showing: Showing;
    };

function nodeNumbered(nodes: readonly Node[], state: number): Node {
  const node = nodes[state];
  assert(node !== undefined, `there is no state ${state} of a call`);
  return node;
}

/** The earlier step is a call of which nothing but its rows is there. */
function movedGate(
  { world, history }: Node,
  gate: Gate,
  call: CallPlan,
  meet: (world: World, history: History) => number,
): number {
  const { tenant, runId, principal } = call.context;
  const callId = "c-earlier";
  const { consent } = world;
  const isBegun = gateBefore(world, call) !== "absent";
  const row = { tenant, runId, step: 0, callId, replaces: "none" } as const;
  const begun: World = isBegun
    ? world
    : { ...world, consent: { ...consent, steps: [...consent.steps, row] } };
  const seen = (of: World): Happening => ({ kind: "observed", observation: observationOfWorld(of) });
  if (gate === "accepted") {
    const receipt = {
      ...{ tenant, runId, callId, effectExists: false },
      number: world.receipts.length + 1,
      attempt: "a0",
      key: { kind: "none" },
      status: "accepted",
      code: "ok",
      events: [],
    } as const;
    const accepted = { ...begun, receipts: [...begun.receipts, receipt] };
    return meet(accepted, { happenings: [seen(accepted)], before: history });
  }
  if (gate === "open") return meet(begun, { happenings: [seen(begun)], before: history });
  const request: RequestRow = {
    ...{ tenant, runId, callId, principal },
    number: consent.requests.length + 1,
    tool: "earlier",
    digest: "earlier",
    revision: 0,
    role: "earlier",
    requestedAt: 0,
    expiresAt: 0,
  };
  const asked = { ...begun, consent: { ...begun.consent, requests: [...consent.requests, request] } };
  const denied = {
    kind: "deny",
    decision: "d0",
    request: request.number,
    flaw: "none",
    pace: "at_once",
  } as const;
  const decision = decisionOn(denied, request);
  const { verdict, by } = decision;
  const entry = {
    number: consent.decisions.length + 1,
    ...{
      request: request.number,
      verdict,
      approver: by.approver,
      role: request.role,
      decidedAt: world.clock,
    },
  };
  const refused = { ...asked, consent: { ...asked.consent, decisions: [...consent.decisions, entry] } };
  const told: Happening = { kind: "decided", ...decision, answer: { kind: "recorded" } };
  return meet(refused, { happenings: [seen(asked), told, seen(refused)], before: history });
}
