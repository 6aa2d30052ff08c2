import { describe, expect, it } from "vitest";
import { workspacePath } from "../../../src/sut/tools/workspace-path.js";
import type { WorkspaceCode } from "../../../src/sut/tools/workspace-refusals.js";

/** Allowed beside forbidden: what stands between the two is the rule. */
const rows: readonly (readonly [path: string, expected: WorkspaceCode | "path"])[] = [
  ["a", "path"],
  ["", "path_empty"],
  ["a/b/c.txt", "path"],
  ["/a", "path_absolute"],
  ["a//b", "name_empty"],
  ["a/", "name_empty"],
  ["..", "path_steps"],
  ["../a", "path_steps"],
  ["a/../b", "path_steps"],
  ["a/..", "path_steps"],
  ["./a", "path_steps"],
  ["a/.", "path_steps"],
  ["..a", "path"],
  [".a", "path"],
  ["a..b", "path"],
  ["...", "name_edge"],
  ["a.", "name_edge"],
  ["a b", "path"],
  ["a ", "name_edge"],
  [" a", "name_edge"],
  ["a /b", "name_edge"],
  ["don't", "path"],
  ['a"', "name_edge"],
  ["a'", "name_edge"],
  ["'a", "name_edge"],
  ["a`", "name_edge"],
  ["a\u201d", "name_edge"],
  ["a\0", "name_characters"],
  ["a\0/../../b", "name_characters"],
  ["a\n", "name_characters"],
  ["a\u007f", "name_characters"],
  // Right-to-left override: shown as another name than it is.
  ["a\u202etxt", "name_characters"],
  // Zero-width space, soft hyphen, a variation selector, a filler that is drawn as nothing.
  ["a\u200bb", "name_characters"],
  ["a\u00adb", "name_characters"],
  ["a\ufe0f", "name_characters"],
  ["a\u115fb", "name_characters"],
  // A lone half of a pair; Node would write the replacement character, which may itself be a name.
  ["a\ud800", "name_characters"],
  ["a\ufffd", "path"],
  ["a\u{1f600}", "path"],
  ["a\\b", "name_characters"],
  ["..\\a", "name_characters"],
  // Spaces: no-break, ideographic, and the Ogham one, which NFKC leaves alone.
  ["a\u00a0b", "name_characters"],
  ["a\u3000b", "name_characters"],
  ["a\u1680b", "name_characters"],
  // Composed, and its twin of letter and accent.
  ["caf\u00e9", "path"],
  ["cafe\u0301", "name_not_canonical"],
  // Full-width letter, ligature, angstrom sign, and dots and a slash in other forms.
  ["\uff41", "name_not_canonical"],
  ["\ufb01le", "name_not_canonical"],
  ["\u212b", "name_not_canonical"],
  ["\u2025", "name_not_canonical"],
  ["\uff0e\uff0e/a", "name_not_canonical"],
  ["a\uff0fb", "name_not_canonical"],
  ["草稿.txt", "path"],
  // 255 bytes fit, in letters of one byte and of three.
  ["a".repeat(255), "path"],
  ["a".repeat(256), "name_too_long"],
  ["稿".repeat(85), "path"],
  ["稿".repeat(86), "name_too_long"],
  // 1,024 bytes: 512 names and 511 slashes, and one letter more.
  [`${"a/".repeat(511)}aa`, "path"],
  [`${"a/".repeat(511)}aaa`, "path_too_long"],
];

describe("workspace path", () => {
  it.each(rows)("%j is %s", (path, expected) => {
    const answer = workspacePath(path);
    expect(answer.kind === "refused" ? answer.code : answer.kind).toBe(expected);
  });

  it("keeps every name as it is", () => {
    expect(workspacePath("a b/..c/d.txt")).toEqual({ kind: "path", folders: ["a b", "..c"], leaf: "d.txt" });
  });
});
