import type { Predicted, PredictedOutcome } from "./predicted.js";
import { unreachable } from "./unreachable.js";
import {
  type Ability,
  type AttemptName,
  type Event,
  guardLayers,
  type LayerResults,
  type Profile,
  type SnapshotRevision,
  type StageEvent,
  type UnknownCause,
} from "./vocabulary.js";

/** How a call ended for its caller, without the executor's own texts. */
export type Told =
  | Extract<PredictedOutcome, { kind: "completed" | "audit_unavailable" }>
  | { readonly kind: "cancelled"; readonly reason: "callers" | "other" }
  | { readonly kind: "unknown"; readonly cause: UnknownCause }
  | { readonly kind: "refused" | "failed" };

/** What a history shows of an attempt; everything that the machine predicts is a sight. */
export type Sight =
  | Extract<Predicted, { kind: "parked" | "cancel_delivered" | "cancel_too_late" }>
  | { readonly kind: "blocked"; readonly attempt: AttemptName; readonly on: string }
  | { readonly kind: "ended"; readonly attempt: AttemptName; readonly outcome: Told };

export type SightEvent = Extract<Event, { kind: Sight["kind"] }>;

/** The sight in an event. */
export function sightOf(event: SightEvent): Sight {
  if (event.kind !== "ended") return event;
  const { attempt, outcome, releasedIs } = event;
  const told: Told = outcome.kind === "completed" ? { ...outcome, released: releasedIs } : outcome;
  return { kind: "ended", attempt, outcome: told };
}

export function claims(profile: Profile, ability: Ability): boolean {
  return profile.abilities.includes(ability);
}

/** A sight in words: two sights say the same exactly if they are the same in all that the profile claims to show. */
export function tell(sight: Sight, profile: Profile): string {
  switch (sight.kind) {
    case "parked":
      return `parked at ${sight.at}${tellSnapshot(sight.snapshotRevision, profile)}`;
    case "blocked":
      return `blocked on ${sight.on}`;
    case "cancel_delivered":
      return `cancel delivered at ${sight.at}`;
    case "cancel_too_late":
      return "cancel too late";
    case "ended":
      return tellOutcome(sight.outcome, profile);
    default:
      return unreachable(sight);
  }
}

function tellSnapshot(snapshot: SnapshotRevision, profile: Profile): string {
  if (!claims(profile, "snapshot_revision")) return "";
  return snapshot.kind === "seen" ? `, policy r${snapshot.revision} seen` : ", no policy seen";
}

function tellOutcome(outcome: Told, profile: Profile): string {
  switch (outcome.kind) {
    case "completed": {
      const { status, code, events, effectExists, receiptNumber, released } = outcome;
      const receipt = claims(profile, "receipts")
        ? `, effectExists ${effectExists}, receipt ${receiptNumber}`
        : "";
      const value = released === "nothing" ? "" : `, ${released} value released`;
      const layers = tellLayers(outcome.layers, profile);
      return `completed ${status}/${code}${tellEvents(events, profile)}${layers}${receipt}${value}`;
    }
    case "cancelled":
      return outcome.reason === "callers" ? "cancelled" : "cancelled for another reason than the caller's";
    case "audit_unavailable":
      return `audit_unavailable, causes ${list(outcome.causes)}${tellEvents(outcome.events, profile)}`;
    case "unknown":
      return `unknown/${outcome.cause}`;
    case "refused":
    case "failed":
      return outcome.kind;
    default:
      return unreachable(outcome);
  }
}

function tellEvents(events: readonly StageEvent[], profile: Profile): string {
  return claims(profile, "stage_events") ? `, events ${list(events)}` : "";
}

function tellLayers(layers: LayerResults | undefined, profile: Profile): string {
  if (!claims(profile, "layer_results")) return "";
  const told = guardLayers.map((layer) => `${layer} ${layers?.[layer] ?? "untold"}`);
  return `, layers ${told.join(" ")}`;
}

/** Words in a row, or `none`. */
export function list(words: readonly (string | number)[], between = " "): string {
  return words.length === 0 ? "none" : words.join(between);
}
