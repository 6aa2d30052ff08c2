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
  return [
    ratioLine("time, campaign / bare executor", timesBare) +
      `bar: at most ${mostTimesBare.toFixed(1)}: ${timesBare.wall <= mostTimesBare ? "met" : "NOT MET"}`,
    ratioLine("actions/s, campaign / plain", timesPlain) +
      `bar: at least ${leastTimesPlain.toFixed(1)}: ${timesPlain.wall >= leastTimesPlain ? "met" : "NOT MET"}`,
    `${ratioLine("  and with its longer lists", timesLonger)}no bar: as many of its commands run as actions in a campaign`,
  ];
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

function ratioLine(name: string, { wall, processor, spread }: Ratio): string {
  const figures = `${wall.toFixed(2)} (half of the rounds ${spread}; processor ${processor.toFixed(2)})`;
  return `${name.padEnd(32)}${figures}  `;
}

/** What a campaign does beside moving the executor and reading its store, in the order in which it is taken away. */
function harnessLines(rounds: readonly Round[]): readonly string[] {
  const between = (more: keyof Round, less: keyof Round, clock: Clock): number =>
    median(rounds.map((round) => microseconds(clock)(round[more]) - microseconds(clock)(round[less])));
  const whole = median(laps(rounds, "campaign").map(microseconds("wall")));
  const share = (name: string, part: number): string =>
    `${name} ${part.toFixed(0)} µs, ${((part / whole) * 100).toFixed(0)} %`;
  const parts = [
    share("planning", between("campaign", "judged", "wall")),
    share("judging", between("judged", "driven", "wall")),
    share("driving and recording", between("driven", "bare", "wall")),
    share("executor and its reads", median(laps(rounds, "bare").map(microseconds("wall")))),
  ];
  const harness = `${between("campaign", "bare", "wall").toFixed(0)} µs an action`;
  const processor = `(processor ${between("campaign", "bare", "processor").toFixed(0)} µs)`;
  return [
    `${"harness, campaign - bare".padEnd(32)}${harness} ${processor}`,
    `${"shares of a campaign".padEnd(32)}${parts.join("; ")}`,
  ];
}

function pad(cell: string, column: number): string {
  return column === 0 ? cell.padEnd(32) : cell.padStart(column === 3 ? 21 : 16);
}
