import type { ToolContract } from "../contract/tool.js";
import { step } from "../model/step.js";
import type {
  Action,
  ActionKind,
  AttemptName,
  CrashPoint,
  DriverFault,
  Fault,
  PolicySetting,
  Profile,
} from "../model/vocabulary.js";
import { type Attempt, initialWorld, type World } from "../model/world.js";
import { isCheckerFault, stageOf } from "../sut/fault-kinds.js";
import { type Chooser, chooserOf, pickWeighted } from "./chooser.js";
import { driverFaultsOf, faultsOf, pickPlan } from "./fault-plan.js";

export type PlannerSettings = {
  readonly profile: Profile;
  readonly contract: ToolContract;
  readonly policy: PolicySetting;
};

/** An applicable action list and the transitions of the machine that it walks. */
export type Plan = { readonly actions: readonly Action[]; readonly transitions: readonly string[] };

/** What a run may switch off, so that some runs go deep where others go wide. Two bits of the mask each. */
const features = [
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
type Feature = (typeof features)[number];

const mostAttempts = 8;
const keys = 3;
const tenants = ["t1", "t2"];

/**
 * Turns fast-check draws into actions that apply, one a draw, by walking the machine. Pure: the same mask and draws
 * give the same list. Kinds are weighted; each bit pair of `mask` that is 0 switches one feature off for the run.
 */
export function planActions(settings: PlannerSettings, mask: number, draws: readonly number[]): Plan {
  const planner = createPlanner(settings, mask);
  const actions: Action[] = [];
  const transitions: string[] = [];
  let world = initialWorld(settings.profile, settings.policy, settings.contract.name);
  for (const draw of draws) {
    const action = planner(world, chooserOf(draw));
    if (action === undefined) continue;
    const moved = step(world, action, settings.contract.interpret);
    if (moved.kind === "refused") continue;
    actions.push(action);
    transitions.push(...moved.transitions);
    world = moved.world;
  }
  return { actions, transitions };
}

type Choice = { readonly weight: number; readonly item: (pick: Chooser) => Action | undefined };

function createPlanner(
  { profile, contract }: PlannerSettings,
  mask: number,
): (world: World, pick: Chooser) => Action | undefined {
  const on = new Set<Feature>(features.filter((_, index) => ((mask >>> (2 * index)) & 3) !== 0));
  const can = (feature: Feature): boolean => on.has(feature);
  const claims = new Set(profile.abilities);
  const faults = faultsOf(profile).filter((fault) => can(featureOf(fault)));
  const driverFaults = driverFaultsOf(profile);

  // A retry mostly meets its own effect again, and from there on only the output and the receipt can go wrong.
  const lateFaults = faults.filter(hitsLate);
  const plan = (pick: Chooser, from: readonly Fault[] = faults): readonly Fault[] => {
    if (pick(100) >= 60) return [];
    return pickPlan(pick, from, can("second_fault") && pick(3) === 0 ? 2 : 1);
  };
  const nextName = (world: World): AttemptName => `a${world.attempts.length + 1}`;
  const key = (pick: Chooser): number => (can("several_keys") ? pick(keys) : 0);

  const submit = (world: World, pick: Chooser): Action => {
    const attempt = nextName(world);
    const isInvalid = can("invalid") && pick(6) === 0;
    const tenant =
      (can("tenants") && claims.has("tenants") && pick(5) === 0 ? tenants[1] : tenants[0]) ?? "t1";
    return {
      kind: "submit",
      attempt,
      request: isInvalid
        ? contract.requests.invalid(pick(1 << 16))
        : contract.requests.valid(key(pick), pick(1 << 10)),
      context: { tenant, runId: "r1", callId: `c-${attempt}`, principal: "p1" },
      faults: plan(pick),
    };
  };
  const again = (
    kind: "retry" | "retry_changed" | "resubmit_new_key",
    world: World,
    pick: Chooser,
  ): Action | undefined => {
    // The latest attempts are the likelier to be in an interesting state.
    const back = Math.min(pick(world.attempts.length), pick(world.attempts.length));
    const first = world.attempts[world.attempts.length - 1 - back];
    if (first === undefined) return undefined;
    const isLate = kind === "retry" && pick(2) === 0;
    const shared = {
      attempt: nextName(world),
      of: first.name,
      faults: plan(pick, isLate ? lateFaults : faults),
    };
    if (kind === "retry") return { kind, ...shared };
    if (first.facts.kind === "invalid") return { kind: "retry", ...shared };
    const { changed, rekeyed } = contract.requests;
    const request =
      kind === "retry_changed" ? changed(first.request, pick(1 << 10)) : rekeyed(first.request, key(pick));
    return { kind, ...shared, request };
  };
  const crash = (parked: readonly Attempt[], pick: Chooser): Action => {
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
  };
  const policy = (pick: Chooser): Action => ({ kind: "change_policy", to: pickPolicy(pick) });

  return (world, pick) => {
    if (world.executor === "down") {
      const choices: readonly Choice[] = [
        { weight: 9, item: () => ({ kind: "restart" }) },
        { weight: 1, item: () => ({ kind: "observe" }) },
      ];
      return pickWeighted(pick, choices)?.(pick);
    }
    const { attempts, armed } = world;
    const parked = attempts.filter(({ place }) => place.kind === "parked");
    const blocked = attempts.filter(({ place }) => place.kind === "blocked");
    const cancellable = [...parked, ...blocked].filter(({ cancel }) => cancel === "none");
    const unarmed = driverFaults.filter((fault) => armed.every((other) => stageOf(other) !== stageOf(fault)));
    const isTight = world.policy.kind === "missing" || world.policy.maxCopies < 2;
    const room = attempts.length < mostAttempts;
    const mayStart = room && (can("interleave") || parked.length === 0);
    const hadAttempts = attempts.length > 0 && mayStart;
    const oneOf = (pick: Chooser, from: readonly Attempt[]): AttemptName =>
      from[pick(from.length)]?.name ?? "a1";
    const weight = (when: boolean, amount: number): number => (when ? amount : 0);
    const naming =
      (kind: "advance" | "finish" | "cancel" | "expire", from: readonly Attempt[]) =>
      (chosen: Chooser): Action => ({ kind, attempt: oneOf(chosen, from) });
    const choices: readonly Choice[] = [
      { weight: weight(mayStart, attempts.length === 0 ? 40 : 16), item: (chosen) => submit(world, chosen) },
      { weight: weight(hadAttempts && can("retry"), 7), item: (chosen) => again("retry", world, chosen) },
      {
        weight: weight(hadAttempts && can("retry_changed"), 4),
        item: (chosen) => again("retry_changed", world, chosen),
      },
      {
        weight: weight(hadAttempts && can("resubmit_new_key"), 2),
        item: (chosen) => again("resubmit_new_key", world, chosen),
      },
      { weight: weight(parked.length > 0, 34), item: naming("advance", parked) },
      { weight: weight(parked.length > 0, 14), item: naming("finish", parked) },
      {
        weight: weight(cancellable.length > 0 && claims.has("cancel") && can("cancel"), 7),
        item: naming("cancel", cancellable),
      },
      { weight: weight(blocked.length > 0, 14), item: naming("expire", blocked) },
      { weight: weight(claims.has("policy") && (isTight || can("policy")), isTight ? 20 : 7), item: policy },
      {
        weight: weight(unarmed.length > 0 && can("arm"), 2),
        item: (chosen) => withFault("arm", unarmed, chosen),
      },
      { weight: weight(armed.length > 0, 5), item: (chosen) => withFault("disarm", armed, chosen) },
      { weight: weight(claims.has("crash") && can("crash"), 4), item: (chosen) => crash(parked, chosen) },
      { weight: 1, item: () => ({ kind: "observe" }) },
    ];
    return pickWeighted(pick, choices)?.(pick);
  };
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
  const inExecute = point === "inside_transaction" || point === "after_commit";
  return !inExecute || (place.kind === "parked" && place.at === "before_business");
}

function hitsLate(fault: Fault): boolean {
  return fault.kind === "bad_output" || (isCheckerFault(fault) && fault.stage === "output");
}

function featureOf(fault: Fault): Feature {
  switch (fault.kind) {
    case "throw_at":
      return "throws";
    case "bad_output":
      return "bad_output";
    case "checker_throws":
    case "checker_rejects_falsy":
    case "checker_hangs":
    case "checker_garbled":
      return "checker_faults";
    default:
      return "driver_faults";
  }
}
