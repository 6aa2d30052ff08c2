import type { Predicted } from "./predicted.js";
import { claims, type Sight, type Told } from "./sight.js";
import { unreachable } from "./unreachable.js";
import {
  type Checkpoint,
  type Code,
  type Profile,
  type Stage,
  type StageEvent,
  stages,
} from "./vocabulary.js";

type Completed = Extract<Told, { kind: "completed" }>;

/** The stage at which what was seen parts from what was expected. */
export function partingStage(expected: Predicted, seen: Sight, profile: Profile): Stage {
  if (expected.kind === "parked") return notParked(expected.at, seen, profile);
  if (expected.kind !== "ended" || seen.kind !== "ended") return decidingStage(expected, profile);
  const { outcome: ours } = expected;
  const { outcome: theirs } = seen;
  if (ours.kind === "completed" && theirs.kind === "completed") {
    return claims(profile, "stage_events")
      ? partingOf(ours, theirs, profile)
      : partingOf(ours, { ...theirs, events: ours.events }, profile);
  }
  const audit = ours.kind === "audit_unavailable" || theirs.kind === "audit_unavailable";
  return audit ? "receipt" : "release";
}

/** The stage that decided what the machine expects. */
export function decidingStage(expected: Predicted, profile: Profile): Stage {
  switch (expected.kind) {
    case "parked":
      return stageBefore(expected.at, profile);
    case "blocked":
      return expected.on;
    case "cancel_delivered":
      return cancelledBefore[expected.at];
    case "cancel_too_late":
      return "release";
    case "ended": {
      const { outcome } = expected;
      if (outcome.kind === "completed") return endingStage(outcome, profile);
      return outcome.kind === "audit_unavailable" ? "receipt" : "release";
    }
    default:
      return unreachable(expected);
  }
}

/** On the way to its business an attempt passes several stages; which of them it did not get past, its events tell. */
function notParked(at: Checkpoint, seen: Sight, profile: Profile): Stage {
  const last = stageBefore(at, profile);
  if (at !== "before_business") return last;
  // Only what the check remembers can be another.
  if (seen.kind === "parked" && seen.at === at) return "check";
  if (seen.kind === "blocked") return passed(profile).find((stage) => stage === seen.on) ?? last;
  if (seen.kind !== "ended" || seen.outcome.kind !== "completed" || !claims(profile, "stage_events"))
    return last;
  const reached = endingStage(seen.outcome, profile);
  if (!seen.outcome.events.includes("input_allowed")) return "check";
  return passed(profile).includes(reached) ? reached : last;
}

function partingOf(ours: Completed, theirs: Completed, profile: Profile): Stage {
  const told = [...theirs.events, verdictOf(theirs)];
  const parted = [...ours.events, verdictOf(ours)].findIndex((word, index) => word !== told[index]);
  if (parted < 0) return ours.released === theirs.released ? "receipt" : "release";
  const due = ours.events[parted];
  return due === undefined ? endingStage(ours, profile) : saying[due];
}

function verdictOf({ status, code }: Completed): string {
  return `${status}/${code}`;
}

/** The stage that ended an attempt: the one that fails with that code, or the one that would have spoken next. */
function endingStage({ status, code, events }: Completed, profile: Profile): Stage {
  const named = status === "error" ? failing.get(code) : undefined;
  if (named !== undefined) return named;
  const last = events.at(-1);
  if (last === undefined) return status === "blocked" && profile.layers.includes("run") ? "run" : "validate";
  return after[last] ?? nextLayer(saying[last], profile);
}

/** A reservation refuses nothing, so whoever is refused was refused elsewhere. */
function nextLayer(stage: Stage, { layers }: Profile): Stage {
  const later = stages.slice(stages.indexOf(stage) + 1);
  return later.find((other) => other !== "reserve" && layers.includes(other)) ?? "execute";
}

/** The stages from the check up to the business, in order. */
function passed({ layers }: Profile): readonly Stage[] {
  const way = stages.slice(stages.indexOf("check"), stages.indexOf("execute"));
  return way.filter((stage) => layers.includes(stage));
}

function stageBefore(at: Checkpoint, profile: Profile): Stage {
  return before[at] ?? passed(profile).at(-1) ?? "check";
}

const before: { readonly [at in Checkpoint]?: Stage } = {
  before_request: "approval",
  after_business: "execute",
  output_check: "output",
};

const cancelledBefore: { readonly [at in Checkpoint]: Stage } = {
  before_request: "approval",
  before_business: "execute",
  after_business: "output",
  output_check: "output",
};

const saying: { readonly [event in StageEvent]: Stage } = {
  arguments_valid: "validate",
  input_allowed: "check",
  capability_granted: "capability",
  rules_passed: "rules",
  approval_matched: "approval",
  key_reserved: "reserve",
  business_started: "execute",
  effect_committed: "execute",
  effect_reused: "execute",
  output_started: "output",
  output_regenerated: "output",
  output_allowed: "output",
};

/** What comes after these is the same in every profile. */
const after: { readonly [event in StageEvent]?: Stage } = {
  arguments_valid: "check",
  business_started: "execute",
  effect_committed: "output",
  effect_reused: "output",
  output_started: "output",
  output_regenerated: "output",
  output_allowed: "receipt",
};

/** Where the last word of the attempt does not tell which stage it failed in. */
const failing: ReadonlyMap<Code, Stage> = new Map<Code, Stage>([
  ["after_step", "run"],
  ["before_request", "approval"],
  ["after_request", "approval"],
  ["after_reserve", "reserve"],
  ["before_business", "execute"],
  ["before_settle", "reserve"],
]);
