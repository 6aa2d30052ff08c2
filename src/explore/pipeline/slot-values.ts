import assert from "node:assert/strict";
import { checkerStages, checkpoints, type StageEvent, stageEvents } from "../../model/vocabulary.js";
import type { Place, Waiting } from "../../model/world.js";
import { places } from "./layout.js";

/** Where an attempt waits, by the value of its slot. */
export function placeOf(value: number): Waiting["place"] | "nowhere" {
  const word = places[value] ?? "nowhere";
  if (word === "nowhere") return word;
  const at = checkpoints.find((checkpoint) => checkpoint === word);
  const on = checkerStages.find((stage) => stage === word);
  if (at !== undefined) return { kind: "parked", at };
  assert(on !== undefined);
  return { kind: "blocked", on };
}

export function placeValue(place: Place): number {
  switch (place.kind) {
    case "parked":
      return places.indexOf(place.at);
    case "blocked":
      return places.indexOf(place.on);
    default:
      return 0;
  }
}

/** Stage events as bits, in their order. */
export function eventsIn(mask: number): readonly StageEvent[] {
  return stageEvents.filter((_, bit) => (mask >> bit) & 1);
}

/** Throws for events out of order, which a value could not tell from those in order. */
export function eventsValue(events: readonly StageEvent[]): number {
  const mask = events.reduce((sum, event) => sum | (1 << stageEvents.indexOf(event)), 0);
  const inOrder = eventsIn(mask);
  assert(
    inOrder.length === events.length && inOrder.every((event, index) => event === events[index]),
    `stage events out of order: ${events.join(", ")}`,
  );
  return mask;
}
