import type { AttemptName, Code, DecisionName, Event, Observation, Outcome } from "../model/vocabulary.js";
import type { DecisionFate } from "./scenario.js";

/** How an attempt stands. */
export type Standing =
  | { readonly kind: "ended"; readonly outcome: Outcome }
  | { readonly kind: "lost" }
  | { readonly kind: "in_flight" };

/** What the steps of a run left behind: how each attempt and decision stands, and the store as it was last read. */
export type Remains = {
  readonly attempts: ReadonlyMap<AttemptName, Standing>;
  readonly decisions: ReadonlyMap<DecisionName, DecisionFate>;
  readonly store: Observation | undefined;
  /** What each look of the gate said. */
  readonly gates: readonly (readonly Code[])[];
};

/** Ends where the epilogue begins, which drives on what the steps left open. */
export function remainsOf(history: readonly Event[]): Remains {
  const attempts = new Map<AttemptName, Standing>();
  const decisions = new Map<DecisionName, DecisionFate>();
  const gates: (readonly Code[])[] = [];
  let store: Observation | undefined;
  for (const event of history) {
    switch (event.kind) {
      case "epilogue":
        return { attempts, decisions, store, gates };
      case "submitted":
        attempts.set(event.attempt, { kind: "in_flight" });
        break;
      case "ended":
        attempts.set(event.attempt, { kind: "ended", outcome: event.outcome });
        break;
      case "crashed":
        for (const attempt of event.lost) {
          attempts.set(attempt, { kind: "lost" });
        }
        for (const decision of lostDecisions(event)) {
          decisions.set(decision, "lost");
        }
        break;
      case "decision_held":
        decisions.set(event.decision, "held");
        break;
      case "decided":
        decisions.set(
          event.decision,
          event.answer.kind === "refused" ? event.answer.code : event.answer.kind,
        );
        break;
      case "gated":
        gates.push(event.verdicts);
        break;
      case "observed":
        store = event.observation;
        break;
      default:
        break;
    }
  }
  return { attempts, decisions, store, gates };
}

/** Those whose approver hears nothing, also the one on whose way the executor was killed. */
function lostDecisions(crash: Extract<Event, { kind: "crashed" }>): readonly DecisionName[] {
  const { advancing, lostDecisions: held = [] } = crash;
  return advancing.kind === "decision" ? [...held, advancing.decision] : held;
}

/** An outcome in a few words. */
export function describeStanding(standing: Standing | undefined): string {
  if (standing === undefined) {
    return "never submitted";
  }
  if (standing.kind !== "ended") {
    return standing.kind;
  }
  const { outcome } = standing;
  switch (outcome.kind) {
    case "completed":
      return `completed (${outcome.status}/${outcome.code})`;
    case "audit_unavailable":
      return `audit_unavailable (${outcome.causes.join(", ")})`;
    case "unknown":
      return `unknown (${outcome.cause})`;
    case "cancelled":
      return outcome.reason === "callers" ? "cancelled" : "cancelled for another reason than the caller's";
    default:
      return outcome.kind;
  }
}
