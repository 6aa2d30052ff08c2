import type { ToolContract } from "../contract/tool.js";
import {
  hasExpired,
  hasLiveGrant,
  isDisclosedUnder,
  isGranted,
  latestRequest,
  waitingRequests,
} from "../model/consent/rules.js";
import type { Action, ActionKind, DriverFault, Fault, Profile, RequestRow } from "../model/vocabulary.js";
import type { Attempt, World } from "../model/world.js";
import { isCheckerFault, stageOf } from "../sut/fault-kinds.js";
import { type Chooser, chooserOf, pickWeighted } from "./chooser.js";
import { driverFaultsOf, faultsOf } from "./fault-plan.js";
import { guardedPlots, type Plot, plottedAction } from "./guarded-plots.js";
import { planGuardedAction } from "./planned-guarded-action.js";

/** What a run may switch off, so that some runs go deep where others go wide. */
const guardedFeatures = [
  "cancel",
  "crash",
  "policy",
  "arm",
  "faults",
  "invalid",
  "changed",
  "several_keys",
  "tenants",
  "runs",
  "clock",
  "capabilities",
  "flaws",
  "held",
  "deny",
  "permitted",
  "steps",
  "drive",
  "round_trip",
] as const;
export type GuardedFeature = (typeof guardedFeatures)[number];

/** What a planner knows of one run: what it may use, and the tools that it keeps to. */
export type GuardedMeans = {
  readonly profile: Profile;
  readonly contract: ToolContract;
  readonly can: (feature: GuardedFeature) => boolean;
  readonly tools: readonly ToolContract[];
  readonly faults: readonly Fault[];
  readonly lateFaults: readonly Fault[];
  /** Ways in which a value on its way out can be spoilt. */
  readonly spoilt: readonly Fault[];
  readonly driverFaults: readonly DriverFault[];
};

/** Where a world stands, as far as it decides which kinds of action apply and which are worth while. */
export type GuardedSituation = {
  readonly world: World;
  readonly parked: readonly Attempt[];
  readonly blocked: readonly Attempt[];
  readonly over: readonly Attempt[];
  readonly cancellable: readonly Attempt[];
  readonly unarmed: readonly DriverFault[];
  /** Requests that can still be granted. */
  readonly open: readonly RequestRow[];
  /** Requests that are granted and unspent. */
  readonly granted: readonly RequestRow[];
  /** Ended attempts whose call can go on by a grant as it stands. */
  readonly ready: readonly Attempt[];
  /** Latest requests of calls that have just met the effect of another, and have yet to be released. */
  readonly met: readonly RequestRow[];
};

const mostAttempts = 9;

/** Places of the tools in the toolbox, those that consent matters most for more than once. */
const favoured = [0, 0, 1, 1, 2, 2, 2, 3, 4, 5];

/** Plans the next action of a run of a profile with approvals, by how the machine stands. */
export function guardedPlanner(
  profile: Profile,
  contract: ToolContract,
  mask: number,
): (world: World, pick: Chooser) => Action | undefined {
  const choose = chooserOf(mask);
  const on = new Set<GuardedFeature>(guardedFeatures.filter(() => choose(4) !== 0));
  const can = (feature: GuardedFeature): boolean => on.has(feature);
  const every = contract.toolbox?.tools ?? [contract];
  // Few tools in a run, so that calls meet; the one without a key more often than the others.
  const plot = guardedPlots[choose(Math.ceil(1.25 * guardedPlots.length))];
  const moves = plot?.moves ?? [];
  const fitting = favoured.filter((place) => fits(every[place], plot?.tools ?? "any"));
  const tools = Array.from(
    { length: choose(3) === 0 ? 2 : 1 },
    () => every[fitting[choose(fitting.length)] ?? 0] ?? contract,
  );
  const faults = can("faults") ? faultsOf(profile) : [];
  const means: GuardedMeans = {
    profile,
    contract,
    can,
    tools,
    faults,
    lateFaults: faults.filter(
      (fault) => fault.kind === "spoilt_output" || (isCheckerFault(fault) && fault.stage === "output"),
    ),
    spoilt: faultsOf(profile).filter(({ kind }) => kind === "spoilt_output"),
    driverFaults: driverFaultsOf(profile),
  };
  let told = 0;
  return (world, pick) => {
    while (told < moves.length && pick(24) > 0) {
      const move = moves[told++];
      const plotted = move === undefined ? undefined : plottedAction(move, world, means, pick);
      if (plotted !== undefined && (world.executor === "up" || plotted.kind === "restart")) return plotted;
    }
    const situation = situationOf(world, means);
    const kind = pickWeighted(pick, world.executor === "down" ? whenDown : weightsIn(situation, means));
    return kind === undefined ? undefined : planGuardedAction(kind, situation, means, pick);
  };
}

/** Whether a tool has a business key, or, of one that does something, has none. */
function fits(tool: ToolContract | undefined, wanted: Plot["tools"]): boolean {
  if (tool === undefined || wanted === "any") return true;
  const facts = tool.interpret(tool.requests.valid(0, 0));
  const isKeyed = facts.kind === "valid" && facts.key !== "";
  return wanted === "keyed" ? isKeyed : !isKeyed && tool.effect !== "read";
}

function situationOf(world: World, { driverFaults }: GuardedMeans): GuardedSituation {
  const parked = world.attempts.filter(({ place }) => place.kind === "parked");
  const blocked = world.attempts.filter(({ place }) => place.kind === "blocked");
  const over = world.attempts.filter(({ place }) => place.kind === "ended" || place.kind === "lost");
  const isArmed = (stage: string): boolean => world.armed.some((other) => stageOf(other) === stage);
  const waiting = waitingRequests(world).filter(
    (request) => !hasExpired(world, request) && isDisclosedUnder(world.policy, request),
  );
  return {
    world,
    parked,
    blocked,
    over,
    cancellable: [...parked, ...blocked].filter(({ cancel }) => cancel === "none"),
    unarmed: driverFaults.filter((fault) => !isArmed(stageOf(fault))),
    open: waiting.filter((request) => !isGranted(world, request)),
    granted: waiting.filter((request) => isGranted(world, request)),
    met: parked
      .filter(({ events }) => events.includes("effect_reused"))
      .flatMap(({ context }) => {
        const request = latestRequest(world, context);
        return request === "none" ? [] : [request];
      }),
    ready: over.filter(({ context }) => hasLiveGrant(world, context)),
  };
}

type Weighed = { readonly weight: number; readonly item: ActionKind };

const whenDown: readonly Weighed[] = [
  { weight: 9, item: "restart" },
  { weight: 1, item: "observe" },
];

function weightsIn(situation: GuardedSituation, { can, contract }: GuardedMeans): readonly Weighed[] {
  const rights = contract.toolbox?.capabilities.length ?? 0;
  const { world, parked, blocked, over, cancellable, unarmed, open, granted, ready, met } = situation;
  const { attempts, armed, policy, consent, held, capabilities } = world;
  const mayStart = attempts.length < mostAttempts;
  const isTight = policy.kind === "missing" || policy.maxCopies < 2;
  const lacksRights = capabilities.length < rights;
  const weigh = (item: ActionKind, applies: boolean, weight: number): Weighed => ({
    weight: applies ? weight : 0,
    item,
  });
  return [
    weigh("submit", mayStart, attempts.length === 0 ? 60 : 9),
    weigh("retry", mayStart && over.length > 0, ready.length > 0 ? 22 : 6),
    weigh("retry_changed", mayStart && attempts.length > 0 && can("changed"), 3),
    weigh("resubmit_new_key", mayStart && over.length > 0 && can("changed"), 1),
    weigh("advance", parked.length > 0, 34),
    weigh("finish", parked.length > 0, 12),
    weigh("cancel", cancellable.length > 0 && can("cancel"), 3),
    weigh("expire", blocked.length > 0, 14),
    weigh("approve", consent.requests.length > 0, open.length > 0 ? 24 : 2),
    weigh(
      "deny",
      consent.requests.length > 0 && can("deny"),
      met.length > 0 ? 14 : open.length + granted.length > 0 ? 5 : 2,
    ),
    weigh("revoke", granted.length > 0 && can("deny"), 5),
    weigh("settle", held.length > 0, 16),
    weigh("advance_clock", can("clock"), open.length + granted.length > 0 ? 5 : 1),
    weigh("set_capability", lacksRights || can("capabilities"), lacksRights ? 8 : 3),
    weigh("round_trip", waitingRequests(world).length > 0 && can("round_trip"), 3),
    weigh("drive", mayStart && over.length > 0 && can("drive"), 4),
    weigh("change_policy", isTight || can("policy"), isTight ? 20 : 4),
    weigh("arm", unarmed.length > 0 && can("arm"), 1),
    weigh("disarm", armed.length > 0, 5),
    weigh("crash", can("crash"), 3),
    weigh("observe", true, 1),
  ];
}
