import type { Completeness, ExploreReport, Unfinished } from "../explore/report.js";
import type { FaultKind } from "../model/vocabulary.js";
import type { PromiseVerdict } from "../properties/verdict.js";
import { counted, grouped } from "./text.js";

/** The verdict of an exploration in sentences that claim no more than was done. */
export function explorationVerdict(report: ExploreReport): {
  readonly text: string;
  readonly tone: "good" | "open" | "bad";
} {
  const subject = report.executor === "none" ? `the machine of profile ${report.profile}` : report.executor;
  const start = `${report.interrupted ? "Interrupted. " : ""}${subject}: `;
  const gaps = gapsOf(report);
  const open = gaps.length === 0 ? "" : ` Not finished: ${gaps.join("; ")}.`;
  const named = (kind: PromiseVerdict["kind"]): readonly string[] =>
    report.promises.filter(({ verdict }) => verdict.kind === kind).map(({ promise }) => promise);
  switch (report.verdict) {
    case "holds": {
      const unchecked = named("not_checked").length;
      const rest = unchecked === 0 ? "" : `; ${counted(unchecked, "promise")} not checked`;
      const holds = `every promise that was checked holds (${named("holds").length})${rest}.`;
      return gaps.length === 0
        ? { text: `${start}complete within the bounds: ${holds} ${coveredText(report)}`, tone: "good" }
        : { text: `${start}undecided: in what was explored ${holds}${open}`, tone: "open" };
    }
    case "violated":
      return { text: `${start}violated: ${named("violated").join(", ")}.${open}`, tone: "bad" };
    case "broken":
      return {
        text: `${start}${counted(report.broken.length, "run")} broke; nothing is proven.${open}`,
        tone: "bad",
      };
    case "undecided": {
      const list = named("undecided");
      // A search that ends early leaves most of them open, and the table has them all.
      const more = list.length > mostNamed ? ` and ${list.length - mostNamed} more` : "";
      const promises = list.length === 0 ? "" : ` ${list.slice(0, mostNamed).join(", ")}${more};`;
      return { text: `${start}undecided:${promises} no promise was found broken.${open}`, tone: "open" };
    }
    case "vacuous": {
      const list = named("vacuous").join(", ");
      return {
        text: `${start}vacuous, their situation never occurred within the bounds: ${list}.${open}`,
        tone: "bad",
      };
    }
    case "nothing_checked":
      return { text: `${start}no promise was checked, so nothing is known.${open}`, tone: "bad" };
  }
}

const mostNamed = 5;

/** Everything that was begun and not explored to its end, or not to be relied on, in words; empty if there is none. */
export function gapsOf({ machine, edges, schedules }: ExploreReport): readonly string[] {
  return [
    ...machine.flatMap((search) => gap(`the search with ${faultsText(search.faults)}`, search.outcome)),
    ...edges.flatMap((walk) => {
      const name = `the edges with ${faultsText(walk.faults)}`;
      const left = walk.reachable - walk.walked;
      if (walk.outcome.kind === "complete" && left > 0) return [`${name} (${grouped(left)} not walked)`];
      return gap(name, walk.outcome);
    }),
    ...schedules.flatMap(({ workload, outcome, audit }) => {
      const name = `the schedules of ${workload}`;
      return audit.differences.length === 0
        ? gap(name, outcome)
        : [...gap(name, outcome), `${name} (the audit contradicts the footprints)`];
    }),
  ];
}

function gap(name: string, outcome: Completeness): readonly string[] {
  return outcome.kind === "complete" ? [] : [`${name} (${unfinishedWords[outcome.reason]})`];
}

/** `complete`, or `undecided` with what ended it. */
export function outcomeText(outcome: Completeness): string {
  return outcome.kind === "complete" ? "complete" : `undecided: ${unfinishedWords[outcome.reason]}`;
}

const unfinishedWords: { readonly [reason in Unfinished]: string } = {
  max_states: "limit of states",
  time: "limit of time",
  memory: "limit of memory",
  interrupted: "interrupted",
  executions: "limit of executions",
  stopped_at_violation: "stopped at a violation",
  nondeterministic: "not deterministic",
  broken: "broken",
};

export function faultsText(faults: readonly FaultKind[]): string {
  return faults.length === 0 ? "no fault" : faults.join(", ");
}

/** What a finished exploration covered, and on what it relied. */
function coveredText({ executor, machine, edges, schedules }: ExploreReport): string {
  const states = `Covered: every state of the machine${upTo(machine)} in ${counted(machine.length, "search", "searches")}`;
  if (executor === "none") return `${states}; no executor was asked.`;
  const isSymmetric = machine.some(({ reduction }) => reduction.symmetry);
  const walked = edges.reduce((sum, walk) => sum + walk.walked, 0);
  const onEdges =
    edges.length === 0
      ? "no edges were walked"
      : `all ${grouped(walked)} edges of its graph${isSymmetric ? " up to symmetry" : ""}`;
  return `${states}; on ${executor}, ${onEdges}, ${schedulesText(schedules)}.`;
}

function upTo(machine: ExploreReport["machine"]): string {
  const by = [
    ...(machine.some(({ reduction }) => reduction.symmetry) ? ["symmetry"] : []),
    ...(machine.some(({ reduction }) => reduction.partialOrder) ? ["partial order"] : []),
  ];
  return by.length === 0 ? "" : `, up to ${by.join(" and ")},`;
}

function schedulesText(schedules: ExploreReport["schedules"]): string {
  if (schedules.length === 0) return "and no schedules were explored";
  const workloads = counted(schedules.length, "workload");
  const unaudited = schedules.reduce((sum, { audit }) => sum + audit.unaudited, 0);
  const but =
    unaudited === 0
      ? ""
      : `, of which ${counted(unaudited, "kind of pair", "kinds of pairs")} went unaudited`;
  return schedules.some(({ footprints }) => footprints === "reported")
    ? `and every schedule of ${workloads} that can matter by its footprints${but}`
    : `and every schedule of ${workloads}`;
}
