import type { AsyncCommand } from "fast-check";
import { draftContract } from "../src/contract/draft.js";
import type { CrashPoint, DriverFault, Fault, PolicySetting } from "../src/model/vocabulary.js";
import { sameDriverFault } from "../src/sut/fault-kinds.js";
import { isAny, isBlocked, isCancellable, isParked, type Model, type Tracked } from "./plain-model.js";
import type { Session } from "./plain-session.js";

type PlainCommand = AsyncCommand<Model, Session>;

/** What every command does after its own work: a broken promise fails the property there and then. */
async function done(session: Session, work: Promise<void>): Promise<void> {
  await work;
  session.assertUnbroken();
  session.action++;
}

function trackedOf(model: Model, index: number, fits: (tracked: Tracked) => boolean): Tracked {
  const tracked = model.oneOf(index, fits);
  if (tracked === undefined) throw new Error("a command ran that its check should have refused");
  return tracked;
}

export class Submit implements PlainCommand {
  constructor(
    readonly request: string,
    readonly tenant: string,
    readonly faults: readonly Fault[],
  ) {}
  check(model: Readonly<Model>): boolean {
    return model.mayStart();
  }
  run(model: Model, session: Session): Promise<void> {
    const tracked = model.start(this.request, { tenant: this.tenant, runId: "r1", principal: "p1" });
    return done(session, session.submit(tracked, this.faults));
  }
  toString(): string {
    return `submit ${this.request}`;
  }
}

export class Retry implements PlainCommand {
  constructor(
    readonly index: number,
    readonly faults: readonly Fault[],
  ) {}
  check(model: Readonly<Model>): boolean {
    return model.mayStartAgain();
  }
  run(model: Model, session: Session): Promise<void> {
    const { request, context } = trackedOf(model, this.index, isAny);
    return done(session, session.submit(model.start(request, context), this.faults));
  }
  toString(): string {
    return `retry ${this.index}`;
  }
}

export class RetryChanged implements PlainCommand {
  constructor(
    readonly index: number,
    readonly change: number,
    readonly faults: readonly Fault[],
  ) {}
  check(model: Readonly<Model>): boolean {
    return model.mayStartAgain();
  }
  run(model: Model, session: Session): Promise<void> {
    const { request, context } = trackedOf(model, this.index, isAny);
    const changed = draftContract.requests.changed(request, this.change);
    return done(session, session.submit(model.start(changed, context), this.faults));
  }
  toString(): string {
    return `retry ${this.index} changed`;
  }
}

export class ResubmitNewKey implements PlainCommand {
  constructor(
    readonly index: number,
    readonly key: number,
    readonly faults: readonly Fault[],
  ) {}
  check(model: Readonly<Model>): boolean {
    return model.mayStartAgain();
  }
  run(model: Model, session: Session): Promise<void> {
    const { request, context } = trackedOf(model, this.index, isAny);
    const { tenant, runId, principal } = context;
    const rekeyed = draftContract.requests.rekeyed(request, this.key);
    return done(session, session.submit(model.start(rekeyed, { tenant, runId, principal }), this.faults));
  }
  toString(): string {
    return `resubmit ${this.index}`;
  }
}

export class Advance implements PlainCommand {
  constructor(readonly index: number) {}
  check(model: Readonly<Model>): boolean {
    return model.oneOf(this.index, isParked) !== undefined;
  }
  run(model: Model, session: Session): Promise<void> {
    return done(session, session.advance(trackedOf(model, this.index, isParked)));
  }
  toString(): string {
    return `advance ${this.index}`;
  }
}

export class Finish implements PlainCommand {
  constructor(readonly index: number) {}
  check(model: Readonly<Model>): boolean {
    return model.oneOf(this.index, isParked) !== undefined;
  }
  run(model: Model, session: Session): Promise<void> {
    return done(session, session.finish(trackedOf(model, this.index, isParked)));
  }
  toString(): string {
    return `finish ${this.index}`;
  }
}

export class Cancel implements PlainCommand {
  constructor(readonly index: number) {}
  check(model: Readonly<Model>): boolean {
    return model.oneOf(this.index, isCancellable) !== undefined;
  }
  run(model: Model, session: Session): Promise<void> {
    const tracked = trackedOf(model, this.index, isCancellable);
    tracked.isCancelling = true;
    session.record({ kind: "cancel_requested", attempt: tracked.name });
    return done(
      session,
      session.port.cancel(tracked.name).then(() => session.read("unprobed")),
    );
  }
  toString(): string {
    return `cancel ${this.index}`;
  }
}

export class Expire implements PlainCommand {
  constructor(readonly index: number) {}
  check(model: Readonly<Model>): boolean {
    return model.oneOf(this.index, isBlocked) !== undefined;
  }
  run(model: Model, session: Session): Promise<void> {
    return done(session, session.expire(trackedOf(model, this.index, isBlocked)));
  }
  toString(): string {
    return `expire ${this.index}`;
  }
}

export class ChangePolicy implements PlainCommand {
  constructor(readonly setting: PolicySetting) {}
  check(model: Readonly<Model>): boolean {
    return model.isUp;
  }
  async run(_model: Model, session: Session): Promise<void> {
    await session.port.setPolicy(this.setting);
    session.record({ kind: "policy_set", setting: this.setting });
    return done(session, session.read("unprobed"));
  }
  toString(): string {
    return `policy ${this.setting.kind}`;
  }
}

export class Arm implements PlainCommand {
  constructor(readonly fault: DriverFault) {}
  check(model: Readonly<Model>): boolean {
    return model.mayArm(this.fault);
  }
  async run(model: Model, session: Session): Promise<void> {
    model.armed = [...model.armed, this.fault];
    await session.port.arm(this.fault);
    session.record({ kind: "armed", fault: this.fault });
    return done(session, session.read("unprobed"));
  }
  toString(): string {
    return `arm ${this.fault.kind}`;
  }
}

/** Disarms one of those that are armed: to draw the very fault that is armed would hardly ever succeed. */
export class Disarm implements PlainCommand {
  constructor(readonly index: number) {}
  check(model: Readonly<Model>): boolean {
    return model.isUp && model.armed.length > 0;
  }
  async run(model: Model, session: Session): Promise<void> {
    const fault = model.armed[this.index % model.armed.length];
    if (fault === undefined) throw new Error("a command ran that its check should have refused");
    model.armed = model.armed.filter((armed) => !sameDriverFault(armed, fault));
    await session.port.disarm(fault);
    session.record({ kind: "disarmed", fault });
    return done(session, session.read("unprobed"));
  }
  toString(): string {
    return `disarm ${this.index}`;
  }
}

export class CrashParked implements PlainCommand {
  check(model: Readonly<Model>): boolean {
    return model.isUp;
  }
  async run(model: Model, session: Session): Promise<void> {
    await session.port.crash({ kind: "parked" });
    session.record({ kind: "crashed", advancing: { kind: "idle" }, lost: model.crash() });
    return done(session, session.read("probed"));
  }
  toString(): string {
    return "crash";
  }
}

export class CrashAt implements PlainCommand {
  constructor(
    readonly index: number,
    readonly at: CrashPoint,
  ) {}
  check(model: Readonly<Model>): boolean {
    return model.oneOf(this.index, isParked) !== undefined;
  }
  async run(model: Model, session: Session): Promise<void> {
    const { at } = this;
    const tracked = trackedOf(model, this.index, isParked);
    const attempt = tracked.name;
    const crashed = await session.heldBack(() => session.port.crash({ kind: "at", attempt, at }));
    if (crashed.answer.kind === "missed") {
      session.record({ kind: "advanced", attempt });
      crashed.told();
      return done(session, session.arrive(tracked, crashed.answer.progress));
    }
    crashed.told();
    session.record({ kind: "crashed", advancing: { kind: "attempt", attempt, at }, lost: model.crash() });
    return done(session, session.read("probed"));
  }
  toString(): string {
    return `crash ${this.index} at ${this.at}`;
  }
}

export class Restart implements PlainCommand {
  check(model: Readonly<Model>): boolean {
    return !model.isUp;
  }
  run(model: Model, session: Session): Promise<void> {
    model.isUp = true;
    return done(session, session.restart());
  }
  toString(): string {
    return "restart";
  }
}

export class Observe implements PlainCommand {
  check(): boolean {
    return true;
  }
  run(_model: Model, session: Session): Promise<void> {
    return done(session, session.read("probed"));
  }
  toString(): string {
    return "observe";
  }
}
