import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { conflict } from "../../src/sut/footprint.js";
import { sqliteFootprint } from "../../src/sut/sqlite-footprint.js";

const schema = `
  CREATE TABLE notes (tenant TEXT NOT NULL, key TEXT NOT NULL, body TEXT, PRIMARY KEY (tenant, key)) STRICT;
  CREATE TABLE lines (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, tag TEXT) STRICT;
  CREATE TABLE plain (number INTEGER PRIMARY KEY, tag TEXT);
  CREATE TABLE children (id INTEGER PRIMARY KEY, tenant TEXT, key TEXT,
    FOREIGN KEY (tenant, key) REFERENCES notes (tenant, key) ON DELETE SET NULL);
  CREATE TABLE audit (id INTEGER PRIMARY KEY, tag TEXT);
  CREATE TRIGGER audits AFTER UPDATE ON plain BEGIN
    INSERT INTO audit (tag) SELECT new.tag || count(*) FROM lines;
  END;`;

const filled = `
  INSERT INTO notes VALUES ('t', 'k1', 'first'), ('t', 'k2', 'second');
  INSERT INTO plain VALUES (1, 'k1'), (2, 'k2');
  INSERT INTO lines (name, tag) VALUES ('n1', 'k1');
  INSERT INTO children VALUES (1, 't', 'k1');`;

/** Each is tried with each key below, and the number that belongs to it. */
const templates = [
  "SELECT body FROM notes WHERE tenant = 't' AND key = @key",
  "SELECT count(*) AS notes FROM notes WHERE tenant = 't' AND key IN (@key, 'k3')",
  "SELECT max(key) AS last FROM notes WHERE tenant = 't'",
  "SELECT tag FROM plain WHERE number = @number",
  "SELECT body FROM notes, plain WHERE tenant = 't' AND key = tag AND number = @number",
  "SELECT number FROM lines WHERE name = @key",
  "INSERT INTO notes VALUES ('t', @key, 'new')",
  "INSERT OR IGNORE INTO notes VALUES ('t', @key, 'ignored')",
  "INSERT OR REPLACE INTO notes VALUES ('t', @key, 'replaced')",
  "INSERT INTO notes SELECT 't', @key, tag FROM plain WHERE number = 1 AND tag = 'k1'",
  `INSERT INTO notes VALUES ('t', @key, 'put') ON CONFLICT DO UPDATE SET body = body || excluded.body`,
  "UPDATE notes SET body = body || '+' WHERE tenant = 't' AND key = @key",
  "UPDATE OR IGNORE notes SET key = @key WHERE tenant = 't' AND key = 'k2'",
  "DELETE FROM notes WHERE tenant = 't' AND key = @key",
  "DELETE FROM notes",
  "INSERT INTO plain VALUES (@number, 'new')",
  "INSERT INTO plain (tag) VALUES (@key)",
  "UPDATE plain SET tag = @key WHERE number = @number",
  "UPDATE OR REPLACE plain SET number = 1 WHERE number = @number",
  "DELETE FROM plain WHERE number = @number",
  "INSERT INTO lines (name, tag) VALUES (@key, 'new')",
  "INSERT OR REPLACE INTO lines (name, tag) VALUES (@key, 'replaced')",
  "INSERT INTO lines (number, name) VALUES (@number, @key)",
  "INSERT INTO children VALUES (@number, 't', @key)",
  "DELETE FROM children WHERE id = @number",
] as const;

const statements = templates.flatMap((sql) =>
  ["k1", "k2", "k3"].map((key, index) => ({ sql, bound: { key, number: index + 1 } })),
);
type Statement = (typeof statements)[number];

const tables = ["notes", "lines", "plain", "children", "audit", "sqlite_sequence"];

function opened(rows: string): Database.Database {
  const connection = new Database(":memory:");
  connection.pragma("foreign_keys = ON");
  connection.exec(schema + rows);
  return connection;
}

/** The tables after these statements, and what each of them answered; nothing of it stays. */
function outcome(connection: Database.Database, order: readonly Statement[]): readonly string[] {
  connection.exec("BEGIN");
  const answers = order.map(
    (statement) => `${JSON.stringify(statement)}: ${answerOf(connection, statement)}`,
  );
  const left = tables.map((table) => connection.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all());
  connection.exec("ROLLBACK");
  return [...answers.sort(), JSON.stringify(left)];
}

function answerOf(connection: Database.Database, { sql, bound }: Statement): string {
  try {
    const statement = connection.prepare(sql);
    return JSON.stringify(statement.reader ? statement.all(bound) : statement.run(bound).changes);
  } catch (error) {
    return String(error);
  }
}

describe("two statements whose footprints do not conflict", () => {
  const of = sqliteFootprint();
  const footprints = statements.map(({ sql, bound }) => of(opened(""), sql, bound));
  const pairs = statements.flatMap((one, first) =>
    statements.slice(first + 1).map((other, further) => {
      const [mine, its] = [footprints[first], footprints[first + 1 + further]];
      if (mine === undefined || its === undefined) throw new Error("each statement has a footprint");
      return { one, other, isIndependent: !conflict(mine, its) };
    }),
  );

  it.each([
    ["full", filled],
    ["empty", ""],
  ])("answer the same and leave the same behind in either order, on a store that is %s", (_, rows) => {
    const connection = opened(rows);
    const wrong = pairs
      .filter(({ isIndependent }) => isIndependent)
      .map(({ one, other }) => [outcome(connection, [one, other]), outcome(connection, [other, one])])
      .filter(([forth, back]) => JSON.stringify(forth) !== JSON.stringify(back));
    expect(wrong).toEqual([]);
  });

  it("are found among those that differ in the key alone, and not among those with the same key", () => {
    const write = templates.indexOf("UPDATE notes SET body = body || '+' WHERE tenant = 't' AND key = @key");
    const read = templates.indexOf("SELECT body FROM notes WHERE tenant = 't' AND key = @key");
    const isIndependent = (reader: number, writer: number): boolean | undefined =>
      pairs.find(
        ({ one, other }) => one === statements[read * 3 + reader] && other === statements[write * 3 + writer],
      )?.isIndependent;
    expect(isIndependent(0, 1)).toBe(true);
    expect(isIndependent(1, 0)).toBe(true);
    expect(isIndependent(0, 0)).toBe(false);
  });
});
