import { ledgerSchema, ledgerSql } from "../ledger/store.js";

/** Every statement that the ruled executor runs, by name: the ledger's, and those of rules, turns, calls and reservations. */
export const ruledSql = {
  ...ledgerSql,
  readRules: "SELECT file, text FROM rules ORDER BY place",
  removeRules: "DELETE FROM rules",
  insertRule: "INSERT INTO rules (place, file, text) VALUES (@place, @file, @text)",
  readTurns: "SELECT text FROM turns ORDER BY number",
  insertTurn: "INSERT INTO turns (text) VALUES (@text)",
  readCalls: "SELECT turn, arguments, outcome FROM calls ORDER BY number",
  insertCall: `INSERT INTO calls (turn, delivery, arguments, outcome)
    SELECT count(*), @delivery, @arguments, 'unknown' FROM turns`,
  endCall: "UPDATE calls SET outcome = @outcome WHERE number = @number",
  settleCall: "UPDATE calls SET outcome = @outcome WHERE delivery = @delivery AND outcome = 'unknown'",
  readReservation:
    "SELECT tenant, key, state, delivery FROM reservations WHERE tenant = @tenant AND key = @key",
  readReservations: "SELECT tenant, key, state, delivery FROM reservations ORDER BY tenant, key",
  insertReservation: `INSERT INTO reservations (tenant, key, state, delivery)
    VALUES (@tenant, @key, 'reserved', @delivery) ON CONFLICT (tenant, key) DO NOTHING`,
  settleReservation: `UPDATE reservations SET state = @state
    WHERE tenant = @tenant AND key = @key AND delivery = @delivery`,
  removeReservation: `DELETE FROM reservations
    WHERE tenant = @tenant AND key = @key AND delivery = @delivery`,
} as const;

export const ruledSchema = `${ledgerSchema}
  CREATE TABLE IF NOT EXISTS rules (place INTEGER PRIMARY KEY, file TEXT NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS turns (number INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS calls (
    number INTEGER PRIMARY KEY AUTOINCREMENT, turn INTEGER NOT NULL, delivery TEXT NOT NULL UNIQUE,
    arguments TEXT NOT NULL, outcome TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS reservations (
    tenant TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, delivery TEXT NOT NULL,
    PRIMARY KEY (tenant, key)) STRICT;
`;

export const ruledTables = [
  "effects",
  "receipts",
  "policy",
  "policy_revisions",
  "rules",
  "turns",
  "calls",
  "reservations",
];

/** What a harness does to a store whose ledger is to be read by nobody: the keys stay, no state is a word any more. */
export const damageSql = "UPDATE reservations SET state = 'damaged'";
