import type { Bounded } from "../../../src/explore/pipeline/bounded.js";
import type { Take } from "../../../src/explore/pipeline/fired.js";
import type { Predicted, PredictedOutcome } from "../../../src/model/predicted.js";
import { step } from "../../../src/model/step.js";
import type { Step } from "../../../src/model/stepped.js";
import type { Action } from "../../../src/model/vocabulary.js";
import type { Attempt, Effect, Receipt, World } from "../../../src/model/world.js";
import type { PromiseId } from "../../../src/properties/verdict.js";
import { smallBounds } from "./small-bounds.js";

type Moved = Extract<Step, { kind: "moved" }>;

/** A machine with one bug, and bounds within which it shows. */
export type Mutant = {
  readonly name: string;
  readonly bounded: Bounded;
  readonly take: Take;
  /** Promises that it must be found to break, by what they say; others may follow from the same bug. */
  readonly breaks: readonly PromiseId[];
};

type Small = NonNullable<Parameters<typeof smallBounds>[0]>;
type Alter = (moved: Moved, before: World, action: Action, bounded: Bounded) => Moved;

/** A mutant that does what the machine does, and then something else as well. */
export function altered(name: string, small: Small, breaks: readonly PromiseId[], alter: Alter): Mutant {
  const bounded = smallBounds(small);
  const { interpret } = bounded.contract;
  const take: Take = (world, action) => {
    const taken = step(world, action, interpret);
    return taken.kind === "moved" ? alter(taken, world, action, bounded) : taken;
  };
  return { name, bounded, take, breaks };
}

/** A mutant that takes the machine's step from another world than it stands in. */
export function misled(
  name: string,
  small: Small,
  breaks: readonly PromiseId[],
  mislead: (world: World, action: Action) => World,
): Mutant {
  const bounded = smallBounds(small);
  const { interpret } = bounded.contract;
  return { name, bounded, breaks, take: (world, action) => step(mislead(world, action), action, interpret) };
}

/** The attempt that an advance moves; undefined for any other action. */
export function advanced(world: World, action: Action): Attempt | undefined {
  return action.kind === "advance" ? world.attempts.find(({ name }) => name === action.attempt) : undefined;
}

export function standsAt(attempt: Attempt | undefined, at: string): attempt is Attempt {
  return attempt?.place.kind === "parked" && attempt.place.at === at;
}

export function withWorld(moved: Moved, change: Partial<World>): Moved {
  return { ...moved, world: { ...moved.world, ...change } };
}

export function withNewReceipt(
  moved: Moved,
  before: World,
  change: (receipt: Receipt) => readonly Receipt[],
): Moved {
  const old = before.receipts.length;
  const receipts = moved.world.receipts.flatMap((receipt, index) =>
    index < old ? [receipt] : change(receipt),
  );
  return withWorld(moved, { receipts });
}

export function withOutcome(moved: Moved, change: (outcome: PredictedOutcome) => PredictedOutcome): Moved {
  const told = (event: Predicted): Predicted =>
    event.kind === "ended" ? { ...event, outcome: change(event.outcome) } : event;
  return { ...moved, events: moved.events.map(told) };
}

export function endsAs(moved: Moved, status: string): boolean {
  return moved.events.some(
    (event) =>
      event.kind === "ended" && event.outcome.kind === "completed" && event.outcome.status === status,
  );
}

export function withMover(world: World, action: Action, change: (attempt: Attempt) => Attempt): World {
  const mover = advanced(world, action);
  const attempts = world.attempts.map((attempt) => (attempt === mover ? change(attempt) : attempt));
  return { ...world, attempts };
}

/** The effect of a valid request under the policy in force. */
export function effectOf({ contract }: Bounded, request: string, { policy }: World): Effect {
  const facts = contract.interpret(request);
  if (facts.kind === "invalid") throw new Error(`${request} has no effect`);
  const { key, digest } = facts;
  const revision = policy.kind === "present" ? policy.revision : 0;
  return { tenant: "t1", tool: contract.name, key, digest, revision, runId: "r1", callId: "c-a1" };
}

export function withOtherDigest(moved: Moved, before: World, action: Action, bounded: Bounded): Moved {
  const request = advanced(before, action)?.request;
  const other = bounded.requests.find(({ kind, text }) => kind === "valid" && text !== request);
  if (other === undefined || moved.world.effects.length === before.effects.length) return moved;
  const { digest } = effectOf(bounded, other.text, before);
  return withWorld(moved, { effects: moved.world.effects.map((effect) => ({ ...effect, digest })) });
}
