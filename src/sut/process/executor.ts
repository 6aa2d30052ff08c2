import { writeSync } from "node:fs";
import { type GuardedVariant, guardedSystem } from "../guarded/system.js";
import { notifyOver } from "../guarded/tools/notification-service.js";
import { inProcessPort } from "../in-process.js";
import type { GuardedPort, StartWorld } from "../port.js";
import {
  type Called,
  type CallName,
  type Calls,
  type ExecutorSettings,
  linesDescriptor,
  parseSettings,
  type Said,
} from "./calls.js";

/** Longer than any harness takes to kill; a process that nobody kills must not stay behind. */
const standsAtMostMs = 60_000;

/** A process with the guarded executor in it: takes calls over its channel and never outlives the process that forked it. */
export function executor(
  { directory, notificationUrl, budgetMs }: ExecutorSettings,
  variant: GuardedVariant,
): void {
  const system = guardedSystem(directory, variant, notifyOver(notificationUrl));
  let entry: (world: Pick<StartWorld, "policy" | "capabilities">) => void | Promise<void> = system.begin;
  const port = inProcessPort({ ...system, begin: (world) => entry(world), sever: stand }, budgetMs);
  const { guarded } = port;
  const driver = system.guarded;
  if (guarded === undefined || driver === undefined)
    throw new Error("the guarded executor has no controls of its own");
  const started = (world: Pick<StartWorld, "policy" | "capabilities">): Promise<void> =>
    port.start({ ...world, report: (reported) => say({ kind: "reported", reported }) });
  const handlers: Handlers = {
    ...withoutStart(port, guarded),
    start: async (world) => {
      entry = system.begin;
      await started(world);
      return system.leaves();
    },
    takeUp: async (left, armed) => {
      entry = () => system.takeUp(left);
      await started({ policy: { kind: "remove" } });
      for (const fault of armed) await port.arm(fault);
      return null;
    },
    probeLock: async () => system.probeLock(),
    drive: async (submission) => driver.drive(submission),
  };
  // Strict sequence: the harness asks again only when it has been answered.
  process.on("message", (called: Called) => void answer(handlers, called));
  process.on("disconnect", () => process.exit());
}

type Handlers = {
  readonly [Name in CallName]: (...given: Parameters<Calls[Name]>) => Promise<ReturnType<Calls[Name]>>;
};

/** Of the port's methods those whose answer does not change on its way. */
function withoutStart(
  port: ReturnType<typeof inProcessPort>,
  guarded: GuardedPort,
): Omit<Handlers, "start" | "takeUp" | "probeLock" | "drive"> {
  const { submit, advance, expire, crash } = port;
  const { decide, settle, roundTrip } = guarded;
  return {
    submit,
    advance,
    expire,
    crash,
    decide,
    settle,
    roundTrip,
    cancel: silent(port.cancel),
    setPolicy: silent(port.setPolicy),
    arm: silent(port.arm),
    disarm: silent(port.disarm),
    clearFaults: silent(port.clearFaults),
    setClock: silent(guarded.setClock),
    setCapability: silent(guarded.setCapability),
  };
}

function silent<Given extends readonly unknown[]>(
  call: (...given: Given) => Promise<void>,
): (...given: Given) => Promise<null> {
  return async (...given) => {
    await call(...given);
    return null;
  };
}

async function answer<Name extends CallName>(handlers: Handlers, called: Called<Name>): Promise<void> {
  try {
    const value = await handlers[called.name](...called.given);
    say({ kind: "answered", answer: JSON.stringify(value) });
  } catch (error) {
    say({ kind: "threw", message: error instanceof Error ? error.message : String(error) });
  }
}

/** Not through a stream: what was said before a kill has to arrive. */
function say(said: Said): void {
  const text = Buffer.from(`${JSON.stringify(said)}\n`, "utf8");
  for (let from = 0; from < text.length; ) from += writeSync(linesDescriptor, text, from);
}

/** Says where it stands and stops the whole thread there, with every lock that it holds, until it is killed. */
function stand(): void {
  say({ kind: "stands" });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, standsAtMostMs);
  process.kill(process.pid, "SIGKILL");
}

/** Loaded only where a bug is asked for: none of them belongs to the sound executor. */
async function variantWith(bug: string): Promise<GuardedVariant> {
  const { faultyGuardedExecutors } = await import("../faulty/guarded/faulty-guarded-executors.js");
  const faulty = faultyGuardedExecutors.find(({ name }) => name === bug);
  if (faulty === undefined) throw new Error(`there is no faulty guarded executor called ${bug}`);
  return faulty.variant;
}

const [, , text] = process.argv;
if (process.send === undefined || text === undefined)
  throw new Error("this file is the inside of an executor's process and is forked by the harness alone");
const settings = parseSettings(text);
executor(settings, settings.bug === "none" ? {} : await variantWith(settings.bug));
