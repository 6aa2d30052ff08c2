import { expire, finish } from "./moves.js";
import type { Predicted } from "./predicted.js";
import { released, reservationOf } from "./reservations.js";
import type { Sight } from "./sight.js";
import type { AttemptName } from "./vocabulary.js";
import type { Reservation, World } from "./world.js";

/** Before and after the move whose answer was lost. */
type Move = { readonly before: World; readonly world: World };

/**
 * The worlds that an attempt may have left whose caller heard no answer. Of the rest of its way, the executor may have
 * gone any durable part, one more after the other. One that proves that nothing happened has gone none, but for what
 * comes before anything can happen.
 */
export function worldsWithoutAnswer(
  move: Move,
  head: Predicted,
  { attempt, outcome }: Extract<Sight, { kind: "ended" }>,
): readonly World[] {
  const { before } = move;
  const { attempts, effects, receipts, consent, calls, reservations } = before;
  const all = ranOut(move.world, attempt);
  const nothing = { ...all, effects, receipts, consent, calls, reservations };
  switch (outcome.kind) {
    case "unknown":
      if (outcome.cause === "after_receipt") return [];
      return prefixesOf(nothing, reservedOn(move, all, head), all);
    case "refused":
    case "failed": {
      const hasCommitted = attempts.some(
        ({ name, events }) => name === attempt && events.includes("effect_committed"),
      );
      const counted = { ...nothing, calls: all.calls };
      // A key that it held is let go, unless it died of the same as its answer.
      return hasCommitted ? [] : [nothing, counted, released(counted, attempt)];
    }
    default:
      return [];
  }
}

/**
 * The durable parts of a way, one more after the other: a begun step, a counted call, a reserved key, a request or an
 * effect with its use, the key settled, the receipt.
 */
function prefixesOf(nothing: World, reservations: readonly Reservation[], all: World): readonly World[] {
  const { steps, requests, uses } = all.consent;
  const begun = { ...nothing, consent: { ...nothing.consent, steps } };
  const counted = { ...begun, calls: all.calls };
  const reserved = { ...counted, reservations };
  const done = { ...reserved, effects: all.effects, consent: { ...begun.consent, requests, uses } };
  const settled = { ...done, reservations: all.reservations };
  const isBegun = nothing.consent.steps !== steps;
  const isCounted = nothing.calls !== all.calls;
  return [
    nothing,
    ...(isBegun ? [begun] : []),
    ...(isCounted ? [counted] : []),
    ...(reservations === nothing.reservations ? [] : [reserved]),
    done,
    ...(reservations === all.reservations ? [] : [settled]),
    all,
  ];
}

/** The reservations as they were once the attempt had its key: it may be settled, or let go, by the end of its way. */
function reservedOn({ before, world }: Move, all: World, head: Predicted): readonly Reservation[] {
  const { attempt: name } = head;
  if (reservationOf(before, name) !== undefined) return before.reservations;
  const own = all.attempts.find((attempt) => attempt.name === name);
  const halted = world.attempts.find((attempt) => attempt.name === name);
  const said = [
    ...(halted?.events ?? []),
    ...(head.kind === "ended" && "events" in head.outcome ? head.outcome.events : []),
  ];
  if (own === undefined || own.facts.kind === "invalid" || !said.includes("key_reserved"))
    return before.reservations;
  const { tenant } = own.context;
  return [...before.reservations, { tenant, key: own.facts.key, state: "reserved", attempt: name }];
}

/** The world in which an attempt has gone all its way. */
function ranOut(world: World, name: AttemptName): World {
  const finished = finish(world, name);
  const halted = finished.kind === "moved" ? finished.world : world;
  const expired = expire(halted, name);
  return expired.kind === "moved" ? expired.world : halted;
}
