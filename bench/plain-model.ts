import type { AttemptName, Context, DriverFault } from "../src/model/vocabulary.js";
import { stageOf } from "../src/sut/fault-kinds.js";

/** More attempts than this in one run are refused, as in a campaign. */
const mostAttempts = 8;

export type Tracked = {
  readonly name: AttemptName;
  readonly request: string;
  readonly context: Context;
  state: "parked" | "blocked" | "ended" | "lost";
  isCancelling: boolean;
};

/** Just enough of the executor's state for a command's `check` to refuse what cannot be done now. */
export class Model {
  isUp = true;
  readonly attempts: Tracked[] = [];
  armed: readonly DriverFault[] = [];

  /** The attempt, of those that a command is for, that a number drawn without knowledge of the state stands for. */
  oneOf(index: number, fits: (tracked: Tracked) => boolean): Tracked | undefined {
    const fitting = this.isUp ? this.attempts.filter(fits) : [];
    return fitting[index % Math.max(1, fitting.length)];
  }

  mayStart(): boolean {
    return this.isUp && this.attempts.length < mostAttempts;
  }

  mayStartAgain(): boolean {
    return this.mayStart() && this.attempts.length > 0;
  }

  mayArm(fault: DriverFault): boolean {
    return this.isUp && this.armed.every((other) => stageOf(other) !== stageOf(fault));
  }

  start(request: string, context: Omit<Context, "callId"> & { readonly callId?: string }): Tracked {
    const name: AttemptName = `a${this.attempts.length + 1}`;
    const tracked: Tracked = {
      name,
      request,
      context: { ...context, callId: context.callId ?? `c-${name}` },
      state: "parked",
      isCancelling: false,
    };
    this.attempts.push(tracked);
    return tracked;
  }

  /** The executor is gone, and with it whatever was in flight. */
  crash(): readonly AttemptName[] {
    this.isUp = false;
    const lost = this.attempts.filter(({ state }) => state === "parked" || state === "blocked");
    for (const tracked of lost) tracked.state = "lost";
    return lost.map(({ name }) => name);
  }
}

export function isParked({ state }: Tracked): boolean {
  return state === "parked";
}

export function isBlocked({ state }: Tracked): boolean {
  return state === "blocked";
}

export function isCancellable({ state, isCancelling }: Tracked): boolean {
  return (state === "parked" || state === "blocked") && !isCancelling;
}

export function isAny(): boolean {
  return true;
}
