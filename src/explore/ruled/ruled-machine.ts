import { step } from "../../model/step.js";
import type { Action } from "../../model/vocabulary.js";
import { initialWorld, type World } from "../../model/world.js";
import { createHistoryJudge, type History } from "../history-judge.js";
import type { PromiseScope, Slots } from "../machine.js";
import type { Take } from "../pipeline/fired.js";
import type { ReferenceMachine } from "../reference-machine.js";
import { showingList } from "../showing-list.js";
import { ruledActions } from "./actions.js";
import { recoverRuled } from "./recovery.js";
import type { RuledWorkload } from "./workload.js";

type Node = {
  readonly world: World;
  readonly history: History | "nothing";
  steps?: readonly Taken[];
  end?: number;
};
type Taken = { readonly action: number; readonly target: number; readonly showing: number };

export type RuledMachineOptions = {
  /** Another machine than the reference machine, to see that what is wrong with it is found. */
  readonly take?: Take;
};

const bytesOfNumber = 3;

/**
 * The ruled machine over whole worlds, each met once: every step is the model's own, judged by the promises over the
 * shortest history that leads to it, and from every world everything is brought to its end as a run is.
 */
export function ruledMachine(workload: RuledWorkload, options: RuledMachineOptions = {}): ReferenceMachine {
  const { profile, contract, policy } = workload;
  const take: Take = options.take ?? ((world, action) => step(world, action, contract.interpret));
  const judge = createHistoryJudge(workload);
  const actions = ruledActions(workload);
  const showings = showingList();
  const met = new Set<string>();
  const start = initialWorld(profile, policy, contract.name);
  const nodes: Node[] = [{ world: start, history: "nothing" }];
  const numbers = new Map([[keyOf(start), 0]]);

  const numberOf = (world: World, history: () => History): number => {
    const key = keyOf(world);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    nodes.push({ world, history: history() });
    numbers.set(key, nodes.length - 1);
    return nodes.length - 1;
  };
  const node = (state: Slots): Node => {
    const found = nodes[read(state)];
    if (found === undefined) throw new Error(`there is no state ${read(state)}`);
    return found;
  };
  const stepsOf = (from: Node): readonly Taken[] => {
    from.steps ??= actions.flatMap((template, number) => {
      const action = template.in(from.world);
      const moved = action === "none" ? undefined : take(from.world, action);
      if (action === "none" || moved?.kind !== "moved" || isMissed(action, moved.world)) return [];
      for (const transition of moved.transitions) met.add(transition);
      const happenings = judge.tell(from.world, action, moved);
      const showing = showings.numberOf(judge.show(from.history, happenings));
      const target = numberOf(moved.world, () => ({ happenings, before: from.history }));
      return [{ action: number, target, showing }];
    });
    return from.steps;
  };
  let shown = 0;
  return {
    name: `${profile.name} machine`,
    schema: { fields: [{ name: "world", length: bytesOfNumber, values: 256 }] },
    initial: (into) => into.fill(0),
    mostEnabled: actions.length,
    enabled: (state, into) => {
      const steps = stepsOf(node(state));
      for (const [index, { action }] of steps.entries()) into[index] = action;
      return steps.length;
    },
    step: (state, action, next) => {
      const taken = stepsOf(node(state)).find((one) => one.action === action);
      if (taken === undefined) throw new Error(`action ${action} is not enabled`);
      write(next, taken.target);
      shown = taken.showing;
    },
    actionKinds: actions.map(({ name }) => name),
    kindOf: (action) => action,
    actionName: (_, action) => actions[action]?.name ?? "nothing",
    showings: showings.list,
    showingOfStep: () => shown,
    showingOfState: (state) => {
      const here = node(state);
      here.end ??= showings.numberOf(
        judge.showEnd(recoverRuled(here.world, here.history, workload, { take, judge })),
      );
      return here.end;
    },
    always: [...judge.always, ...judge.inTheEnd].map(scopeOf),
    sometimes: [...judge.always, ...judge.inTheEnd].map(scopeOf),
    liveness: [],
    // Nothing is left out.
    reductions: { processes: 1, processOf: () => 0, isLocal: () => false, toCanonical: () => {} },
    faults: workload.faults,
    transitionsMet: () => [...met].sort(),
    path: () => {
      let world = start;
      return {
        follow: (number): Action => {
          const action = actions[number]?.in(world) ?? "none";
          const moved = action === "none" ? undefined : take(world, action);
          if (action === "none" || moved?.kind !== "moved") {
            throw new Error(`${actions[number]?.name ?? number} is not enabled`);
          }
          world = moved.world;
          return action;
        },
      };
    },
  };
}

/** A crash at a point that is not passed is only another name for the move. */
function isMissed(action: Action, after: World): boolean {
  return action.kind === "crash" && after.executor === "up";
}

/** Worlds differ in what they hold and in nothing else; the profile is the same in all of them. */
function keyOf({ profile: _profile, ...held }: World): string {
  return JSON.stringify(held);
}

function read(state: Slots): number {
  return (state[0] ?? 0) | ((state[1] ?? 0) << 8) | ((state[2] ?? 0) << 16);
}

function write(state: Slots, number: number): void {
  state[0] = number & 255;
  state[1] = (number >>> 8) & 255;
  state[2] = number >>> 16;
}

/** A reduced search asks nothing of it: no reduction is made here. */
function scopeOf(id: string): PromiseScope {
  return { id, over: "one_attempt", looksAt: "values" };
}
