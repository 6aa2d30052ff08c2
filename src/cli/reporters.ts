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
export type Reporter = {
  readonly name: ReporterName;
  readonly to:
    | { readonly kind: "stdout" }
    | { readonly kind: "file"; readonly file: string; readonly place: string };
};

/** A report as each reporter writes it. */
export type Rendered = {
  readonly terminal: (canvas: Canvas) => string;
  readonly json: () => string;
  readonly junit: () => string;
};

/**
 * The reporters asked for, as `name` or `name:file`. People get the terminal report on stdout unless another reporter
 * has it. Every file is one that can be written.
 *
 * @throws UsageError for an unknown name, one place given twice, or a file that cannot be written
 */
export function readReporters(session: Session, flags: readonly string[] | undefined): readonly Reporter[] {
  const listed = variable(session.environment, "REPORTER");
  const given =
    flags?.map((text) => ({ text, place: `--reporter ${text}` })) ??
    listed?.text.split(",").map((text) => ({ text: text.trim(), place: listed.place })) ??
    [];
  const reporters = given.map((one) => readReporter(session, one));
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

function readReporter({ io }: Session, given: Given): Reporter {
  const colon = given.text.indexOf(":");
  const word = colon < 0 ? given.text : given.text.slice(0, colon);
  const name = oneOf({ text: word, place: given.place }, "reporter", reporterNames);
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
export function deliver(
  session: Session,
  reporters: readonly Reporter[],
  rendered: Rendered,
): readonly string[] {
  const { stdout } = session.io;
  return reporters.flatMap(({ name, to }) => {
    if (to.kind === "stdout") {
      stdout.write(textOf(name, rendered, session.canvas(stdout)));
      return [];
    }
    try {
      writeWhole(to.file, textOf(name, rendered, { paint: paintFor("plain"), width: widest }));
      return [];
    } catch (error) {
      return [`${to.place}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}

function textOf(name: ReporterName, rendered: Rendered, canvas: Canvas): string {
  switch (name) {
    case "terminal":
      return rendered.terminal(canvas);
    case "json":
      return rendered.json();
    case "junit":
      return rendered.junit();
  }
}
