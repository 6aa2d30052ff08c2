import { contractFor, type ToolContract } from "../contract/tool.js";
import { decide } from "../model/consent/decisions.js";
import { decisionOn } from "../model/decision.js";
import type { Step } from "../model/stepped.js";
import type {
  Action,
  AttemptName,
  DecisionAnswer,
  Entry,
  Fault,
  Happening,
  Observation,
  ReservationRow,
} from "../model/vocabulary.js";
import { inFlight, type World } from "../model/world.js";
import { plantedTexts } from "../sut/fault-kinds.js";
import { outcomeOf } from "./pipeline/evidence.js";
import { deliveryOf, observationOf } from "./pipeline/observation.js";

type Moved = Extract<Step, { kind: "moved" }>;
type Fired = { readonly attempt: `a${number}`; readonly fault: Fault };

/** What the history of a system that does exactly this step would say of it, up to the read that follows. */
export function happeningsOf(
  before: World,
  action: Action,
  moved: Moved,
  { fired, contract }: { readonly fired: readonly Fired[]; readonly contract: ToolContract },
): readonly Happening[] {
  const { world, events } = moved;
  const observation = observationOfWorld(world);
  const told = events.map((event): Happening => {
    if (event.kind !== "ended") return event;
    const { attempt, outcome } = event;
    const releasedIs = outcome.kind === "completed" ? outcome.released : "nothing";
    return { kind: "ended", attempt, outcome: outcomeOf(outcome), releasedIs, atRelease: observation };
  });
  const heard = [
    ...told.filter(({ kind }) => kind === "cancel_delivered"),
    ...fired.map(
      ({ attempt, fault }): Happening => ({
        kind: "fault_fired",
        attempt,
        fault,
        at: fault.kind === "throw_at" ? fault.at : "its stage",
      }),
    ),
    ...told.filter(({ kind }) => kind !== "cancel_delivered"),
  ];
  const seen: Happening = { kind: "observed", observation };
  if (action.kind === "crash" && world.executor === "down") {
    return [...entryOf(action, contract), ...heard, crashed(before, action), seen];
  }
  return [...causeOf(before, action, moved, contract), ...heard, seen];
}

/** What a second observer would read from the store of a world, of all that its profile has. */
export function observationOfWorld(world: World): Observation {
  const { profile, consent, reservations } = world;
  const withDelivery = <Row extends { readonly attempt: AttemptName }>({ attempt, ...row }: Row) => ({
    ...row,
    delivery: deliveryOf(attempt),
  });
  const escalations = consent.escalations.map(withDelivery);
  return {
    ...observationOf(world),
    ...(profile.layers.includes("approval") ? { consent: { ...consent, escalations } } : {}),
    ...(profile.abilities.includes("reservations")
      ? { reservations: reservations.map(withDelivery).sort(byKey) }
      : {}),
  };
}

function byKey(one: ReservationRow, other: ReservationRow): number {
  return one.tenant === other.tenant ? (one.key < other.key ? -1 : 1) : one.tenant < other.tenant ? -1 : 1;
}

function submitted(
  { attempt, request, context, faults }: Extract<Entry, { kind: "submit" }>,
  whole: ToolContract,
): Happening {
  const contract = contractFor(whole, context);
  return {
    kind: "submitted",
    attempt,
    delivery: deliveryOf(attempt),
    request,
    context,
    faults,
    contract: contract.interpret(request),
    canaries: [...contract.canaries(request), ...faults.flatMap(plantedTexts)],
  };
}

function entryOf(
  { where }: Extract<Action, { kind: "crash" }>,
  contract: ToolContract,
): readonly Happening[] {
  return where.kind === "entering" && where.entry.kind === "submit" ? [submitted(where.entry, contract)] : [];
}

function crashed(before: World, { where }: Extract<Action, { kind: "crash" }>): Happening {
  const lost = inFlight(before).map(({ name }) => name);
  switch (where.kind) {
    case "at":
      return { kind: "crashed", advancing: { ...where, kind: "attempt" }, lost };
    case "entering": {
      const { attempt } = where.entry;
      return {
        kind: "crashed",
        advancing: { kind: "attempt", attempt, at: where.at },
        lost: [...lost, attempt],
      };
    }
    default:
      return { kind: "crashed", advancing: { kind: "idle" }, lost };
  }
}

function causeOf(before: World, action: Action, moved: Moved, contract: ToolContract): readonly Happening[] {
  switch (action.kind) {
    case "submit":
      return [submitted(action, contract)];
    case "advance":
      return [{ kind: "advanced", attempt: action.attempt }];
    case "cancel":
      return [{ kind: "cancel_requested", attempt: action.attempt }];
    case "expire":
      return [{ kind: "expired", attempt: action.attempt }];
    case "change_policy":
      return [{ kind: "policy_set", setting: action.to }];
    case "restart":
      return [{ kind: "restarted", result: "up" }];
    case "advance_clock":
      return [{ kind: "clock_set", now: moved.world.clock }];
    case "set_capability":
      return [{ kind: "capability_set", capability: action.capability, held: action.held }];
    case "say":
      return [{ kind: "said", text: action.text }];
    case "change_rules": {
      const { to, flaw } = action;
      return [{ kind: "rules_set", to, flaw, answer: flaw === "none" ? "taken" : "refused" }];
    }
    case "reconcile":
      return [{ kind: "reconciled" }];
    case "damage_ledger":
      return [{ kind: "ledger_damaged" }];
    case "approve":
    case "deny":
      return [decided(before, action, moved.world)];
    default:
      throw new Error(`an exploration takes no ${action.kind}`);
  }
}

/** Recorded is what left a row. */
function decided(
  before: World,
  action: Extract<Action, { kind: "approve" | "deny" | "revoke" }>,
  after: World,
): Happening {
  const row = before.consent.requests.find(({ number }) => number === action.request) ?? "none";
  const decision = decisionOn(action, row);
  const isRecorded = after.consent.decisions.length > before.consent.decisions.length;
  const due = decide(before, decision).answer;
  const refusal: DecisionAnswer = due.kind === "refused" ? due : { kind: "refused", code: "no_such_request" };
  return { kind: "decided", ...decision, answer: isRecorded ? { kind: "recorded" } : refusal };
}
