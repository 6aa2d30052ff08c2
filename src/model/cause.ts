import { clearFaults, type Step, step } from "./step.js";
import { moved } from "./stepped.js";
import { unreachable } from "./unreachable.js";
import type { Action, Event } from "./vocabulary.js";
import type { World } from "./world.js";

/** Events of which the machine takes a step. */
export type Cause = Extract<
  Event,
  {
    kind:
      | "submitted"
      | "advanced"
      | "cancel_requested"
      | "expired"
      | "policy_set"
      | "armed"
      | "disarmed"
      | "restarted"
      | "epilogue"
      | "clock_set"
      | "capability_set"
      | "decision_held"
      | "said"
      | "rules_set"
      | "reconciled"
      | "ledger_damaged"
      | "gated";
  }
>;

/** What the machine makes of an event of which it takes a step. */
export function causedBy(event: Cause, world: World): Step {
  const take = (action: Action): Step => step(world, action, unasked);
  switch (event.kind) {
    case "submitted": {
      const { attempt, request, context, faults, contract } = event;
      return step(world, { kind: "submit", attempt, request, context, faults }, () => contract);
    }
    case "advanced":
      return take({ kind: "advance", attempt: event.attempt });
    case "cancel_requested":
      return take({ kind: "cancel", attempt: event.attempt });
    case "expired":
      return take({ kind: "expire", attempt: event.attempt });
    case "policy_set":
      return take({ kind: "change_policy", to: event.setting });
    case "armed":
      return take({ kind: "arm", fault: event.fault });
    case "disarmed":
      return take({ kind: "disarm", fault: event.fault });
    case "restarted":
      return take({ kind: "restart" });
    case "epilogue":
      return moved(clearFaults(world), []);
    case "clock_set":
      return moved({ ...world, clock: event.now }, []);
    case "capability_set":
      return take({ kind: "set_capability", capability: event.capability, held: event.held });
    case "decision_held": {
      const { decision, request, verdict, by, shown } = event;
      return moved({ ...world, held: [...world.held, { decision, request, verdict, by, shown }] }, []);
    }
    case "said":
      return take({ kind: "say", text: event.text });
    case "rules_set":
      return take({ kind: "change_rules", to: event.to, flaw: event.flaw });
    case "reconciled":
      return take({ kind: "reconcile" });
    case "ledger_damaged":
      return take({ kind: "damage_ledger" });
    case "gated":
      return take({ kind: "gate", flaw: event.flaw });
    default:
      return unreachable(event);
  }
}

/** The contract is asked for submissions alone. */
export function unasked(): never {
  throw new Error("only a submission says what its request means");
}
