import type { ToolContract } from "../../contract/tool.js";
import type { AttemptName, Checkpoint, Happening, Outcome, Policy } from "../../model/vocabulary.js";
import { type Effect, inFlight, isWaiting, type Waiting, type World } from "../../model/world.js";
import { onlyContext } from "./bounded.js";
import { packedCheckpoints } from "./layout.js";
import { deliveryOf, observationOf } from "./observation.js";
import { submission } from "./submission.js";

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
  const { at } = place;
  const stops: readonly Checkpoint[] = packedCheckpoints;
  return packedCheckpoints.slice(0, stops.indexOf(at) + 1);
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
