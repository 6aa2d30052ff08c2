import type { ToolContract } from "../../contract/tool.js";
import type { Predicted, PredictedOutcome } from "../../model/predicted.js";
import type { Step } from "../../model/stepped.js";
import { unreachable } from "../../model/unreachable.js";
import type {
  Action,
  AttemptName,
  Checkpoint,
  EffectRow,
  Fault,
  Happening,
  Observation,
  Outcome,
  Policy,
  ReceiptRow,
} from "../../model/vocabulary.js";
import {
  type Effect,
  inFlight,
  isWaiting,
  type Receipt,
  type Waiting,
  type World,
} from "../../model/world.js";
import { badOutputText } from "../../sut/fault-kinds.js";
import { onlyContext } from "./bounded.js";

/** What a second observer would read from the store of a world. */
export function observationOf({
  effects,
  receipts,
  policy,
}: Pick<World, "effects" | "receipts" | "policy">): Observation {
  return {
    effects: rowsOf(effectRows, effects, effectRow),
    receipts: rowsOf(receiptRows, receipts, receiptRow),
    policy,
    writeLock: "free",
  };
}

const effectRows = new WeakMap<readonly Effect[], readonly EffectRow[]>();
const receiptRows = new WeakMap<readonly Receipt[], readonly ReceiptRow[]>();

/** The same lists for the same rows, as a reader gets them while nothing is written. */
function rowsOf<Held, Row>(
  read: WeakMap<readonly Held[], readonly Row[]>,
  held: readonly Held[],
  row: (one: Held) => Row,
): readonly Row[] {
  const known = read.get(held) ?? held.map(row);
  read.set(held, known);
  return known;
}

function effectRow(effect: Effect): EffectRow {
  return { ...effect, body: `body of ${effect.digest}` };
}

function receiptRow({ attempt, ...receipt }: Receipt): ReceiptRow {
  const raw = `${receipt.number} ${attempt} ${receipt.status} ${receipt.code} ${receipt.effectExists}`;
  return { ...receipt, delivery: deliveryOf(attempt), raw };
}

function deliveryOf(attempt: AttemptName): string {
  return `d-${attempt}`;
}

/**
 * A short history after which everything stands as in this world: what is over came first, and attempts that wait
 * committed while they moved. It is nobody's evidence; it only sets the scene for the step that is judged.
 */
export function historyInto(
  world: World,
  contract: ToolContract,
  faults: "possible" | "gone" = "possible",
): readonly Happening[] {
  const waiting = inFlight(world);
  const isOwn = (attempt: Waiting, effect: Effect): boolean =>
    attempt.events.includes("effect_committed") &&
    attempt.facts.kind === "valid" &&
    attempt.facts.key === effect.key;
  const stale = waiting.filter((attempt) => !knowsThePolicy(attempt, world.policy));
  const happenings: Happening[] = [];
  let effects = world.effects.filter((effect) => !waiting.some((attempt) => isOwn(attempt, effect)));
  const [first = world.policy, ...later] = policiesInto(world, stale);
  let policy = first;
  const look = (): void => {
    happenings.push({ kind: "observed", observation: observationOf({ ...world, effects, policy }) });
  };
  const goes = (attempt: Waiting): void => {
    const { name } = attempt;
    happenings.push(submission(attempt, attempt.faults, contract));
    for (const at of stopsBefore(attempt)) {
      if (at !== "before_business") happenings.push({ kind: "advanced", attempt: name });
      if (at === "after_business")
        effects = world.effects.filter((effect) => effects.includes(effect) || isOwn(attempt, effect));
      happenings.push({ kind: "parked", attempt: name, at, snapshotRevision: attempt.snapshot });
      look();
    }
    if (attempt.place.kind === "parked") return;
    const { on } = attempt.place;
    if (on === "output") happenings.push({ kind: "advanced", attempt: name });
    happenings.push({
      kind: "fault_fired",
      attempt: name,
      fault: { kind: "checker_hangs", stage: on },
      at: on,
    });
    happenings.push({ kind: "blocked", attempt: name, on });
    look();
  };
  look();
  for (const name of namesOfThePast(world)) happenings.push(...overAndDone(name, world));
  if (faults === "gone") happenings.push({ kind: "epilogue" });
  for (const attempt of stale) goes(attempt);
  for (const next of later) {
    policy = next;
    happenings.push({ kind: "policy_set", setting: { kind: "remove" } });
    look();
  }
  for (const attempt of waiting) if (!stale.includes(attempt)) goes(attempt);
  for (const { name, cancel } of waiting) {
    if (cancel === "requested") happenings.push({ kind: "cancel_requested", attempt: name });
  }
  look();
  return happenings;
}

/** Policies of which the last one is in force; the largest revision ever given is seen, also of one removed since. */
function policiesInto({ policy, revision }: World, stale: readonly Waiting[]): readonly Policy[] {
  const older = stale.length > 0 ? [olderPolicy] : [];
  return policy.kind === "missing" ? [...older, { ...olderPolicy, revision }, policy] : [...older, policy];
}

const olderPolicy = { kind: "present", revision: 1, maxCopies: 9 } as const;

function knowsThePolicy({ snapshot }: Waiting, policy: Policy): boolean {
  if (snapshot.kind === "none") return true;
  return policy.kind === "present" && policy.revision === snapshot.revision;
}

/** The checkpoints at which an attempt has stood to stand where it does. */
function stopsBefore({ place }: Waiting): readonly Checkpoint[] {
  if (place.kind === "blocked")
    return place.on === "check" ? [] : ["before_business", "after_business", "output_check"];
  const order = ["before_business", "after_business", "output_check"] as const;
  return order.slice(0, order.indexOf(place.at) + 1);
}

function namesOfThePast({ receipts, attempts }: World): readonly AttemptName[] {
  const over = attempts.filter((attempt) => !isWaiting(attempt)).map(({ name }) => name);
  return [...new Set([...receipts.map(({ attempt }) => attempt), ...over])];
}

function overAndDone(name: AttemptName, { receipts }: World): readonly Happening[] {
  const receipt = receipts.find(({ attempt }) => attempt === name);
  const past = {
    name,
    context: onlyContext,
    request: "",
    facts: { kind: "invalid", code: "shape" },
  } as const;
  const { events = [], number = 0 } = receipt ?? {};
  const outcome: Outcome = {
    kind: "completed",
    receiptNumber: number,
    status: "input_rejected",
    code: "missing_policy",
    events,
    effectExists: false,
    released: { kind: "nothing" },
  };
  const atRelease = observationOf({ effects: [], receipts: [], policy: { kind: "missing" } });
  return [
    {
      kind: "submitted",
      attempt: name,
      delivery: deliveryOf(name),
      request: "",
      context: past.context,
      faults: [],
      contract: past.facts,
      canaries: [],
    },
    { kind: "ended", attempt: name, outcome, releasedIs: "nothing", atRelease },
  ];
}

function submission(
  { name, request, context, facts }: Pick<Waiting, "name" | "request" | "context" | "facts">,
  faults: readonly Fault[],
  contract: ToolContract,
): Happening {
  const planted = faults.some(({ kind }) => kind === "bad_output") ? [badOutputText] : [];
  return {
    kind: "submitted",
    attempt: name,
    delivery: deliveryOf(name),
    request,
    context,
    faults,
    contract: facts,
    canaries: [...contract.canaries(request), ...planted],
  };
}

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

function outcomeOf(outcome: PredictedOutcome): Outcome {
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
