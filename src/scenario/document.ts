import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  visit,
  type YAMLError,
} from "yaml";
import type { Mistake } from "./scenario.js";

/** A YAML text with its places. `report` collects mistakes; whoever opened the sheet sorts them. */
export type Sheet = {
  /** What a node stands for: itself, or what an alias names; nothing for an alias that names nothing. */
  readonly target: (node: unknown) => unknown;
  readonly report: (offset: number, path: string, message: string) => void;
  readonly lineOf: (offset: number) => number;
  /** Reports, once, that more nodes were visited than any scenario has: aliases can name more than memory holds. */
  readonly spend: (offset: number, path: string) => "affordable" | "too_much";
  readonly mistakes: readonly Mistake[];
};

export type Opened =
  | { readonly kind: "opened"; readonly sheet: Sheet; readonly root: Node }
  | { readonly kind: "unreadable"; readonly mistakes: readonly Mistake[] };

const maxVisits = 100_000;

/** Reads one YAML 1.2 document; whatever is wrong with it as YAML, and every key written twice, is a mistake. */
export function openDocument(text: string, file: string): Opened {
  const control = firstControlCharacter(text);
  if (control !== undefined) {
    const message = `expected text, seen the control character ${control.name}`;
    const { line, column } = control;
    return { kind: "unreadable", mistakes: [{ file, line, column, path: "", message }] };
  }
  const lineCounter = new LineCounter();
  const document = parseDocument<ParsedNode, true>(text.replace(/^\uFEFF/, ""), {
    lineCounter,
    prettyErrors: false,
    // Found below, with their paths.
    uniqueKeys: false,
    schema: "core",
    resolveKnownTags: false,
  });
  const sheet = createSheet(document, lineCounter, file);
  for (const problem of problemsOf(document)) {
    const [offset] = problem.pos;
    const isWithin = problem.code !== "MULTIPLE_DOCS" && !isExhaustion(problem);
    sheet.report(offset, isWithin ? pathAt(document.contents, offset) : "", problemText(problem));
  }
  const root = document.contents;
  if (root === null || document.errors.length > 0 || isNothing(root)) {
    if (document.errors.length === 0) {
      sheet.report(0, "", "expected a scenario, seen a file with nothing in it");
    }
    return { kind: "unreadable", mistakes: sheet.mistakes };
  }
  reportRepeatedKeys(document, sheet.report);
  return { kind: "opened", root, sheet };
}

function createSheet(document: Document.Parsed, lineCounter: LineCounter, file: string): Sheet {
  const mistakes: Mistake[] = [];
  const named = new Map<Alias, unknown>();
  let visits = 0;
  // An empty text has no lines to count.
  const lineOf = (offset: number) => Math.max(1, lineCounter.linePos(offset).line);
  const report = (offset: number, path: string, message: string) => {
    const column = Math.max(1, lineCounter.linePos(offset).col);
    mistakes.push({ file, line: lineOf(offset), column, path, message });
  };
  return {
    mistakes,
    report,
    lineOf,
    target: (node) => {
      if (!isAlias(node)) {
        return node;
      }
      // Finding an anchor reads the whole document.
      const known = named.get(node) ?? node.resolve(document);
      named.set(node, known);
      return known;
    },
    spend: (offset, path) => {
      visits += 1;
      if (visits === maxVisits + 1) {
        report(offset, path, "expected a scenario of finite size, seen aliases that multiply it beyond any");
      }
      return visits > maxVisits ? "too_much" : "affordable";
    },
  };
}

/** The path of a key below `path`; a key that is no plain word is quoted. */
export function below(path: string, key: string): string {
  const step = /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
  return path === "" ? step : `${path}.${step}`;
}

/** Where a node begins; nodes of a parsed document always know. */
export function startOf(node: unknown, otherwise: number): number {
  return isNode(node) && node.range ? node.range[0] : otherwise;
}

/** What the parser met. Where it ran out of stack everything else it says follows from that. */
function problemsOf(document: Document.Parsed): readonly YAMLError[] {
  const exhaustion = document.errors.find(isExhaustion);
  return exhaustion ? [exhaustion] : [...document.errors, ...document.warnings];
}

function isExhaustion(problem: YAMLError): boolean {
  return problem.message.includes("call stack");
}

function problemText(problem: YAMLError): string {
  if (problem.code === "MULTIPLE_DOCS") {
    return "expected one scenario in a file, seen a second document that begins here";
  }
  return isExhaustion(problem)
    ? "expected a scenario of finite depth, seen one that is nested too deeply to be read"
    : `expected YAML 1.2, seen a mistake in it: ${problem.message}`;
}

function isNothing(root: ParsedNode): boolean {
  return isScalar(root) && root.value === null && root.anchor === undefined;
}

function reportRepeatedKeys(document: Document.Parsed, report: Sheet["report"]): void {
  visit(document, {
    Map(_position, map, ancestors) {
      const seen = new Set<string>();
      for (const pair of map.items) {
        const key = isScalar(pair.key) ? String(pair.key.value) : undefined;
        if (key !== undefined && seen.has(key)) {
          const path = below(pathOf([...ancestors, map]), key);
          report(
            startOf(pair.key, 0),
            path,
            `expected every key once, seen ${JSON.stringify(key)} written twice`,
          );
        }
        if (key !== undefined) {
          seen.add(key);
        }
      }
    },
  });
}

/** The path of the last of `ancestors`, outermost first. */
function pathOf(ancestors: readonly unknown[]): string {
  let path = "";
  ancestors.forEach((ancestor, index) => {
    const child = ancestors[index + 1];
    if (isPair(ancestor) && isScalar(ancestor.key)) {
      path = below(path, String(ancestor.key.value));
    } else if (isSeq(ancestor) && child !== undefined) {
      path += `[${ancestor.items.indexOf(child)}]`;
    }
  });
  return path;
}

/** The path of the innermost part that begins before an offset. */
function pathAt(node: unknown, offset: number, path = ""): string {
  if (!isMap(node) && !isSeq(node)) {
    return path;
  }
  const begun = node.items.map((item) => startOf(isPair(item) ? item.key : item, offset) < offset);
  const index = begun.lastIndexOf(true);
  const item: unknown = node.items[index];
  if (index < 0) {
    return path;
  }
  return isPair(item)
    ? pathAt(item.value, offset, below(path, isScalar(item.key) ? String(item.key.value) : ""))
    : pathAt(item, offset, `${path}[${index}]`);
}

function firstControlCharacter(text: string): { line: number; column: number; name: string } | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const found = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/.exec(text);
  if (found === null) {
    return undefined;
  }
  const before = text.slice(0, found.index).split("\n");
  const name = `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, name };
}
