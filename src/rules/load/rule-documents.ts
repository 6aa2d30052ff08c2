import {
  type Alias,
  type Document,
  isAlias,
  isScalar,
  Lexer,
  LineCounter,
  parseAllDocuments,
  visit,
} from "yaml";
import type { Place, Sheet } from "./place.js";
import { inWhole, type RuleMistake } from "./rule-mistake.js";

/** The roots of the YAML 1.2 documents in a text; `mistakes` grows while they are read. */
export function openDocuments(
  text: string,
  file: string,
): { readonly roots: readonly Place[]; readonly mistakes: readonly RuleMistake[] } {
  const plain = text.replace(/^\uFEFF/, "");
  const lines = lineStarts(plain);
  const unreadable = firstControlCharacter(plain) ?? firstTooDeep(plain);
  if (unreadable !== undefined) {
    const { line, col } = lines.linePos(unreadable.offset);
    return { roots: [], mistakes: [{ file, line, column: col, path: "", message: unreadable.message }] };
  }
  // Keys written twice are found by whoever reads the mapping, with their paths.
  const options = { prettyErrors: false, uniqueKeys: false, resolveKnownTags: false } as const;
  const documents = parseAllDocuments(plain, { ...options, schema: "core" });
  if (!Array.isArray(documents) || documents.length === 0) {
    return { roots: [], mistakes: [inWhole(file, "expected a rule, seen a file with nothing in it")] };
  }
  const mistakes: RuleMistake[] = [];
  const report = (offset: number, path: string, message: string) => {
    const { line, col } = lines.linePos(offset);
    mistakes.push({ file, line, column: col, path, message });
  };
  const roots = documents.flatMap((document) =>
    rootOf(document, sheetOf(document, plain, lines, file, report)),
  );
  return { roots, mistakes };
}

/** Nothing where the document is empty or broken, which is reported. */
function rootOf(document: Document.Parsed, sheet: Sheet): readonly Place[] {
  const problems = [...document.errors, ...document.warnings];
  for (const { pos, message } of problems) {
    sheet.report(pos[0], "", `expected YAML 1.2, seen a mistake in it: ${message}`);
  }
  const { contents } = document;
  if (problems.length > 0) {
    return [];
  }
  if (contents === null || (isScalar(contents) && contents.value === null)) {
    sheet.report(document.range[0], "", "expected a rule, seen a document with nothing in it");
    return [];
  }
  const [from, to] = contents.range;
  return [{ sheet, node: contents, path: "", from, to }];
}

function sheetOf(
  document: Document.Parsed,
  text: string,
  lines: LineCounter,
  file: string,
  report: Sheet["report"],
): Sheet {
  const targets = aliasTargets(document);
  return {
    report,
    target: (alias) => targets.get(alias),
    region: (from, to) => {
      // Block texts and lists take the line breaks behind them along.
      const end = from + text.slice(from, to).trimEnd().length;
      const [first, last] = [lines.linePos(from), lines.linePos(end)];
      return { file, line: first.line, column: first.col, endLine: last.line, endColumn: last.col };
    },
  };
}

/** What each alias names: the latest anchor of that name before it. */
function aliasTargets(document: Document.Parsed): ReadonlyMap<Alias, unknown> {
  const anchors = new Map<string, unknown>();
  const targets = new Map<Alias, unknown>();
  visit(document, {
    Node(_key, node) {
      if (isAlias(node)) {
        targets.set(node, anchors.get(node.source));
      } else if (node.anchor !== undefined) {
        anchors.set(node.anchor, node);
      }
    },
  });
  return targets;
}

function lineStarts(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let index = text.indexOf("\n"); index >= 0; index = text.indexOf("\n", index + 1)) {
    lines.addNewLine(index + 1);
  }
  return lines;
}

type Unreadable = { readonly offset: number; readonly message: string };

function firstControlCharacter(text: string): Unreadable | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const found = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/.exec(text);
  if (found === null) {
    return undefined;
  }
  const name = `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  return { offset: found.index, message: `expected text, seen the control character ${name}` };
}

/** A rule nests four levels. The parser calls itself for each level and would take the process down with it. */
const maxDepth = 100;

/** Where brackets, or marks of lists and keys in a row, nest deeper than any rule does. */
function firstTooDeep(text: string): Unreadable | undefined {
  let [offset, brackets, marks] = [0, 0, 0];
  for (const token of new Lexer().lex(text)) {
    if (lexersOwn.has(token)) {
      continue;
    }
    brackets += token === "[" || token === "{" ? 1 : token === "]" || token === "}" ? -1 : 0;
    marks = token === "-" || token === "?" || token === ":" ? marks + 1 : token.trim() === "" ? marks : 0;
    if (brackets > maxDepth || marks > maxDepth) {
      return { offset, message: `expected at most ${maxDepth} levels, seen more` };
    }
    offset += token.length;
  }
  return undefined;
}

/** Tokens by which the lexer marks where documents and scalars begin and flows end; they are no part of the text. */
const lexersOwn: ReadonlySet<string> = new Set(["\u0002", "\u0018", "\u001F"]);
