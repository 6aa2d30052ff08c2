import type { Region } from "../rule.js";
import { type Trace, type TraceFormat, traceFormats } from "../trace.js";
import { readers } from "./formats/readers.js";
import { type Positioned, positionedJson, regionsOf, type Span } from "./positioned-json.js";
import type { Conversation } from "./told.js";
import { turns } from "./turns.js";

/** What is wrong with a trace file, and where. */
export type TraceMistake = { readonly message: string; readonly at: Region };

/** The conversations of a file, or everything that keeps it from being read; never some of them. */
export type LoadedTraces =
  | { readonly kind: "loaded"; readonly traces: readonly Trace[] }
  | { readonly kind: "refused"; readonly mistakes: readonly TraceMistake[] };

/**
 * Reads the text of one trace file, JSON or JSON Lines. Without a format the first that claims the file reads it; a file
 * that none claims is refused with the reason of each.
 */
export function readTrace(text: string, file: string, format?: TraceFormat): LoadedTraces {
  // A byte order mark is no character of the text, and no column.
  const body = text.startsWith("\u{feff}") ? text.slice(1) : text;
  const regionOf = regionsOf(body, file);
  const parsed = isLines(body, file) ? parseLines(body) : parseWhole(body);
  if (parsed.kind === "broken") {
    const mistakes = parsed.mistakes.map(({ message, at }) => ({ message, at: regionOf(at) }));
    return { kind: "refused", mistakes };
  }
  const claimed = claim(parsed.root, format);
  if (claimed.kind === "unclaimed") {
    return { kind: "refused", mistakes: [{ message: claimed.message, at: regionOf(parsed.root) }] };
  }
  const conversations = readers[claimed.format].read(parsed.root);
  if (conversations.length === 0) {
    const message = `read as ${claimed.format}, this file has no conversation`;
    return { kind: "refused", mistakes: [{ message, at: regionOf(parsed.root) }] };
  }
  const names = uniqueNames(conversations);
  const traces = conversations.map((conversation, index) => ({
    file,
    name: names[index] ?? String(index + 1),
    format: claimed.format,
    ...turns(conversation.told, regionOf),
  }));
  return { kind: "loaded", traces };
}

type Parsed =
  | { readonly kind: "parsed"; readonly root: Positioned }
  | {
      readonly kind: "broken";
      readonly mistakes: readonly { readonly message: string; readonly at: Span }[];
    };

function parseWhole(text: string): Parsed {
  const parsed = positionedJson(text);
  return parsed.kind === "parsed" ? parsed : { kind: "broken", mistakes: [parsed] };
}

/** By its name, or because its first line is an object or a list of its own and more lines follow. */
function isLines(text: string, file: string): boolean {
  if (/\.(jsonl|ndjson)$/i.test(file)) {
    return true;
  }
  const [first, second] = nonEmptyLines(text);
  return (
    first !== undefined &&
    second !== undefined &&
    /^\s*[[{].*[\]}]\s*$/.test(first.text) &&
    positionedJson(first.text).kind === "parsed"
  );
}

function* nonEmptyLines(text: string): Generator<{ readonly text: string; readonly offset: number }> {
  let offset = 0;
  while (offset < text.length) {
    const end = text.indexOf("\n", offset);
    const line = text.slice(offset, end < 0 ? text.length : end);
    if (line.trim() !== "") {
      yield { text: line, offset };
    }
    offset = end < 0 ? text.length : end + 1;
  }
}

function parseLines(text: string): Parsed {
  const items: Positioned[] = [];
  const mistakes: { readonly message: string; readonly at: Span }[] = [];
  for (const line of nonEmptyLines(text)) {
    const parsed = positionedJson(line.text, line.offset);
    if (parsed.kind === "parsed") {
      items.push(parsed.root);
    } else {
      mistakes.push(parsed);
    }
  }
  return mistakes.length > 0
    ? { kind: "broken", mistakes }
    : { kind: "parsed", root: { kind: "list", items, offset: 0, end: text.length } };
}

function claim(
  root: Positioned,
  format: TraceFormat | undefined,
):
  | { readonly kind: "claimed"; readonly format: TraceFormat }
  | { readonly kind: "unclaimed"; readonly message: string } {
  const reasons: string[] = [];
  for (const candidate of format === undefined ? traceFormats : [format]) {
    const answer = readers[candidate].claims(root);
    if (answer.kind === "fits") {
      return { kind: "claimed", format: candidate };
    }
    reasons.push(`${candidate}: ${answer.because}`);
  }
  const message =
    format === undefined
      ? `no trace format fits this file. ${reasons.join("; ")}`
      : `this file is not in the format that was asked for. ${reasons.join("; ")}`;
  return { kind: "unclaimed", message };
}

function uniqueNames(conversations: readonly Conversation[]): readonly string[] {
  const taken = new Set<string>();
  return conversations.map((conversation, index) => {
    const wanted = conversation.name ?? String(index + 1);
    let name = wanted;
    for (let copy = 2; taken.has(name); copy += 1) {
      name = `${wanted} (${copy})`;
    }
    taken.add(name);
    return name;
  });
}
