import type { Footprint, Place } from "../../sut/footprint.js";

/** The same text for footprints that touch the same places, in whatever order and however often they are listed. */
export function footprintText(footprint: Footprint): string {
  if (footprint.kind === "unknown") return "unknown";
  return `reads ${placesText(footprint.reads)}, writes ${placesText(footprint.writes)}`;
}

function placesText(places: readonly Place[]): string {
  const texts = places.map(({ table, key }) =>
    JSON.stringify(key.kind === "any" ? [table] : [table, key.row]),
  );
  return texts.length === 0 ? "nothing" : [...new Set(texts)].sort().join(" ");
}
