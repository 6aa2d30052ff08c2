import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkFileWritable, checkFolderWritable, writeWhole } from "../../src/cli/write-whole.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cp-write-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("writeWhole", () => {
  it("makes the folders on the way and leaves nothing else behind", () => {
    writeWhole(join(folder, "a/b/out.json"), "text");
    expect(readFileSync(join(folder, "a/b/out.json"), "utf8")).toBe("text");
    expect(readdirSync(join(folder, "a/b"))).toEqual(["out.json"]);
  });

  it("replaces what was there", () => {
    writeFileSync(join(folder, "out.json"), "a longer text than the new one");
    writeWhole(join(folder, "out.json"), "new");
    expect(readFileSync(join(folder, "out.json"), "utf8")).toBe("new");
  });

  it("leaves what was there, and no part, when it fails", () => {
    mkdirSync(join(folder, "out.json/full"), { recursive: true });
    expect(() => writeWhole(join(folder, "out.json"), "new")).toThrow();
    expect(readdirSync(folder)).toEqual(["out.json"]);
    expect(existsSync(join(folder, "out.json/full"))).toBe(true);
  });

  it("removes its part when the file cannot be put in place", () => {
    expect(() => writeWhole(join(folder, "n".repeat(300)), "new")).toThrow("ENAMETOOLONG");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("takes a name of the full length that a file system has", () => {
    writeWhole(join(folder, "n".repeat(255)), "text");
    expect(readdirSync(folder)).toEqual(["n".repeat(255)]);
  });

  it("follows a link instead of replacing it", () => {
    writeFileSync(join(folder, "real.json"), "old");
    symlinkSync(join(folder, "real.json"), join(folder, "link.json"));
    writeWhole(join(folder, "link.json"), "new");
    expect(readFileSync(join(folder, "real.json"), "utf8")).toBe("new");
    expect(lstatSync(join(folder, "link.json")).isSymbolicLink()).toBe(true);
  });

  it("writes to a device without replacing it", () => {
    writeWhole("/dev/null", "text");
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});

describe("checkFileWritable", () => {
  it("leaves nothing behind", () => {
    checkFileWritable(join(folder, "deep/er/out.json"), "--reporter");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("refuses a folder, and a path through a file", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => checkFileWritable(folder, "--reporter")).toThrow(
      "expected a file to write, found the folder",
    );
    expect(() => checkFileWritable(join(folder, "file/out.json"), "--reporter")).toThrow(
      "expected a folder, found the file",
    );
  });

  it("refuses a name that the file system does not take, and leaves nothing behind", () => {
    expect(() => checkFileWritable(join(folder, "n".repeat(300)), "--reporter")).toThrow("ENAMETOOLONG");
    checkFileWritable(join(folder, "out.json"), "--reporter");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("keeps what is in a file that is there already", () => {
    writeFileSync(join(folder, "out.json"), "old");
    checkFileWritable(join(folder, "out.json"), "--reporter");
    expect(readFileSync(join(folder, "out.json"), "utf8")).toBe("old");
  });

  it.skipIf(process.platform !== "linux")("finds out where nobody can write, root included", () => {
    expect(() => checkFolderWritable("/proc/commitpoint", "the output folder")).toThrow(
      "cannot write into /proc",
    );
  });
});
