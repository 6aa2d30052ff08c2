import { type Lap, median, type Round } from "./stopwatch.js";

/** The campaign takes at most this many times what the bare executor takes for the same attempts. */
const mostTimesBare = 2.0;
/** The campaign does at least this many times the actions a second of the plain harness. */
const leastTimesPlain = 1.8;

export type Figures = {
  readonly rounds: readonly Round[];
  readonly runs: number;
  readonly seed: number;
  readonly maxActions: number;
  readonly maxCommandsForLength: number;
};

/** Medians over the rounds; a ratio is the median of the rounds' ratios. Bars are held against wall time. */
export function overheadTable(figures: Figures): string {
  const { rounds, runs, seed, maxActions, maxCommandsForLength } = figures;
  const total = rounds.length * runs;
  return [
    `overhead of the harness: medians of ${rounds.length} rounds of ${runs} runs each, seed ${seed}, one process`,
    `after each of these ${total} lists, campaign and bare executor had left the same rows, by equally many reads`,
    "",
    ["", "actions a run", "wall µs/action", "processor µs/action", "actions/s"].map(pad).join(""),
    lapRow(`campaign, up to ${maxActions} actions`, laps(rounds, "campaign"), runs),
    lapRow("bare executor, same lists", laps(rounds, "bare"), runs),
    lapRow(`plain fc.commands, up to ${maxActions}`, laps(rounds, "plain"), runs),
    lapRow(`plain fc.commands, up to ${maxCommandsForLength}`, laps(rounds, "longer"), runs),
    "",
    ...barLines(rounds),
    ...harnessLines(rounds),
  ].join("\n");
}

type Clock = "wall" | "processor";

function laps(rounds: readonly Round[], of: keyof Round): readonly Lap[] {
  return rounds.map((round) => round[of]);
}

function lapRow(name: string, laps: readonly Lap[], runs: number): string {
  const wall = median(laps.map(microseconds("wall")));
  const processor = median(laps.map(microseconds("processor")));
  const actions = median(laps.map((lap) => lap.actions / runs));
  return [name, actions.toFixed(1), wall.toFixed(0), processor.toFixed(0), (1e6 / wall).toFixed(0)]
    .map(pad)
    .join("");
}

function microseconds(clock: Clock): (lap: Lap) => number {
  return (lap) => (lap[clock] * 1000) / lap.actions;
}

function barLines(rounds: readonly Round[]): readonly string[] {
  const timesBare = ratio(rounds, ({ campaign, bare }, clock) => campaign[clock] / bare[clock]);
  const timesPlain = ratio(rounds, ({ campaign, plain }, clock) => timesSlower(plain, campaign, clock));
  const timesLonger = ratio(rounds, ({ campaign, longer }, clock) => timesSlower(longer, campaign, clock));
  const most = `at most ${mostTimesBare.toFixed(1)}: ${tellMet(timesBare.wall <= mostTimesBare)}`;
  const least = `at least ${leastTimesPlain.toFixed(1)}: ${tellMet(timesPlain.wall >= leastTimesPlain)}`;
  return [
    ratioLine("time, campaign / bare executor", timesBare, most),
    ratioLine("actions/s, campaign / plain", timesPlain, least),
    ratioLine("  and with its longer lists", timesLonger, "no bar"),
  ];
}

function tellMet(isMet: boolean): string {
  return isMet ? "met" : "NOT MET";
}

type Ratio = { readonly wall: number; readonly processor: number; readonly spread: string };

function ratio(rounds: readonly Round[], of: (round: Round, clock: Clock) => number): Ratio {
  const inOrder = rounds.map((round) => of(round, "wall")).sort((left, right) => left - right);
  const quarter = Math.floor(inOrder.length / 4);
  const middleHalf = [inOrder.at(quarter) ?? 0, inOrder.at(-1 - quarter) ?? 0];
  return {
    wall: median(inOrder),
    processor: median(rounds.map((round) => of(round, "processor"))),
    spread: middleHalf.map((end) => end.toFixed(2)).join("–"),
  };
}

function timesSlower(one: Lap, other: Lap, clock: Clock): number {
  return microseconds(clock)(one) / microseconds(clock)(other);
}

function ratioLine(name: string, { wall, processor, spread }: Ratio, bar: string): string {
  const figures = `${wall.toFixed(2)} (half of the rounds ${spread}, processor ${processor.toFixed(2)})`;
  return `${name.padEnd(32)}${figures}  ${bar}`;
}

/** What a campaign does beside moving the executor and reading its store, in the order in which it is taken away. */
function harnessLines(rounds: readonly Round[]): readonly string[] {
  const between = (more: keyof Round, less: keyof Round, clock: Clock): number =>
    median(rounds.map((round) => microseconds(clock)(round[more]) - microseconds(clock)(round[less])));
  const whole = median(laps(rounds, "campaign").map(microseconds("processor")));
  const shareLine = (name: string, part: number): string =>
    `  ${name.padEnd(30)}${part.toFixed(0).padStart(3)} µs ${((part / whole) * 100).toFixed(0).padStart(3)} %`;
  return [
    `${"harness, campaign - bare".padEnd(32)}${between("campaign", "bare", "wall").toFixed(0)} µs an action`,
    "",
    "processor time of an action in a campaign",
    shareLine("generating and planning", between("campaign", "judged", "processor")),
    shareLine("judging", between("judged", "driven", "processor")),
    shareLine("driving and recording", between("driven", "bare", "processor")),
    shareLine("executor and its reads", median(laps(rounds, "bare").map(microseconds("processor")))),
  ];
}

function pad(cell: string, column: number): string {
  return column === 0 ? cell.padEnd(32) : cell.padStart(column === 3 ? 21 : 16);
}
