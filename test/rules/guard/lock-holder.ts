/** Holds the lock of a ledger file from the line that it says until it is given one. */
import { readSync, writeSync } from "node:fs";
import { fileLock } from "../../../src/rules/guard/file-lock.js";

const [ledger = ""] = process.argv.slice(2);
fileLock(`${ledger}.lock`, ledger, 0).hold(() => {
  writeSync(1, "holding\n");
  readSync(0, Buffer.alloc(1));
});
writeSync(1, "freed\n");
