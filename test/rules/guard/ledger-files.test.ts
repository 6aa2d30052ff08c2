import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fileStore } from "../../../src/rules/guard/file-store.js";
import { LedgerBusy } from "../../../src/rules/guard/ledger-busy.js";
import { LedgerUnreadable } from "../../../src/rules/guard/ledger-unreadable.js";
import { sqliteStore } from "../../../src/rules/guard/sqlite-store.js";
import { child } from "./child.js";
import { temporaryFolder } from "./temporary-folder.js";

const row = { key: "k", holder: "one", state: "done" };
const whole = { commitpoint_ledger: 1, reservations: [row] };

describe("the file store", () => {
  it("takes a missing file and one of no bytes for a new ledger", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "empty"), "");
    for (const name of ["missing", "empty"]) {
      const store = fileStore(join(folder, name));
      expect(store.reserve("k", "one")).toEqual({ kind: "reserved" });
      expect(fileStore(join(folder, name)).read("k")).toBe("reserved");
    }
  });

  it("reads the ledger that it documents", () => {
    const ledger = join(temporaryFolder(), "ledger.json");
    writeFileSync(ledger, JSON.stringify(whole));
    expect(fileStore(ledger).reserve("k", "two")).toEqual({ kind: "held", state: "done" });
  });

  it.each([
    ["cut off", JSON.stringify(whole).slice(0, -2)],
    ["blank", " \n"],
    ["an empty object", "{}"],
    ["an empty list", "[]"],
    ["of another version", JSON.stringify({ ...whole, commitpoint_ledger: 2 })],
    ["with an unknown state", JSON.stringify({ ...whole, reservations: [{ ...row, state: "gone" }] })],
    ["with a key twice", JSON.stringify({ ...whole, reservations: [row, { ...row, state: "unknown" }] })],
    ["not in UTF-8", Buffer.from(JSON.stringify(whole).replace('"k"', '"\u00e9"'), "latin1")],
  ])("refuses a ledger that is %s, and names it and the next step", (_, content) => {
    const ledger = join(temporaryFolder(), "ledger.json");
    writeFileSync(ledger, content);
    expect(() => fileStore(ledger)).toThrow(LedgerUnreadable);
    expect(() => fileStore(ledger)).toThrow(/ledger\.json.*restore it from a backup/s);
    expect(readFileSync(ledger)).toEqual(Buffer.from(content));
  });

  it("refuses every answer once the file was broken while it was open", () => {
    const ledger = join(temporaryFolder(), "ledger.json");
    const store = fileStore(ledger);
    store.reserve("k", "one");
    writeFileSync(ledger, "{");
    expect(() => store.read("k")).toThrow(LedgerUnreadable);
    expect(() => store.open()).toThrow(LedgerUnreadable);
    expect(() => store.reserve("k", "two")).toThrow(LedgerUnreadable);
    expect(() => store.settle("k", "one", "done")).toThrow(LedgerUnreadable);
    // The lock is free again after an error.
    writeFileSync(ledger, "");
    expect(store.reserve("k", "two")).toEqual({ kind: "reserved" });
  });

  it("goes on past the half-written successor of a killed process, and leaves none itself", () => {
    const ledger = join(temporaryFolder(), "ledger.json");
    writeFileSync(`${ledger}.next`, '{"commitpoint_ledger": 1, "reser');
    fileStore(ledger).reserve("k", "one");
    expect(fileStore(ledger).read("k")).toBe("reserved");
    expect(existsSync(`${ledger}.next`)).toBe(false);
  });

  it("keeps a link to the ledger a link, and the ledger its permissions", () => {
    const folder = temporaryFolder();
    const [ledger, link] = [join(folder, "ledger.json"), join(folder, "link.json")];
    writeFileSync(ledger, "");
    chmodSync(ledger, 0o640);
    symlinkSync(ledger, link);
    fileStore(link).reserve("k", "one");
    expect(fileStore(ledger).read("k")).toBe("reserved");
    expect(statSync(ledger).mode & 0o777).toBe(0o640);
  });

  it("names a folder that is not there", () => {
    const ledger = join(temporaryFolder(), "nowhere", "ledger.json");
    expect(() => fileStore(ledger)).toThrow(/nowhere.*create its folder/is);
  });

  it("names a lock file into which something was written", () => {
    const ledger = join(temporaryFolder(), "ledger.json");
    writeFileSync(`${ledger}.lock`, "not a lock".repeat(100));
    expect(() => fileStore(ledger).reserve("k", "one")).toThrow(/ledger\.json\.lock.*remove it/is);
  });
});

describe("the lock of a ledger file", () => {
  it("is free once its holder was killed", async () => {
    const { ledger, holder } = await held();
    holder.signal("SIGKILL");
    await holder.ended;
    expect(fileStore(ledger, { lockTimeoutMs: 0 }).reserve("k", "one")).toEqual({ kind: "reserved" });
  });

  it("stays with a holder that was stopped until that one goes on", async () => {
    const { ledger, holder } = await held();
    holder.signal("SIGSTOP");
    const store = fileStore(ledger, { lockTimeoutMs: 100 });
    expect(() => store.reserve("k", "one")).toThrow(LedgerBusy);
    expect(() => store.reserve("k", "one")).toThrow(/ledger\.json.*do not remove any file/s);
    holder.signal("SIGCONT");
    holder.go();
    expect(await holder.line()).toBe("freed");
    expect(store.reserve("k", "one")).toEqual({ kind: "reserved" });
  });
});

describe("the SQLite store", () => {
  it("takes a file of no bytes for a new ledger", () => {
    const ledger = join(temporaryFolder(), "ledger.db");
    writeFileSync(ledger, "");
    expect(sqliteStore(ledger).reserve("k", "one")).toEqual({ kind: "reserved" });
  });

  it("refuses a file that is no database, and names it and the next step", () => {
    const ledger = join(temporaryFolder(), "ledger.db");
    writeFileSync(ledger, "no database".repeat(1000));
    expect(() => sqliteStore(ledger)).toThrow(LedgerUnreadable);
    expect(() => sqliteStore(ledger)).toThrow(/ledger\.db.*restore it from a backup/s);
  });

  it("names a folder that is not there", () => {
    const ledger = join(temporaryFolder(), "nowhere", "ledger.db");
    expect(() => sqliteStore(ledger)).toThrow(/nowhere.*create its folder/is);
  });
});

async function held() {
  const ledger = join(temporaryFolder(), "ledger.json");
  const holder = child(new URL("./lock-holder.ts", import.meta.url), ledger);
  onTestFinished(() => holder.signal("SIGKILL"));
  expect(await holder.line()).toBe("holding");
  return { ledger, holder };
}
