import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace, type Workspace } from "../../../src/sut/tools/workspace-file.js";
import type { WorkspaceCode } from "../../../src/sut/tools/workspace-refusals.js";
import { soundSteps, type WorkspaceSteps } from "../../../src/sut/tools/workspace-steps.js";
import { clearGroundsAfterEach, freshGround, type Ground, inventory, openDescriptors } from "./ground.js";

clearGroundsAfterEach();

function opened(root: string, steps: WorkspaceSteps = soundSteps): Workspace {
  const opening = openWorkspace(root, { steps });
  if (opening.kind === "refused") throw new Error(opening.says);
  return opening.workspace;
}

/** A workspace with one of everything, and a folder beside it that every way out leads to. */
function furnished(): Ground {
  const ground = freshGround();
  const { root, outside } = ground;
  mkdirSync(join(root, "folder/deep"), { recursive: true });
  mkdirSync(join(outside, "folder"));
  for (const file of ["file", "folder/file"]) {
    writeFileSync(join(root, file), "inside");
    writeFileSync(join(outside, file), "outside");
  }
  symlinkSync(outside, join(root, "link-out"));
  symlinkSync(join(root, "folder"), join(root, "link-in"));
  symlinkSync("..", join(root, "folder/link-up"));
  symlinkSync(join(outside, "file"), join(root, "link-to-file"));
  symlinkSync("file", join(root, "link-to-own-file"));
  symlinkSync(join(outside, "absent"), join(root, "dangling"));
  symlinkSync("loop", join(root, "loop"));
  linkSync(join(outside, "file"), join(root, "hard"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  return ground;
}

/** Paths as they are written, by what a sound tool answers to creating and to reading there. */
const rows: readonly (readonly [
  path: string,
  create: WorkspaceCode | "created",
  read: WorkspaceCode | "read",
])[] = [
  ["new", "created", "not_found"],
  ["file", "exists", "read"],
  ["folder/new", "created", "not_found"],
  ["folder/file", "exists", "read"],
  ["folder/deep/new", "created", "not_found"],
  ["folder", "exists", "not_a_regular_file"],
  ["absent/new", "not_found", "not_found"],
  ["file/new", "not_a_folder", "not_a_folder"],
  // Sibling whose name begins with the root's, by steps and by its whole name.
  ["../workspace-outside/file", "path_steps", "path_steps"],
  ["../new", "path_steps", "path_steps"],
  ["folder/../new", "path_steps", "path_steps"],
  ["<outside>/file", "path_absolute", "path_absolute"],
  ["<root>/new", "path_absolute", "path_absolute"],
  // A parent that is a link: out of the workspace, within it, and up.
  ["link-out/file", "not_a_folder", "not_a_folder"],
  ["link-out/new", "not_a_folder", "not_a_folder"],
  ["link-out/folder/file", "not_a_folder", "not_a_folder"],
  ["link-in/file", "not_a_folder", "not_a_folder"],
  ["link-in/new", "not_a_folder", "not_a_folder"],
  ["folder/link-up/file", "not_a_folder", "not_a_folder"],
  // A leaf that is a link.
  ["link-to-file", "exists", "link"],
  ["link-to-own-file", "exists", "link"],
  ["dangling", "exists", "link"],
  ["loop", "exists", "link"],
  ["hard", "exists", "several_links"],
  ["pipe", "exists", "not_a_regular_file"],
  ["pipe/new", "not_a_folder", "not_a_folder"],
  ["file\0", "name_characters", "name_characters"],
  ["file ", "name_edge", "name_edge"],
  ['file"', "name_edge", "name_edge"],
  ["ﬁle", "name_not_canonical", "name_not_canonical"],
  ["file/", "name_empty", "name_empty"],
  ["n".repeat(255), "created", "not_found"],
  ["n".repeat(256), "name_too_long", "name_too_long"],
];

function answerTo(
  act: () => { readonly kind: string } | { readonly kind: "refused"; readonly code: string },
) {
  const answer = act();
  return "code" in answer ? answer.code : answer.kind;
}

describe("workspace file", () => {
  it.each(rows)("answers to %j: create %s, read %s; and changes what it says alone", (row, create, read) => {
    const ground = furnished();
    const path = row.replace("<outside>", ground.outside).replace("<root>", ground.root);
    const workspace = opened(ground.root);
    const before = { inside: inventory(ground.root), outside: inventory(ground.outside) };
    const descriptors = openDescriptors();

    expect(answerTo(() => workspace.read(path))).toBe(read);
    expect(answerTo(() => workspace.create(path, "made"))).toBe(create);

    expect(openDescriptors()).toBe(descriptors);
    expect(inventory(ground.outside)).toEqual(before.outside);
    const after = inventory(ground.root);
    const added = after.filter((line) => !before.inside.includes(line));
    expect(after).toHaveLength(before.inside.length + added.length);
    // Octal 100600: a regular file for its owner alone.
    const line = new RegExp(`^${path} \\d+ 100600 made$`);
    expect(added).toEqual(create === "created" ? [expect.stringMatching(line)] : []);
    workspace.close();
  });

  it("reads what it created, to the character", () => {
    const workspace = opened(freshGround().root);
    // A byte order mark and both kinds of line ends are text like any other.
    for (const [number, content] of ["", "\ufeffdraft\r\nstate: 草稿\n", "\u{1f600}"].entries()) {
      expect(workspace.create(`${number}.txt`, content)).toEqual({ kind: "created" });
      expect(workspace.read(`${number}.txt`)).toEqual({ kind: "read", content });
    }
    workspace.close();
  });

  it("takes a mebibyte and not a byte more, in bytes, not letters", () => {
    const ground = freshGround();
    const workspace = opened(ground.root);
    expect(workspace.create("most", "a".repeat(1_048_576))).toEqual({ kind: "created" });
    expect(workspace.read("most")).toMatchObject({ kind: "read" });
    // 524,289 letters of two bytes.
    expect(workspace.create("more", "é".repeat(524_289))).toMatchObject({ code: "too_large" });
    writeFileSync(join(ground.root, "larger"), "a".repeat(1_048_577));
    expect(workspace.read("larger")).toMatchObject({ code: "too_large" });
    expect(inventory(ground.root)).toHaveLength(2);
    workspace.close();
  });

  it("refuses what is not text, written or read", () => {
    const ground = freshGround();
    const workspace = opened(ground.root);
    expect(workspace.create("half", "a\ud800")).toMatchObject({ code: "not_text" });
    writeFileSync(join(ground.root, "bytes"), Buffer.from([0x61, 0xff]));
    expect(workspace.read("bytes")).toMatchObject({ code: "not_text" });
    workspace.close();
  });

  it("does not read a socket", async () => {
    const ground = freshGround();
    const server = createServer();
    await new Promise<void>((listening) => server.listen(join(ground.root, "socket"), listening));
    const workspace = opened(ground.root);
    expect(workspace.read("socket")).toMatchObject({ code: "not_a_regular_file" });
    workspace.close();
    await new Promise((closed) => server.close(closed));
  });

  it("refuses everything once it is closed, twice too, though its number is another folder's by then", () => {
    const { root, outside } = furnished();
    const workspace = opened(root);
    workspace.close();
    const other = opened(outside);
    workspace.close();
    expect(workspace.read("file")).toMatchObject({ code: "closed" });
    expect(workspace.create("new", "")).toMatchObject({ code: "closed" });
    expect(other.read("folder/file")).toEqual({ kind: "read", content: "outside" });
    other.close();
  });
});

describe("workspace root", () => {
  it.each([
    ["a folder", "<root>", "opened"],
    ["a relative name", "workspace", "root_name"],
    ["a link", "<root>/link-in", "not_a_folder"],
    ["a link with a slash behind it, which the system would follow", "<root>/link-in/", "root_name"],
    ["a link with a step behind it", "<root>/link-in/.", "root_name"],
    ["a name with a NUL", "<root>\0", "root_name"],
    ["a file", "<root>/file", "not_a_folder"],
    ["nothing", "<root>/absent", "not_found"],
    ["a pipe", "<root>/pipe", "not_a_folder"],
  ])("is %s: %j is %s", (_, name, expected) => {
    const { root } = furnished();
    const descriptors = openDescriptors();
    const opening = openWorkspace(name.replace("<root>", root));
    expect(opening.kind === "refused" ? opening.code : opening.kind).toBe(expected);
    if (opening.kind === "opened") opening.workspace.close();
    expect(openDescriptors()).toBe(descriptors);
  });

  it("stays the same folder when its name leads elsewhere", () => {
    const { root, outside } = furnished();
    const workspace = opened(root);
    renameSync(root, `${root}-moved`);
    symlinkSync(outside, root);
    expect(workspace.read("file")).toEqual({ kind: "read", content: "inside" });
    expect(workspace.create("new", "made")).toEqual({ kind: "created" });
    expect(inventory(`${root}-moved`).some((line) => line.startsWith("new "))).toBe(true);
    workspace.close();
  });

  it("is refused where the system shows no open files", () => {
    const { root } = freshGround();
    expect(openWorkspace(root, { processFolder: join(root, "absent") })).toMatchObject({
      code: "no_descriptor_paths",
    });
  });

  it("is refused where what looks like open files leads elsewhere", () => {
    const { root, outside } = freshGround();
    // Every number leads to one folder, which is not the one that was opened.
    for (let number = 0; number < 200; number += 1)
      mkdirSync(join(outside, `fd/${number}`), { recursive: true });
    expect(openWorkspace(root, { processFolder: outside })).toMatchObject({ code: "no_descriptor_paths" });
  });
});
