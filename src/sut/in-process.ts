import type { Observation, Outcome, PolicySetting, Profile, WriteLock } from "../model/vocabulary.js";
import { createGate, type DriverFaults, type Gate, type Hooks, type Settled } from "./gate.js";
import type { Footprints, Port, Reported, Submission } from "./port.js";
import { portFootprints } from "./port-footprints.js";

/** An executor that runs in this process, as the port over it needs it. A throw means that the adapter broke. */
export type InProcessSystem = {
  readonly profile: Profile;
  /** Opens on an empty store, or empties the one that is open. */
  readonly begin: (policy: PolicySetting) => void | Promise<void>;
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
};

/** The port over an executor in this process: crashes sever its store and then throw, so no handler writes from beyond. */
export function inProcessPort(system: InProcessSystem, budgetMs: number): Port {
  let gate: Gate | undefined;
  let up = false;
  const { footprints, moved, armed, replaced } = portFootprints(system.footprints);
  const opened = (): Gate => {
    if (gate === undefined) throw new Error("the port has not been started");
    return gate;
  };
  const observe = (probeLock: boolean): Observation | Promise<Observation> =>
    system.observe(probeLock ? system.probeLock() : "not_probed");
  const sever = (): void => {
    up = false;
    system.sever();
  };
  return {
    profile: system.profile,
    start: async ({ policy, report }) => {
      gate?.abandon();
      gate?.clearFaults();
      replaced();
      await system.begin(policy);
      up = true;
      const gated = {
        profile: system.profile,
        faults: system.faults,
        observe: () => observe(false),
        sever,
        budgetMs,
      };
      gate = createGate(gated, (reported: Reported) => report(reported));
    },
    submit: (submission) => {
      moved(submission.attempt);
      return opened().begin(
        submission.attempt,
        submission.faults,
        (hooks, signal) => system.call(submission, hooks, signal),
        system.outcomeOf,
      );
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
      if (where.kind === "at") {
        const progress = await opened().advanceInto(where.attempt, where.at);
        if (progress !== undefined) return { kind: "missed", progress };
      } else {
        sever();
        opened().abandon();
      }
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
      gate?.abandon();
      if (up) sever();
      await system.close();
    },
    footprints,
  };
}
