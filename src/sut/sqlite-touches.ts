import { type Instruction, registersWritten } from "./sqlite-program.js";
import type { SqliteTable, SqliteTables } from "./sqlite-tables.js";

/** A part of a key: a value that the statement names, or one that is bound to it, by position from 1. */
export type KeyPart =
  | { readonly kind: "value"; readonly value: string | number }
  | { readonly kind: "parameter"; readonly position: number };

/** A row by the parts of its key, or all of a table. */
export type Touch = {
  readonly table: SqliteTable;
  readonly key: { readonly kind: "any" } | { readonly kind: "row"; readonly parts: readonly KeyPart[] };
};

export type Touches = { readonly reads: readonly Touch[]; readonly writes: readonly Touch[] };

/** What a register holds whenever it is read, as far as one can tell. */
type Content =
  | KeyPart
  /** The number of a row that a cursor of this table stands on already. */
  | { readonly kind: "number of"; readonly table: SqliteTable }
  | { readonly kind: "new number of"; readonly table: SqliteTable }
  | { readonly kind: "anything" };

/**
 * What a program touches, whichever way it runs; undefined if an instruction is not understood. Every way in which a
 * cursor can be placed counts as a read of what it may find: one row, if the whole key is compared for equality with
 * values that do not change while the program runs, otherwise all of the table. What is written is what was read, and
 * what is inserted. A table whose row numbers the store gives out is read whole by an insert without a number, since
 * the number depends on the others; where no column shows the number, it does not count, nor does the order of a scan.
 */
export function sqliteTouches(program: readonly Instruction[], tables: SqliteTables): Touches | undefined {
  const writers = writersOf(program);
  const cursors = cursorsOf(program, tables);
  if (writers === undefined || cursors === undefined) return undefined;
  const contents = (register: number): Content => contentOf(register, program, writers, cursors);
  const reads = program.flatMap((_, at) => readBy(program, at, cursors, contents));
  const writes = program.flatMap((instruction) => writtenBy(instruction, cursors, contents, reads));
  for (const { opcode, p1, p2 } of program) {
    if (opcode !== "Clear") continue;
    const table = tables.get(p1);
    if (table === undefined || p2 !== 0) return undefined;
    writes.push(all(table));
  }
  return { reads, writes };
}

type Writers = ReadonlyMap<number, readonly Instruction[]>;

function writersOf(program: readonly Instruction[]): Writers | undefined {
  const writers = new Map<number, Instruction[]>();
  for (const [at, instruction] of program.entries()) {
    const registers = registersWritten(instruction);
    if (registers === undefined) return undefined;
    if (isOnlyForNull(program, at)) continue;
    for (const register of registers) writers.set(register, [...(writers.get(register) ?? []), instruction]);
  }
  return writers;
}

/** A number that is given out only if none was bound; a bound NULL names no row, so it counts as all of the table. */
function isOnlyForNull(program: readonly Instruction[], at: number): boolean {
  const [before, instruction] = [program[at - 1], program[at]];
  return (
    instruction?.opcode === "NewRowid" &&
    before?.opcode === "NotNull" &&
    before.p1 === instruction.p2 &&
    before.p2 === instruction.address + 1
  );
}

/** The tables a cursor may be open on, each with the root pages of the table or of its indices. */
type Cursors = ReadonlyMap<number, readonly { readonly root: number; readonly table: SqliteTable }[]>;

const transient = ["OpenEphemeral", "OpenAutoindex", "OpenPseudo", "OpenDup", "SorterOpen"];
const stored = ["OpenRead", "OpenWrite", "ReopenIdx"];
const rootIsInRegister = 0x10;

function cursorsOf(program: readonly Instruction[], tables: SqliteTables): Cursors | undefined {
  const cursors = new Map<number, { root: number; table: SqliteTable }[]>();
  for (const { opcode, p1, p2, p3, p5 } of program) {
    const known = cursors.get(p1) ?? [];
    if (transient.includes(opcode)) cursors.set(p1, known);
    if (!stored.includes(opcode)) continue;
    const table = tables.get(p2);
    // Another database than the main one has root pages of its own.
    if (table === undefined || p3 !== 0 || (p5 & rootIsInRegister) !== 0) return undefined;
    if (known.every(({ root }) => root !== p2)) cursors.set(p1, [...known, { root: p2, table }]);
  }
  return cursors;
}

const numbering = ["Rowid", "IdxRowid", "NewRowid"];

/** Follows copies, which cannot go in circles, since a register that is read has been set by something else. */
function contentOf(
  register: number,
  program: readonly Instruction[],
  writers: Writers,
  cursors: Cursors,
): Content {
  const set = writers.get(register) ?? [];
  const real = set.filter(({ opcode }) => opcode !== "Null");
  const [only] = real;
  if (only === undefined || real.length > 1) return { kind: "anything" };
  // A NULL to start with is the number of no row; as a part of a key it may be one.
  if (set.length > 1 && !numbering.includes(only.opcode)) return { kind: "anything" };
  switch (only.opcode) {
    case "Integer":
      return { kind: "value", value: only.p1 };
    case "String8":
      return { kind: "value", value: only.p4 };
    case "Variable":
      return { kind: "parameter", position: only.p1 };
    case "SCopy":
    case "IntCopy":
      return contentOf(only.p1, program, writers, cursors);
    case "Copy":
      return contentOf(only.p1 + register - only.p2, program, writers, cursors);
    case "Rowid":
    case "IdxRowid":
    case "NewRowid": {
      const [place, ...others] = cursors.get(only.p1) ?? [];
      if (place === undefined || others.length > 0) return { kind: "anything" };
      return { kind: only.opcode === "NewRowid" ? "new number of" : "number of", table: place.table };
    }
    default:
      return { kind: "anything" };
  }
}

const wholesale = [
  "SeekLT",
  "SeekLE",
  "SeekGT",
  "Rewind",
  "Last",
  "Sort",
  "Next",
  "Prev",
  "Count",
  "IfEmpty",
  "IfSizeBetween",
];

function readBy(
  program: readonly Instruction[],
  at: number,
  cursors: Cursors,
  contents: (register: number) => Content,
): readonly Touch[] {
  const instruction = program[at];
  if (instruction === undefined) return [];
  const { opcode, p1, p2, p3, p4 } = instruction;
  const places = cursors.get(p1) ?? [];
  const [place] = places;
  if (place === undefined) return [];
  const whole = places.map(({ table }) => all(table));
  if (wholesale.includes(opcode)) return whole;
  if (opcode === "NewRowid") {
    return isOnlyForNull(program, at) ? [] : whole.filter(({ table }) => table.identity.kind !== "index");
  }
  const isPoint = ["SeekRowid", "NotExists", "NotFound", "Found", "NoConflict"].includes(opcode);
  if (!isPoint && opcode !== "SeekGE") return [];
  if (places.length > 1) return whole;
  if (opcode === "SeekRowid" || opcode === "NotExists") return byNumber(place.table, contents(p3));
  const next = program[at + 1];
  const isEquality =
    isPoint ||
    (next?.opcode === "IdxGT" && next.p1 === p1 && next.p2 === p2 && next.p3 === p3 && next.p4 === p4);
  return isEquality ? [byIndex(place, p3, Number(p4), contents)] : whole;
}

function byNumber(table: SqliteTable, content: Content): readonly Touch[] {
  switch (content.kind) {
    case "number of":
      return content.table === table ? [] : [all(table)];
    // No row has it; that it depends on the others counts where it is given out.
    case "new number of":
      return content.table === table ? [] : [all(table)];
    case "anything":
      return [all(table)];
    default:
      return [
        table.identity.kind === "rowid" ? { table, key: { kind: "row", parts: [content] } } : all(table),
      ];
  }
}

function byIndex(
  { root, table }: { readonly root: number; readonly table: SqliteTable },
  first: number,
  count: number,
  contents: (register: number) => Content,
): Touch {
  const { identity } = table;
  const isWhole = identity.kind === "index" && identity.root === root && count >= identity.columns.length;
  if (!isWhole) return all(table);
  const parts: KeyPart[] = [];
  for (const [offset] of identity.columns.entries()) {
    const content = contents(first + offset);
    if (content.kind !== "value" && content.kind !== "parameter") return all(table);
    parts.push(content);
  }
  return { table, key: { kind: "row", parts } };
}

function writtenBy(
  { opcode, p1, p3, p4 }: Instruction,
  cursors: Cursors,
  contents: (register: number) => Content,
  reads: readonly Touch[],
): readonly Touch[] {
  const places = cursors.get(p1) ?? [];
  const [place] = places;
  if (place === undefined || !["Insert", "Delete", "IdxInsert", "IdxDelete"].includes(opcode)) return [];
  if (places.length > 1) return places.map(({ table }) => all(table));
  const { table, root } = place;
  const { identity } = table;
  const found = reads.filter((read) => read.table === table);
  if (opcode === "Delete" || opcode === "IdxDelete") return found.length === 0 ? [all(table)] : found;
  if (opcode === "IdxInsert") {
    if (identity.kind === "none") return [all(table)];
    // An entry in another index belongs to a row that is written too.
    return identity.kind === "index" && identity.root === root
      ? [byIndex(place, p3, Number(p4), contents)]
      : [];
  }
  const content = contents(p3);
  if (content.kind === "number of" && content.table === table)
    return found.length === 0 ? [all(table)] : found;
  // The row's key goes into the index of the primary key.
  if (content.kind === "new number of" && content.table === table && identity.kind === "index") return [];
  return content.kind === "new number of" ? [all(table)] : byNumber(table, content);
}

function all(table: SqliteTable): Touch {
  return { table, key: { kind: "any" } };
}
