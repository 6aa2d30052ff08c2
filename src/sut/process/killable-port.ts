import { existsSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import type { AttemptName, DriverFault, Profile, WriteLock } from "../../model/vocabulary.js";
import { sameDriverFault } from "../fault-kinds.js";
import { openGuardedObserver } from "../guarded/observer.js";
import { guardedProfile, type LeftBehind } from "../guarded/system.js";
import { type NotificationService, openNotificationService } from "../guarded/tools/notification-service.js";
import type { Crashed, GuardedPort, Port, StartWorld, Submission } from "../port.js";
import type { Observer } from "../sqlite-process.js";
import { type ExecutorProcess, executorProcess } from "./executor-process.js";

const killableProfile: Profile = { ...guardedProfile, abilities: [...guardedProfile.abilities, "kill"] };

export type KillablePort = Port & {
  /** How many processes were ended by SIGKILL in a crash. */
  readonly kills: () => number;
  /** The notifications that the service has taken since the port was opened, in order. */
  readonly notified: () => readonly unknown[];
};

export type KillableOptions = {
  readonly directory: string;
  readonly budgetMs: number;
  /** The name of a faulty guarded executor that runs in the process in place of the sound one. */
  readonly bug?: string;
};

/** What the harness has open of one store. */
type Opened = { readonly left: LeftBehind; readonly observer: Observer; readonly rival: Database.Database };

/**
 * The guarded executor in a process of its own behind the port: a crash is a SIGKILL at the point, a restart another
 * process on the files left behind. The second observer, the clock and the service that takes notifications live in
 * the harness's process and outlive it. `directory` must exist.
 */
export function openKillablePort({ directory, budgetMs, bug = "none" }: KillableOptions): KillablePort {
  const submissions = new Map<AttemptName, Submission>();
  let executor: ExecutorProcess | undefined;
  let opened: Opened | undefined;
  let service: NotificationService | undefined;
  let armed: readonly DriverFault[] = [];
  let report: StartWorld["report"] = () => {};
  let kills = 0;

  const up = (): ExecutorProcess => {
    if (executor === undefined) throw new Error("the executor is down");
    return executor;
  };
  const store = (): Opened => {
    if (opened === undefined) throw new Error("the store has not been opened");
    return opened;
  };
  const forked = async (): Promise<ExecutorProcess> => {
    service ??= await openNotificationService();
    const settings = { directory, budgetMs, bug, notificationUrl: service.url };
    return executorProcess(settings, (reported) => report(reported));
  };
  const takeUp = async (left: LeftBehind): Promise<void> => {
    const next = await forked();
    try {
      await next.call("takeUp", left, armed);
    } catch (error) {
      await next.kill();
      throw error;
    }
    executor = next;
  };
  const kill = async (): Promise<Crashed> => {
    const killed = up();
    executor = undefined;
    await killed.kill();
    kills++;
    return { kind: "crashed" };
  };
  const closeHarness = (): void => {
    opened?.observer.close();
    opened?.rival.close();
  };
  const probeLock = async (): Promise<WriteLock> => {
    if (lockOf(store().rival) === "free") return "free";
    return executor === undefined ? "held" : executor.call("probeLock");
  };

  return {
    profile: killableProfile,
    footprints: { kind: "none" },
    kills: () => kills,
    notified: () => service?.received() ?? [],
    start: async (world) => {
      submissions.clear();
      armed = [];
      report = world.report;
      if (executor === undefined && opened !== undefined) await takeUp(opened.left);
      executor ??= await forked();
      const { policy, capabilities = [] } = world;
      const left = await executor.call("start", { policy, capabilities });
      closeHarness();
      const rival = new Database(left.file, { timeout: 0 });
      opened = { left, observer: openGuardedObserver(left.file), rival };
    },
    submit: (submission) => {
      submissions.set(submission.attempt, submission);
      return up().call("submit", submission);
    },
    advance: (attempt) => up().call("advance", attempt),
    expire: (attempt) => up().call("expire", attempt),
    cancel: async (attempt) => void (await up().call("cancel", attempt)),
    setPolicy: async (setting) => void (await up().call("setPolicy", setting)),
    arm: async (fault) => {
      armed = [...armed, fault];
      await executor?.call("arm", fault);
    },
    disarm: async (fault) => {
      armed = armed.filter((other) => !sameDriverFault(other, fault));
      await executor?.call("disarm", fault);
    },
    clearFaults: async () => {
      armed = [];
      await executor?.call("clearFaults");
    },
    crash: async (where) => {
      if (where.kind === "parked") return kill();
      if (where.kind === "entering") submissions.set(where.submission.attempt, where.submission);
      const answer = await up().callInto("crash", where);
      return answer === "stands" ? kill() : answer;
    },
    restart: async () => {
      try {
        await takeUp(store().left);
        return "up";
      } catch {
        return "failed";
      }
    },
    observe: async ({ probeLock: probes }) =>
      store().observer.read(probes ? await probeLock() : "not_probed"),
    stop: async () => {
      await executor?.kill();
      executor = undefined;
      closeHarness();
      if (opened !== undefined) removeFiles(opened.left.file);
      opened = undefined;
      await service?.close();
      service = undefined;
    },
    guarded: guardedPort(up, submissions, (now) => {
      if (opened !== undefined) opened = { ...opened, left: { ...opened.left, now } };
    }),
  };
}

function guardedPort(
  up: () => ExecutorProcess,
  submissions: ReadonlyMap<AttemptName, Submission>,
  noteClock: (now: number) => void,
): GuardedPort {
  return {
    decide: (decision, pace) => up().call("decide", decision, pace),
    settle: (decision) => up().call("settle", decision),
    setClock: async (now) => {
      noteClock(now);
      await up().call("setClock", now);
    },
    setCapability: async (capability, held) => void (await up().call("setCapability", capability, held)),
    roundTrip: (tampered) => up().call("roundTrip", tampered),
    drive: async (attempt) => {
      const submission = submissions.get(attempt);
      if (submission === undefined) throw new Error(`no attempt ${attempt} was submitted to this port`);
      return up().call("drive", submission);
    },
  };
}

function lockOf(rival: Database.Database): "free" | "held" {
  try {
    rival.exec("BEGIN IMMEDIATE; ROLLBACK");
    return "free";
  } catch {
    return "held";
  }
}

function removeFiles(file: string): void {
  for (const suffix of ["", "-wal", "-shm"]) if (existsSync(file + suffix)) rmSync(file + suffix);
}
