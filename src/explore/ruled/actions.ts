import type { Action, AttemptName } from "../../model/vocabulary.js";
import type { World } from "../../model/world.js";
import { mostOf, type RuledWorkload } from "./workload.js";

/** An action in a world of its own: attempts are told by their place in the order of submission. */
export type RuledAction = { readonly name: string; readonly in: (world: World) => Action | "none" };

/** Everything that may be done, always in the same order; what a bound forbids in a world is `none` there. */
export function ruledActions(workload: RuledWorkload): readonly RuledAction[] {
  const { bounds, profile } = workload;
  const slots = Array.from({ length: bounds.attempts }, (_, slot) => slot);
  return [
    ...submissions(workload),
    ...slots.flatMap((slot) => movesOf(slot, workload)),
    ...workload.settings.map(
      (to, index): RuledAction => ({
        name: `rule set ${index + 1}`,
        in: ({ ruleChanges }) =>
          ruleChanges < mostOf.ruleChanges ? { kind: "change_rules", to, flaw: "none" } : "none",
      }),
    ),
    ...workload.texts.map(
      (text): RuledAction => ({
        name: `say ${text}`,
        in: ({ turns }) => (turns.length < mostOf.texts ? { kind: "say", text } : "none"),
      }),
    ),
    {
      name: "damage the ledger",
      in: ({ damages, reservations }) =>
        damages < mostOf.damages && reservations.length > 0 ? { kind: "damage_ledger" } : "none",
    },
    {
      name: "reconcile",
      in: ({ reservations }) => (reservations.length > 0 ? { kind: "reconcile" } : "none"),
    },
    {
      name: "crash",
      in: ({ crashes }) =>
        crashes < bounds.crashes && profile.abilities.includes("crash")
          ? { kind: "crash", where: { kind: "parked" } }
          : "none",
    },
    { name: "restart", in: () => ({ kind: "restart" }) },
  ];
}

/** Only the first attempt carries a fault: which of two that are alike it is makes no difference. */
function submissions({ requests, context, faultPlans, bounds }: RuledWorkload): readonly RuledAction[] {
  return requests.flatMap((request, index) => {
    const submitAs = (attempt: AttemptName, plan: number) =>
      ({ kind: "submit", attempt, request, context, faults: faultPlans[plan] ?? [] }) as const;
    const name = `submit request ${index + 1}`;
    return [
      ...faultPlans.map(
        (faults, plan): RuledAction => ({
          name: faults.length === 0 ? name : `${name} with ${JSON.stringify(faults)}`,
          in: (world) =>
            isFull(world, bounds.attempts) || (faults.length > 0 && world.attempts.length > 0)
              ? "none"
              : submitAs(nextAttempt(world), plan),
        }),
      ),
      {
        name: `${name}, killed at after_reserve`,
        in: (world) =>
          isFull(world, bounds.attempts) || world.crashes >= bounds.crashes
            ? "none"
            : {
                kind: "crash",
                where: { kind: "entering", entry: submitAs(nextAttempt(world), 0), at: "after_reserve" },
              },
      },
    ];
  });
}

function isFull({ attempts }: World, most: number): boolean {
  return attempts.length >= most;
}

export function nextAttempt({ attempts }: World): AttemptName {
  return `a${attempts.length + 1}`;
}

const killedAt = ["inside_transaction", "after_commit", "before_settle", "before_receipt"] as const;

function movesOf(slot: number, { bounds, profile }: RuledWorkload): readonly RuledAction[] {
  const attempt = `a${slot + 1}` as const;
  const placeOf = (world: World) => world.attempts[slot]?.place;
  const isCancellable = (world: World): boolean =>
    world.attempts[slot]?.cancel === "none" && profile.abilities.includes("cancel");
  return [
    {
      name: `advance ${attempt}`,
      in: (world) => (placeOf(world)?.kind === "parked" ? { kind: "advance", attempt } : "none"),
    },
    {
      name: `cancel ${attempt}`,
      in: (world) =>
        placeOf(world)?.kind === "parked" && isCancellable(world) ? { kind: "cancel", attempt } : "none",
    },
    {
      name: `expire ${attempt}`,
      in: (world) => (placeOf(world)?.kind === "blocked" ? { kind: "expire", attempt } : "none"),
    },
    ...killedAt.map(
      (at): RuledAction => ({
        name: `crash of ${attempt} at ${at}`,
        in: (world) => {
          const place = placeOf(world);
          const mayPass =
            at === "before_receipt" || (place?.kind === "parked" && place.at === "before_business");
          return place?.kind === "parked" && mayPass && world.crashes < bounds.crashes
            ? { kind: "crash", where: { kind: "at", attempt, at } }
            : "none";
        },
      }),
    ),
  ];
}
