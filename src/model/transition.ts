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
  switch (halt.kind) {
    case "parked":
      return `parked ${halt.at}${via(attempt.events.slice(said.length))}`;
    case "blocked":
      return `blocked ${halt.on}`;
    case "ended":
      return `ended ${outcomeName(halt.outcome, verdict)}${via(attempt.events.slice(said.length))}`;
    case "killed":
      return "lost";
    default:
      return unreachable(halt);
  }
}

/** An effect is the one thing that a move leaves behind besides its receipt. */
function via(news: readonly StageEvent[]): string {
  const event = news.find((one) => one === "effect_committed" || one === "effect_reused");
  return event === undefined ? "" : ` via ${event}`;
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
