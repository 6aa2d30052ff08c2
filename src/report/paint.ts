import picocolors from "picocolors";

/** Colours for text, or functions that leave it as it is. */
export type Paint = ReturnType<typeof picocolors.createColors>;

export function paintFor(how: "coloured" | "plain"): Paint {
  return picocolors.createColors(how === "coloured");
}

/** How text is laid out: its colours and the number of columns it may fill. */
export type Canvas = { readonly paint: Paint; readonly width: number };

/** The widest that reports get: beyond this, lines are hard to follow. */
export const widest = 100;
