import { enabled } from "../../model/enabled.js";
import { clearFaults } from "../../model/step.js";
import type { Step } from "../../model/stepped.js";
import type { Action } from "../../model/vocabulary.js";
import { inFlight, type World } from "../../model/world.js";
import type { Showing, Slots } from "../machine.js";
import type { ActionTable } from "./actions.js";
import type { Bounded } from "./bounded.js";
import type { EdgeJudge } from "./edge-judge.js";
import type { Take } from "./fired.js";
import type { Layout, Phase } from "./layout.js";
import type { Counters, Decoded, WorldCodec } from "./world-codec.js";

/** One step of the bounded machine from a state: where it leads and what it shows. */
export type Transition = {
  readonly action: number;
  readonly next: Slots;
  readonly showing: Showing;
  /** Units of coverage of the machine. */
  readonly names: readonly string[];
  /** Keys of the receipts that it writes; that of none comes after the others. */
  readonly receipts: readonly number[];
};

/** How the steps of a state are found: the machine says what is enabled and what comes of it, and promises are asked. */
export type Transitions = (state: Slots, isWanted: (action: number) => boolean) => readonly Transition[];

export type TransitionOptions = {
  readonly bounded: Bounded;
  readonly layout: Layout;
  readonly codec: WorldCodec;
  readonly table: ActionTable;
  readonly judge: EdgeJudge;
  readonly take: Take;
  /** `left_out`: the machine ends where its bounds end, and nothing is asked of what can still happen. */
  readonly recovery: "explored" | "left_out";
};

export function createTransitions(options: TransitionOptions): Transitions {
  const latest = new Uint8Array(options.layout.slots);
  let asked: Asked | undefined;
  /** One state is mostly asked for several groups of actions in a row. */
  const ask = (state: Slots): Asked => {
    if (asked === undefined || latest.some((value, slot) => value !== state[slot])) {
      latest.set(state);
      asked = askedOf(options, state);
    }
    return asked;
  };
  return (state, isWanted) => {
    const { decoded, actions } = ask(state);
    const { phase } = decoded.counters;
    if (phase === "open") return openSteps(options, decoded, state, isWanted, actions);
    if (phase === "faults_gone" || phase === "probed")
      return recoverySteps(options, decoded, state, isWanted);
    return [];
  };
}

/** A state in full, and what is enabled in it. */
type Asked = {
  readonly decoded: Decoded;
  readonly actions: readonly { readonly action: Action; readonly number: number }[];
};

function askedOf({ bounded, codec, table }: TransitionOptions, state: Slots): Asked {
  const decoded = codec.decode(state);
  if (decoded.counters.phase !== "open") return { decoded, actions: [] };
  const actions = enabled(decoded.world, bounded.workload)
    .filter((action) => isWithin(bounded, decoded, action))
    .flatMap((action) => {
      const number = table.numberOf(action);
      return number === "none" ? [] : [{ action, number }];
    });
  return { decoded, actions };
}

type Wanted = (action: number) => boolean;

function openSteps(
  options: TransitionOptions,
  decoded: Decoded,
  state: Slots,
  isWanted: Wanted,
  actions: Asked["actions"],
): readonly Transition[] {
  const { table } = options;
  const { world } = decoded;
  const steps = actions.flatMap(({ action, number }) =>
    isWanted(number) ? stepBy(options, decoded, state, action, number) : [],
  );
  const number = table.actions.findIndex(({ kind }) => kind === "epilogue");
  if (options.recovery === "left_out" || !isWanted(number)) return steps;
  const driven: Decoded = {
    world: clearFaults(world),
    counters: { ...decoded.counters, phase: "faults_gone" },
  };
  const next = encoded(options, driven.world, driven.counters, state);
  const occurred = world.attempts.length > 0 ? ["every-attempt-ends"] : [];
  return [...steps, { action: number, next, showing: { broken: [], occurred }, names: [], receipts: [] }];
}

function isWithin({ bounds }: Bounded, { counters }: Decoded, action: Action): boolean {
  if (action.kind === "arm") return counters.arms < bounds.arms;
  if (action.kind !== "submit" || action.faults.length === 0) return true;
  return counters.faultyAttempts < bounds.faultyAttempts;
}

function stepBy(
  options: TransitionOptions,
  { world, counters }: Decoded,
  state: Slots,
  action: Action,
  number: number,
): readonly Transition[] {
  const { take, judge } = options;
  const step = take(world, action);
  // A crash at a point that the attempt does not pass is its plain advance.
  if (step.kind === "refused" || isMissedCrash(action, step.world)) return [];
  const next = encoded(options, step.world, spent(counters, action), state);
  const showing = judge.show(world, action, step, options.codec.decode(next).world);
  const receipts = receiptsWritten(options, world, step.world);
  return [{ action: number, next, showing, names: step.transitions, receipts }];
}

function receiptsWritten({ bounded }: TransitionOptions, before: World, after: World): readonly number[] {
  const { keyNames } = bounded;
  return after.receipts
    .slice(before.receipts.length)
    .map(({ key }) => (key.kind === "none" ? keyNames.length : keyNames.indexOf(key.key)));
}

function isMissedCrash(action: Action, after: World): boolean {
  return action.kind === "crash" && action.where.kind === "at" && after.executor === "up";
}

function spent(counters: Counters, action: Action): Counters {
  switch (action.kind) {
    case "submit": {
      const faultyAttempts = counters.faultyAttempts + (action.faults.length > 0 ? 1 : 0);
      return { ...counters, submitted: counters.submitted + 1, faultyAttempts };
    }
    case "arm":
      return { ...counters, arms: counters.arms + 1 };
    default:
      return counters;
  }
}

function encoded(
  { codec, layout }: TransitionOptions,
  world: World,
  counters: Counters,
  before: Slots,
): Slots {
  const next = new Uint8Array(layout.slots);
  codec.encode(world, counters, before, next);
  return next;
}

/** Once faults are gone: the executor comes up, attempts are driven to their ends, then one more is made. */
function recoverySteps(
  options: TransitionOptions,
  decoded: Decoded,
  state: Slots,
  isWanted: Wanted,
): readonly Transition[] {
  const { world, counters } = decoded;
  const waiting = inFlight(world);
  const drives: readonly Action[] =
    world.executor === "down"
      ? [{ kind: "restart" }]
      : waiting.map(({ name, place }) => ({
          kind: place.kind === "parked" ? "advance" : "expire",
          attempt: name,
        }));
  const { table } = options;
  if (drives.length > 0) {
    return drives.flatMap((action) => {
      const number = table.numberOf(action);
      if (number === "none" || !isWanted(number)) return [];
      return recoveryStep(options, decoded, state, { action, number, probe: counters.probe });
    });
  }
  return options.bounded.requests.flatMap(({ kind, text }, request) => {
    if (kind === "invalid") return [];
    const number = table.actions.findIndex((one) => one.kind === "probe" && one.request === request);
    if (!isWanted(number)) return [];
    const action = table.actionOf(number, "a1");
    if (action === "epilogue") throw new Error(`request ${text} cannot be probed`);
    return recoveryStep(options, decoded, state, { action, number, probe: request + 1 });
  });
}

function recoveryStep(
  options: TransitionOptions,
  { world, counters }: Decoded,
  state: Slots,
  { action, number, probe }: { readonly action: Action; readonly number: number; readonly probe: number },
): readonly Transition[] {
  const { take, judge } = options;
  const step = take(world, action);
  if (step.kind === "refused") return [];
  const isProbe = probe > 0;
  const phase: Phase = isProbe ? probePhase(judge, world, action, step) : "faults_gone";
  const next = encoded(options, step.world, { ...counters, phase, probe }, state);
  const { broken, occurred } = judge.show(world, action, step, options.codec.decode(next).world);
  const shown = { broken, occurred: isProbe ? [...occurred, "always-recoverable"] : occurred };
  return [{ action: number, next, showing: shown, names: step.transitions, receipts: [] }];
}

function probePhase(
  judge: EdgeJudge,
  world: World,
  action: Action,
  step: Extract<Step, { kind: "moved" }>,
): Phase {
  if (inFlight(step.world).length > 0) return "probed";
  return judge.isJustified(world, action, step) ? "probe_justified" : "probe_stuck";
}
