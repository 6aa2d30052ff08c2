import type { Halt } from "./passage.js";
import type { PredictedOutcome } from "./predicted.js";
import { unreachable } from "./unreachable.js";
import type { StageEvent } from "./vocabulary.js";
import type { Verdict, Waiting } from "./world.js";

/** Where a transition starts: `before_business`, `blocked_check`, … */
export function startName(place: Waiting["place"]): string {
  return place.kind === "parked" ? place.at : `blocked_${place.on}`;
}

/** Where a transition leads: `parked after_business via effect_committed`, `ended error/busy`, … `said` are the stage events before it. */
export function resultName(halt: Halt, said: readonly StageEvent[]): string {
  const { attempt, verdict } = halt.passage;
  const news = attempt.events.slice(said.length);
  switch (halt.kind) {
    case "parked":
      return `parked ${halt.at}${via(news) || holding(news)}`;
    case "blocked":
      return `blocked ${halt.on}`;
    case "ended":
      return `ended ${outcomeName(halt.outcome, verdict)}${via(news)}`;
    case "killed":
      return "lost";
    default:
      return unreachable(halt);
  }
}

/** An effect is the one thing that an attempt leaves behind besides its receipt. */
function via(news: readonly StageEvent[]): string {
  const event = news.find((one) => one === "effect_committed" || one === "effect_reused");
  return event === undefined ? "" : ` via ${event}`;
}

/** Short of an effect, what is parked may hold a key. */
function holding(news: readonly StageEvent[]): string {
  return news.includes("key_reserved") ? " via key_reserved" : "";
}

function outcomeName(outcome: PredictedOutcome, { status, code }: Verdict): string {
  switch (outcome.kind) {
    case "completed":
      return `${status}/${code}`;
    case "cancelled":
      return "cancelled";
    case "audit_unavailable":
      return `audit_unavailable ${outcome.causes.join("+")} from ${status}/${code}`;
    case "unknown":
      return `unknown/${outcome.cause}`;
    default:
      return unreachable(outcome);
  }
}
