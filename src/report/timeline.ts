import type { Action, AttemptName, Event } from "../model/vocabulary.js";
import type { Canvas, Paint } from "./paint.js";
import { type StoryStep, storyOf } from "./story.js";
import type { BrokenAt, Mark, StoryLine } from "./story-lines.js";
import { padded, wrapped } from "./text.js";

/** An action list, its history, and where in it a promise broke. */
export type TimelineSubject = {
  readonly actions: readonly Action[];
  readonly history: readonly Event[];
  readonly broken?: BrokenAt;
};

/** The timeline as lines of text: numbered steps downwards, one lane for each attempt, the commit point marked. */
export function timeline(subject: TimelineSubject, canvas: Canvas): readonly string[] {
  const steps = storyOf(subject.actions, subject.history, subject.broken);
  const told = new Set(steps.flatMap(({ lane, lines }) => [lane, ...lines.map((line) => line.lane)]));
  const submitted = subject.history.flatMap((event) => (event.kind === "submitted" ? [event.attempt] : []));
  const lanes = submitted.filter((attempt) => told.has(attempt));
  const laneWidth = Math.max(2, ...lanes.map(({ length }) => length)) + 1;
  const rows = rowsOf(steps, canvas.paint);
  const header = " ".repeat(gutter) + lanes.map((lane) => padded(lane, laneWidth)).join("");
  return [
    ...(lanes.length === 0 ? [] : [canvas.paint.dim(header.trimEnd())]),
    ...rows.flatMap((row) => drawn(row, lanes, laneWidth, canvas)),
  ];
}

/** Room for the marker of the failing step and its number. */
const gutter = 8;

type Look = (text: string) => string;

/** One line of text with what stands to its left; `before` and `after` it these attempts are in flight. */
type Row = {
  readonly head: string;
  readonly before: ReadonlySet<AttemptName>;
  readonly after: ReadonlySet<AttemptName>;
  readonly signs: ReadonlyMap<AttemptName, string>;
  /** The commit point is a bar: what is to its right, in text and in time, can only be queried or compensated. */
  readonly bar: { readonly from: AttemptName | undefined; readonly look: Look } | undefined;
  readonly indent: number;
  readonly text: string;
  readonly look: Look;
};

function rowsOf(steps: readonly StoryStep[], paint: Paint): readonly Row[] {
  const rows: Row[] = [];
  let alive: ReadonlySet<AttemptName> = new Set();
  for (const step of steps) {
    const title = titleRow(step, alive, paint);
    rows.push(title);
    alive = title.after;
    for (const line of step.lines) {
      const row = lineRow(line, alive, paint);
      rows.push(row);
      alive = row.after;
    }
  }
  return rows;
}

function titleRow(step: StoryStep, alive: ReadonlySet<AttemptName>, paint: Paint): Row {
  const label = (step.kind === "epilogue" ? "·" : String(step.action + 1)).padStart(3);
  const failing: Look = (text) => paint.bold(paint.red(text));
  const usual = step.kind === "epilogue" ? paint.dim : paint.bold;
  const signs = new Map<AttemptName, string>();
  if (step.lane !== undefined && step.mark === "begun") signs.set(step.lane, "┬");
  if (step.lane !== undefined && step.mark === "cancel") signs.set(step.lane, paint.yellow("⊘"));
  return {
    head: step.failing ? failing(`  ▶${label}  `) : `   ${label}  `,
    before: alive,
    after: step.lane !== undefined && step.mark === "begun" ? new Set([...alive, step.lane]) : alive,
    signs,
    bar: undefined,
    indent: 0,
    text: step.title,
    look: step.failing ? failing : usual,
  };
}

function lineRow(line: StoryLine, alive: ReadonlySet<AttemptName>, paint: Paint): Row {
  const { sign } = looks[line.mark];
  const look = looks[line.mark].look(paint);
  const marked = line.mark === "crash" ? line.ends : line.lane === undefined ? [] : [line.lane];
  return {
    head: "",
    before: alive,
    after: new Set(
      [...alive, ...(line.mark === "begun" ? marked : [])].filter((lane) => !line.ends.includes(lane)),
    ),
    signs: new Map(marked.map((lane) => [lane, look(sign)])),
    bar: line.mark === "commit" ? { from: line.lane, look } : undefined,
    indent: 2,
    text: line.text,
    look,
  };
}

function drawn(
  row: Row,
  lanes: readonly AttemptName[],
  laneWidth: number,
  canvas: Canvas,
): readonly string[] {
  const left = gutter + lanes.length * laneWidth + row.indent;
  const texts = wrapped(row.text, Math.max(30, canvas.width - left));
  return texts.map((text, index) => {
    const cells =
      index === 0
        ? firstCells(row, lanes, laneWidth, canvas.paint)
        : plainCells(row, lanes, laneWidth, canvas.paint);
    const head = index === 0 && row.head !== "" ? row.head : " ".repeat(gutter);
    return `${head}${cells}${" ".repeat(row.indent)}${row.look(text)}`.trimEnd();
  });
}

function firstCells(row: Row, lanes: readonly AttemptName[], laneWidth: number, paint: Paint): string {
  const { bar } = row;
  const barFrom = bar === undefined ? lanes.length : bar.from === undefined ? 0 : lanes.indexOf(bar.from);
  return lanes
    .map((lane, index) => {
      const sign = row.signs.get(lane);
      if (bar !== undefined && index >= barFrom) {
        return (sign ?? bar.look("━")) + bar.look("━".repeat(laneWidth - 1));
      }
      return (sign ?? idle(lane, row.before, paint)) + " ".repeat(laneWidth - 1);
    })
    .join("");
}

function plainCells(row: Row, lanes: readonly AttemptName[], laneWidth: number, paint: Paint): string {
  return lanes.map((lane) => idle(lane, row.after, paint) + " ".repeat(laneWidth - 1)).join("");
}

function idle(lane: AttemptName, alive: ReadonlySet<AttemptName>, paint: Paint): string {
  return alive.has(lane) ? paint.dim("│") : " ";
}

const plain = (): Look => (text) => text;
const looks: { readonly [Name in Mark]: { readonly sign: string; readonly look: (paint: Paint) => Look } } = {
  begun: { sign: "┬", look: plain },
  plan: { sign: "│", look: (paint) => paint.yellow },
  parked: { sign: "◆", look: (paint) => paint.cyan },
  blocked: { sign: "◇", look: (paint) => paint.yellow },
  fault: { sign: "↯", look: (paint) => paint.yellow },
  cancel: { sign: "⊘", look: (paint) => paint.yellow },
  commit: { sign: "●", look: (paint) => (text) => paint.bold(paint.magenta(text)) },
  receipt: { sign: "▪", look: (paint) => paint.blue },
  policy: { sign: "§", look: (paint) => paint.blue },
  consent: { sign: "¶", look: (paint) => paint.cyan },
  ended_good: { sign: "■", look: (paint) => paint.green },
  ended_refused: { sign: "■", look: (paint) => paint.yellow },
  ended_bad: { sign: "■", look: (paint) => paint.red },
  crash: { sign: "✕", look: (paint) => paint.red },
  note: { sign: "│", look: (paint) => paint.dim },
  wrong: { sign: "✗", look: (paint) => (text) => paint.bold(paint.red(text)) },
  broken: { sign: "✗", look: (paint) => (text) => paint.bold(paint.red(text)) },
};
