import type {
  AttemptName,
  Code,
  Decision,
  DecisionAnswer,
  Grant,
  Observation,
  Outcome,
  PolicySetting,
  Profile,
  RuleFlaw,
  RuleSetting,
  TraceFlaw,
  WriteLock,
} from "../model/vocabulary.js";
import { createDecisionGate, type DecisionGate, type DecisionHooks } from "./decision-gate.js";
import { createGate, type DriverFaults, type Gate, type Hooks, type Settled } from "./gate.js";
import type {
  CrashAt,
  Crashed,
  Footprints,
  GuardedPort,
  Port,
  Progress,
  Reported,
  RuledPort,
  StartWorld,
  Submission,
} from "./port.js";
import { portFootprints } from "./port-footprints.js";

/** An executor that runs in this process, as the port over it needs it. A throw means that the adapter broke. */
export type InProcessSystem = {
  readonly profile: Profile;
  /** Opens on an empty store, or empties the one that is open. */
  readonly begin: (world: Pick<StartWorld, "policy" | "capabilities">) => void | Promise<void>;
  readonly call: (submission: Submission, hooks: Hooks, signal: AbortSignal) => Promise<unknown>;
  readonly outcomeOf: (settled: Settled, signal: AbortSignal) => Outcome;
  readonly observe: (writeLock: WriteLock) => Observation | Promise<Observation>;
  /** Asks whether anyone holds the write lock; `not_probed` where the store has none. */
  readonly probeLock: () => WriteLock;
  readonly setPolicy: (setting: PolicySetting) => void | Promise<void>;
  readonly faults: DriverFaults;
  /** Cuts the executor from its store at once; called synchronously in the middle of its work. */
  readonly sever: () => void;
  /** Opens the executor again on the store that a crash left behind. */
  readonly reopen: () => void | Promise<void>;
  readonly close: () => void | Promise<void>;
  /** Of what the executor does; what the port does to attempts and faults is added to it. */
  readonly footprints: Footprints;
  /** What an executor with approvals, capabilities, runs and a clock has besides. */
  readonly guarded?: GuardedSystem;
  /** What an executor with rules and reservations has besides. */
  readonly ruled?: RuledSystem;
};

export type GuardedSystem = {
  readonly decide: (decision: Decision, hooks: DecisionHooks) => Promise<DecisionAnswer>;
  readonly setClock: (now: number) => void;
  readonly setCapability: (capability: Grant, held: boolean) => void;
  /** All that waits, as text, and whether a text like it tells what still waits. */
  readonly writeOut: () => string;
  readonly restore: (text: string) => "restored" | "refused";
  readonly drive: (submission: Submission) => "repeats" | "rests";
};

export type RuledSystem = {
  readonly say: (text: string) => void;
  readonly setRules: (to: RuleSetting, flaw: RuleFlaw) => "taken" | "refused";
  readonly reconcile: () => void;
  readonly damageLedger: () => void;
  readonly gate: (flaw: TraceFlaw) => readonly Code[];
};

/** The port over an executor in this process: crashes sever its store and then throw, so no handler writes from beyond. */
export function inProcessPort(system: InProcessSystem, budgetMs: number): Port {
  let gates: { readonly attempts: Gate; readonly decisions: DecisionGate } | undefined;
  let submissions = new Map<AttemptName, Submission>();
  let up = false;
  const { footprints, moved, armed, replaced } = portFootprints(system.footprints);
  const both = (): { readonly attempts: Gate; readonly decisions: DecisionGate } => {
    if (gates === undefined) throw new Error("the port has not been started");
    return gates;
  };
  const opened = (): Gate => both().attempts;
  const abandon = (): void => {
    gates?.attempts.abandon();
    gates?.decisions.abandon();
  };
  const entry = (submission: Submission): Parameters<Gate["begin"]> => {
    submissions.set(submission.attempt, submission);
    const call = (hooks: Hooks, signal: AbortSignal): Promise<unknown> =>
      system.call(submission, hooks, signal);
    return [submission.attempt, submission.faults, call, system.outcomeOf];
  };
  const observe = (probeLock: boolean): Observation | Promise<Observation> =>
    system.observe(probeLock ? system.probeLock() : "not_probed");
  const sever = (): void => {
    up = false;
    system.sever();
  };
  /** What came of a move in which a kill was waiting, if it did not strike. */
  const crashed = async (where: CrashAt): Promise<Crashed | undefined> => {
    switch (where.kind) {
      case "parked":
        sever();
        return undefined;
      case "at":
        return missedMove(await opened().advanceInto(where.attempt, where.at));
      case "entering":
        return missedMove(await opened().beginInto(where.at, ...entry(where.submission)));
      case "deciding": {
        const progress = await both().decisions.settleInto(where.decision, where.at);
        return progress === undefined ? undefined : { kind: "missed_deciding", progress };
      }
    }
  };
  const guardedPort = (guarded: GuardedSystem): GuardedPort => ({
    decide: (decision, pace) => {
      replaced();
      return both().decisions.decide(decision, pace, (hooks) => guarded.decide(decision, hooks));
    },
    settle: (decision) => {
      replaced();
      return both().decisions.settle(decision);
    },
    setClock: async (now) => {
      replaced();
      guarded.setClock(now);
    },
    setCapability: async (capability, held) => guarded.setCapability(capability, held),
    roundTrip: async (tampered) => {
      const text = guarded.writeOut();
      return guarded.restore(tampered ? tamperedWith(text) : text);
    },
    drive: async (attempt) => {
      const submission = submissions.get(attempt);
      if (submission === undefined) throw new Error(`no attempt ${attempt} was submitted to this port`);
      return guarded.drive(submission);
    },
  });
  // Rules, turns and what is under way are also held in memory, which no footprint of a statement shows.
  const ruledPort = (ruled: RuledSystem): RuledPort => ({
    say: async (text) => {
      replaced();
      ruled.say(text);
    },
    setRules: async (to, flaw) => {
      replaced();
      return ruled.setRules(to, flaw);
    },
    reconcile: async () => {
      replaced();
      ruled.reconcile();
    },
    damageLedger: async () => {
      replaced();
      ruled.damageLedger();
    },
    gate: async (flaw) => {
      replaced();
      return ruled.gate(flaw);
    },
  });
  return {
    profile: system.profile,
    start: async ({ report, ...world }) => {
      abandon();
      gates?.attempts.clearFaults();
      submissions = new Map();
      replaced();
      await system.begin(world);
      up = true;
      const gated = {
        profile: system.profile,
        faults: system.faults,
        observe: () => observe(false),
        sever,
        budgetMs,
      };
      gates = {
        attempts: createGate(gated, (reported: Reported) => report(reported)),
        decisions: createDecisionGate({
          budgetMs,
          kill: () => {
            sever();
            abandon();
          },
        }),
      };
    },
    submit: (submission) => {
      moved(submission.attempt);
      return opened().begin(...entry(submission));
    },
    advance: (attempt) => {
      moved(attempt);
      return opened().advance(attempt);
    },
    cancel: async (attempt) => {
      moved(attempt);
      opened().cancel(attempt);
    },
    expire: (attempt) => {
      moved(attempt);
      return opened().expire(attempt);
    },
    setPolicy: async (setting) => system.setPolicy(setting),
    arm: async (fault) => {
      armed();
      opened().arm(fault);
    },
    disarm: async (fault) => {
      armed();
      opened().disarm(fault);
    },
    clearFaults: async () => {
      armed();
      opened().clearFaults();
    },
    crash: async (where) => {
      replaced();
      const missed = await crashed(where);
      if (missed !== undefined) return missed;
      abandon();
      system.faults.lift();
      return { kind: "crashed" };
    },
    restart: async () => {
      replaced();
      try {
        await system.reopen();
      } catch {
        return "failed";
      }
      up = true;
      return "up";
    },
    observe: ({ probeLock }) => observe(probeLock),
    stop: async () => {
      abandon();
      if (up) sever();
      await system.close();
    },
    footprints,
    ...(system.guarded === undefined ? {} : { guarded: guardedPort(system.guarded) }),
    ...(system.ruled === undefined ? {} : { ruled: ruledPort(system.ruled) }),
  };
}

function missedMove(progress: Progress | undefined): Crashed | undefined {
  return progress === undefined ? undefined : { kind: "missed", progress };
}

/** Another digest in the place of the first one. */
function tamperedWith(text: string): string {
  return text.replace(/[0-9a-f]{64}/, "f".repeat(64));
}
