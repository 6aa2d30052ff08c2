import type { ExploreReport } from "../explore/report.js";
import type { Action, PolicySetting } from "../model/vocabulary.js";
import type { Broken, Counterexample } from "../properties/verdict.js";
import type { ScenarioContent } from "../scenario/scenario.js";

/** The report that a scenario is kept of, as far as the scenario repeats it. */
export type FoundBy = {
  readonly executor: string;
  readonly profile: string;
  readonly seed: number;
  readonly version: string;
};

/** What the report does not say about the run that a scenario is kept of. */
export type KeptWith = {
  /** The command that found it. */
  readonly source: string;
  /** The policy under which generated runs start. */
  readonly policy: PolicySetting;
  /** A day, like `2026-01-31`. */
  readonly date: string;
};

/** A counterexample as a scenario that expects its violation. */
export function counterexampleScenario(
  counterexample: Counterexample,
  report: FoundBy,
  keptWith: KeptWith,
): ScenarioContent {
  const { minimal, promise, run } = counterexample;
  return {
    ...kept(`${promise} is broken by ${report.executor}`, minimal.actions, report, run, keptWith),
    about: minimal.violation.sentence,
    expect: { violates: promise },
    ...(minimal.kind === "one_minimal" ? {} : { notes: notMinimal[minimal.kind] }),
  };
}

/** The same for what an exploration found; what only the machine broke is no violation of an executor yet. */
export function exploredScenario(
  counterexample: ExploreReport["counterexamples"][number],
  report: FoundBy,
  keptWith: KeptWith,
): ScenarioContent {
  const { foundBy, promise, run } = counterexample;
  const scenario = counterexampleScenario(counterexample, report, keptWith);
  const { seed } = report;
  const found = { seed, path: `${foundBy} ${run}`, version: report.version, date: keptWith.date };
  if (foundBy !== "machine") return { ...scenario, found };
  const name = `${promise} is broken by the reference machine`;
  return { ...scenario, found, name, notes: onlyTheMachine };
}

const onlyTheMachine =
  "The reference machine breaks it. No executor has taken these steps, and one may stop them before their end.";

/** A run that nobody answered, as a scenario: it holds once the executor answers again. */
export function brokenScenario(broken: Broken, report: FoundBy, keptWith: KeptWith): ScenarioContent {
  return {
    ...kept(`run ${broken.run} of ${report.executor} broke`, broken.actions, report, broken.run, keptWith),
    about: `${broken.where}: ${broken.message}`,
    expect: {},
  };
}

/** File name of a kept scenario: what it shows and of which executor, without characters that a file system minds. */
export function scenarioFileName(shows: string, executor: string): string {
  return `${shows}.${executor.replace(/[^a-zA-Z0-9._-]/g, "-")}.yaml`;
}

const notMinimal = {
  out_of_budget: "The budget for shrinking ran out; these steps may not be the shortest.",
  not_reproduced:
    "They could not be shrunk: a second try did not fail in the same way. These steps are as generated.",
} as const;

function kept(
  name: string,
  actions: readonly Action[],
  report: FoundBy,
  run: number,
  { source, policy, date }: KeptWith,
): Omit<ScenarioContent, "about" | "expect"> {
  return {
    name,
    profile: report.profile,
    executor: report.executor,
    source,
    policy,
    actions,
    found: { seed: report.seed, path: String(run), version: report.version, date },
  };
}
