import type { Action, AttemptName } from "../../model/vocabulary.js";
import { type Bounded, onlyContext } from "../pipeline/bounded.js";
import type { ProgramThread } from "./executor-program.js";

/** A few threads that meet in one place, and what they meet about. */
export type ScheduleWorkload = { readonly name: string; readonly threads: readonly ProgramThread[] };

/**
 * The programs whose schedules are explored within the bounds: attempts that ask for the same, for one key with
 * different arguments, and for different keys, each beside a change of the policy and a cancel; and a crash.
 */
export function scheduleWorkloads(bounded: Bounded): readonly ScheduleWorkload[] {
  const { bounds } = bounded;
  const numbers = Array.from({ length: bounds.attempts }, (_, index) => index);
  const attempts = (key: (n: number) => number, variant: (n: number) => number): readonly ProgramThread[] =>
    numbers.map((n) => attemptThread(bounded, n + 1, key(n), variant(n)));
  const first = (): number => 0;
  const beside = [...policyThread(bounded), ...cancelThread(bounded)];
  const workloads: ScheduleWorkload[] = [
    { name: "the same request", threads: [...attempts(first, first), ...beside] },
  ];
  if (bounds.attempts > 1) {
    const other = (n: number): number => n % 2;
    workloads.push({ name: "one key, other arguments", threads: [...attempts(first, other), ...beside] });
    if (bounds.keys > 1) {
      const threads = [...attempts((n) => n % bounds.keys, first), ...beside];
      workloads.push({ name: "different keys", threads });
    }
  }
  if (bounds.crashes > 0 && bounded.profile.abilities.includes("crash")) {
    workloads.push({ name: "a crash", threads: [...attempts(first, first), crashThread] });
  }
  return workloads;
}

function attemptThread({ requests }: Bounded, number: number, key: number, variant: number): ProgramThread {
  const attempt: AttemptName = `a${number}`;
  const request = requests.find((one) => one.kind === "valid" && one.key === key && one.variant === variant);
  const context = { ...onlyContext, callId: `c-${attempt}` };
  return {
    kind: "attempt",
    submit: { kind: "submit", attempt, request: request?.text ?? "", context, faults: [] },
  };
}

function policyThread({ profile, bounds, workload }: Bounded): readonly ProgramThread[] {
  const [to] = workload.limits;
  if (to === undefined || bounds.policyChanges === 0 || !profile.abilities.includes("policy")) return [];
  const change: Action = { kind: "change_policy", to };
  return [{ kind: "surroundings", name: "policy", actions: [change] }];
}

function cancelThread({ profile }: Bounded): readonly ProgramThread[] {
  if (!profile.abilities.includes("cancel")) return [];
  return [{ kind: "surroundings", name: "cancel a1", actions: [{ kind: "cancel", attempt: "a1" }] }];
}

const crashThread: ProgramThread = {
  kind: "surroundings",
  name: "crash",
  actions: [{ kind: "crash", where: { kind: "parked" } }, { kind: "restart" }],
};
