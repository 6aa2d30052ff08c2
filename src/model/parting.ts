import type { Predicted } from "./predicted.js";
import { claims, type Sight, type Told } from "./sight.js";
import { unreachable } from "./unreachable.js";
import type { Checkpoint, Profile, Stage, StageEvent } from "./vocabulary.js";

type Completed = Extract<Told, { kind: "completed" }>;

/** The stage at which what was seen parts from what was expected. */
export function partingStage(expected: Predicted, seen: Sight, profile: Profile): Stage {
  if (expected.kind !== "ended" || seen.kind !== "ended") return decidingStage(expected);
  const { outcome: ours } = expected;
  const { outcome: theirs } = seen;
  if (ours.kind === "completed" && theirs.kind === "completed") {
    return claims(profile, "stage_events")
      ? partingOf(ours, theirs)
      : partingOf(ours, { ...theirs, events: ours.events });
  }
  const audit = ours.kind === "audit_unavailable" || theirs.kind === "audit_unavailable";
  return audit ? "receipt" : "release";
}

/** The stage that decided what the machine expects. */
export function decidingStage(expected: Predicted): Stage {
  switch (expected.kind) {
    case "parked":
      return before[expected.at];
    case "blocked":
      return expected.on;
    case "cancel_delivered":
      return cancelledBefore[expected.at];
    case "cancel_too_late":
      return "release";
    case "ended": {
      const { outcome } = expected;
      if (outcome.kind === "completed") return stageAfter(outcome.events);
      return outcome.kind === "audit_unavailable" ? "receipt" : "release";
    }
    default:
      return unreachable(expected);
  }
}

function partingOf(ours: Completed, theirs: Completed): Stage {
  const told = [...theirs.events, verdictOf(theirs)];
  const parted = [...ours.events, verdictOf(ours)].findIndex((word, index) => word !== told[index]);
  if (parted >= 0) return stageAfter(ours.events.slice(0, parted));
  return ours.released === theirs.released ? "receipt" : "release";
}

function verdictOf({ status, code }: Completed): string {
  return `${status}/${code}`;
}

/** The stage that comes after these stage events: the one that says the next, or ends the attempt. */
function stageAfter(events: readonly StageEvent[]): Stage {
  const last = events.at(-1);
  return last === undefined ? "validate" : after[last];
}

const before: { readonly [at in Checkpoint]: Stage } = {
  before_request: "approval",
  before_business: "check",
  after_business: "execute",
  output_check: "output",
};

const cancelledBefore: { readonly [at in Checkpoint]: Stage } = {
  before_request: "approval",
  before_business: "execute",
  after_business: "output",
  output_check: "output",
};

const after: { readonly [event in StageEvent]: Stage } = {
  arguments_valid: "check",
  input_allowed: "execute",
  capability_granted: "approval",
  approval_matched: "execute",
  business_started: "execute",
  effect_committed: "output",
  effect_reused: "output",
  output_started: "output",
  output_regenerated: "output",
  output_allowed: "receipt",
};
