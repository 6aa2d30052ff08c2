import type { ReplayRow } from "../../src/report/replay.js";
import type { Replayed } from "../../src/scenario/replay.js";
import type { Scenario } from "../../src/scenario/scenario.js";
import { staleCommit } from "./histories.js";

/** Hand-made replays for tests of what people read. */

export const scenario: Scenario = {
  name: "stale commit",
  profile: "ledger",
  executor: "ledger",
  about: "The limit is lowered between check and commit.",
  source: "test",
  policy: { kind: "limit", maxCopies: 3 },
  actions: staleCommit.actions,
  lines: [7, 8, 9, 10, 11],
  expect: {},
};

export function replayed(kind: Replayed["kind"], more: Partial<Replayed> = {}): Replayed {
  return {
    kind,
    history: staleCommit.history,
    verdict: { violations: [], occurred: [], undecided: [] },
    mismatches: [],
    standing: { machine: [], store: [] },
    ...more,
  };
}

export function replayedRow(file: string, kind: Replayed["kind"], more: Partial<Replayed> = {}): ReplayRow {
  return { file, executor: "ledger", scenario, replayed: replayed(kind, more) };
}
