import { type Lap, median } from "../stopwatch.js";

/** Twice the calls take at most this many times as long: two and a margin for the collector; quadratic work takes four. */
const mostPerDoubling = 2.5;
/** A decision with 1,000 rules takes at most this many times one with 10. */
const mostTimesTenRules = 20;

export const contestants = ["ten", "thousand", "talking", "crowded", "executing", "cedar"] as const;
/** One lap of each, one after the other, so that what disturbs one of them disturbs them all over the rounds. */
export type DecisionRound = { readonly [Contestant in (typeof contestants)[number]]: Lap };

/** The gate over traces that double in length, shortest first. */
export type GateRound = readonly { readonly calls: number; readonly lap: Lap }[];

export type RulesReport = { readonly text: string; readonly areBarsMet: boolean };

/** Medians over the rounds; a ratio is the median of the rounds' ratios. Bars are held against wall time. */
export function rulesTable(gates: readonly GateRound[], rounds: readonly DecisionRound[]): RulesReport {
  const bars = [...doublingBars(gates), ...decisionBars(rounds)];
  const text = [
    `rules: medians of ${gates.length} rounds of the gate and ${rounds.length} rounds of decisions, one process`,
    "",
    "gate, 1,000 rules over one trace",
    ...gateLines(gates),
    "",
    "one decision",
    ...contestants.map((name) => decisionLine(rounds, name)),
    "",
    ...bars.map(
      ({ name, ratio, most, isMet }) =>
        `${name.padEnd(52)}${ratio.toFixed(3).padStart(8)}  at most ${most}: ${isMet ? "met" : "NOT MET"}`,
    ),
  ].join("\n");
  return { text, areBarsMet: bars.every(({ isMet }) => isMet) };
}

type Bar = { readonly name: string; readonly ratio: number; readonly most: number; readonly isMet: boolean };

function bar(name: string, ratios: readonly number[], most: number): Bar {
  const ratio = median(ratios);
  // NaN meets no bar.
  return { name, ratio, most, isMet: ratio <= most };
}

function doublingBars(gates: readonly GateRound[]): readonly Bar[] {
  const [first] = gates;
  if (first === undefined) return [];
  return first.slice(1).map(({ calls }, shorter) => {
    const ratios = gates.map((round) => wallOf(round, shorter + 1) / wallOf(round, shorter));
    return bar(`gate, ${thousands(calls)} calls / ${thousands(calls / 2)} calls`, ratios, mostPerDoubling);
  });
}

function wallOf(round: GateRound, index: number): number {
  return round[index]?.lap.wall ?? Number.NaN;
}

function decisionBars(rounds: readonly DecisionRound[]): readonly Bar[] {
  const times = (one: keyof DecisionRound, other: keyof DecisionRound): readonly number[] =>
    rounds.map((round) => microseconds(round[one]) / microseconds(round[other]));
  return [
    bar("decision, 1,000 rules / 10 rules", times("thousand", "ten"), mostTimesTenRules),
    bar("decision, 1,000 rules / one of Cedar", times("thousand", "cedar"), 1),
  ];
}

function gateLines(gates: readonly GateRound[]): readonly string[] {
  const [first = []] = gates;
  return first.map(({ calls }, index) => {
    const wall = median(gates.map((round) => wallOf(round, index)));
    const each = ((wall * 1000) / calls).toFixed(2);
    return `  ${`${thousands(calls)} calls`.padEnd(42)}${(wall / 1000).toFixed(3).padStart(9)} s ${each.padStart(8)} µs a call`;
  });
}

const titles: Readonly<Record<keyof DecisionRound, string>> = {
  ten: "guard asked, 10 rules",
  thousand: "guard asked, 1,000 rules",
  talking: "  and a message every 5 calls",
  crowded: "  and all of them about the tool",
  executing: "  and an empty tool executed",
  cedar: "Cedar, preparsed",
};

function decisionLine(rounds: readonly DecisionRound[], name: keyof DecisionRound): string {
  const wall = median(rounds.map((round) => microseconds(round[name])));
  return `  ${titles[name].padEnd(46)}${wall.toFixed(2).padStart(9)} µs`;
}

function microseconds({ wall, actions }: Lap): number {
  return (wall * 1000) / actions;
}

function thousands(calls: number): string {
  return calls.toLocaleString("en");
}
