import { isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import { nearest } from "../config/nearest.js";
import { nextDecision, numberOf } from "./consent-format.js";
import { below, type Sheet, startOf } from "./document.js";
import { isAttemptName, isDecisionName } from "./name-format.js";

type Name = { readonly text: string; readonly offset: number; readonly path: string };

/** The names in one step. A decision that is not named takes the next number. */
type StepNames = {
  readonly attempts: readonly (Name | undefined)[];
  readonly submits: Name | undefined;
  readonly decisions: readonly (Name | undefined)[];
  readonly decides: "nothing" | "unnamed" | Name;
};

/**
 * Reports attempts that are submitted twice, decisions that are made twice, and steps and expectations that name one
 * which no earlier step submits or makes. Reads the nodes rather than the actions, so that it also judges a file in
 * which other steps are wrong.
 */
export function checkNames(sheet: Sheet, root: Node): void {
  const attempts = family(
    sheet,
    { one: "an attempt", none: "a new attempt", does: "submits" },
    isAttemptName,
  );
  const decisions = family(
    sheet,
    { one: "a decision", none: "a new decision", does: "makes" },
    isDecisionName,
  );
  let last = 0;
  for (const names of stepNames(sheet, root)) {
    for (const name of names.attempts) attempts.mustExist(name, "an earlier step");
    for (const name of names.decisions) decisions.mustExist(name, "an earlier step");
    if (names.submits !== undefined) attempts.begin(names.submits);
    if (names.decides === "nothing") continue;
    const said = names.decides === "unnamed" ? undefined : names.decides;
    const decision = said !== undefined && isDecisionName(said.text) ? said.text : nextDecision(last);
    last = Math.max(last, numberOf(decision));
    decisions.begin(said ?? { text: decision, offset: 0, path: "" });
  }
  for (const name of expectedNames(sheet, root, "attempts")) attempts.mustExist(name, "a step");
  for (const name of expectedNames(sheet, root, "decisions")) decisions.mustExist(name, "a step");
}

/** Names of one kind, in the order of the steps. */
function family(
  sheet: Sheet,
  words: { readonly one: string; readonly none: string; readonly does: string },
  isName: (text: string) => boolean,
) {
  const begun = new Set<string>();
  const report = (name: Name, message: string) => sheet.report(name.offset, name.path, message);
  return {
    // What is no name at all has been reported where it was read.
    mustExist: (name: Name | undefined, where: string): void => {
      if (name === undefined || !isName(name.text) || begun.has(name.text)) return;
      const near = nearest(name.text, [...begun]);
      const hint = near === undefined ? "" : `; did you mean ${near}?`;
      report(name, `expected ${words.one} that ${where} ${words.does}, seen ${name.text}${hint}`);
    },
    begin: (name: Name): void => {
      if (begun.has(name.text)) {
        report(name, `expected ${words.none}, seen ${name.text}, which an earlier step ${words.does}`);
      }
      begun.add(name.text);
    },
  };
}

function stepNames(sheet: Sheet, root: Node): readonly StepNames[] {
  const list = isMap(root) ? sheet.target(root.get("steps", true)) : undefined;
  const items: readonly unknown[] = isSeq(list) ? list.items : [];
  return items.flatMap((item, index) => {
    const step = sheet.target(item);
    return isMap(step)
      ? step.items.map((pair) => namesOf(sheet, pair.key, pair.value, `steps[${index}]`))
      : [];
  });
}

const noNames: StepNames = { attempts: [], submits: undefined, decisions: [], decides: "nothing" };

function namesOf(sheet: Sheet, key: unknown, value: unknown, path: string): StepNames {
  const kind = isScalar(key) ? String(key.value) : "";
  const inner = sheet.target(value);
  const at = below(path, kind);
  if (!isMap(inner)) {
    // Of the bare values only the fault of arm and disarm, and a word like parked, are no names.
    const bare = isScalar(inner) ? nameAt(inner, value, at) : undefined;
    if (kind === "settle") return { ...noNames, decisions: [bare] };
    return ["advance", "finish", "cancel", "expire"].includes(kind)
      ? { ...noNames, attempts: [bare] }
      : noNames;
  }
  const attempt = field(sheet, inner, "attempt", at);
  if (kind === "crash") return crashNames(sheet, inner, at);
  // A misspelt step still submits or decides, so that one slip is one mistake.
  if (attempt === undefined && (inner.has("request") || inner.has("decision"))) {
    return { ...noNames, decides: field(sheet, inner, "decision", at) ?? "unnamed" };
  }
  return { ...noNames, attempts: [field(sheet, inner, "of", at)], submits: attempt };
}

/** A crash on the way in submits the attempt that it strikes. */
function crashNames(sheet: Sheet, crash: YAMLMap, path: string): StepNames {
  const attempts = [field(sheet, crash, "attempt", path)];
  const decisions = [field(sheet, crash, "deciding", path)];
  const entry = sheet.target(crash.get("entering", true));
  const pair = isMap(entry) ? entry.items[0] : undefined;
  if (pair === undefined) return { ...noNames, attempts, decisions };
  return namesOf(sheet, pair.key, pair.value, below(path, "entering"));
}

function expectedNames(sheet: Sheet, root: Node, of: "attempts" | "decisions"): readonly Name[] {
  const expect = isMap(root) ? sheet.target(root.get("expect", true)) : undefined;
  if (!isMap(expect)) {
    return [];
  }
  const alternatives = sheet.target(expect.get("any_of", true));
  const items: readonly unknown[] = isSeq(alternatives) ? alternatives.items : [];
  return [
    ...keysOf(sheet, expect, of, "expect"),
    ...items.flatMap((item, index) => keysOf(sheet, sheet.target(item), of, `expect.any_of[${index}]`)),
  ];
}

function keysOf(sheet: Sheet, expectation: unknown, of: string, path: string): readonly Name[] {
  const names = isMap(expectation) ? sheet.target(expectation.get(of, true)) : undefined;
  if (!isMap(names)) {
    return [];
  }
  const at = below(path, of);
  return names.items.flatMap(({ key }) => {
    const text = isScalar(key) ? String(key.value) : undefined;
    return text === undefined ? [] : [{ text, offset: startOf(key, 0), path: below(at, text) }];
  });
}

function field(sheet: Sheet, map: YAMLMap, key: string, path: string): Name | undefined {
  const node = map.get(key, true);
  return nameAt(sheet.target(node), node, below(path, key));
}

function nameAt(scalar: unknown, node: unknown, path: string): Name | undefined {
  const text = isScalar(scalar) && typeof scalar.value === "string" ? scalar.value : undefined;
  return text === undefined ? undefined : { text, offset: startOf(node, 0), path };
}
