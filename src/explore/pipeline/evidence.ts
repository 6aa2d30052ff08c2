import type { ToolContract } from "../../contract/tool.js";
import type { Predicted, PredictedOutcome } from "../../model/predicted.js";
import type { Step } from "../../model/stepped.js";
import { unreachable } from "../../model/unreachable.js";
import type { Action, AttemptName, Fault, Happening, Outcome } from "../../model/vocabulary.js";
import { inFlight, type World } from "../../model/world.js";
import { observationOf } from "./observation.js";
import { submission } from "./submission.js";

/** What the history of a system that does exactly this step would say of it, up to the read that follows. */
export function happeningsOf(
  before: World,
  action: Action,
  { world, events }: Extract<Step, { kind: "moved" }>,
  fired: readonly { readonly attempt: AttemptName; readonly fault: Fault }[],
  contract: ToolContract,
): readonly Happening[] {
  const seen: Happening = { kind: "observed", observation: observationOf(world) };
  const firings = fired.map(
    ({ attempt, fault }): Happening => ({ kind: "fault_fired", attempt, fault, at: "its stage" }),
  );
  const delivered = events.filter(({ kind }) => kind === "cancel_delivered");
  const rest = events.filter(({ kind }) => kind !== "cancel_delivered");
  const heard = [
    ...delivered.map((event) => happened(event, world)),
    ...firings,
    ...rest.map((event) => happened(event, world)),
  ];
  const cause = causeOf(before, action, world, contract);
  // A system that is killed in a move shows what it was told in it before it shows the crash.
  return cause.kind === "crashed" ? [...heard, cause, seen] : [cause, ...heard, seen];
}

function causeOf(before: World, action: Action, after: World, contract: ToolContract): Happening {
  switch (action.kind) {
    case "submit": {
      const { attempt: name, request, context, faults } = action;
      return submission({ name, request, context, facts: contract.interpret(request) }, faults, contract);
    }
    case "advance":
      return { kind: "advanced", attempt: action.attempt };
    case "cancel":
      return { kind: "cancel_requested", attempt: action.attempt };
    case "expire":
      return { kind: "expired", attempt: action.attempt };
    case "change_policy":
      return { kind: "policy_set", setting: action.to };
    case "arm":
      return { kind: "armed", fault: action.fault };
    case "disarm":
      return { kind: "disarmed", fault: action.fault };
    case "restart":
      return { kind: "restarted", result: "up" };
    case "crash": {
      const { where } = action;
      if (where.kind === "at" && after.executor === "up") return { kind: "advanced", attempt: where.attempt };
      const advancing =
        where.kind === "at" ? ({ ...where, kind: "attempt" } as const) : ({ kind: "idle" } as const);
      return { kind: "crashed", advancing, lost: inFlight(before).map(({ name }) => name) };
    }
    default:
      throw new Error(`an exploration takes no ${action.kind}`);
  }
}

function happened(event: Predicted, after: World): Happening {
  if (event.kind !== "ended") return event;
  const { attempt, outcome } = event;
  const releasedIs = outcome.kind === "completed" ? outcome.released : "nothing";
  return { kind: "ended", attempt, outcome: outcomeOf(outcome), releasedIs, atRelease: observationOf(after) };
}

/** How a call that the machine predicts ends for its caller; texts and values are stand-ins. */
export function outcomeOf(outcome: PredictedOutcome): Outcome {
  switch (outcome.kind) {
    case "completed": {
      const released =
        outcome.released === "nothing"
          ? ({ kind: "nothing" } as const)
          : ({ kind: "value", value: "the value" } as const);
      return { ...outcome, released };
    }
    case "cancelled":
    case "audit_unavailable":
    case "unknown":
      return { ...outcome, errorText: "" };
    default:
      return unreachable(outcome);
  }
}
