import { Document, isMap, isPair, isScalar, isSeq } from "yaml";
import type { Action, CrashWhere, Json, PolicySetting } from "../model/vocabulary.js";
import { defaultExecutor, formatVersion, type ScenarioContent } from "./scenario.js";
import { defaultCall, defaultPrincipal, defaultRun, defaultTenant } from "./step-format.js";
import { expectTree } from "./write-expect.js";
import { faultTree, given, requestTree, type Tree } from "./write-parts.js";

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
    ...given("executor", executor === defaultExecutor ? undefined : executor),
    about: scenario.about,
    source: scenario.source,
    ...given("notes", notes),
    ...given("found", found),
    policy: scenario.policy.kind === "remove" ? "missing" : limitTree(scenario.policy.maxCopies),
    steps: scenario.actions.map(stepTree),
    expect: expectTree(scenario.expect),
  };
}

function limitTree(maxCopies: number): Tree {
  return { max_copies: maxCopies };
}

function stepTree(action: Action): Json {
  switch (action.kind) {
    case "submit":
      return { submit: submitTree(action) };
    case "retry":
      return { retry: { attempt: action.attempt, of: action.of, ...planTree(action) } };
    case "retry_changed":
    case "resubmit_new_key": {
      const { kind, attempt, of, request } = action;
      return { [kind]: { attempt, of, ...requestTree(request), ...planTree(action) } };
    }
    case "advance":
    case "finish":
    case "cancel":
    case "expire":
      return { [action.kind]: action.attempt };
    case "change_policy":
      return { change_policy: settingTree(action.to) };
    case "arm":
    case "disarm":
      return { [action.kind]: faultTree(action.fault) };
    case "crash":
      return { crash: whereTree(action.where) };
    case "restart":
    case "observe":
      return action.kind;
  }
}

function submitTree(action: Extract<Action, { kind: "submit" }>): Tree {
  const { attempt, request, context } = action;
  const unless = (usual: string, value: string) => (value === usual ? undefined : value);
  return {
    attempt,
    ...requestTree(request),
    ...given("tenant", unless(defaultTenant, context.tenant)),
    ...given("run", unless(defaultRun, context.runId)),
    ...given("call", unless(defaultCall(attempt), context.callId)),
    ...given("principal", unless(defaultPrincipal, context.principal)),
    ...planTree(action),
  };
}

function planTree(action: Extract<Action, { faults: unknown }>): Tree {
  return given("faults", action.faults.length > 0 ? action.faults.map(faultTree) : undefined);
}

function settingTree(setting: PolicySetting): Json {
  return setting.kind === "remove" ? "remove" : limitTree(setting.maxCopies);
}

function whereTree(where: CrashWhere): Json {
  return where.kind === "parked" ? "parked" : { attempt: where.attempt, at: where.at };
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
