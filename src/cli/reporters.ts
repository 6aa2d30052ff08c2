import { resolve } from "node:path";
import { variable } from "../config/environment.js";
import { UsageError } from "../config/usage-error.js";
import { type Given, oneOf } from "../config/values.js";
import { type Canvas, paintFor, widest } from "../report/paint.js";
import type { Session } from "./session.js";
import { checkFileWritable, writeWhole } from "./write-whole.js";

const reporterNames = ["terminal", "json", "junit"] as const;
type ReporterName = (typeof reporterNames)[number];

/** A reporter and where its text goes. */
export type Reporter<Name extends string = ReporterName> = {
  readonly name: Name;
  readonly to:
    | { readonly kind: "stdout" }
    | { readonly kind: "file"; readonly file: string; readonly place: string };
};

/** A report as each reporter writes it; only what people read is laid out by the canvas. */
export type Rendered<Name extends string = ReporterName> = Readonly<Record<Name, (canvas: Canvas) => string>>;

/** The reporters asked for among those of a campaign; see `readReportersAmong`. */
export function readReporters(session: Session, flags: readonly string[] | undefined): readonly Reporter[] {
  return readReportersAmong(session, flags, reporterNames);
}

/**
 * The reporters asked for, as `name` or `name:file`. People get the terminal report on stdout unless another reporter
 * has it. Every file is one that can be written.
 *
 * @throws UsageError for an unknown name, one place given twice, or a file that cannot be written
 */
export function readReportersAmong<Name extends string>(
  session: Session,
  flags: readonly string[] | undefined,
  names: readonly Name[],
): readonly Reporter<Name | "terminal">[] {
  const listed = variable(session.environment, "REPORTER");
  const given =
    flags?.map((text) => ({ text, place: `--reporter ${text}` })) ??
    listed?.text.split(",").map((text) => ({ text: text.trim(), place: listed.place })) ??
    [];
  const reporters: readonly Reporter<Name | "terminal">[] = given.map((one) =>
    readReporter(session, one, names),
  );
  const taken = new Set<string>();
  for (const [index, { to }] of reporters.entries()) {
    const place = to.kind === "stdout" ? "stdout" : to.file;
    if (taken.has(place)) {
      throw new UsageError({
        message: `two reporters would write to ${place}`,
        place: given[index]?.place ?? "",
        nextStep: "Give one of them a file of its own: --reporter name:file.",
      });
    }
    taken.add(place);
  }
  const forPeople = taken.has("stdout") || reporters.some(({ name }) => name === "terminal");
  return forPeople ? reporters : [{ name: "terminal", to: { kind: "stdout" } }, ...reporters];
}

function readReporter<Name extends string>(
  { io }: Session,
  given: Given,
  names: readonly Name[],
): Reporter<Name> {
  const colon = given.text.indexOf(":");
  const word = colon < 0 ? given.text : given.text.slice(0, colon);
  const name = oneOf({ text: word, place: given.place }, "reporter", names);
  if (colon < 0) return { name, to: { kind: "stdout" } };
  const path = given.text.slice(colon + 1);
  if (path === "") {
    throw new UsageError({ message: `expected a file after "${name}:"`, place: given.place });
  }
  const file = resolve(io.cwd, path);
  checkFileWritable(file, given.place);
  return { name, to: { kind: "file", file, place: given.place } };
}

/**
 * Hands a report to every reporter. One that fails does not keep the others from theirs.
 *
 * @returns what could not be written, one line each
 */
export function deliver<Name extends string>(
  session: Session,
  reporters: readonly Reporter<Name>[],
  rendered: Rendered<Name>,
): readonly string[] {
  const { stdout } = session.io;
  return reporters.flatMap(({ name, to }) => {
    if (to.kind === "stdout") {
      stdout.write(rendered[name](session.canvas(stdout)));
      return [];
    }
    try {
      writeWhole(to.file, rendered[name]({ paint: paintFor("plain"), width: widest }));
      return [];
    } catch (error) {
      return [`${to.place}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}
