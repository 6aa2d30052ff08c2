import { resolve } from "node:path";
import { UsageError } from "../../config/usage-error.js";
import { oneOf } from "../../config/values.js";
import { counted } from "../../report/text.js";
import type { Region } from "../../rules/rule.js";
import { type Trace, traceFormats } from "../../rules/trace.js";
import { loadTraces } from "../../rules/traces/load-traces.js";
import { type Session, shownPath } from "../session.js";

/**
 * The traces at paths as seen from where the person is, with places that are short in the same way; what could not be
 * read as evidence is told on stderr.
 *
 * @throws UsageError with every mistake of every file
 */
export function tracesHere(
  session: Session,
  paths: readonly string[],
  format: string | undefined,
): readonly Trace[] {
  const { io } = session;
  const named =
    format === undefined
      ? undefined
      : oneOf({ text: format, place: `--format ${format}` }, "trace format", traceFormats);
  const loaded = loadTraces(
    paths.map((path) => resolve(io.cwd, path)),
    named,
  );
  const at = (region: Region): Region => ({ ...region, file: shownPath(io, region.file) });
  if (loaded.kind === "refused") {
    throw new UsageError({
      message: [
        `${counted(loaded.mistakes.length, "mistake")} in the traces, so nothing is judged`,
        ...loaded.mistakes.map(({ message, at: where }) => `${placeText(at(where))}: ${message}`),
      ].join("\n"),
      nextStep: "Name files that can be read, and the format with --format where none is recognised.",
    });
  }
  const traces = loaded.traces.map((trace) => inPlaces(trace, at, shownPath(io, trace.file)));
  for (const warning of traces.flatMap(({ warnings }) => warnings)) {
    io.stderr.write(`warning: ${placeText(warning.at)}: ${warning.message}\n`);
  }
  return traces;
}

export function placeText({ file, line, column }: Region): string {
  return `${file}:${line}:${column}`;
}

function inPlaces(trace: Trace, at: (region: Region) => Region, file: string): Trace {
  return {
    ...trace,
    file,
    turns: trace.turns.map((turn) => ({
      ...turn,
      at: at(turn.at),
      items: turn.items.map((item) =>
        item.kind === "said"
          ? { ...item, at: at(item.at) }
          : { ...item, call: { ...item.call, at: at(item.call.at) } },
      ),
    })),
    warnings: trace.warnings.map((warning) => ({ ...warning, at: at(warning.at) })),
  };
}
