import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import type { Reduction } from "../../src/explore/exploration.js";

/** Who searches what, and how. */
export type Contestant = {
  readonly name: ContestantName;
  readonly model: "small model" | "ledger machine";
  readonly search: "naive" | Reduction;
};

export type ContestantName =
  | "naive"
  | "full"
  | "partial order"
  | "partial order and symmetry"
  | "ledger, naive"
  | "ledger, full";

const none: Reduction = { partialOrder: false, symmetry: false };

export const contestants: readonly Contestant[] = [
  { name: "naive", model: "small model", search: "naive" },
  { name: "full", model: "small model", search: none },
  { name: "partial order", model: "small model", search: { partialOrder: true, symmetry: false } },
  {
    name: "partial order and symmetry",
    model: "small model",
    search: { partialOrder: true, symmetry: true },
  },
  { name: "ledger, naive", model: "ledger machine", search: "naive" },
  { name: "ledger, full", model: "ledger machine", search: none },
];

/** Enough for the compiler, and done in a moment. */
export const warmUpSizes: { readonly [model in Contestant["model"]]: string } = {
  "small model": "2/2/2/1",
  "ledger machine": "1/1/1/1",
};

const measuredSchema = z.object({
  states: z.number(),
  transitions: z.number(),
  depth: z.number(),
  deadEnds: z.number().optional(),
  /** Of all arrays that grow with the states; and the most of it at any time. */
  bytes: z.number().optional(),
  peakBytes: z.number().optional(),
  /** Milliseconds. */
  wall: z.number(),
  processor: z.number(),
});

/** What a contestant counted, and how long its search took. */
export type Measured = Readonly<z.infer<typeof measuredSchema>>;

/**
 * Lets a contestant search in a process of its own, after a small search to warm up; the start of the process is not
 * measured. Rejects if it fails.
 */
export async function measure(name: ContestantName, size: string): Promise<Measured> {
  const script = fileURLToPath(new URL("./contestant.ts", import.meta.url));
  const heap = "--max-old-space-size=12288";
  const { stdout } = await promisify(execFile)(process.execPath, [
    heap,
    "--import",
    "tsx",
    script,
    name,
    size,
  ]);
  return measuredSchema.parse(JSON.parse(stdout));
}
