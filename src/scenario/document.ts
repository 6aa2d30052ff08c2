import {
  type Document,
  isAlias,
  isCollection,
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
  readonly document: Document.Parsed;
  readonly report: (offset: number, path: string, message: string) => void;
  readonly lineOf: (offset: number) => number;
  /** False once more nodes were visited than any scenario has: aliases can name more than memory holds. */
  readonly affordable: () => boolean;
  readonly mistakes: readonly Mistake[];
};

export type Opened =
  | { readonly kind: "opened"; readonly sheet: Sheet; readonly root: Node }
  | { readonly kind: "unreadable"; readonly mistakes: readonly Mistake[] };

const maxVisits = 200_000;

/** Reads one YAML 1.2 document; whatever is wrong with it as YAML, and every key written twice, is a mistake. */
export function openDocument(text: string, file: string): Opened {
  const lineCounter = new LineCounter();
  const mistakes: Mistake[] = [];
  const add = (at: { line: number; column: number }, path: string, message: string) =>
    mistakes.push({ file, line: at.line, column: at.column, path, message });
  const control = firstControlCharacter(text);
  if (control !== undefined) {
    add(control, "", `expected text, seen the control character ${control.name}`);
    return { kind: "unreadable", mistakes };
  }
  const parsed = parse(text.replace(/^\uFEFF/, ""), lineCounter);
  if (parsed.kind === "too_deep") {
    add(
      { line: 1, column: 1 },
      "",
      `expected a YAML document, seen one that cannot be read (${parsed.reason})`,
    );
    return { kind: "unreadable", mistakes };
  }
  const { document } = parsed;
  const place = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const report = (offset: number, path: string, message: string) => {
    add(place(offset), path, message);
  };
  for (const problem of [...document.errors, ...document.warnings]) {
    const [offset] = problem.pos;
    report(offset, pathAt(document.contents, offset), problemText(problem));
  }
  reportRepeatedKeys(document, report);
  const root = document.contents;
  if (document.errors.length === 0 && isNothing(root)) {
    report(0, "", "expected a scenario, seen a file with nothing in it");
  }
  if (root === null || document.errors.length > 0 || isNothing(root)) {
    return { kind: "unreadable", mistakes };
  }
  let visits = 0;
  const affordable = () => {
    visits += 1;
    return visits <= maxVisits;
  };
  const lineOf = (offset: number) => place(offset).line;
  return { kind: "opened", root, sheet: { document, report, lineOf, affordable, mistakes } };
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

type Parse =
  | { readonly kind: "parsed"; readonly document: Document.Parsed }
  | { readonly kind: "too_deep"; readonly reason: string };

function parse(text: string, lineCounter: LineCounter): Parse {
  try {
    const document = parseDocument<ParsedNode, true>(text, {
      lineCounter,
      prettyErrors: false,
      // Found below, with their paths.
      uniqueKeys: false,
      schema: "core",
      resolveKnownTags: false,
    });
    return { kind: "parsed", document };
  } catch (error) {
    // The parser is recursive: thousands of nested brackets exhaust the stack.
    return { kind: "too_deep", reason: error instanceof Error ? error.message : String(error) };
  }
}

function problemText(problem: YAMLError): string {
  if (problem.code === "MULTIPLE_DOCS") {
    return "expected one scenario in a file, seen a second document that begins here";
  }
  return `expected YAML 1.2, seen a mistake in it: ${problem.message}`;
}

function isNothing(root: ParsedNode | null): boolean {
  return root === null || (isScalar(root) && root.value === null && root.anchor === undefined);
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

/** The path of the innermost node around an offset. */
function pathAt(node: unknown, offset: number, path = ""): string {
  if (!isCollection(node) || isAlias(node)) {
    return path;
  }
  for (const [index, item] of node.items.entries()) {
    const inner = isPair(item) ? item.value : item;
    if (isNode(inner) && inner.range && inner.range[0] <= offset && offset < inner.range[2]) {
      const step =
        isMap(node) && isPair(item) && isScalar(item.key)
          ? below(path, String(item.key.value))
          : `${path}[${index}]`;
      return pathAt(inner, offset, step);
    }
  }
  return path;
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
