import { frameworkTable } from "../frameworks/framework-table.js";
import type { FrameworkVerdict } from "../frameworks/framework-verdicts.js";
import { reportJson } from "./json.js";
import type { JunitCase, JunitSuite } from "./junit.js";
import type { Canvas, Paint } from "./paint.js";

export type ArrangementReport = {
  readonly arrangement: string;
  readonly verdicts: readonly FrameworkVerdict[];
};

/** Several arrangements as a table; a single one with the shortest way to break each promise that it cannot keep. */
export function frameworkText(reports: readonly ArrangementReport[], { paint }: Canvas): string {
  const [only, second] = reports;
  if (only === undefined || second !== undefined) return frameworkTable();
  const lines = only.verdicts.flatMap((verdict) => verdictLines(verdict, paint));
  const count = (wanted: FrameworkVerdict["verdict"]): number =>
    only.verdicts.filter(({ verdict }) => verdict === wanted).length;
  return [
    paint.bold(`${only.arrangement}, every interleaving of one turn`),
    "",
    ...lines,
    "",
    `${count("holds")} hold, ${count("violated")} violated, ${count("not_applicable")} without their situation.`,
    "",
  ].join("\n");
}

function verdictLines({ promise, verdict, witness }: FrameworkVerdict, paint: Paint): readonly string[] {
  switch (verdict) {
    case "holds":
      return [`${paint.green("✓")} ${promise}`];
    case "not_applicable":
      return [paint.dim(`– ${promise} (its situation occurs in no interleaving)`)];
    case "violated":
      return [
        `${paint.red("✗")} ${paint.bold(promise)}`,
        ...witness.map((step, at) => `    ${`${at + 1}`.padStart(2)}  ${step}`),
      ];
  }
}

/** Each arrangement as a JUnit suite; a broken promise is a failure that tells the shortest way. */
export function frameworkSuites(reports: readonly ArrangementReport[]): readonly JunitSuite[] {
  return reports.map(({ arrangement, verdicts }) => ({
    name: arrangement,
    ms: 0,
    cases: verdicts.map(({ promise, verdict, witness }) => ({
      name: promise,
      result: resultOf(verdict, witness),
    })),
  }));
}

function resultOf(verdict: FrameworkVerdict["verdict"], witness: readonly string[]): JunitCase["result"] {
  switch (verdict) {
    case "holds":
      return { kind: "passed" };
    case "not_applicable":
      return { kind: "skipped", message: "its situation occurs in no interleaving" };
    case "violated":
      return { kind: "failure", message: `broken in ${witness.length} steps`, text: witness.join("\n") };
  }
}

/** Every verdict with its witness, as JSON. */
export function frameworkJson(reports: readonly ArrangementReport[]): string {
  return reportJson({ format: "commitpoint-framework", formatVersion: 1, arrangements: reports });
}
