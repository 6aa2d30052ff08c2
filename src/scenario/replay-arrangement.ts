import { arrangements } from "../frameworks/arrangements.js";
import { frameworkVerdicts } from "../frameworks/framework-verdicts.js";
import type { ArrangementScenario } from "./arrangement-format.js";
import { differences } from "./differences.js";
import type { Replayed } from "./replay.js";

/** Goes through every interleaving of the arrangement and compares each verdict with the one that is expected. */
export function replayArrangement({ arrangement: named, verdicts }: ArrangementScenario): Replayed {
  const arrangement = arrangements.find(({ name }) => name === named);
  const seen = arrangement === undefined ? [] : frameworkVerdicts(arrangement);
  const mismatches = differences(
    seen.map(
      ({ promise, verdict }) => [promise, verdicts.get(promise) ?? "not_applicable", verdict] as const,
    ),
  );
  return {
    kind: seen.length === 0 ? "undecided" : mismatches.length === 0 ? "as_expected" : "not_as_expected",
    history: [],
    verdict: { violations: [], occurred: [], undecided: [] },
    mismatches,
    standing: { machine: [], store: [] },
  };
}
