import type {
  AttemptName,
  CheckerStage,
  Checkpoint,
  CrashPoint,
  DriverFault,
  DriverStage,
  Fault,
  Json,
  Observation,
  Outcome,
  Profile,
} from "../model/vocabulary.js";
import {
  badOutputText,
  isCheckerFault,
  isDriverFault,
  sameDriverFault,
  spoiltFields,
  stageOf,
} from "./fault-kinds.js";
import { type Held, misbehave, newlyHeld, rest, type Stop } from "./held.js";
import type { Progress, Reported } from "./port.js";

/** Thrown into an executor where a plan says so. */
export class InjectedFault extends Error {
  constructor(readonly at: Checkpoint | CrashPoint) {
    super(`injected fault at ${at}`);
  }
}

/** Thrown into an executor whose store has been cut; nothing it does from here on can reach the store. */
export class Severed extends Error {
  constructor() {
    super("the store is gone: the process was killed here");
  }
}

/** Puts faults of the store's driver in force and takes them back. */
export type DriverFaults = {
  /** `store_locked`: the executor itself holds the write lock where it should not, so nothing could be put in force. */
  readonly enforce: (fault: DriverFault) => "in_force" | "store_locked";
  /** Takes back what is in force, if the store can be reached; otherwise at the next call. */
  readonly lift: () => void;
};

/** What the gate needs of the system behind it. */
export type Gated = {
  readonly profile: Profile;
  readonly faults: DriverFaults;
  readonly observe: () => Observation | Promise<Observation>;
  /** Cuts the store, as a kill would. */
  readonly sever: () => void;
  /** Real time that one move may take before the executor counts as stuck. */
  readonly budgetMs: number;
};

/** The executor's side of a held attempt. */
export type Hooks = {
  readonly checkpoint: (at: Checkpoint) => Promise<void>;
  readonly crashPoint: (at: CrashPoint) => void;
  readonly snapshotTaken: (revision: number) => void;
  readonly returned: (value: Json) => Json;
  /** Asks a checker, or what the plan puts in its place. */
  readonly ask: (stage: CheckerStage, honest: () => unknown) => unknown;
  readonly patience: (stage: CheckerStage) => { readonly over: Promise<void>; readonly dismiss: () => void };
};

export type Gate = {
  readonly begin: (
    attempt: AttemptName,
    plan: readonly Fault[],
    call: (hooks: Hooks, signal: AbortSignal) => Promise<unknown>,
    outcomeOf: (settled: Settled, signal: AbortSignal) => Outcome,
  ) => Promise<Progress>;
  /** The same with a kill waiting at a crash point on the way to the first halt; undefined if it struck. */
  readonly beginInto: (at: CrashPoint, ...begin: Parameters<Gate["begin"]>) => Promise<Progress | undefined>;
  readonly advance: (attempt: AttemptName) => Promise<Progress>;
  /** Advances with a kill waiting at a crash point; undefined if it struck. */
  readonly advanceInto: (attempt: AttemptName, at: CrashPoint) => Promise<Progress | undefined>;
  readonly expire: (attempt: AttemptName) => Promise<Progress>;
  readonly cancel: (attempt: AttemptName) => void;
  readonly arm: (fault: DriverFault) => void;
  readonly disarm: (fault: DriverFault) => void;
  readonly clearFaults: () => void;
  /** Abandons every attempt in flight. */
  readonly abandon: () => void;
};

export type Settled =
  | { readonly kind: "resolved"; readonly value: unknown }
  | { readonly kind: "rejected"; readonly error: unknown };

/** Holds attempts at their checkpoints; a cancel, a throw, a kill and a fault act there and nowhere else. */
export function createGate(gated: Gated, report: (reported: Reported) => void): Gate {
  const attempts = new Map<AttemptName, Held>();
  let armed: readonly DriverFault[] = [];

  const hooksOf = (held: Held): Hooks => ({
    checkpoint: (at) => {
      if (refuse(held, at)) return Promise.reject(new Severed());
      gated.faults.lift();
      if (!gated.profile.checkpoints.includes(at)) return passCheckpoint(held, at);
      return new Promise<void>((resolve, reject) => {
        held.resume = () => passCheckpoint(held, at).then(resolve, reject);
        announce(held, { kind: "parked", at, snapshotRevision: held.snapshot });
      });
    },
    crashPoint: (at) => {
      if (refuse(held, at)) throw new Severed();
      // Inside the transaction the executor holds the write lock, and a refused COMMIT has yet to be refused.
      if (at !== "inside_transaction") gated.faults.lift();
      if (held.kill === at) {
        gated.sever();
        abandon();
        announce(held, { kind: "killed" });
        throw new Severed();
      }
      throwIfPlanned(held, at);
      if (at === "before_receipt") enforce(held, "receipt");
    },
    snapshotTaken: (revision) => {
      held.snapshot = { kind: "seen", revision };
    },
    returned: (value) => {
      held.tries++;
      const fault = held.plan.find(
        (planned) =>
          planned.kind === "bad_output" || (planned.kind === "spoilt_output" && held.tries <= planned.tries),
      );
      if (fault === undefined) return value;
      report({ kind: "fault_fired", attempt: held.name, fault, at: "output" });
      const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
      if (!isRecord) return badOutputText;
      if (fault.kind !== "spoilt_output") return { ...value, text: badOutputText };
      return fault.as === "format" ? badOutputText : { ...value, ...spoiltFields[fault.as] };
    },
    ask: (stage, honest) => {
      if (refuse(held, stage)) throw new Severed();
      const fault = held.plan.filter(isCheckerFault).find((planned) => planned.stage === stage);
      if (fault === undefined) return honest();
      report({ kind: "fault_fired", attempt: held.name, fault, at: stage });
      return misbehave(fault.kind);
    },
    patience: (stage) => {
      let expire = (): void => {};
      const over = new Promise<void>((resolve) => {
        expire = resolve;
      });
      held.waiting = { stage, expire };
      const dismiss = (): void => {
        held.waiting = undefined;
      };
      return { over, dismiss };
    },
  });

  /** Whether the attempt has no business here any more; what it tries is reported as late. */
  const refuse = (held: Held, what: string): boolean => {
    if (held.state === "ended") report({ kind: "late", attempt: held.name, what });
    return held.state === "dead";
  };

  const passCheckpoint = (held: Held, at: Checkpoint): Promise<void> => {
    if (held.state === "dead") return new Promise(() => {});
    if (held.abort.signal.aborted) {
      report({ kind: "cancel_delivered", attempt: held.name, at });
      return Promise.resolve();
    }
    try {
      throwIfPlanned(held, at);
    } catch (error) {
      return Promise.reject(error);
    }
    if (at === "before_business") enforce(held, "execute");
    return Promise.resolve();
  };

  const throwIfPlanned = (held: Held, at: Checkpoint | CrashPoint): void => {
    const fault = held.plan.find((planned) => planned.kind === "throw_at" && planned.at === at);
    if (fault === undefined) return;
    report({ kind: "fault_fired", attempt: held.name, fault, at });
    throw new InjectedFault(at);
  };

  /** An attempt's own plan comes before what is armed for all. */
  const enforce = (held: Held, stage: DriverStage): void => {
    const hits = (fault: Fault): fault is DriverFault => isDriverFault(fault) && stageOf(fault) === stage;
    const fault = held.plan.find(hits) ?? armed.find(hits);
    if (fault === undefined) return;
    if (gated.faults.enforce(fault) === "store_locked") return;
    report({ kind: "fault_fired", attempt: held.name, fault, at: stage });
  };

  const announce = (held: Held, stop: Stop): void => {
    held.announced = stop;
    held.notify?.();
  };

  const abandon = (): void => {
    for (const held of attempts.values()) if (held.state === "live") held.state = "dead";
  };

  const need = (attempt: AttemptName): Held => {
    const held = attempts.get(attempt);
    if (held === undefined) throw new Error(`no attempt ${attempt} was submitted to this gate`);
    return held;
  };

  /** Sets an attempt in motion and waits until it is at rest again. */
  const move = async (held: Held, start: () => void): Promise<Stop> => {
    held.announced = undefined;
    start();
    const stop = await rest(held, gated.budgetMs);
    if (stop.kind !== "parked" && stop.kind !== "blocked") gated.faults.lift();
    return stop;
  };

  const moveOn = async (attempt: AttemptName, start: (held: Held) => void): Promise<Progress> => {
    const stop = await move(need(attempt), () => start(need(attempt)));
    if (stop.kind === "killed")
      throw new Error(`attempt ${attempt} was killed although no kill was asked for`);
    return stop;
  };

  const resume = (held: Held): void => {
    const go = held.resume;
    if (go === undefined) throw new Error(`attempt ${held.name} is not held at a checkpoint`);
    held.resume = undefined;
    go();
  };

  const enter = (...[attempt, plan, call, outcomeOf]: Parameters<Gate["begin"]>): (() => void) => {
    const held = newlyHeld(attempt, plan);
    attempts.set(attempt, held);
    const settle = async (settled: Settled): Promise<void> => {
      if (held.state === "dead") return;
      held.state = "ended";
      const reading = gated.observe();
      const atRelease = reading instanceof Promise ? await reading : reading;
      announce(held, { kind: "returned", outcome: outcomeOf(settled, held.abort.signal), atRelease });
    };
    return () => {
      call(hooksOf(held), held.abort.signal).then(
        (value) => settle({ kind: "resolved", value }),
        (error: unknown) => settle({ kind: "rejected", error }),
      );
    };
  };

  const moveInto = async (
    attempt: AttemptName,
    at: CrashPoint,
    start: () => void,
  ): Promise<Progress | undefined> => {
    const held = need(attempt);
    held.kill = at;
    const stop = await move(held, start);
    held.kill = undefined;
    return stop.kind === "killed" ? undefined : stop;
  };

  return {
    begin: (...begin) => {
      const start = enter(...begin);
      return moveOn(begin[0], start);
    },
    beginInto: (at, ...begin) => {
      const start = enter(...begin);
      return moveInto(begin[0], at, start);
    },
    advance: (attempt) => moveOn(attempt, resume),
    advanceInto: (attempt, at) => moveInto(attempt, at, () => resume(need(attempt))),
    expire: (attempt) => moveOn(attempt, (held) => held.waiting?.expire()),
    cancel: (attempt) => need(attempt).abort.abort(new Error(`the caller cancelled ${attempt}`)),
    arm: (fault) => {
      armed = [...armed, fault];
    },
    disarm: (fault) => {
      armed = armed.filter((other) => !sameDriverFault(other, fault));
    },
    clearFaults: () => {
      armed = [];
      for (const held of attempts.values()) held.plan = [];
      gated.faults.lift();
    },
    abandon,
  };
}
