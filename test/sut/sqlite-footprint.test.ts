import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { Footprint } from "../../src/sut/footprint.js";
import { sqliteFootprint } from "../../src/sut/sqlite-footprint.js";
import type { Bound } from "../../src/sut/sqlite-program.js";

const schema = `
  CREATE TABLE notes (tenant TEXT NOT NULL, key TEXT NOT NULL, body TEXT, PRIMARY KEY (tenant, key)) STRICT;
  CREATE TABLE lines (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, tag TEXT) STRICT;
  CREATE TABLE plain (number INTEGER PRIMARY KEY, tag TEXT) STRICT;
  CREATE TABLE heap (tag TEXT);
  CREATE TABLE loose (word TEXT COLLATE NOCASE PRIMARY KEY, amount REAL);
  CREATE TABLE wordless (word TEXT PRIMARY KEY, tag TEXT) WITHOUT ROWID;
  CREATE TABLE children (id INTEGER PRIMARY KEY, tenant TEXT, key TEXT,
    FOREIGN KEY (tenant, key) REFERENCES notes (tenant, key) ON DELETE CASCADE);
  CREATE TABLE audited (id INTEGER PRIMARY KEY, tag TEXT);
  CREATE TABLE audit (id INTEGER);
  CREATE TRIGGER audits AFTER UPDATE ON audited BEGIN INSERT INTO audit VALUES (new.id); END;
  CREATE VIEW tags AS SELECT tag FROM plain WHERE number = 1;
  CREATE VIRTUAL TABLE words USING fts5 (text);`;

function opened(sql = schema): Database.Database {
  const connection = new Database(":memory:");
  connection.pragma("foreign_keys = ON");
  connection.exec(sql);
  return connection;
}

/** `notes["t1","k1"]` for a row, `notes` for all of a table. */
function shown(footprint: Footprint): { readonly reads: string; readonly writes: string } | "unknown" {
  if (footprint.kind === "unknown") return "unknown";
  const text = (places: typeof footprint.reads): string =>
    places.map(({ table, key }) => (key.kind === "any" ? table : table + key.row)).join(" ");
  return { reads: text(footprint.reads), writes: text(footprint.writes) };
}

const k1 = { tenant: "t1", key: "k1", body: "b" };
const note = 'notes["t1","k1"]';

type Row = {
  readonly says: string;
  readonly sql: string;
  readonly bound?: Bound;
  readonly reads: string;
  readonly writes: string;
};

const rows: readonly Row[] = [
  {
    says: "a lookup by the whole key reads the row",
    sql: "SELECT body FROM notes WHERE tenant = @tenant AND key = @key",
    bound: k1,
    reads: note,
    writes: "",
  },
  {
    says: "the values count, not the names of the parameters",
    sql: "SELECT body FROM notes WHERE tenant = @key AND key = @tenant",
    bound: { key: "t1", tenant: "k1" },
    reads: note,
    writes: "",
  },
  {
    says: "parameters count by position where they have no names",
    sql: "SELECT '?' AS mark, body /* ? */ FROM notes -- ?\n WHERE key = ? AND tenant = ?",
    bound: ["k1", "t1"],
    reads: note,
    writes: "",
  },
  {
    says: "a sign in a text, a name or a comment is no parameter",
    sql: `SELECT ':tenant' AS "@body", body AS [$key] /* @body */ FROM notes -- :key
      WHERE key = @key AND tenant = :tenant`,
    bound: k1,
    reads: note,
    writes: "",
  },
  {
    says: "a number takes the place of a name, so that the names after it are not told apart",
    sql: "SELECT tag FROM plain WHERE number = ?1 AND tag = @tag",
    bound: { 1: 5, tag: 7 },
    reads: "plain",
    writes: "",
  },
  {
    says: "a numbered parameter could be any value",
    sql: "SELECT body FROM notes WHERE key = ?2 AND tenant = ?1",
    bound: { 1: "t1", 2: "k1" },
    reads: "notes",
    writes: "",
  },
  {
    says: "a lookup by a part of the key reads the table",
    sql: "SELECT body FROM notes WHERE tenant = @tenant",
    bound: k1,
    reads: "notes",
    writes: "",
  },
  {
    says: "so does one with an alternative, though the plan shows the same search",
    sql: "SELECT body FROM notes WHERE tenant = @tenant AND (key = @key OR key = 'k2')",
    bound: k1,
    reads: "notes",
    writes: "",
  },
  {
    says: "so does one by a range",
    sql: "SELECT body FROM notes WHERE tenant = @tenant AND key >= @key",
    bound: k1,
    reads: "notes",
    writes: "",
  },
  {
    says: "so does one whose value is worked out",
    sql: "SELECT body FROM notes WHERE tenant = @tenant AND key = lower(@key)",
    bound: k1,
    reads: "notes",
    writes: "",
  },
  {
    says: "a number in a column of texts would be converted first",
    sql: "SELECT body FROM notes WHERE tenant = @tenant AND key = @key",
    bound: { tenant: "t1", key: 5 },
    reads: "notes",
    writes: "",
  },
  {
    says: "a text for a number would be converted first",
    sql: "SELECT tag FROM plain WHERE number = @number",
    bound: { number: "05" },
    reads: "plain",
    writes: "",
  },
  {
    says: "a number of a row is its key, written into the statement or bound",
    sql: "SELECT one.tag FROM plain one, plain other WHERE one.number = 7 AND other.number = @number",
    bound: { number: 8 },
    reads: 'plain["7"] plain["8"]',
    writes: "",
  },
  {
    says: "a view reads what is behind it",
    sql: "SELECT tag FROM tags",
    reads: 'plain["1"]',
    writes: "",
  },
  {
    says: "a lookup by another unique column could find a row of any key",
    sql: "SELECT tag FROM lines WHERE name = @name",
    bound: { name: "n" },
    reads: "lines",
    writes: "",
  },
  {
    says: "equality of a key that ignores case is not told apart",
    sql: "SELECT amount FROM loose WHERE word = @word",
    bound: { word: "w" },
    reads: "loose",
    writes: "",
  },
  {
    says: "nor are rows of a table that is its own index",
    sql: "SELECT tag FROM wordless WHERE word = @word",
    bound: { word: "w" },
    reads: "wordless",
    writes: "",
  },
  {
    says: "such a table is written all the same",
    sql: "INSERT INTO wordless VALUES (@word, 'x')",
    bound: { word: "w" },
    reads: "wordless",
    writes: "wordless",
  },
  {
    says: "an insert looks for its own key and writes it; the number that shows nowhere does not count",
    sql: "INSERT INTO notes VALUES (@tenant, @key, @body)",
    bound: k1,
    reads: note,
    writes: note,
  },
  {
    says: "a conditional insert reads its condition",
    sql: `INSERT INTO notes SELECT @tenant, @key, tag FROM plain WHERE number = 1 AND tag = @tag`,
    bound: { ...k1, tag: "x" },
    // SQLite cannot know that it is one row, and of several rows one may be what a child is missing until the end.
    reads: `children ${note} plain["1"]`,
    writes: note,
  },
  {
    says: "an insert of two rows with changing keys could write any",
    sql: "INSERT INTO notes VALUES (@tenant, @key, ''), (@tenant, 'k2', '')",
    bound: k1,
    reads: "children notes",
    writes: "notes",
  },
  {
    says: "an insert without a number takes the next one after all others",
    sql: "INSERT INTO plain (tag) VALUES ('x')",
    reads: "plain",
    writes: "plain",
  },
  {
    says: "an insert with a number writes that row",
    sql: "INSERT INTO plain VALUES (@number, 'x')",
    bound: { number: 3 },
    reads: 'plain["3"]',
    writes: 'plain["3"]',
  },
  {
    says: "a NULL for the number is none",
    sql: "INSERT INTO plain VALUES (@number, 'x')",
    bound: { number: null },
    reads: "plain",
    writes: "plain",
  },
  {
    says: "an AUTOINCREMENT keeps its last number in a table of its own",
    sql: "INSERT INTO lines (name) VALUES (@name)",
    bound: { name: "n" },
    reads: "lines sqlite_sequence",
    writes: "lines sqlite_sequence",
  },
  {
    says: "an insert with a number could still meet another row with the same name",
    sql: "INSERT INTO lines (number, name) VALUES (@number, @name)",
    bound: { number: 3, name: "n" },
    reads: "lines sqlite_sequence",
    writes: "lines sqlite_sequence",
  },
  {
    says: "an update of a row writes that row",
    sql: "UPDATE notes SET body = @body WHERE tenant = @tenant AND key = @key",
    bound: k1,
    reads: note,
    writes: note,
  },
  {
    says: "an update of all rows writes the table",
    sql: "UPDATE plain SET tag = 'x'",
    reads: "plain",
    writes: "plain",
  },
  {
    says: "an update sets off triggers",
    sql: "UPDATE audited SET tag = 'x' WHERE id = 4",
    reads: 'audit audited["4"]',
    writes: 'audit audited["4"]',
  },
  {
    says: "a delete sets off what refers to the row",
    sql: "DELETE FROM notes WHERE tenant = @tenant AND key = @key",
    bound: k1,
    // Whoever deletes a child looks whether its parent is missing, and which parent that is stands in the child.
    reads: "children notes",
    writes: `children ${note}`,
  },
  {
    says: "a child looks for its parent",
    sql: "INSERT INTO children VALUES (@id, @tenant, @key)",
    bound: { ...k1, id: 2 },
    reads: `children["2"] ${note}`,
    writes: 'children["2"]',
  },
  {
    says: "a delete of everything is one of the table, though it opens nothing",
    sql: "DELETE FROM plain",
    reads: "",
    writes: "plain",
  },
  { says: "a count reads the table", sql: "SELECT count(*) FROM heap", reads: "heap", writes: "" },
  {
    says: "rows without a key are not told apart",
    sql: "INSERT INTO heap VALUES ('x')",
    reads: "heap",
    writes: "heap",
  },
  {
    says: "the schema is a table",
    sql: "SELECT name FROM sqlite_schema",
    reads: "sqlite_schema",
    writes: "",
  },
  { says: "a transaction touches no table", sql: "BEGIN IMMEDIATE", reads: "", writes: "" },
];

describe("sqliteFootprint", () => {
  const connection = opened();
  const of = sqliteFootprint();

  it.each(rows)("tells that $says", ({ sql, bound = {}, reads, writes }) => {
    expect(shown(of(connection, sql, bound))).toEqual({ reads, writes });
  });

  it.each([
    ["a virtual table", "SELECT text FROM words"],
    ["another database", "SELECT name FROM temp.sqlite_schema"],
    ["a change of the schema", "CREATE TABLE more (a)"],
    ["a pragma, which would take effect", "PRAGMA foreign_keys = OFF"],
    ["what an earlier statement did", "INSERT INTO plain VALUES (last_insert_rowid(), 'x')"],
    ["a table that does not exist", "SELECT * FROM nowhere"],
  ])("knows nothing of %s", (_, sql) => {
    expect(shown(of(connection, sql, {}))).toBe("unknown");
    expect(connection.pragma("foreign_keys", { simple: true })).toBe(1);
  });

  it("sees a trigger that was put in force after the statement had been seen first, and one taken back", () => {
    const rival = opened();
    const insert = "INSERT INTO plain VALUES (1, 'x')";
    const alone = { reads: 'plain["1"]', writes: 'plain["1"]' };
    expect(shown(of(rival, insert, {}))).toEqual(alone);
    rival.exec("CREATE TRIGGER late BEFORE INSERT ON plain BEGIN INSERT INTO heap VALUES ('x'); END");
    expect(shown(of(rival, insert, {}))).toMatchObject({ writes: expect.stringContaining("heap") });
    rival.exec("DROP TRIGGER late");
    expect(shown(of(rival, insert, {}))).toEqual(alone);
  });

  it("gives one name to texts that are stored alike", () => {
    const lookup = "SELECT body FROM notes WHERE tenant = @tenant AND key = @key";
    // No lone half of a surrogate pair can be stored as UTF-8; each becomes the replacement character.
    const names = ["\ud800", "\udfff", "\ufffd"].map((key) =>
      shown(of(connection, lookup, { tenant: "t", key })),
    );
    expect(new Set(names.map((name) => JSON.stringify(name))).size).toBe(1);
  });
});
