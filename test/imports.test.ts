import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const source = resolve(dirname(fileURLToPath(import.meta.url)), "../src");

/** What each room may import besides itself; a file name stands for that one file. */
const allowed: { readonly [room: string]: readonly string[] } = {
  model: [],
  contract: ["model/vocabulary"],
  // A faulty executor says which promise catches it.
  sut: ["model/vocabulary", "contract", "properties/verdict", "rules"],
  properties: ["model", "contract", "sut/port", "sut/fault-kinds"],
  scenario: [
    "model",
    "contract",
    "properties",
    "sut/fault-kinds",
    "config/nearest",
    "config/text-files",
    "frameworks",
  ],
  // A framework is described by its documentation alone.
  frameworks: [],
  // What is checked of a recorded trace or before a call, whoever executes it.
  rules: ["model/vocabulary", "config/nearest", "config/text-files"],
  selftest: ["model", "contract", "properties", "scenario", "sut/port"],
  explore: ["model", "contract", "properties", "sut/footprint", "sut/fault-kinds"],
  report: ["model", "contract", "properties", "scenario", "selftest", "explore", "frameworks", "rules"],
  config: ["model", "contract", "sut", "properties", "scenario", "selftest", "explore", "report"],
  cli: [
    "model",
    "contract",
    "sut",
    "properties",
    "scenario",
    "selftest",
    "explore",
    "report",
    "config",
    "frameworks",
    "rules",
  ],
};

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, path = ""]) =>
    relative(source, resolve(dirname(file), path)).replace(/\.js$/, ""),
  );
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => join(source, name));

describe("imports", () => {
  it("point one way between rooms", () => {
    const wrong = files.flatMap((file) => {
      const name = relative(source, file);
      const room = name.split("/")[0] ?? "";
      if (!name.includes("/")) return [];
      const may = [room, ...(allowed[room] ?? [])];
      return importsOf(file)
        .filter((to) => may.every((prefix) => to !== prefix && !to.startsWith(`${prefix}/`)))
        .map((to) => `${name} imports ${to}`);
    });
    expect(wrong).toEqual([]);
  });

  it("keep model and executor apart but for their words", () => {
    const shared = files
      .filter((file) => relative(source, file).startsWith("sut/"))
      .flatMap(importsOf)
      .filter((to) => to.startsWith("model/"));
    expect(new Set(shared)).toEqual(new Set(["model/vocabulary"]));
  });
});
