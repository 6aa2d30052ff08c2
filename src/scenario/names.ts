import { isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import { nearest } from "../config/nearest.js";
import { below, type Sheet, startOf } from "./document.js";
import { isAttemptName } from "./step-format.js";

type Name = { readonly text: string; readonly offset: number; readonly path: string };

/**
 * Reports attempts that are submitted twice, and steps and expectations that name one which no earlier step submits.
 * Reads the nodes rather than the actions, so that it also judges a file in which other steps are wrong.
 */
export function checkNames(sheet: Sheet, root: Node): void {
  const submitted = new Set<string>();
  const report = (name: Name, message: string) => sheet.report(name.offset, name.path, message);
  // What is no name at all has been reported where it was read.
  const mustExist = (name: Name | undefined, where: string) => {
    if (name !== undefined && isAttemptName(name.text) && !submitted.has(name.text)) {
      const near = nearest(name.text, [...submitted]);
      const hint = near === undefined ? "" : `; did you mean ${near}?`;
      report(name, `expected an attempt that ${where} submits, seen ${name.text}${hint}`);
    }
  };
  for (const { uses, submits } of stepNames(sheet, root)) {
    for (const name of uses) {
      mustExist(name, "an earlier step");
    }
    if (submits !== undefined && submitted.has(submits.text)) {
      report(submits, `expected a new attempt, seen ${submits.text}, which an earlier step submits`);
    }
    if (submits !== undefined) {
      submitted.add(submits.text);
    }
  }
  for (const name of expectedNames(sheet, root)) {
    mustExist(name, "a step");
  }
}

function stepNames(sheet: Sheet, root: Node): { uses: (Name | undefined)[]; submits: Name | undefined }[] {
  const list = isMap(root) ? sheet.target(root.get("steps", true)) : undefined;
  const items: readonly unknown[] = isSeq(list) ? list.items : [];
  return items.flatMap((item, index) => {
    const step = sheet.target(item);
    return isMap(step)
      ? step.items.map((pair) => namesOf(sheet, pair.key, pair.value, `steps[${index}]`))
      : [];
  });
}

function namesOf(sheet: Sheet, key: unknown, value: unknown, path: string) {
  const kind = isScalar(key) ? String(key.value) : "";
  const inner = sheet.target(value);
  const at = below(path, kind);
  if (!isMap(inner)) {
    // Of the bare values only the fault of arm and disarm, and a word like parked, are no attempts.
    const bare = isScalar(inner) ? nameAt(inner, value, at) : undefined;
    return {
      uses: ["advance", "finish", "cancel", "expire"].includes(kind) ? [bare] : [],
      submits: undefined,
    };
  }
  const attempt = field(sheet, inner, "attempt", at);
  // A misspelt step still submits, so that one slip is one mistake.
  return kind === "crash"
    ? { uses: [attempt], submits: undefined }
    : { uses: [field(sheet, inner, "of", at)], submits: attempt };
}

function expectedNames(sheet: Sheet, root: Node): readonly Name[] {
  const expect = isMap(root) ? sheet.target(root.get("expect", true)) : undefined;
  if (!isMap(expect)) {
    return [];
  }
  const alternatives = sheet.target(expect.get("any_of", true));
  const items: readonly unknown[] = isSeq(alternatives) ? alternatives.items : [];
  return [
    ...attemptKeys(sheet, expect, "expect"),
    ...items.flatMap((item, index) => attemptKeys(sheet, sheet.target(item), `expect.any_of[${index}]`)),
  ];
}

function attemptKeys(sheet: Sheet, expectation: unknown, path: string): readonly Name[] {
  const attempts = isMap(expectation) ? sheet.target(expectation.get("attempts", true)) : undefined;
  if (!isMap(attempts)) {
    return [];
  }
  const at = below(path, "attempts");
  return attempts.items.flatMap(({ key }) => {
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
