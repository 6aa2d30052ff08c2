import { driverStage } from "./passage.js";
import type { Action, AttemptName, Context, DriverFault, Fault, PolicySetting } from "./vocabulary.js";
import { inFlight, isWaiting, type Waiting, type World } from "./world.js";

/** What a walk of the machine may use, and how much of it. Requests are JSON texts. */
export type Workload = {
  readonly requests: readonly string[];
  readonly contexts: readonly Context[];
  /** Plans to submit under; the empty plan is one of them only if it is listed. */
  readonly faultPlans: readonly (readonly Fault[])[];
  readonly driverFaults: readonly DriverFault[];
  readonly limits: readonly PolicySetting[];
  readonly maxAttempts: number;
  readonly maxPolicyChanges: number;
  readonly maxCrashes: number;
};

/**
 * Every action of the workload that moves this world, always in the same order: submissions and retries, what moves
 * attempts, what an operator does, crashes, `observe`. A changed or rekeyed request is only another submission to the
 * machine, so `retry_changed` and `resubmit_new_key` are not among them.
 */
export function enabled(world: World, workload: Workload): readonly Action[] {
  if (world.executor === "down") return [{ kind: "restart" }, { kind: "observe" }];
  return [
    ...submissions(world, workload),
    ...inFlight(world).flatMap((attempt) => moves(world, attempt)),
    ...controls(world, workload),
    ...crashes(world, workload),
    { kind: "observe" },
  ];
}

function submissions({ attempts }: World, workload: Workload): readonly Action[] {
  if (attempts.length >= workload.maxAttempts) return [];
  const { requests, contexts, faultPlans } = workload;
  const largest = Math.max(0, ...attempts.map(({ name }) => Number(name.slice(1))));
  const attempt: AttemptName = `a${largest + 1}`;
  const over = attempts.filter((earlier) => !isWaiting(earlier));
  return faultPlans.flatMap((faults) => [
    ...requests.flatMap((request) =>
      contexts.map((context): Action => ({ kind: "submit", attempt, request, context, faults })),
    ),
    // A call is retried when its attempt is over.
    ...over.map(({ name }): Action => ({ kind: "retry", attempt, of: name, faults })),
  ]);
}

function moves({ profile }: World, { name, place, cancel }: Waiting): readonly Action[] {
  const attempt = name;
  const onward: readonly Action[] =
    place.kind === "parked"
      ? [
          { kind: "advance", attempt },
          { kind: "finish", attempt },
        ]
      : [{ kind: "expire", attempt }];
  const canCancel = cancel === "none" && profile.abilities.includes("cancel");
  return canCancel ? [...onward, { kind: "cancel", attempt }] : onward;
}

function controls(world: World, workload: Workload): readonly Action[] {
  const { profile, armed, policy, policyChanges } = world;
  const mayChange = policyChanges < workload.maxPolicyChanges && profile.abilities.includes("policy");
  const changes = mayChange ? workload.limits : [];
  const free = workload.driverFaults.filter(
    (fault) =>
      profile.faults.includes(fault.kind) &&
      !armed.some((other) => driverStage(other) === driverStage(fault)),
  );
  return [
    ...changes
      // Removing what is not there changes nothing.
      .filter(({ kind }) => kind === "limit" || policy.kind === "present")
      .map((to): Action => ({ kind: "change_policy", to })),
    ...free.map((fault): Action => ({ kind: "arm", fault })),
    ...armed.map((fault): Action => ({ kind: "disarm", fault })),
  ];
}

/** Also at points that an attempt will not pass: that is a plain advance, and nothing may fire later. */
function crashes(world: World, { maxCrashes }: Workload): readonly Action[] {
  const { profile } = world;
  if (world.crashes >= maxCrashes || !profile.abilities.includes("crash")) return [];
  const parked = inFlight(world).filter(({ place }) => place.kind === "parked");
  const points = parked.flatMap(({ name: attempt }) =>
    profile.crashPoints.map((at): Action => ({ kind: "crash", where: { kind: "at", attempt, at } })),
  );
  return [{ kind: "crash", where: { kind: "parked" } }, ...points];
}
