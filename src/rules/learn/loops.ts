import { isDeepStrictEqual } from "node:util";
import { always, type Draft, type Evidence } from "./candidate.js";
import { confidence, total } from "./confidence.js";
import { type Step, shown } from "./steps.js";

/**
 * At most one `max_tool_calls` draft, for conversations that repeat one call with equal arguments at least four times in
 * a row. The limit leaves twice the calls of the longest conversation without its repeats, and still stops the loop.
 */
export function loops(conversations: readonly (readonly Step[])[]): readonly Draft[] {
  const seen = conversations.map((steps) => ({ calls: steps.length, rows: rowsIn(steps) }));
  const needed = seen.reduce((most, { calls, rows }) => Math.max(most, calls - repeatsOf(rows)), 1);
  const looping = seen.filter(({ rows }) => rows.length > 0);
  const rows = looping.flatMap((conversation) => conversation.rows);
  const [longest] = rows.toSorted((one, other) => other.length - one.length);
  if (longest === undefined) {
    return [];
  }
  const shortest = looping.reduce((least, { calls }) => Math.min(least, calls), Number.POSITIVE_INFINITY);
  const most = Math.max(needed, Math.min(2 * needed, shortest - 1));
  const isLoose = most >= shortest;
  const sure = total(
    confidence.loop.findLast(({ calls }) => longest.length >= calls)?.base ?? confidence.floor,
    polls(longest.first.tool) ? confidence.polling : 0,
    (looping.length - 1) * confidence.seenAgain,
  );
  return [
    {
      description: `${longest.first.tool} was called ${longest.length} times in a row with equal arguments.`,
      when: always,
      claim: { kind: "max_tool_calls", most },
      confidence: isLoose ? Math.min(sure, confidence.looseLimit) : sure,
      evidence: rows.map(evidenceOf),
      warnings: [countsAll, ...(isLoose ? [looseLimit(needed)] : [])],
    },
  ];
}

const countsAll = "The limit counts the calls of every tool; raise it if healthy conversations need more.";

function looseLimit(needed: number): string {
  return `A healthy conversation needed ${needed} calls: this limit does not stop every loop that was seen.`;
}

/** Equal calls behind each other; `shows` is the one from which on it looks like a loop. */
type Row = { readonly first: Step; readonly shows: Step; readonly last: Step; readonly length: number };

const shortestRow = confidence.loop[0].calls;

/** One that only asked for more input is no repeat and ends no row. */
function rowsIn(steps: readonly Step[]): readonly Row[] {
  const rows: Row[] = [];
  for (const step of steps.filter(({ call }) => call.outcome !== "nothing_happened")) {
    const row = rows.at(-1);
    if (row === undefined || !equal(row.last, step)) {
      rows.push({ first: step, shows: step, last: step, length: 1 });
    } else {
      const shows = row.length < shortestRow ? step : row.shows;
      rows[rows.length - 1] = { first: row.first, shows, last: step, length: row.length + 1 };
    }
  }
  return rows.filter(({ length }) => length >= shortestRow);
}

/** Arguments that a trace does not tell may differ. */
function equal(one: Step, other: Step): boolean {
  return (
    one.tool === other.tool &&
    one.arguments !== undefined &&
    other.arguments !== undefined &&
    isDeepStrictEqual(one.arguments, other.arguments)
  );
}

function repeatsOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + row.length - 1, 0);
}

function polls(tool: string): boolean {
  return /status|state|poll|progress|wait|ping|health|状态|进度|轮询|等待/iu.test(tool);
}

function evidenceOf({ first, shows, last, length }: Row): Evidence {
  const turns = first.turn === last.turn ? `turn ${first.turn}` : `turns ${first.turn} to ${last.turn}`;
  const text =
    `conversation ${shown(first.trace.name)}: ${shown(first.tool)} ${length} times in a row in ${turns} ` +
    `with ${shown(first.arguments ?? null)}`;
  return { text, at: shows.call.at };
}
