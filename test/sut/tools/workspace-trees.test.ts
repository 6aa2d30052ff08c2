import { execFileSync } from "node:child_process";
import { linkSync, lstatSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { faultyWorkspaces } from "../../../src/sut/faulty/workspace/faulty-workspaces.js";
import { opensAFifo } from "../../../src/sut/faulty/workspace/opens-a-fifo.js";
import { openWorkspace } from "../../../src/sut/tools/workspace-file.js";
import { soundSteps, type WorkspaceSteps } from "../../../src/sut/tools/workspace-steps.js";
import { clearGroundsAfterEach, freshGround, type Ground, inventory } from "./ground.js";

clearGroundsAfterEach();

/** Three names are enough to meet, also outside, where every link out finds its like. */
const name = fc.constantFrom("a", "b", "c");
const names = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));

type Entry =
  | { readonly kind: "folder" | "file" | "pipe" | "hard"; readonly path: string }
  | { readonly kind: "link"; readonly path: string; readonly to: string };

const entry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("folder"), path: names }) },
  fc.record({ kind: fc.constantFrom("file", "pipe", "hard"), path: names }),
  // In the workspace, beside it, up, and to places where nothing is.
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("link"),
      path: names,
      to: fc.oneof(
        fc.constantFrom("<outside>", "<outside>/a", "<outside>/d", "<root>", "..", "../..", "<pipe>"),
        names.map((path) => `<root>/${path}`),
        names,
      ),
    }),
  },
);

/** Mostly plain names; now and then a part that no path may have. */
const path = fc
  .array(fc.oneof({ weight: 9, arbitrary: name }, fc.constantFrom("..", ".", "", "a ", 'b"', "ａ", "c\0")), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join("/"));

let pipe = "";
beforeAll(() => {
  pipe = join(tmpdir(), `commitpoint-pipe-${process.pid}`);
  execFileSync("mkfifo", [pipe]);
  return () => rmSync(pipe);
});

function plant({ root, outside }: Ground, entries: readonly Entry[]): void {
  mkdirSync(join(outside, "a"));
  for (const file of ["b", "a/a", "a/b"]) writeFileSync(join(outside, file), "outside");
  for (const entry of entries) {
    const place = join(root, entry.path);
    try {
      // Planted through no link: the plan is a plan of the workspace.
      if (realPath(dirname(place)) !== dirname(place)) continue;
      if (entry.kind === "folder") mkdirSync(place);
      if (entry.kind === "file") writeFileSync(place, "inside", { flag: "wx" });
      if (entry.kind === "hard") linkSync(join(outside, "b"), place);
      if (entry.kind === "pipe") linkSync(pipe, place);
      if (entry.kind === "link") {
        const to = entry.to.replace("<outside>", outside).replace("<root>", root).replace("<pipe>", pipe);
        symlinkSync(to, place);
      }
    } catch {
      // The name is taken or its folder is not there: one entry fewer.
    }
  }
}

/** Undefined where nothing is, or a link that goes round. */
function realPath(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}

type Expected = "created" | "read" | "refused";

/** The oracle: nothing moves here, so names may be looked at one after the other. */
function expected(root: string, text: string): { readonly create: Expected; readonly read: Expected } {
  const nothing = { create: "refused", read: "refused" } as const;
  const parts = text.split("/");
  if (!parts.every((part) => /^[abc]$/.test(part))) return nothing;
  const place = join(root, text);
  // The real path of the folder is its own path exactly when no part of it is a link, and it is there.
  if (realPath(dirname(place)) !== dirname(place) || !lstatSync(dirname(place)).isDirectory()) return nothing;
  const leaf = lstatSync(place, { throwIfNoEntry: false });
  if (leaf === undefined) return { create: "created", read: "refused" };
  return { create: "refused", read: leaf.isFile() && leaf.nlink === 1 ? "read" : "refused" };
}

/** Undefined if all is as it should be; otherwise what is not. */
function fault(
  steps: WorkspaceSteps,
  entries: readonly Entry[],
  text: string,
  seen: Set<string> = new Set(),
): string | undefined {
  const ground = freshGround();
  plant(ground, entries);
  const opening = openWorkspace(ground.root, { steps });
  if (opening.kind === "refused") return opening.says;
  const { workspace } = opening;
  const outside = inventory(ground.outside);
  const inside = inventory(ground.root);
  const should = expected(ground.root, text);
  const read = workspace.read(text);
  const created = workspace.create(text, "made");
  workspace.close();
  for (const answer of [read, created]) seen.add(answer.kind === "refused" ? answer.code : answer.kind);
  if (read.kind !== should.read || created.kind !== should.create) {
    return `expected ${JSON.stringify(should)}, seen ${JSON.stringify({ read, created })}`;
  }
  if (read.kind === "read" && read.content !== "inside") return "read another text than the workspace's";
  if (inventory(ground.outside).join() !== outside.join()) return "changed something outside";
  const added = inventory(ground.root).filter((line) => !inside.includes(line));
  const wanted = created.kind === "created" ? [text] : [];
  return added.map((line) => line.split(" ")[0]).join() === wanted.join()
    ? undefined
    : `added ${added.join()}`;
}

const cases = fc.tuple(fc.array(entry, { maxLength: 8 }), path);

describe("workspace over generated trees and paths", () => {
  it("does what looking at one name after the other says, and nothing else", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(cases, ([entries, text]) => {
        expect(fault(soundSteps, entries, text, seen)).toBeUndefined();
      }),
      { numRuns: 500, seed: 1 },
    );
    // Every kind of entry was met, on the way and at the end, and both kinds of success.
    const answers = [
      "created",
      "read",
      "exists",
      "not_a_folder",
      "link",
      "several_links",
      "not_a_regular_file",
    ];
    expect([...seen]).toEqual(expect.arrayContaining(answers));
  });

  // Opening a pipe would hold this process, and links that are swapped are the race's: here nothing moves.
  const shown = faultyWorkspaces.filter(
    (bug) => bug !== opensAFifo && bug.name !== "checks-then-opens-by-name",
  );
  const tells: { readonly [name: string]: RegExp } = {
    "checks-with-a-prefix-test": /^expected .*refused.*"kind":"(read|created)"/,
    "follows-a-hard-link": /^expected .*"read":"refused".*"content":"outside"/,
    "follows-a-dangling-link": /^expected \{"create":"refused".*"kind":"created"/,
  };
  it.each(shown)("tells the bug $name from it", ({ name, steps }) => {
    let found: string | undefined;
    for (const [entries, text] of fc.sample(cases, { numRuns: 1000, seed: 1 })) {
      found ??= fault(steps, entries, text);
    }
    expect(found).toMatch(tells[name] ?? "nothing");
  });
});
