import { Document, isMap, isPair, isScalar, isSeq } from "yaml";
import { defaultExecutor, formatVersion, type ScenarioContent } from "./scenario.js";
import { expectTree } from "./write-expect.js";
import { given, type Tree } from "./write-parts.js";
import { limitTree, stepTrees } from "./write-steps.js";

const lineWidth = 110;
const longestRow = 90;

/** The scenario as YAML that loads to the same scenario: the same text for the same scenario, defaults left out. */
export function writeScenario(scenario: ScenarioContent): string {
  const document = new Document(scenarioTree(scenario), { aliasDuplicateObjects: false, version: "1.2" });
  const root: unknown = document.contents;
  if (isMap(root)) {
    root.items.forEach((pair) => {
      layOut(isScalar(pair.key) ? String(pair.key.value) : "", pair.value);
    });
  }
  return document.toString({ lineWidth });
}

function scenarioTree(scenario: ScenarioContent): Tree {
  const { executor, notes, found } = scenario;
  return {
    commitpoint: formatVersion,
    name: scenario.name,
    profile: scenario.profile,
    ...given("executor", executor === defaultExecutor(scenario.profile) ? undefined : executor),
    about: scenario.about,
    source: scenario.source,
    ...given("notes", notes),
    ...given("found", found),
    policy: scenario.policy.kind === "remove" ? "missing" : limitTree(scenario.policy),
    steps: stepTrees(scenario.actions, scenario.profile),
    expect: expectTree(scenario.expect),
  };
}

/** Sections and rows are lines of their own; what belongs to one step or row stays on its line. */
function layOut(key: string, value: unknown): void {
  if (key === "steps" && isSeq(value)) {
    for (const step of value.items) {
      flowBelow(step);
    }
  } else if (key === "expect" && isMap(value)) {
    layOutExpectation(value);
  } else {
    flow(value);
  }
}

function layOutExpectation(expectation: unknown): void {
  if (!isMap(expectation)) {
    return;
  }
  for (const { key, value } of expectation.items) {
    const name = isScalar(key) ? key.value : undefined;
    if (name === "any_of" && isSeq(value)) {
      value.items.forEach(layOutExpectation);
    } else if (name === "policy") {
      flow(value);
    } else {
      layOutRows(value);
    }
  }
}

function flow(node: unknown): void {
  if (isMap(node) || isSeq(node)) {
    node.flow = true;
  }
}

function flowBelow(node: unknown): void {
  if (isMap(node) || isSeq(node)) {
    for (const item of node.items) {
      flow(isPair(item) ? item.value : item);
    }
  }
}

/** Rows on a line each, except those that would be long: they take a line for each of their fields. */
function layOutRows(rows: unknown): void {
  if (isMap(rows) || isSeq(rows)) {
    for (const item of rows.items) {
      const row: unknown = isPair(item) ? item.value : item;
      if (isMap(row) && JSON.stringify(row.toJSON()).length > longestRow) {
        flowBelow(row);
      } else {
        flow(row);
      }
    }
  }
}
