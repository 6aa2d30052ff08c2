import { loadScenario } from "../../src/scenario/load.js";
import { formatMistake, type Scenario } from "../../src/scenario/scenario.js";

/** Lines 1 to 6 of every text below; `steps:` is line 7, so the first step is on line 8. */
const head = [
  "commitpoint: 1",
  "name: n",
  "profile: ledger",
  "about: a",
  "source: s",
  "policy: { max_copies: 3 }",
];

export const submitA1 = "submit: { attempt: a1, args: { job: JOB-001, topic: river, copies: 2 } }";

/** A file with these steps, one a line, and this expectation, by default an empty one. */
export function fileWith(steps: readonly string[], expect: readonly string[] = []): string {
  const body = expect.length === 0 ? ["expect: {}"] : ["expect:", ...expect.map((line) => `  ${line}`)];
  return `${[...head, "steps:", ...steps.map((step) => `  - ${step}`), ...body].join("\n")}\n`;
}

/** What is wrong with a text, as `line:column: path: message`. */
export function mistakesIn(text: string): readonly string[] {
  const loaded = loadScenario(text, "x.yaml");
  return loaded.kind === "loaded"
    ? []
    : loaded.mistakes.map((each) => formatMistake(each).replace("x.yaml:", ""));
}

export function scenarioOf(text: string): Scenario {
  const loaded = loadScenario(text, "x.yaml");
  if (loaded.kind === "mistakes") {
    throw new Error(loaded.mistakes.map(formatMistake).join("\n"));
  }
  return loaded.scenario;
}
