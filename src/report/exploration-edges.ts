import type { ExploreReport } from "../explore/report.js";
import { outcomeSign } from "./exploration-machine.js";
import { faultsText, outcomeText } from "./exploration-verdict.js";
import type { Canvas } from "./paint.js";
import { type Row, tableLines } from "./table.js";
import { grouped, wrapped } from "./text.js";

type Edges = ExploreReport["edges"][number];

/** The edges of the machine's graph that were walked on the executor, beside those that a campaign walks. */
export function edgeLines(edges: readonly Edges[], canvas: Canvas): readonly string[] {
  if (edges.length === 0) return [];
  const isCutOff = edges.some(({ cutOff }) => cutOff > 0);
  const { paint } = canvas;
  const notes = [
    "a campaign: of the same edges, by as many generated actions; of a run, up to where it leaves the bounds",
    ...(isCutOff ? ["cut off: the executor left the machine's way before them or on them"] : []),
  ];
  return [
    ...tableLines(
      columns,
      edges.map((walk) => edgeRow(walk, canvas)),
      canvas,
    ),
    "",
    ...notes.flatMap((note) => wrapped(note, canvas.width - 4).map((line) => paint.dim(`    ${line}`))),
  ];
}

const columns = [
  { head: "edges with", align: "left" },
  { head: "outcome", align: "left" },
  { head: "walked", align: "right" },
  { head: "cut off", align: "right" },
  { head: "walks", align: "right" },
  { head: "actions", align: "right" },
  { head: "a campaign", align: "right" },
] as const;

function edgeRow(walk: Edges, { paint }: Canvas): Row {
  const { outcome, walked, reachable, cutOff, walks, actions, campaign } = walk;
  const isWhole = walked === reachable;
  return {
    sign: outcome.kind === "complete" && !isWhole ? paint.red("✗") : outcomeSign(outcome, paint),
    cells: [
      faultsText(walk.faults),
      outcome.kind === "complete" && !isWhole ? "not all walked" : outcomeText(outcome),
      `${grouped(walked)}/${grouped(reachable)}`,
      grouped(cutOff),
      grouped(walks),
      grouped(actions),
      campaign === "not_made" ? "–" : `${grouped(campaign.walked)}${share(campaign.walked, reachable)}`,
    ],
  };
}

function share(part: number, whole: number): string {
  return whole === 0 ? "" : ` (${((part * 100) / whole).toFixed(1)} %)`;
}
