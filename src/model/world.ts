import type {
  AttemptName,
  CheckerStage,
  Checkpoint,
  Code,
  Consent,
  Context,
  Decision,
  DriverFault,
  EffectRow,
  EscalationRow,
  Facts,
  Fault,
  Grant,
  Policy,
  PolicySetting,
  Profile,
  ReceiptRow,
  ReservationRow,
  RuleSetting,
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
  /** How it passed the approval: nobody had to be asked, or by the grant of the request of that number. */
  readonly approved?: "not_needed" | number;
};

/** One that has ended or was lost keeps only what a retry needs. */
export type Attempt = Traveller & { readonly place: Place };

/** An attempt of which more can come. */
export type Waiting = Attempt & { readonly place: Extract<Place, { kind: "parked" | "blocked" }> };

/** The machine knows no bodies: a digest binds them. */
export type Effect = Omit<EffectRow, "body">;

/** Names its attempt where an executor writes a delivery id. */
export type Receipt = Omit<ReceiptRow, "delivery" | "raw"> & { readonly attempt: AttemptName };

/** Names its attempt where an executor writes a delivery id. */
export type Escalation = Omit<EscalationRow, "delivery"> & { readonly attempt: AttemptName };

/** Names its attempt where an executor writes a delivery id. */
export type Reservation = Omit<ReservationRow, "delivery"> & { readonly attempt: AttemptName };

export type ConsentRows = Omit<Consent, "escalations"> & { readonly escalations: readonly Escalation[] };

const noConsent: ConsentRows = { steps: [], requests: [], decisions: [], uses: [], escalations: [] };
const nothingHeld: readonly never[] = [];
const nothingRuled = { rules: [], turns: [], calls: 0, reservations: [] } as const;

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
  readonly consent: ConsentRows;
  /** Decisions that stand where their handler stops. */
  readonly held: readonly Decision[];
  /** Counted, also those that were refused. */
  readonly decisionsMade: number;
  readonly capabilities: readonly Grant[];
  /** Of the harness; it never moves by itself. */
  readonly clock: number;
  readonly rules: RuleSetting;
  /** The texts of the user, a turn each, from the first. */
  readonly turns: readonly string[];
  /** How many calls have come to the rules, also those that they refused. */
  readonly calls: number;
  /** At most one for each tenant and key, and for each attempt. */
  readonly reservations: readonly Reservation[];
  /** Counted so that the bounds of a workload can be kept by looking at the world alone. */
  readonly policyChanges: number;
  /** Those that were taken. */
  readonly ruleChanges: number;
  readonly damages: number;
  readonly crashes: number;
};

export type Verdict = { readonly status: Status; readonly code: Code };

/** An empty store under the given policy, no attempt, no fault. */
export function initialWorld(
  profile: Profile,
  setting: PolicySetting,
  tool: string,
  capabilities: readonly Grant[] = nothingHeld,
): World {
  return {
    profile,
    tool,
    executor: "up",
    ...setPolicy(0, setting, profile),
    effects: [],
    receipts: [],
    armed: [],
    attempts: [],
    consent: noConsent,
    held: nothingHeld,
    decisionsMade: 0,
    capabilities,
    clock: 0,
    ...nothingRuled,
    policyChanges: 0,
    ruleChanges: 0,
    damages: 0,
    crashes: 0,
  };
}

/** Every limit takes the next revision, also the same limit again; a removal takes none. */
export function setPolicy(
  revision: number,
  setting: PolicySetting,
  { layers }: Pick<Profile, "layers">,
): Pick<World, "policy" | "revision"> {
  if (setting.kind === "remove") return { policy: { kind: "missing" }, revision };
  const { maxCopies, approval = "not_required" } = setting;
  const rule = layers.includes("approval") ? { approval } : {};
  return {
    policy: { kind: "present", revision: revision + 1, maxCopies, ...rule },
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
