import { step } from "../../model/step.js";
import { initialWorld } from "../../model/world.js";
import type { Liveness, PromiseScope, Slots } from "../machine.js";
import type { ReferenceMachine } from "../reference-machine.js";
import { showingList } from "../showing-list.js";
import { type ActionTable, actionTable, type BoundedAction, boundedActionKinds } from "./actions.js";
import type { Bounded } from "./bounded.js";
import { concretePath } from "./concrete-path.js";
import { createEdgeJudge } from "./edge-judge.js";
import type { Take } from "./fired.js";
import { attemptSlots, type Layout, layoutOf, ofAttempt, type Phase, phases, places } from "./layout.js";
import { rememberSteps } from "./remembered.js";
import { type Symmetry, symmetryOf } from "./symmetry.js";
import { createTransitions, type Transition, type TransitionOptions } from "./transitions.js";
import { type WorldCodec, worldCodec } from "./world-codec.js";

/** The reference machine within bounds, as the search sees it, and what is needed to read its states. */
export type PipelineMachine = ReferenceMachine & {
  readonly bounded: Bounded;
  readonly layout: Layout;
  readonly codec: WorldCodec;
  readonly table: ActionTable;
  readonly symmetry: Symmetry;
  /** Lists of steps that were worked out; all other steps were remembered. */
  readonly workedOut: () => number;
};

export type PipelineOptions = {
  readonly recovery: TransitionOptions["recovery"];
  /** Steps are worked out anew, and compared with what is remembered, once in so many uses; 1 is always. */
  readonly auditEvery?: number;
  /** Another machine than the reference machine, to see that what is wrong with it is found. */
  readonly take?: Take;
};

const usualAudit = 4096;

/**
 * The reference machine as bounded: the very `enabled` and `step` by which runs of an executor are judged, every step
 * judged by the same promises over the same kind of evidence. A state drops what no promise can ask about any more.
 */
export function pipelineMachine(bounded: Bounded, options: PipelineOptions): PipelineMachine {
  const { profile, contract, policy, bounds } = bounded;
  const take: Take = options.take ?? ((world, action) => step(world, action, contract.interpret));
  const layout = layoutOf(bounded);
  const codec = worldCodec(bounded, layout, initialWorld(profile, policy, contract.name));
  const table = actionTable(bounded);
  const judge = createEdgeJudge(profile, contract);
  const transitions = createTransitions({
    bounded,
    layout,
    codec,
    table,
    judge,
    take,
    recovery: options.recovery,
  });
  const showings = showingList();
  const symmetry = symmetryOf(bounded, layout);
  const met = new Set<string>();
  const remembered = rememberSteps({
    bounded,
    layout,
    table,
    transitions,
    showingNumber: ({ showing, names }: Transition) => {
      for (const name of names) met.add(name);
      return showings.numberOf(showing);
    },
    auditEvery: options.auditEvery ?? usualAudit,
  });
  let shown = 0;
  const machine: PipelineMachine = {
    name: `${profile.name} machine`,
    schema: layout.schema,
    initial: codec.initial,
    mostEnabled: table.actions.length,
    enabled: remembered.enabled,
    step: (state, action, next) => {
      shown = remembered.step(state, action, next);
    },
    actionKinds: boundedActionKinds,
    kindOf: kindsOf(table),
    actionName: (_, action) => nameOfAction(table.actions[action], bounded),
    showings: showings.list,
    showingOfState: () => 0,
    // The search asks right after the step.
    showingOfStep: () => shown,
    always: judge.always.map(scopeOf),
    sometimes: [
      ...judge.always,
      ...(options.recovery === "explored" ? ["every-attempt-ends", "always-recoverable"] : []),
    ].map(scopeOf),
    liveness: options.recovery === "explored" ? livenessOf(bounded, layout, table) : [],
    progress: progressOf(layout, bounds.attempts),
    reductions: {
      processes: bounds.attempts + 1,
      processOf: (action) =>
        action < table.surroundings ? Math.floor(action / table.perAttempt) : bounds.attempts,
      isLocal: isLocalIn(bounded, layout, options.recovery),
      toCanonical: symmetry.toCanonical,
    },
    bounded,
    layout,
    codec,
    table,
    symmetry,
    transitionsMet: () => [...met].sort(),
    workedOut: remembered.workedOut,
    faults: bounds.faults,
    path: (numbers) => concretePath(machine, numbers),
  };
  return machine;
}

function kindsOf({ actions }: ActionTable): (action: number) => number {
  const kinds = Uint8Array.from(actions, ({ kind }) => boundedActionKinds.indexOf(kind));
  return (action) => kinds[action] ?? 0;
}

/** Promises about what one key or the policy holds; all others are about one attempt. */
const overOneObject: readonly string[] = [
  "one-effect-per-key",
  "key-binds-arguments",
  "effect-has-request",
  "commit-survives",
  "revision-only-grows",
];

function scopeOf(id: string): PromiseScope {
  return { id, over: overOneObject.includes(id) ? "one_object" : "one_attempt", looksAt: "values" };
}

/** An attempt that has only to hand its value on touches nothing that others share, unless a crash can take it. */
function isLocalIn(
  { bounds, profile, workload }: Bounded,
  layout: Layout,
  recovery: PipelineOptions["recovery"],
): (state: Slots, process: number) => boolean {
  const after = places.indexOf("after_business");
  const throwing = workload.faultPlans.map((plan) =>
    plan.some((fault) => fault.kind === "throw_at" && fault.at === "after_business"),
  );
  const canCrash = profile.abilities.includes("crash");
  return (state, process) => {
    if (process >= bounds.attempts || recovery === "explored" || state[layout.executor] === 1) return false;
    if (canCrash && (state[layout.crashes] ?? 0) < bounds.crashes) return false;
    const at = layout.attempts + process * attemptSlots;
    const isCancelled = state[at + ofAttempt.cancel] === 1;
    return state[at] === after && !isCancelled && throwing[state[at + ofAttempt.plan] ?? 0] === false;
  };
}

/** More than any attempt gains on its way. */
const attemptMeasure = 12;
const phaseMeasure = 1000;

/** Grows with every step: attempts only go forward, and what is spent of the bounds is never given back. */
function progressOf(layout: Layout, attempts: number): (state: Slots) => number {
  const value = (state: Slots, at: number): number => state[at] ?? 0;
  return (state) => {
    const isArmed = (at: number): number => (value(state, at) > 0 ? 1 : 0);
    let measure =
      phaseMeasure * value(state, layout.phase) +
      attemptMeasure * value(state, layout.submitted) +
      value(state, layout.policyChanges) +
      2 * value(state, layout.crashes) -
      value(state, layout.executor) +
      3 * value(state, layout.arms) -
      isArmed(layout.armedExecute) -
      isArmed(layout.armedReceipt);
    for (let slot = 0; slot < attempts; slot++) {
      const at = layout.attempts + slot * attemptSlots;
      const place = value(state, at);
      if (place > 0) measure += 2 * place + value(state, at + ofAttempt.cancel) - attemptMeasure;
    }
    return measure;
  };
}

function livenessOf({ bounds }: Bounded, layout: Layout, { actions }: ActionTable): readonly Liveness[] {
  const kindIs = (kinds: readonly BoundedAction["kind"][]) => {
    const may = Uint8Array.from(actions, ({ kind }) => (kinds.includes(kind) ? 1 : 0));
    return (action: number): boolean => may[action] === 1;
  };
  const phaseIs = (state: Slots, ...wanted: readonly Phase[]): boolean =>
    wanted.some((phase) => state[layout.phase] === phases.indexOf(phase));
  const isAtRest = (state: Slots): boolean =>
    state[layout.executor] === 0 &&
    Array.from({ length: bounds.attempts }).every(
      (_, slot) => state[layout.attempts + slot * attemptSlots] === 0,
    );
  const drives = kindIs(["advance", "expire", "restart"]);
  const recovers = kindIs(["advance", "expire", "restart", "epilogue", "probe"]);
  return [
    {
      id: "every-attempt-ends",
      kind: "inevitable",
      goal: isAtRest,
      via: drives,
      from: (state) => phaseIs(state, "faults_gone"),
    },
    {
      id: "always-recoverable",
      kind: "recoverable",
      goal: (state) => phaseIs(state, "probe_justified"),
      via: recovers,
      from: (state) => phaseIs(state, "open"),
    },
    // Whichever request is tried once more, and in whatever order the others came to their ends.
    {
      id: "always-recoverable",
      kind: "inevitable",
      goal: (state) => phaseIs(state, "probe_justified"),
      via: recovers,
      from: (state) => phaseIs(state, "faults_gone", "probed"),
    },
  ];
}

function nameOfAction(action: BoundedAction | undefined, { requests, workload }: Bounded): string {
  if (action === undefined) return "nothing";
  switch (action.kind) {
    case "advance":
    case "cancel":
    case "expire":
      return `${action.kind} attempt ${action.slot + 1}`;
    case "crash_at":
      return `crash at ${action.at} of attempt ${action.slot + 1}`;
    case "submit": {
      const plan = JSON.stringify(workload.faultPlans[action.plan] ?? []);
      return `submit ${requests[action.request]?.text ?? ""}${plan === "[]" ? "" : ` with ${plan}`}`;
    }
    case "change_policy":
      return action.to.kind === "remove" ? "remove the policy" : `limit to ${action.to.maxCopies}`;
    case "arm":
    case "disarm":
      return `${action.kind} ${JSON.stringify(action.fault)}`;
    case "probe":
      return `try ${requests[action.request]?.text ?? ""} once more`;
    case "crash_parked":
      return "crash";
    case "restart":
      return "restart";
    case "epilogue":
      return "faults are gone";
  }
}
