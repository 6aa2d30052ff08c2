import { describe, expect, it } from "vitest";
import type { Instruction } from "../../src/sut/sqlite-program.js";
import type { SqliteTable } from "../../src/sut/sqlite-tables.js";
import { sqliteTouches, type Touch } from "../../src/sut/sqlite-touches.js";

const notes: SqliteTable = {
  name: "notes",
  identity: { kind: "index", root: 11, columns: ["text", "text"] },
};
const plain: SqliteTable = { name: "plain", identity: { kind: "rowid" } };
/** Root pages: notes at 10, its primary key at 11, another index of it at 12; plain at 20. */
const tables = new Map([
  [10, notes],
  [11, notes],
  [12, notes],
  [20, plain],
]);

type Line = readonly [opcode: string, p1?: number, p2?: number, p3?: number, p4?: string, p5?: number];

function program(...lines: readonly Line[]): readonly Instruction[] {
  return lines.map(([opcode, p1 = 0, p2 = 0, p3 = 0, p4 = "", p5 = 0], address) => ({
    address,
    opcode,
    p1,
    p2,
    p3,
    p4,
    p5,
  }));
}

function shown(
  ...lines: readonly Line[]
): { readonly reads: string; readonly writes: string } | "not understood" {
  const touches = sqliteTouches(program(...lines), tables);
  if (touches === undefined) return "not understood";
  return { reads: textOf(touches.reads), writes: textOf(touches.writes) };
}

/** `notes[?1,?2]` for a row, `notes` for all of a table. */
function textOf(touches: readonly Touch[]): string {
  return touches
    .map(({ table: { name }, key }) => {
      if (key.kind === "any") return name;
      return `${name}[${key.parts.map((part) => (part.kind === "value" ? part.value : `?${part.position}`)).join()}]`;
    })
    .join(" ");
}

/** Registers 1 and 2 hold both parts of a key; cursor 1 is open on an index of `notes`. */
const keyed: readonly Line[] = [
  ["Variable", 1, 1],
  ["Variable", 2, 2],
];
const onKey: Line = ["OpenRead", 1, 11];
const end = 99;
const lookup: readonly Line[] = [
  ["SeekGE", 1, end, 1, "2"],
  ["IdxGT", 1, end, 1, "2"],
];
const row = { reads: "notes[?1,?2]", writes: "" };
const whole = { reads: "notes", writes: "" };

describe("sqliteTouches", () => {
  it("finds the row of a key that is compared as a whole", () => {
    expect(shown(onKey, ...keyed, ...lookup)).toEqual(row);
    expect(shown(onKey, ...keyed, ["NoConflict", 1, end, 1, "2"])).toEqual(row);
  });

  it("follows copies, of one register and of several", () => {
    const copied: Line[] = [
      ["Variable", 1, 5],
      ["Variable", 2, 6],
      ["Copy", 5, 8, 1],
      ["SCopy", 8, 1],
      ["IntCopy", 9, 2],
    ];
    expect(shown(onKey, ...copied, ...lookup)).toEqual(row);
  });

  it.each<readonly [string, readonly Line[]]>([
    ["is of another index", [["OpenRead", 1, 12], ...keyed, ...lookup]],
    ["covers a part of the key", [onKey, ...keyed, ["SeekGE", 1, end, 1, "1"], ["IdxGT", 1, end, 1, "1"]]],
    ["has no upper end", [onKey, ...keyed, ["SeekGE", 1, end, 1, "2"], ["Noop"]]],
    ["has an upper end elsewhere", [onKey, ...keyed, ["SeekGE", 1, end, 1, "2"], ["IdxGT", 1, end, 5, "2"]]],
    [
      "has an upper end of another cursor",
      [onKey, ...keyed, ["SeekGE", 1, end, 1, "2"], ["IdxGT", 2, end, 1, "2"]],
    ],
    ["is by a record", [onKey, ...keyed, ["Found", 1, end, 1, ""]]],
    ["has a part that is set twice", [onKey, ...keyed, ["Variable", 3, 2], ...lookup]],
    ["has a part that is set by a range", [onKey, ...keyed, ["Null", 0, 0, 9], ...lookup]],
    ["has a part that is changed in place", [onKey, ...keyed, ["AddImm", 2, 1], ...lookup]],
    ["has a part that is moved away", [onKey, ...keyed, ["Move", 2, 7, 1], ...lookup]],
    ["has a part that comes out of a row", [onKey, ["Variable", 1, 1], ["Column", 1, 0, 2], ...lookup]],
    ["has a part that is never set", [onKey, ["Variable", 1, 1], ...lookup]],
    ...[
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
    ].map((opcode): readonly [string, readonly Line[]] => [
      `is a ${opcode}`,
      [onKey, ...keyed, [opcode, 1, end, 1, "2"]],
    ]),
  ])("takes all of the table if the lookup %s", (_, lines) => {
    expect(shown(...lines)).toEqual(whole);
  });

  it("takes all of both tables if a cursor is open on one after the other", () => {
    const both = shown(onKey, ["OpenWrite", 1, 20], ...keyed, ["NoConflict", 1, end, 1, "2"], ["Delete", 1]);
    expect(both).toEqual({ reads: "notes plain", writes: "notes plain" });
  });

  it("does not count what is in no table", () => {
    expect(shown(["OpenEphemeral", 1, 2], ["Rewind", 1, end], ["IdxInsert", 1, 1, 1, "2"])).toEqual({
      reads: "",
      writes: "",
    });
  });

  it("deletes what it has found", () => {
    const deleted = [
      ["OpenWrite", 0, 10],
      ...keyed,
      ...lookup,
      ["DeferredSeek", 1, 0, 0],
      ["Delete", 0],
    ] as const;
    expect(shown(["OpenWrite", 1, 11], ...deleted)).toEqual({
      reads: "notes[?1,?2]",
      writes: "notes[?1,?2]",
    });
  });

  it("deletes anything if it has not found it in the same table", () => {
    expect(shown(["OpenWrite", 0, 20], onKey, ...keyed, ...lookup, ["Delete", 0])).toMatchObject({
      writes: "plain",
    });
  });

  it("updates the row whose number it has read, which is NULL to start with", () => {
    const updated: Line[] = [
      ["Null", 0, 4],
      ["OpenWrite", 0, 20],
      ["Integer", 7, 3],
      ["SeekRowid", 0, end, 3],
      ["Rowid", 0, 4],
      ["Insert", 0, 9, 4],
    ];
    expect(shown(...updated)).toEqual({ reads: "plain[7]", writes: "plain[7]" });
  });

  it("inserts anywhere if the number comes from another table", () => {
    const copied: Line[] = [
      ["OpenRead", 1, 10],
      ["Rewind", 1, end],
      ["Rowid", 1, 4],
      ["OpenWrite", 0, 20],
      ["Insert", 0, 9, 4],
    ];
    expect(shown(...copied)).toEqual({ reads: "notes", writes: "plain" });
  });

  it("inserts anywhere if the number may come from elsewhere than the row it has read", () => {
    const renumbered: Line[] = [
      ["OpenWrite", 0, 20],
      ["Integer", 7, 3],
      ["SeekRowid", 0, end, 3],
      ["Rowid", 0, 4],
      ["Integer", 8, 4],
      ["Insert", 0, 9, 4],
    ];
    expect(shown(...renumbered)).toEqual({ reads: "plain[7]", writes: "plain" });
  });

  it.each<readonly [string, Line]>([
    ["an opcode it does not know", ["VOpen", 0]],
    ["a table of another database", ["OpenRead", 0, 10, 1]],
    ["a root page in a register", ["OpenWrite", 0, 10, 0, "", 0x10]],
    ["a root page it does not know", ["OpenRead", 0, 33]],
    ["a table cleared in another database", ["Clear", 10, 1]],
  ])("does not understand %s", (_, line) => {
    expect(shown(line)).toBe("not understood");
  });
});
