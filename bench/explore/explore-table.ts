import { median } from "../stopwatch.js";
import type { ContestantName, Measured } from "./contestants.js";
import type { SpinRun } from "./spin.js";

/** One search of each, one after the other, so that what disturbs one of them disturbs them all over the rounds. */
export type ExploreRound = { readonly [name in ContestantName]: Measured } & {
  readonly spin: SpinRun | undefined;
};

const leastTimesNaive = 12;
const leastTimesNaiveOnLedger = 5;
const mostTimesSpin = 1.5;
const mostBytes = 40;
const mostTimesSpinReduced = 1 / 5;

/** Medians over the rounds; a ratio is the median of the rounds' ratios. Bars are held against wall time. */
export function exploreTable(rounds: readonly ExploreRound[]): string {
  return [
    row(["", "states", "transitions", "wall ms", "processor ms", "states/s", "bytes/state", "at most"]),
    ...names.flatMap(([name, title]) => contestantRow(rounds, name, title)),
    "",
    ...barLines(rounds),
  ].join("\n");
}

const names: readonly (readonly [keyof ExploreRound, string])[] = [
  ["spin", "SPIN, exhaustive"],
  ["naive", "naive, objects and JSON"],
  ["full", "explore, full"],
  ["partial order", "explore, partial order"],
  ["partial order and symmetry", "explore, both reductions"],
  ["ledger, naive", "ledger machine, naive"],
  ["ledger, full", "ledger machine, explore"],
];

function contestantRow(
  rounds: readonly ExploreRound[],
  name: keyof ExploreRound,
  title: string,
): readonly string[] {
  const runs = rounds.flatMap((round): readonly (SpinRun & Partial<Measured>)[] => {
    const run = round[name];
    return run === undefined ? [] : [run];
  });
  const [first] = runs;
  if (first === undefined) return [];
  const wall = median(runs.map((run) => run.wall));
  const perState = (bytes: number | undefined): string =>
    bytes === undefined ? "" : (bytes / first.states).toFixed(1);
  return [
    row([
      title,
      first.states.toLocaleString("en"),
      first.transitions.toLocaleString("en"),
      wall.toFixed(0),
      median(runs.map((run) => run.processor)).toFixed(0),
      Math.round((first.states / wall) * 1000).toLocaleString("en"),
      perState(first.bytes),
      perState(first.peakBytes),
    ]),
  ];
}

function barLines(rounds: readonly ExploreRound[]): readonly string[] {
  const bytes = Math.max(...rounds.map(({ full }) => (full.peakBytes ?? Number.NaN) / full.states));
  const naive = ratio(rounds, (round, clock) => round.naive[clock] / round.full[clock]);
  const onLedger = ratio(
    rounds,
    (round, clock) => round["ledger, naive"][clock] / round["ledger, full"][clock],
  );
  const isMetOnLedger = onLedger.wall >= leastTimesNaiveOnLedger;
  const lines = [
    barLine("ledger machine, naive / explore", onLedger, leastTimesNaiveOnLedger, isMetOnLedger, "at least"),
    barLine("time, naive / full", naive, leastTimesNaive, naive.wall >= leastTimesNaive, "at least"),
    line("bytes a state, growing included", bytes.toFixed(1), bar(bytes <= mostBytes, "at most", mostBytes)),
  ];
  if (rounds.some(({ spin }) => spin === undefined)) {
    return [...lines, "time against SPIN: NOT MEASURED, there is no SPIN"];
  }
  const against = (name: ContestantName): Ratio =>
    ratio(rounds, (round, clock) => round[name][clock] / (round.spin?.[clock] ?? Number.NaN));
  const full = against("full");
  const reduced = against("partial order and symmetry");
  return [
    ...lines,
    barLine("time, full / SPIN", full, mostTimesSpin, full.wall <= mostTimesSpin, "at most"),
    barLine(
      "time, both reductions / SPIN",
      reduced,
      mostTimesSpinReduced,
      reduced.wall <= mostTimesSpinReduced,
      "at most",
    ),
  ];
}

type Clock = "wall" | "processor";
type Ratio = { readonly wall: number; readonly processor: number; readonly spread: string };

function ratio(rounds: readonly ExploreRound[], of: (round: ExploreRound, clock: Clock) => number): Ratio {
  const walls = rounds.map((round) => of(round, "wall"));
  return {
    wall: median(walls),
    processor: median(rounds.map((round) => of(round, "processor"))),
    spread: `${Math.min(...walls).toFixed(2)}–${Math.max(...walls).toFixed(2)}`,
  };
}

function barLine(
  name: string,
  { wall, processor, spread }: Ratio,
  limit: number,
  isMet: boolean,
  which: string,
): string {
  return line(
    name,
    `${wall.toFixed(2)} (rounds ${spread}, processor ${processor.toFixed(2)})`,
    bar(isMet, which, limit),
  );
}

function line(name: string, figures: string, told: string): string {
  return `${name.padEnd(34)}${figures}  ${told}`;
}

function bar(isMet: boolean, which: string, limit: number): string {
  return `${which} ${limit}: ${isMet ? "met" : "NOT MET"}`;
}

function row(cells: readonly string[]): string {
  return cells.map((cell, column) => (column === 0 ? cell.padEnd(26) : cell.padStart(14))).join("");
}
