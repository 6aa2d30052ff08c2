import type { ToolContract } from "../contract/tool.js";
import type {
  Action,
  AttemptName,
  Context,
  DriverFault,
  Event,
  Fault,
  Happening,
  Observation,
  Outcome,
  PolicySetting,
} from "../model/vocabulary.js";
import { badOutputText, sameDriverFault, stageOf } from "../sut/fault-kinds.js";
import type { Port, Progress } from "../sut/port.js";
import type { Budget } from "./budget.js";

/** An executor that takes more moves than this to end one attempt is stuck. */
const mostMovesToEnd = 20;

type Track = {
  readonly request: string;
  readonly context: Context;
  state: "parked" | "blocked" | "ended" | "lost";
  cancel: "none" | "requested" | "delivered";
  wasFaulted: boolean;
};

/** Drives one run of a port and records its history. */
export type Drive = {
  /** Carries one action out. Rejects with `Overrun` or what the port threw: the harness or the executor broke. */
  readonly perform: (action: Action) => Promise<"performed" | "skipped">;
  /** Faults off, executor up, every attempt driven to its end, then one more attempt of each intention. */
  readonly epilogue: () => Promise<void>;
  readonly history: readonly Event[];
};

export type DriveOptions = {
  readonly port: Port;
  readonly contract: ToolContract;
  readonly policy: PolicySetting;
  readonly budget: Budget;
  /** Sees every event as it is recorded. */
  readonly onEvent?: (event: Event) => void;
};

/** Starts the port on an empty store; the first event is what the second observer reads there. */
export async function startDrive(options: DriveOptions): Promise<Drive> {
  const drive = createDrive(options);
  await drive.begin();
  return drive;
}

function createDrive({
  port,
  contract,
  policy,
  budget,
  onEvent,
}: DriveOptions): Drive & { readonly begin: () => Promise<void> } {
  const history: Event[] = [];
  const attempts = new Map<AttemptName, Track>();
  let armed: readonly DriverFault[] = [];
  let up = true;
  let action = 0;
  /** Reports of the move under way, until it is known how the move ended. */
  let reports: Happening[] | undefined;

  const record = (happening: Happening): void => {
    const event: Event = { ...happening, position: history.length, action };
    history.push(event);
    onEvent?.(event);
  };
  const report = (happening: Happening): void => {
    if (happening.kind === "cancel_delivered") markDelivered(happening.attempt);
    if (happening.kind === "fault_fired") markFaulted(happening.attempt);
    if (reports === undefined) record(happening);
    else reports.push(happening);
  };
  const markDelivered = (attempt: AttemptName): void => {
    const track = attempts.get(attempt);
    if (track !== undefined) track.cancel = "delivered";
  };
  const markFaulted = (attempt: AttemptName): void => {
    const track = attempts.get(attempt);
    if (track !== undefined) track.wasFaulted = true;
  };
  const skip = (reason: string): "skipped" => {
    record({ kind: "skipped", reason });
    return "skipped";
  };

  const observe = async (probeLock: boolean): Promise<Observation> => {
    const reading = port.observe({ probeLock });
    return reading instanceof Promise ? budget.within("observe", () => reading) : reading;
  };
  const readStore = async (probeLock: boolean): Promise<void> => {
    record({ kind: "observed", observation: await observe(probeLock) });
  };

  const arrive = async (attempt: AttemptName, track: Track, progress: Progress): Promise<void> => {
    switch (progress.kind) {
      case "parked":
        track.state = "parked";
        record({ kind: "parked", attempt, at: progress.at, snapshotRevision: progress.snapshotRevision });
        return readStore(false);
      case "blocked":
        track.state = "blocked";
        record({ kind: "blocked", attempt, on: progress.on });
        return readStore(false);
      case "returned": {
        track.state = "ended";
        if (track.cancel === "requested") record({ kind: "cancel_too_late", attempt });
        const { outcome, atRelease } = progress;
        record({
          kind: "ended",
          attempt,
          outcome,
          releasedIs: judgeReleased(outcome, track.request),
          atRelease,
        });
        return readStore(track.wasFaulted || endedBadly(outcome));
      }
    }
  };
  const judgeReleased = (outcome: Outcome, request: string): "acceptable" | "unacceptable" | "nothing" => {
    if (outcome.kind !== "completed" || outcome.released.kind === "nothing") return "nothing";
    return contract.accepts(outcome.released.value, request) ? "acceptable" : "unacceptable";
  };

  /** Why an attempt cannot move, or the attempt. */
  const movable = (attempt: AttemptName, state: "parked" | "blocked"): Track | string => {
    if (!up) return "the executor is down";
    const track = attempts.get(attempt);
    if (track === undefined) return `${attempt} was never submitted`;
    return track.state === state ? track : `${attempt} is ${track.state}`;
  };

  const submit = async (
    attempt: AttemptName,
    request: string,
    context: Context,
    faults: readonly Fault[],
  ): Promise<"performed" | "skipped"> => {
    if (!up) return skip("the executor is down");
    if (attempts.has(attempt)) return skip(`${attempt} was submitted before`);
    const track: Track = { request, context, state: "parked", cancel: "none", wasFaulted: faults.length > 0 };
    attempts.set(attempt, track);
    const delivery = `d-${attempt}`;
    const facts = contract.interpret(request);
    const planted = faults.some(({ kind }) => kind === "bad_output") ? [badOutputText] : [];
    const canaries = [...contract.canaries(request), ...planted];
    record({ kind: "submitted", attempt, delivery, request, context, faults, contract: facts, canaries });
    const submission = { attempt, delivery, request, context, faults };
    await arrive(attempt, track, await budget.within("submit", () => port.submit(submission)));
    return "performed";
  };

  const again = (
    what: Extract<Action, { kind: "retry" | "retry_changed" | "resubmit_new_key" }>,
  ): Promise<"performed" | "skipped"> => {
    const first = attempts.get(what.of);
    if (first === undefined) return Promise.resolve(skip(`${what.of} was never submitted`));
    const request = what.kind === "retry" ? first.request : what.request;
    const { context } = first;
    const isNewCall = what.kind === "resubmit_new_key";
    return submit(
      what.attempt,
      request,
      isNewCall ? { ...context, callId: `c-${what.attempt}` } : context,
      what.faults,
    );
  };

  const advance = async (attempt: AttemptName): Promise<"performed" | "skipped"> => {
    const track = movable(attempt, "parked");
    if (typeof track === "string") return skip(track);
    record({ kind: "advanced", attempt });
    await arrive(attempt, track, await budget.within("advance", () => port.advance(attempt)));
    return "performed";
  };

  const finish = async (attempt: AttemptName): Promise<"performed" | "skipped"> => {
    const first = await advance(attempt);
    if (first === "skipped") return first;
    for (let moves = 1; attempts.get(attempt)?.state === "parked"; moves++) {
      if (moves > mostMovesToEnd) throw new Error(`${attempt} has not ended after ${mostMovesToEnd} moves`);
      await advance(attempt);
    }
    return "performed";
  };

  const cancel = async (attempt: AttemptName): Promise<"performed" | "skipped"> => {
    const track = attempts.get(attempt);
    if (!up) return skip("the executor is down");
    if (track === undefined) return skip(`${attempt} was never submitted`);
    if (track.state === "ended" || track.state === "lost") return skip(`${attempt} is ${track.state}`);
    if (track.cancel !== "none") return skip(`${attempt} is being cancelled already`);
    track.cancel = "requested";
    record({ kind: "cancel_requested", attempt });
    await budget.within("cancel", () => port.cancel(attempt));
    await readStore(false);
    return "performed";
  };

  const expire = async (attempt: AttemptName): Promise<"performed" | "skipped"> => {
    const track = movable(attempt, "blocked");
    if (typeof track === "string") return skip(track);
    record({ kind: "expired", attempt });
    await arrive(attempt, track, await budget.within("expire", () => port.expire(attempt)));
    return "performed";
  };

  const changePolicy = async (to: PolicySetting): Promise<"performed" | "skipped"> => {
    if (!up) return skip("the executor is down");
    await budget.within("setPolicy", () => port.setPolicy(to));
    record({ kind: "policy_set", setting: to });
    await readStore(false);
    return "performed";
  };

  const arm = async (fault: DriverFault): Promise<"performed" | "skipped"> => {
    if (!up) return skip("the executor is down");
    if (armed.some((other) => stageOf(other) === stageOf(fault))) {
      return skip(`a fault of ${stageOf(fault)} is armed already`);
    }
    armed = [...armed, fault];
    await budget.within("arm", () => port.arm(fault));
    record({ kind: "armed", fault });
    await readStore(false);
    return "performed";
  };

  const disarm = async (fault: DriverFault): Promise<"performed" | "skipped"> => {
    const left = armed.filter((other) => !sameDriverFault(other, fault));
    if (!up) return skip("the executor is down");
    if (left.length === armed.length) return skip(`${fault.kind} is not armed`);
    armed = left;
    await budget.within("disarm", () => port.disarm(fault));
    record({ kind: "disarmed", fault });
    await readStore(false);
    return "performed";
  };

  const crash = async (
    where: Extract<Action, { kind: "crash" }>["where"],
  ): Promise<"performed" | "skipped"> => {
    if (!up) return skip("the executor is down");
    const advancing = where.kind === "at" ? movable(where.attempt, "parked") : undefined;
    if (typeof advancing === "string") return skip(advancing);
    const waiting: Happening[] = [];
    reports = waiting;
    const crashed = await budget.within("crash", () => port.crash(where));
    reports = undefined;
    if (crashed.kind === "missed" && where.kind === "at" && advancing !== undefined) {
      record({ kind: "advanced", attempt: where.attempt });
      for (const reported of waiting) record(reported);
      await arrive(where.attempt, advancing, crashed.progress);
      return "performed";
    }
    for (const reported of waiting) record(reported);
    up = false;
    record({
      kind: "crashed",
      advancing:
        where.kind === "at" ? { kind: "attempt", attempt: where.attempt, at: where.at } : { kind: "idle" },
      lost: loseInFlight(),
    });
    await readStore(true);
    return "performed";
  };
  const loseInFlight = (): readonly AttemptName[] => {
    const lost = [...attempts].filter(([, track]) => track.state === "parked" || track.state === "blocked");
    for (const [, track] of lost) track.state = "lost";
    return lost.map(([name]) => name);
  };

  const restart = async (): Promise<"performed" | "skipped"> => {
    if (up) return skip("the executor is up");
    const result = await budget.within("restart", () => port.restart());
    up = result === "up";
    record({ kind: "restarted", result });
    await readStore(true);
    return "performed";
  };

  const carryOut = (what: Action): Promise<"performed" | "skipped"> => {
    switch (what.kind) {
      case "submit":
        return submit(what.attempt, what.request, what.context, what.faults);
      case "retry":
      case "retry_changed":
      case "resubmit_new_key":
        return again(what);
      case "advance":
        return advance(what.attempt);
      case "finish":
        return finish(what.attempt);
      case "cancel":
        return cancel(what.attempt);
      case "expire":
        return expire(what.attempt);
      case "change_policy":
        return changePolicy(what.to);
      case "arm":
        return arm(what.fault);
      case "disarm":
        return disarm(what.fault);
      case "crash":
        return crash(what.where);
      case "restart":
        return restart();
      case "observe":
        return readStore(true).then(() => "performed");
    }
  };

  const driveToEnd = async (attempt: AttemptName, track: Track): Promise<void> => {
    try {
      if (track.state === "blocked") await expire(attempt);
      if (track.state === "parked") await finish(attempt);
    } catch (error) {
      // With faults gone and the store answering, an attempt that does not end has broken a promise, not the harness.
      await observe(false);
      track.state = "blocked";
      record({ kind: "blocked", attempt, on: error instanceof Error ? error.message : String(error) });
    }
  };

  /** The last valid request of each intention, tried once more: can it still end as it should? */
  const recover = async (): Promise<void> => {
    const latest = new Map<string, { readonly name: AttemptName; readonly track: Track }>();
    for (const [name, track] of attempts) {
      const facts = contract.interpret(track.request);
      if (facts.kind === "valid") latest.set(`${track.context.tenant}\n${facts.key}`, { name, track });
    }
    let next = Math.max(0, ...[...attempts.keys()].map((name) => Number(name.slice(1))));
    for (const { track } of latest.values()) {
      const attempt: AttemptName = `a${++next}`;
      await submit(attempt, track.request, track.context, []);
      const mine = attempts.get(attempt);
      if (mine !== undefined) await driveToEnd(attempt, mine);
    }
  };

  return {
    history,
    begin: async () => {
      await budget.within("start", () => port.start({ policy, report }));
      await readStore(false);
    },
    perform: async (what) => {
      const done = await carryOut(what);
      action++;
      return done;
    },
    epilogue: async () => {
      armed = [];
      await budget.within("clearFaults", () => port.clearFaults());
      record({ kind: "epilogue" });
      if (!up) await restart();
      if (!up) return;
      for (const [attempt, track] of attempts) await driveToEnd(attempt, track);
      await recover();
    },
  };
}

function endedBadly(outcome: Outcome): boolean {
  return outcome.kind !== "completed" || outcome.status === "error";
}
