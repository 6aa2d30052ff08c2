import { type Run, retold, type Telling } from "./retold.js";
import type { Conversation, Told, ToldCall } from "./told.js";

/** One span of an observability export. */
export type Observed = {
  /** The run of the application that it belongs to: a trace, in the words of those tools. */
  readonly run: string;
  /** In nanoseconds; undefined keeps it after the one before it in the file. */
  readonly begins: bigint | undefined;
  readonly shows:
    | { readonly kind: "messages"; readonly told: readonly Told[] }
    | { readonly kind: "tool"; readonly call: ToldCall }
    /** What the application itself was given and gave; counts only where no model call of the run tells it. */
    | { readonly kind: "whole_run"; readonly given: readonly Told[]; readonly gave: readonly Told[] };
};

/** Makes conversations of spans in any order: those runs that the application says belong together, or each run. */
export function observedConversations(
  spans: readonly Observed[],
  conversationOf: (run: string) => string | undefined,
): readonly Conversation[] {
  const conversations = new Map<string, Map<string, Observed[]>>();
  for (const span of spans) {
    const name = conversationOf(span.run) ?? span.run;
    const runs = conversations.get(name) ?? new Map<string, Observed[]>();
    conversations.set(name, runs);
    const run = runs.get(span.run) ?? [];
    runs.set(span.run, run);
    run.push(span);
  }
  return [...conversations].map(([name, runs]) => {
    const ordered = [...runs.values()].map(inTime);
    return { name: name === "" ? undefined : name, told: retold(byBeginning(ordered).map(tellings)) };
  });
}

type Timed = { readonly span: Observed; readonly begins: bigint };

function inTime(spans: readonly Observed[]): readonly Timed[] {
  let latest = 0n;
  const timed = spans.map((span) => {
    latest = span.begins ?? latest;
    return { span, begins: latest };
  });
  return timed.sort(earlierFirst);
}

function byBeginning(runs: readonly (readonly Timed[])[]): readonly (readonly Timed[])[] {
  return runs.toSorted((one, other) => earlierFirst(one[0], other[0]));
}

function earlierFirst(one: Timed | undefined, other: Timed | undefined): number {
  const [begins, others] = [one?.begins ?? 0n, other?.begins ?? 0n];
  return begins < others ? -1 : begins > others ? 1 : 0;
}

function tellings(run: readonly Timed[]): Run {
  const told = run.flatMap(({ span: { shows } }): readonly Telling[] => {
    if (shows.kind === "tool") {
      return [{ kind: "tool_span", call: shows.call }];
    }
    return shows.kind === "messages" ? [{ kind: "messages", told: shows.told }] : [];
  });
  const tells = (kind: Told["kind"]) =>
    told.some((telling) => telling.kind === "messages" && telling.told.some((entry) => entry.kind === kind));
  const given = tells("user") ? [] : wholeRun(run, "given");
  const gave = tells("said") ? [] : wholeRun(run, "gave").filter((entry) => entry.kind === "said");
  return [
    ...(given.length === 0 ? [] : [{ kind: "messages", told: given } satisfies Telling]),
    ...told,
    ...(gave.length === 0 ? [] : [{ kind: "messages", told: gave } satisfies Telling]),
  ];
}

function wholeRun(run: readonly Timed[], side: "given" | "gave"): readonly Told[] {
  for (const { span } of run) {
    if (span.shows.kind === "whole_run" && span.shows[side].length > 0) {
      return span.shows[side];
    }
  }
  return [];
}
