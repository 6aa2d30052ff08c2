import { isDeepStrictEqual } from "node:util";
import type { TracedArguments } from "../trace.js";
import type { Told, ToldCall } from "./told.js";

/** One record of a trace of spans: what a model was given and gave, or a tool that ran. */
export type Telling =
  | { readonly kind: "messages"; readonly told: readonly Told[] }
  | { readonly kind: "tool_span"; readonly call: ToldCall };

/** The records of one run of an application, in order; it usually answers one message of the user. */
export type Run = readonly Telling[];

/**
 * Makes one conversation of records that tell the same things again and again: each model call repeats the history,
 * and a tool's span repeats the call that the model asked for. The n-th equal entry of a history is new only if fewer
 * than n were told before. A span and a told call are one where the ids are equal, or, where one has no id, where the
 * tool is the same and the arguments do not contradict.
 */
export function retold(runs: readonly Run[]): readonly Told[] {
  const conversation = emptyConversation();
  runs.forEach((run, number) => {
    let opened = number === 0;
    for (const telling of run) {
      if (telling.kind === "tool_span") {
        addSpan(conversation, telling.call);
      } else {
        // A run without its history may begin with a text that was said before, such as "yes".
        const afresh = opened ? undefined : repeatedOpening(conversation, telling.told);
        opened ||= telling.told.some((entry) => entry.kind === "user");
        addMessages(conversation, telling.told, afresh);
      }
    }
  });
  return conversation.told;
}

type Growing = {
  readonly told: Told[];
  /** How many equal entries there are so far. */
  readonly seen: Map<string, number>;
  /** Places of calls that only messages told, and of those that only spans told. */
  readonly lone: { readonly messages: Lone; readonly spans: Lone };
};

type Lone = Map<string, number[]>;

function emptyConversation(): Growing {
  return { told: [], seen: new Map(), lone: { messages: new Map(), spans: new Map() } };
}

function addMessages(to: Growing, told: readonly Told[], afresh: number | undefined): void {
  const counts = new Map<string, number>();
  told.forEach((entry, index) => {
    const key = identity(entry);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const before = to.seen.get(key) ?? 0;
    if (count > before || (afresh !== undefined && index >= afresh)) {
      to.seen.set(key, count > before ? count : before + 1);
      addMessage(to, entry);
    }
  });
}

/** Where the run's own message stands, if the conversation already has everything that the user says there. */
function repeatedOpening(known: Growing, told: readonly Told[]): number | undefined {
  const counts = new Map<string, number>();
  for (const entry of told) {
    if (entry.kind === "user") {
      const key = identity(entry);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > (known.seen.get(key) ?? 0)) {
        return undefined;
      }
    }
  }
  const last = told.findLastIndex((entry) => entry.kind === "user");
  return last < 0 ? undefined : last;
}

function identity(entry: Told): string {
  switch (entry.kind) {
    case "user":
    case "said":
      return JSON.stringify([entry.kind, entry.text]);
    case "called":
      return JSON.stringify([entry.kind, entry.tool ?? null, entry.id ?? entry.arguments]);
    case "answered":
      return JSON.stringify([entry.kind, entry.tool ?? null, entry.id ?? null, entry.outcome]);
    case "remark":
      return JSON.stringify([entry.kind, entry.message]);
  }
}

function addMessage(to: Growing, entry: Told): void {
  if (entry.kind !== "called") {
    to.told.push(entry);
    return;
  }
  const span = takePartner(to.told, to.lone.spans, entry);
  if (span === undefined) {
    remember(to.lone.messages, entry, to.told.push(entry) - 1);
  } else {
    to.told[span.place] = oneCall(entry, span.call);
  }
}

function addSpan(to: Growing, span: ToldCall): void {
  const message = takePartner(to.told, to.lone.messages, span);
  if (message === undefined) {
    remember(to.lone.spans, span, to.told.push(span) - 1);
  } else {
    to.told[message.place] = oneCall(message.call, span);
  }
}

function remember(lone: Lone, call: ToldCall, place: number): void {
  for (const key of keysOf(call)) {
    const places = lone.get(key) ?? [];
    places.push(place);
    lone.set(key, places);
  }
}

function takePartner(
  told: readonly Told[],
  lone: Lone,
  call: ToldCall,
): { readonly place: number; readonly call: ToldCall } | undefined {
  for (const key of keysOf(call)) {
    for (const place of lone.get(key)?.slice(-nearby) ?? []) {
      const other = told[place];
      if (other?.kind === "called" && mayBeOne(other, call)) {
        forget(lone, other, place);
        return { place, call: other };
      }
    }
  }
  return undefined;
}

/** A call and its span stand near each other, and looking further would take a square of the trace's length. */
const nearby = 200;

function forget(lone: Lone, call: ToldCall, place: number): void {
  for (const key of keysOf(call)) {
    const places = lone.get(key);
    places?.splice(places.lastIndexOf(place), 1);
  }
}

/** Where its partner is looked for, the surer way first; calls without a name share their places. */
function keysOf(call: ToldCall): readonly string[] {
  const tool = call.tool ?? "";
  return [
    ...(call.id === undefined ? [] : [`id ${call.id}`]),
    ...(call.arguments.kind === "known" ? [`same ${tool} ${JSON.stringify(call.arguments.value)}`] : []),
    `tool ${tool}`,
  ];
}

function mayBeOne(one: ToldCall, other: ToldCall): boolean {
  return one.id !== undefined && other.id !== undefined
    ? one.id === other.id
    : agree(one.arguments, other.arguments);
}

/** Whether both may be the arguments of one call; a tool's span may have defaults filled in. */
export function agree(one: TracedArguments, other: TracedArguments): boolean {
  if (one.kind !== "known" || other.kind !== "known") {
    return true;
  }
  const [few, many] =
    Object.keys(one.value).length <= Object.keys(other.value).length ? [one, other] : [other, one];
  return Object.entries(few.value).every(
    ([name, value]) => Object.hasOwn(many.value, name) && isDeepStrictEqual(many.value[name], value),
  );
}

/** The span is nearer to what ran: its place and outcome count, and its arguments where it has any. */
function oneCall(message: ToldCall, span: ToldCall): ToldCall {
  const spanHasMore = span.arguments.kind === "known" || message.arguments.kind === "missing";
  return {
    kind: "called",
    id: message.id ?? span.id,
    tool: span.tool ?? message.tool,
    arguments: spanHasMore ? span.arguments : message.arguments,
    outcome: span.outcome,
    at: span.at,
  };
}
