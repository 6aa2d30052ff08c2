import type { AttemptName, CheckerFault, CheckerStage, CrashPoint, Fault } from "../model/vocabulary.js";
import type { Progress } from "./port.js";

/** Where a held attempt came to rest; `killed` if its store was cut on the way. */
export type Stop = Progress | { readonly kind: "killed" };

/** An attempt that the gate holds; mutable, owned by the gate. */
export type Held = {
  readonly name: AttemptName;
  plan: readonly Fault[];
  readonly abort: AbortController;
  snapshot: { kind: "none" } | { kind: "seen"; revision: number };
  /** Set while parked: lets the attempt go on from its checkpoint. */
  resume: (() => void) | undefined;
  /** Set while a checker is being waited for. */
  waiting: { stage: CheckerStage; expire: () => void } | undefined;
  announced: Stop | undefined;
  notify: (() => void) | undefined;
  kill: CrashPoint | undefined;
  /** Values that were made of its stored result. */
  tries: number;
  state: "live" | "ended" | "dead";
};

export function newlyHeld(name: AttemptName, plan: readonly Fault[]): Held {
  return {
    name,
    plan,
    abort: new AbortController(),
    snapshot: { kind: "none" },
    resume: undefined,
    waiting: undefined,
    announced: undefined,
    notify: undefined,
    kill: undefined,
    tries: 0,
    state: "live",
  };
}

/** Turns of the event loop that an executor without timers and sockets may take at most to come to rest. */
const quickTurns = 3;

/**
 * Waits until an attempt has announced its next stop, or waits itself for something outside. The first turns are
 * turns of the event loop, which catch every continuation of an executor that has nothing to wait for.
 */
export async function rest(held: Held, budgetMs: number): Promise<Stop> {
  for (let turn = 0; turn < quickTurns; turn++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (held.announced !== undefined) return held.announced;
  }
  if (held.waiting !== undefined) return { kind: "blocked", on: held.waiting.stage };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((_, reject) => {
    const message = `attempt ${held.name} neither stopped nor ended within ${budgetMs} ms`;
    timer = setTimeout(() => reject(new Error(message)), budgetMs);
  });
  const announced = new Promise<void>((resolve) => {
    held.notify = resolve;
  });
  try {
    await Promise.race([announced, late]);
  } finally {
    clearTimeout(timer);
    held.notify = undefined;
  }
  return held.announced ?? { kind: "blocked", on: "something outside" };
}

/** What a checker does in place of answering. */
export function misbehave(kind: CheckerFault["kind"]): unknown {
  switch (kind) {
    case "checker_throws":
      throw new Error("the checker threw");
    case "checker_rejects_falsy":
      return Promise.reject(undefined);
    case "checker_hangs":
      return new Promise(() => {});
    case "checker_garbled":
      return { verdict: "fine, I suppose" };
  }
}
