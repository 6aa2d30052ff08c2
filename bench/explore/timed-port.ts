import type { Port } from "../../src/sut/port.js";

/** Milliseconds spent in calls of a port, each until its promise has settled. */
export type PortClock = { spentMs: number };

/** The same port, which adds the time of every call to the clock. Meant for one call at a time. */
export function timedPort(port: Port, clock: PortClock): Port {
  const timed = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const from = performance.now();
    try {
      return await work();
    } finally {
      clock.spentMs += performance.now() - from;
    }
  };
  return {
    profile: port.profile,
    footprints: port.footprints,
    start: (world) => timed(() => port.start(world)),
    submit: (submission) => timed(() => port.submit(submission)),
    advance: (attempt) => timed(() => port.advance(attempt)),
    cancel: (attempt) => timed(() => port.cancel(attempt)),
    expire: (attempt) => timed(() => port.expire(attempt)),
    setPolicy: (setting) => timed(() => port.setPolicy(setting)),
    arm: (fault) => timed(() => port.arm(fault)),
    disarm: (fault) => timed(() => port.disarm(fault)),
    clearFaults: () => timed(() => port.clearFaults()),
    crash: (where) => timed(() => port.crash(where)),
    restart: () => timed(() => port.restart()),
    stop: () => timed(() => port.stop()),
    observe: (how) => {
      const from = performance.now();
      const reading = port.observe(how);
      if (reading instanceof Promise) return timed(() => reading);
      clock.spentMs += performance.now() - from;
      return reading;
    },
  };
}
