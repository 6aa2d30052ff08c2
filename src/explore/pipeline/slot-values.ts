import assert from "node:assert/strict";
import type { StageEvent } from "../../model/vocabulary.js";
import type { Place, Waiting } from "../../model/world.js";
import { packedCheckers, packedCheckpoints, packedEvents, places } from "./layout.js";

/** Where an attempt waits, by the value of its slot. */
export function placeOf(value: number): Waiting["place"] | "nowhere" {
  const word = places[value] ?? "nowhere";
  if (word === "nowhere") return word;
  const at = packedCheckpoints.find((checkpoint) => checkpoint === word);
  const on = packedCheckers.find((stage) => stage === word);
  if (at !== undefined) return { kind: "parked", at };
  assert(on !== undefined);
  return { kind: "blocked", on };
}

export function placeValue(place: Place): number {
  switch (place.kind) {
    case "parked":
      return placeNumber(place.at);
    case "blocked":
      return placeNumber(place.on);
    default:
      return 0;
  }
}

function placeNumber(word: string): number {
  const words: readonly string[] = places;
  const number = words.indexOf(word);
  assert(number > 0, `an attempt waits at ${word}, which this machine does not have`);
  return number;
}

function bitOf(event: StageEvent): number {
  const events: readonly StageEvent[] = packedEvents;
  const bit = events.indexOf(event);
  assert(bit >= 0, `an attempt says ${event}, which this machine does not have`);
  return bit;
}

/** Stage events as bits, in their order. */
export function eventsIn(mask: number): readonly StageEvent[] {
  return packedEvents.filter((_, bit) => (mask >> bit) & 1);
}

/** Throws for events out of order, which a value could not tell from those in order. */
export function eventsValue(events: readonly StageEvent[]): number {
  const mask = events.reduce((sum, event) => sum | (1 << bitOf(event)), 0);
  const inOrder = eventsIn(mask);
  assert(
    inOrder.length === events.length && inOrder.every((event, index) => event === events[index]),
    `stage events out of order: ${events.join(", ")}`,
  );
  return mask;
}
