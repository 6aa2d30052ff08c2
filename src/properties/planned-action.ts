import type { ToolContract } from "../contract/tool.js";
import type {
  Ability,
  Action,
  ActionKind,
  AttemptName,
  CrashPoint,
  DriverFault,
  Fault,
  PolicySetting,
  Profile,
} from "../model/vocabulary.js";
import type { Attempt, World } from "../model/world.js";
import type { Chooser } from "./chooser.js";
import { pickPlan } from "./fault-plan.js";
import { planRulesAction } from "./planned-rules-action.js";

/** What a run may switch off, so that some runs go deep where others go wide. Two bits of the mask each. */
export const features = [
  "cancel",
  "crash",
  "policy",
  "arm",
  "throws",
  "driver_faults",
  "checker_faults",
  "bad_output",
  "invalid",
  "retry",
  "retry_changed",
  "resubmit_new_key",
  "several_keys",
  "tenants",
  "interleave",
  "second_fault",
] as const;
export type Feature = (typeof features)[number];

const keys = 3;

/** What a planner knows of one run: what it may use, and the faults that leaves. */
export type Means = {
  readonly profile: Profile;
  readonly contract: ToolContract;
  readonly claims: ReadonlySet<Ability>;
  readonly can: (feature: Feature) => boolean;
  readonly faults: readonly Fault[];
  /** A retry mostly meets its own effect again, and from there on only the output and the receipt can go wrong. */
  readonly lateFaults: readonly Fault[];
  readonly driverFaults: readonly DriverFault[];
};

/** Where a world stands, as far as it decides which kinds of action apply. */
export type Situation = {
  readonly world: World;
  readonly parked: readonly Attempt[];
  readonly blocked: readonly Attempt[];
  readonly cancellable: readonly Attempt[];
  readonly unarmed: readonly DriverFault[];
};

/** An action of this kind that applies there; undefined if there is none after all. */
export function planAction(
  kind: ActionKind,
  situation: Situation,
  means: Means,
  pick: Chooser,
): Action | undefined {
  const { world, parked, blocked, cancellable, unarmed } = situation;
  switch (kind) {
    case "submit":
      return submission(world, means, pick);
    case "retry":
    case "retry_changed":
    case "resubmit_new_key":
      return repetition(kind, world, means, pick);
    case "advance":
    case "finish":
      return naming(kind, parked, pick);
    case "cancel":
      return naming(kind, cancellable, pick);
    case "expire":
      return naming(kind, blocked, pick);
    case "change_policy":
      return { kind, to: pickPolicy(pick) };
    case "arm":
      return withFault(kind, unarmed, pick);
    case "disarm":
      return withFault(kind, world.armed, pick);
    case "crash":
      return means.claims.has("reservations") && pick(3) === 0
        ? crashEntering(world, means, pick)
        : crashOf(parked, means, pick);
    case "say":
    case "change_rules":
    case "reconcile":
    case "damage_ledger":
    case "gate":
      return planRulesAction(kind, pick);
    case "restart":
    case "observe":
      return { kind };
  }
}

function nextName(world: World): AttemptName {
  return `a${world.attempts.length + 1}`;
}

function pickKey({ can }: Means, pick: Chooser): number {
  return can("several_keys") ? pick(keys) : 0;
}

function pickFaults({ can }: Means, from: readonly Fault[], pick: Chooser): readonly Fault[] {
  if (pick(100) >= 60) return [];
  return pickPlan(pick, from, can("second_fault") && pick(3) === 0 ? 2 : 1);
}

function submission(world: World, means: Means, pick: Chooser): Action {
  const { can, claims, contract, faults } = means;
  const attempt = nextName(world);
  const isInvalid = can("invalid") && pick(6) === 0;
  const isOther = can("tenants") && claims.has("tenants") && pick(5) === 0;
  return {
    kind: "submit",
    attempt,
    request: isInvalid
      ? contract.requests.invalid(pick(1 << 16))
      : contract.requests.valid(pickKey(means, pick), pick(1 << 10)),
    context: { tenant: isOther ? "t2" : "t1", runId: "r1", callId: `c-${attempt}`, principal: "p1" },
    faults: pickFaults(means, faults, pick),
  };
}

function repetition(
  kind: "retry" | "retry_changed" | "resubmit_new_key",
  world: World,
  means: Means,
  pick: Chooser,
): Action | undefined {
  const { contract, faults, lateFaults } = means;
  // The latest attempts are the likelier to be in an interesting state.
  const back = Math.min(pick(world.attempts.length), pick(world.attempts.length));
  const first = world.attempts[world.attempts.length - 1 - back];
  if (first === undefined) return undefined;
  const isLate = kind === "retry" && pick(2) === 0;
  const shared = {
    attempt: nextName(world),
    of: first.name,
    faults: pickFaults(means, isLate ? lateFaults : faults, pick),
  };
  if (kind === "retry" || first.facts.kind === "invalid") return { kind: "retry", ...shared };
  const { changed, rekeyed } = contract.requests;
  const request =
    kind === "retry_changed"
      ? changed(first.request, pick(1 << 10))
      : rekeyed(first.request, pickKey(means, pick));
  return { kind, ...shared, request };
}

function naming(
  kind: "advance" | "finish" | "cancel" | "expire",
  from: readonly Attempt[],
  pick: Chooser,
): Action | undefined {
  const attempt = from[pick(Math.max(1, from.length))];
  return attempt === undefined ? undefined : { kind, attempt: attempt.name };
}

function crashOf(parked: readonly Attempt[], { profile }: Means, pick: Chooser): Action {
  const attempt = parked[pick(Math.max(1, parked.length))];
  if (attempt === undefined || profile.crashPoints.length === 0 || pick(4) === 0) {
    return { kind: "crash", where: { kind: "parked" } };
  }
  const points = profile.crashPoints.filter((point) => mayPass(attempt, point));
  const at = points[pick(Math.max(1, points.length))];
  return {
    kind: "crash",
    where: at === undefined ? { kind: "parked" } : { kind: "at", attempt: attempt.name, at },
  };
}

/** A key is reserved before the first checkpoint, so that only a new attempt can be killed right behind that. */
function crashEntering(world: World, means: Means, pick: Chooser): Action | undefined {
  const of = world.attempts[pick(Math.max(1, world.attempts.length))];
  if (of === undefined || of.facts.kind === "invalid") return undefined;
  const entry = { kind: "retry", attempt: nextName(world), of: of.name, faults: [] } as const;
  const points = means.profile.crashPoints;
  const at = pick(3) === 0 ? points[pick(points.length)] : "after_reserve";
  return at === undefined ? undefined : { kind: "crash", where: { kind: "entering", entry, at } };
}

function withFault(
  kind: Extract<ActionKind, "arm" | "disarm">,
  from: readonly DriverFault[],
  pick: Chooser,
): Action | undefined {
  const fault = from[pick(from.length)];
  return fault === undefined ? undefined : { kind, fault };
}

/** Mostly limits around the ones that requests ask for; now and then no policy at all. */
function pickPolicy(pick: Chooser): PolicySetting {
  const limits = [3, 3, 3, 1, 2, 4, 9, 0];
  const maxCopies = limits[pick(limits.length + 1)];
  return maxCopies === undefined ? { kind: "remove" } : { kind: "limit", maxCopies };
}

/** Whether an attempt standing there may pass the point on its next move; a point it does not pass never strikes. */
function mayPass({ place }: Attempt, point: CrashPoint): boolean {
  if (point === "after_reserve") return false;
  const inExecute = point === "inside_transaction" || point === "after_commit" || point === "before_settle";
  return !inExecute || (place.kind === "parked" && place.at === "before_business");
}
