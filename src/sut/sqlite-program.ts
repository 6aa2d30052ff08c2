import type Database from "better-sqlite3";

/** What is bound to a statement: by name without its prefix, or by position. */
export type Bound =
  | { readonly [name: string]: string | number | bigint | Uint8Array | null }
  | readonly (string | number | bigint | Uint8Array | null)[];

/** One instruction of SQLite's virtual machine, as EXPLAIN shows it. */
export type Instruction = {
  readonly address: number;
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string;
  readonly p5: number;
};

/**
 * The programs that a statement stands for: its own first, then those of the triggers and foreign key actions it can
 * set off, each with registers and cursors of its own. Nothing is executed. Throws what the driver throws.
 */
export function sqliteProgram(
  connection: Database.Database,
  sql: string,
  bound: Bound,
): readonly (readonly Instruction[])[] {
  const programs: Instruction[][] = [];
  for (const row of connection.prepare(`EXPLAIN ${sql}`).all(bound)) {
    const instruction = parseInstruction(row);
    if (instruction.address === 0) programs.push([]);
    programs.at(-1)?.push(instruction);
  }
  return programs;
}

function parseInstruction(row: unknown): Instruction {
  const { addr, opcode, p1, p2, p3, p4, p5 } = row as { [column: string]: string | number | null };
  return {
    address: Number(addr),
    opcode: String(opcode),
    p1: Number(p1),
    p2: Number(p2),
    p3: Number(p3),
    p4: String(p4 ?? ""),
    p5: Number(p5),
  };
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** These leave no result in a register; Affinity, TypeCheck and MustBeInt convert one without making it another value. */
const toNone = words(`
  Init Goto Jump Once If IfNot IsType IsNull NotNull Ne Eq Gt Le Lt Ge ElseEq FkIfZero HaltIfNull Halt FkCheck
  ResultRow CollSeq Permutation Compare TypeCheck Affinity MustBeInt FkCounter Expire CursorLock CursorUnlock
  ResetCount Trace CursorHint ReleaseReg Noop Explain Abortable Filter Savepoint AutoCommit Transaction
  OpenRead OpenWrite ReopenIdx OpenEphemeral OpenAutoindex OpenPseudo OpenDup SorterOpen Close ColumnsUsed
  SeekLT SeekLE SeekGE SeekGT SeekRowid SeekScan SeekHit DeferredSeek FinishSeek NotExists NotFound Found NoConflict
  IfNoHope IfNotOpen IfEmpty IfSizeBetween Rewind Last Sort Next Prev NullRow IdxLE IdxGT IdxLT IdxGE SequenceTest
  SorterSort SorterNext SorterInsert SorterCompare ResetSorter Insert Delete IdxInsert IdxDelete`);
const toFirst = words(`
  Gosub Yield InitCoroutine Return EndCoroutine IfPos IfNotZero DecrJumpZero SoftNull AddImm RealAffinity Cast MemMax
  RowSetAdd RowSetTest AggFinal ClrSubtype FilterAdd`);
const toSecond = words(`
  Integer Int64 Real String8 String Blob Variable BeginSubrtn IsTrue Not BitNot ZeroOrNull Count Sequence Rowid IdxRowid
  RowData SorterData Param GetSubtype SetSubtype OffsetLimit SCopy IntCopy`);
const toThird = words(`
  Column And Or BitAnd BitOr ShiftLeft ShiftRight Add Subtract Multiply Divide Remainder Concat MakeRecord PureFunc
  Function AggStep AggStep1 AggInverse AggValue IfNullRow Offset Program Clear`);

const places = new Map<string, "none" | "first" | "second" | "third">([
  ...toNone.map((opcode) => [opcode, "none"] as const),
  ...toFirst.map((opcode) => [opcode, "first"] as const),
  ...toSecond.map((opcode) => [opcode, "second"] as const),
  ...toThird.map((opcode) => [opcode, "third"] as const),
]);

/** What these answer depends on earlier statements of the connection, which no place stands for. */
const remembering = /^(last_insert_rowid|changes|total_changes)\(/;

/** The registers that an instruction may change; undefined for one that is not known well enough to say. */
export function registersWritten(instruction: Instruction): readonly number[] | undefined {
  const { opcode, p1, p2, p3, p4 } = instruction;
  if (opcode === "Null") return range(p2, Math.max(p2, p3));
  if (opcode === "Copy") return range(p2, p2 + p3);
  if (opcode === "Move") return [...range(p1, p1 + p3 - 1), ...range(p2, p2 + p3 - 1)];
  if (opcode === "NewRowid") return [p2, p3];
  if (opcode === "RowSetRead") return [p1, p3];
  if (opcode === "Function" && remembering.test(p4)) return undefined;
  switch (places.get(opcode)) {
    case undefined:
      return undefined;
    case "none":
      return [];
    case "first":
      return [p1];
    case "second":
      return [p2];
    case "third":
      return [p3];
  }
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
