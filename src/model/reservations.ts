import type { AttemptName, ReservationState } from "./vocabulary.js";
import { inFlight, type Reservation, type World } from "./world.js";

/** The world in which no state of a reservation can be read; whose key it is, and who reserved it, still can. */
export function unreadable(world: World): World {
  return { ...world, reservations: world.reservations.map((row) => ({ ...row, state: "unreadable" })) };
}

/** The world in which every reservation that nobody under way will settle is settled from the effects. */
export function reconciled(world: World): World {
  const underWay = inFlight(world).map(({ name }) => name);
  const reservations = world.reservations.flatMap((row): readonly Reservation[] => {
    if (row.state === "done" || underWay.includes(row.attempt)) return [row];
    return hasEffect(world, row) ? [{ ...row, state: "done" }] : [];
  });
  return { ...world, reservations };
}

function hasEffect({ effects, tool }: World, { tenant, key }: Reservation): boolean {
  return effects.some((effect) => effect.key === key && effect.tenant === tenant && effect.tool === tool);
}

/** The key that an attempt holds. */
export function reservationOf(
  { reservations }: Pick<World, "reservations">,
  name: AttemptName,
): Reservation | undefined {
  return reservations.find(({ attempt }) => attempt === name);
}

/** The world in which nobody holds the key that the attempt held, if it did. */
export function released(world: World, name: AttemptName): World {
  const own = reservationOf(world, name);
  if (own === undefined) return world;
  return { ...world, reservations: world.reservations.filter((row) => row !== own) };
}

/** The world in which the attempt's reservation has that state, whatever it said before. */
export function marked(world: World, name: AttemptName, state: ReservationState): World {
  const reservations = world.reservations.map((row) => (row.attempt === name ? { ...row, state } : row));
  return { ...world, reservations };
}
