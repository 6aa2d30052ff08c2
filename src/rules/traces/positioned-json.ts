import { type JSONVisitor, printParseErrorCode, visit } from "jsonc-parser";
import type { Region } from "../rule.js";

/** A stretch of a file in UTF-16 characters from 0; the end is exclusive. */
export type Span = { readonly offset: number; readonly end: number };

/** A JSON value that knows where it stands. Of a name given twice in one object the last counts, as everywhere. */
export type Positioned =
  | PositionedObject
  | (Span & { readonly kind: "list"; readonly items: readonly Positioned[] })
  | (Span & { readonly kind: "text"; readonly value: string })
  | (Span & { readonly kind: "number"; readonly value: number })
  | (Span & { readonly kind: "truth"; readonly value: boolean })
  | (Span & { readonly kind: "null" });

export type PositionedObject = Span & {
  readonly kind: "object";
  readonly fields: ReadonlyMap<string, Positioned>;
};

/** Levels of nesting that are read; more would exhaust the stack somewhere, and no trace has them. */
export const deepest = 500;

export type ParsedJson =
  | { readonly kind: "parsed"; readonly root: Positioned }
  | { readonly kind: "broken"; readonly message: string; readonly at: Span };

/**
 * Reads strict JSON (no comments, no trailing commas) and keeps the place of every value; `base` is the offset of the
 * text in its file. Tells the first error only: those after it are mostly its consequences.
 */
export function positionedJson(text: string, base = 0): ParsedJson {
  const tree = growingTree();
  let broken: { readonly message: string; readonly at: Span } | undefined;
  const breaks = (message: string, at: Span) => {
    broken ??= { message, at };
  };
  const spanOf = (offset: number, length: number) => ({ offset: base + offset, end: base + offset + length });
  const begin = (container: Container) => {
    if (tree.begin(container) > deepest) {
      breaks(`nested more than ${deepest} levels deep`, {
        offset: container.offset,
        end: container.offset + 1,
      });
    }
  };
  const close = (offset: number, length: number) => tree.close(base + offset + length);
  const visitor: JSONVisitor = {
    onObjectBegin: (offset) => begin({ kind: "object", fields: new Map(), name: "", offset: base + offset }),
    onObjectProperty: tree.name,
    onObjectEnd: close,
    onArrayBegin: (offset) => begin({ kind: "list", items: [], offset: base + offset }),
    onArrayEnd: close,
    onLiteralValue: (value: unknown, offset, length) => tree.put(literal(value, spanOf(offset, length))),
    onError: (code, offset, length) =>
      breaks(`not JSON: ${sentence(printParseErrorCode(code))}`, spanOf(offset, length)),
  };
  try {
    visit(text, visitor, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
    // The parser calls itself for each level, and a stack is finite; the level that was too many is known by then.
    breaks("nested too deeply", spanOf(0, 0));
  }
  const root = tree.root();
  if (broken !== undefined || root === undefined) {
    return { kind: "broken", ...(broken ?? { message: "not JSON: there is no value", at: spanOf(0, 0) }) };
  }
  return { kind: "parsed", root };
}

type Tree = {
  /** How many containers are open then. */
  readonly begin: (container: Container) => number;
  /** Of the value that comes next in the open object. */
  readonly name: (name: string) => void;
  readonly put: (value: Positioned) => void;
  readonly close: (end: number) => void;
  readonly root: () => Positioned | undefined;
};

function growingTree(): Tree {
  const open: Container[] = [];
  let root: Positioned | undefined;
  const put = (value: Positioned) => {
    const container = open.at(-1);
    if (container === undefined) {
      root = value;
    } else if (container.kind === "list") {
      container.items.push(value);
    } else {
      container.fields.set(container.name, value);
    }
  };
  return {
    begin: (container) => open.push(container),
    name: (name) => {
      const container = open.at(-1);
      if (container?.kind === "object") {
        container.name = name;
      }
    },
    put,
    close: (end) => {
      const container = open.pop();
      if (container?.kind === "list") {
        put({ kind: "list", items: container.items, offset: container.offset, end });
      } else if (container?.kind === "object") {
        put({ kind: "object", fields: container.fields, offset: container.offset, end });
      }
    },
    root: () => root,
  };
}

type Container =
  | { readonly kind: "list"; readonly items: Positioned[]; readonly offset: number }
  | {
      readonly kind: "object";
      readonly fields: Map<string, Positioned>;
      name: string;
      readonly offset: number;
    };

function literal(value: unknown, span: Span): Positioned {
  switch (typeof value) {
    case "string":
      return { kind: "text", value, ...span };
    case "number":
      return { kind: "number", value, ...span };
    case "boolean":
      return { kind: "truth", value, ...span };
    default:
      return { kind: "null", ...span };
  }
}

const sentences: ReadonlyMap<string, string> = new Map([
  ["InvalidSymbol", "this is no JSON word; only true, false and null are"],
  ["InvalidNumberFormat", "this is no JSON number"],
  ["PropertyNameExpected", 'a name in "quotes" is expected here'],
  ["ValueExpected", "a value is expected here"],
  ["ColonExpected", "a colon is expected here"],
  ["CommaExpected", "a comma is expected here"],
  ["CloseBraceExpected", "a closing brace } is expected here"],
  ["CloseBracketExpected", "a closing bracket ] is expected here"],
  ["EndOfFileExpected", "the value ends before this, and something follows"],
  ["InvalidCommentToken", "JSON has no comments"],
  ["UnexpectedEndOfComment", "JSON has no comments"],
  ["UnexpectedEndOfString", "this text has no closing quote on its line"],
  ["UnexpectedEndOfNumber", "this number is cut off"],
  ["InvalidUnicode", "\\u needs four hexadecimal digits"],
  ["InvalidEscapeCharacter", "there is no such escape"],
  ["InvalidCharacter", "control characters in a text must be escaped"],
]);

function sentence(code: string): string {
  return sentences.get(code) ?? code;
}

/** Turns stretches of one file into lines and columns; `\n`, `\r\n` and `\r` each end a line. */
export function regionsOf(text: string, file: string): (span: Span) => Region {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    starts.push(match.index + match[0].length);
  }
  const place = (offset: number) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
  return (span) => {
    const begin = place(span.offset);
    const end = place(span.end);
    return { file, line: begin.line, column: begin.column, endLine: end.line, endColumn: end.column };
  };
}
