import type {
  AttemptName,
  CheckerStage,
  Checkpoint,
  Code,
  Context,
  DriverFault,
  EffectRow,
  Facts,
  Fault,
  Policy,
  PolicySetting,
  Profile,
  ReceiptRow,
  SnapshotRevision,
  StageEvent,
  Status,
} from "./vocabulary.js";

/** Where an attempt stands between two actions. */
export type Place =
  | { readonly kind: "parked"; readonly at: Checkpoint }
  | { readonly kind: "blocked"; readonly on: CheckerStage }
  | { readonly kind: "ended" | "lost" };

/** What an attempt carries on its way. */
export type Traveller = {
  readonly name: AttemptName;
  readonly context: Context;
  readonly request: string;
  readonly facts: Facts;
  /** The plan of faults, without those that the profile does not claim. */
  readonly faults: readonly Fault[];
  readonly snapshot: SnapshotRevision;
  readonly events: readonly StageEvent[];
  readonly cancel: "none" | "requested";
};

/** One that has ended or was lost keeps only what a retry needs. */
export type Attempt = Traveller & { readonly place: Place };

/** An attempt of which more can come. */
export type Waiting = Attempt & { readonly place: Extract<Place, { kind: "parked" | "blocked" }> };

/** The machine knows no bodies: a digest binds them. */
export type Effect = Omit<EffectRow, "body">;

/** Names its attempt where an executor writes a delivery id. */
export type Receipt = Omit<ReceiptRow, "delivery" | "raw"> & { readonly attempt: AttemptName };

/** The whole state of the machine, as plain data: the same world has the same future. */
export type World = {
  readonly profile: Profile;
  readonly tool: string;
  readonly executor: "up" | "down";
  readonly policy: Policy;
  /** The largest revision ever given; outlives the policy row. */
  readonly revision: number;
  /** In order of commit. */
  readonly effects: readonly Effect[];
  /** Numbered from 1 without a gap. */
  readonly receipts: readonly Receipt[];
  /** At most one for each stage. */
  readonly armed: readonly DriverFault[];
  /** In order of submission. */
  readonly attempts: readonly Attempt[];
  /** Counted so that the bounds of a workload can be kept by looking at the world alone. */
  readonly policyChanges: number;
  readonly crashes: number;
};

export type Verdict = { readonly status: Status; readonly code: Code };

/** An empty store under the given policy, no attempt, no fault. */
export function initialWorld(profile: Profile, setting: PolicySetting, tool: string): World {
  return {
    profile,
    tool,
    executor: "up",
    ...setPolicy(0, setting),
    effects: [],
    receipts: [],
    armed: [],
    attempts: [],
    policyChanges: 0,
    crashes: 0,
  };
}

/** Every limit takes the next revision, also the same limit again; a removal takes none. */
export function setPolicy(revision: number, setting: PolicySetting): Pick<World, "policy" | "revision"> {
  return setting.kind === "remove"
    ? { policy: { kind: "missing" }, revision }
    : {
        policy: { kind: "present", revision: revision + 1, maxCopies: setting.maxCopies },
        revision: revision + 1,
      };
}

/** The attempts that a crash would lose, in order of submission. */
export function inFlight(world: World): readonly Waiting[] {
  return world.attempts.filter(isWaiting);
}

export function isWaiting(attempt: Attempt): attempt is Waiting {
  return attempt.place.kind === "parked" || attempt.place.kind === "blocked";
}

/** The world with this attempt in place of its earlier self, or added if it is new. */
export function withAttempt(world: World, attempt: Attempt): World {
  const index = world.attempts.findIndex(({ name }) => name === attempt.name);
  const attempts = index < 0 ? [...world.attempts, attempt] : world.attempts.with(index, attempt);
  return { ...world, attempts };
}

/** What is left of an attempt when nothing more can come of it. */
export function laidToRest(attempt: Traveller, kind: "ended" | "lost"): Attempt {
  const { name, context, request, facts } = attempt;
  return {
    name,
    context,
    request,
    facts,
    faults: [],
    snapshot: { kind: "none" },
    events: [],
    cancel: "none",
    place: { kind },
  };
}
