import { type ContestantName, measure } from "./contestants.js";

/** States of the baselines: full, at most with partial order, and at most with both reductions, where they are given. */
const configurations: readonly { readonly size: string; readonly states: readonly (number | undefined)[] }[] =
  [
    { size: "2/1/1/1", states: [1_339] },
    { size: "2/2/2/1", states: [22_687] },
    { size: "3/1/1/1", states: [41_239] },
    { size: "3/2/1/1", states: [552_896] },
    { size: "3/2/2/1", states: [2_316_557, 735_625, 185_651] },
    { size: "3/2/2/2", states: [9_173_489, 1_896_747, 477_663] },
    { size: "4/2/1/1", states: [20_033_064, 3_967_775] },
  ];

const ways: readonly ContestantName[] = ["full", "partial order", "partial order and symmetry"];

/** Counts every configuration of the baselines, in full and reduced, and holds the counts against theirs. */
export async function configurationsTable(): Promise<string> {
  const lines = [row(["size", "search", "states", "baseline", "", "dead ends", "wall s", "bytes/state"])];
  for (const { size, states } of configurations) {
    for (const [index, way] of ways.entries()) {
      const found = await measure(way, size);
      const baseline = states[index];
      lines.push(
        row([
          size,
          way,
          found.states.toLocaleString("en"),
          baseline?.toLocaleString("en") ?? "none",
          toldAgainst(found.states, baseline, way),
          (found.deadEnds ?? Number.NaN).toLocaleString("en"),
          (found.wall / 1000).toFixed(2),
          ((found.bytes ?? Number.NaN) / found.states).toFixed(1),
        ]),
      );
    }
  }
  return lines.join("\n");
}

function toldAgainst(states: number, baseline: number | undefined, way: ContestantName): string {
  if (baseline === undefined) return "";
  if (states === baseline) return "equal";
  return way === "full" || states > baseline ? "NOT MET" : "fewer";
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, column) => (column < 2 ? cell.padEnd(column === 0 ? 9 : 28) : cell.padStart(13)))
    .join("");
}
