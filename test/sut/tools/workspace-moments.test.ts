import { execFileSync } from "node:child_process";
import {
  fstatSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace, type Workspace } from "../../../src/sut/tools/workspace-file.js";
import { soundSteps, type WorkspaceSteps } from "../../../src/sut/tools/workspace-steps.js";
import { clearGroundsAfterEach, freshGround, inventory } from "./ground.js";

clearGroundsAfterEach();

function opened(root: string, steps: WorkspaceSteps): Workspace {
  const opening = openWorkspace(root, { steps });
  if (opening.kind === "refused") throw new Error(opening.says);
  return opening.workspace;
}

/** The sound steps, with something done by another process just after the place is found or the file opened. */
function disturbed(moment: "found" | "opened", disturb: () => void): WorkspaceSteps {
  const after = <Result>(result: Result): Result => {
    disturb();
    return result;
  };
  if (moment === "found") return { ...soundSteps, find: (root, path) => after(soundSteps.find(root, path)) };
  return {
    ...soundSteps,
    openNew: (place) => after(soundSteps.openNew(place)),
    openOld: (place) => after(soundSteps.openOld(place)),
  };
}

describe("workspace disturbed between two steps", () => {
  it.each(["found", "opened"] as const)("takes back what it made in a folder moved out when %s", (moment) => {
    const { root, outside } = freshGround();
    mkdirSync(join(root, "folder/deep"), { recursive: true });
    const steps = disturbed(moment, () => renameSync(join(root, "folder"), join(outside, "folder")));
    const workspace = opened(root, steps);
    expect(workspace.create("folder/deep/new", "made")).toMatchObject({ code: "outside" });
    // The folders that were moved, and no file in them.
    expect(inventory(outside).map((line) => line.split(" ")[0])).toEqual(["folder", "folder/deep"]);
    expect(inventory(root)).toEqual([]);
    workspace.close();
  });

  it("creates where it found the folder, though its name leads out by then", () => {
    const { root, outside } = freshGround();
    mkdirSync(join(root, "folder"));
    const steps = disturbed("found", () => {
      renameSync(join(root, "folder"), join(root, "parked"));
      symlinkSync(outside, join(root, "folder"));
    });
    const workspace = opened(root, steps);
    expect(workspace.create("folder/new", "made")).toEqual({ kind: "created" });
    expect(inventory(outside)).toEqual([]);
    expect(inventory(root).some((line) => line.startsWith("parked/new "))).toBe(true);
    workspace.close();
  });

  it("writes nothing into a file that gets a second name outside once it is made", () => {
    const { root, outside } = freshGround();
    const steps = disturbed("opened", () => linkSync(join(root, "new"), join(outside, "new")));
    const workspace = opened(root, steps);
    expect(workspace.create("new", "made")).toMatchObject({ code: "several_links" });
    // Another process made that name; what counts is that nothing was written.
    expect(inventory(outside)).toEqual([expect.stringMatching(/^new \d+ \d+ $/)]);
    expect(inventory(root)).toEqual([]);
    workspace.close();
  });

  it("has written nothing when it looks at what it made", () => {
    const { root } = freshGround();
    const sizes: number[] = [];
    const workspace = opened(root, {
      ...soundSteps,
      faultOf: (at, place, file) => {
        sizes.push(fstatSync(file).size);
        return soundSteps.faultOf(at, place, file);
      },
    });
    expect(workspace.create("new", "made")).toEqual({ kind: "created" });
    expect(sizes).toEqual([0]);
    workspace.close();
  });

  it.each([
    ["gone", () => {}],
    ["another file's", (name: string) => writeFileSync(name, "inside")],
  ])("does not read a file whose other name is the one left, its own being %s", (_, then) => {
    const { root, outside } = freshGround();
    writeFileSync(join(outside, "secret"), "outside");
    linkSync(join(outside, "secret"), join(root, "file"));
    // One name again by the time names are counted.
    const steps = disturbed("opened", () => {
      unlinkSync(join(root, "file"));
      then(join(root, "file"));
    });
    const workspace = opened(root, steps);
    expect(workspace.read("file")).toMatchObject({ code: "several_links" });
    workspace.close();
  });

  it("leaves another's file alone that has taken the name of the one to take back", () => {
    const { root } = freshGround();
    const steps = disturbed("opened", () => {
      unlinkSync(join(root, "new"));
      writeFileSync(join(root, "new"), "another's");
    });
    const workspace = opened(root, steps);
    expect(workspace.create("new", "made")).toMatchObject({ code: "several_links" });
    expect(inventory(root)).toEqual([expect.stringMatching(/another's$/)]);
    workspace.close();
  });

  it("does not create in a folder that is removed", () => {
    const { root } = freshGround();
    mkdirSync(join(root, "folder"));
    const workspace = opened(
      root,
      disturbed("found", () => rmSync(join(root, "folder"), { recursive: true })),
    );
    expect(workspace.create("folder/new", "made")).toMatchObject({ code: "not_found" });
    workspace.close();
  });
});

function canMount(): boolean {
  const { root, outside } = freshGround();
  try {
    execFileSync("mount", ["--bind", outside, root], { stdio: "ignore" });
    execFileSync("umount", [root]);
    return true;
  } catch {
    return false;
  }
}

describe("workspace with a mount in it", () => {
  // Mounting takes rights that few have; a bind mount of the same device is the case a device number cannot tell.
  it.runIf(canMount())("goes into no mounted folder and reads no mounted file", () => {
    const { root, outside } = freshGround();
    mkdirSync(join(root, "folder"));
    writeFileSync(join(root, "file"), "inside");
    writeFileSync(join(outside, "file"), "outside");
    execFileSync("mount", ["--bind", outside, join(root, "folder")]);
    execFileSync("mount", ["--bind", join(outside, "file"), join(root, "file")]);
    const workspace = opened(root, soundSteps);
    try {
      expect(workspace.create("folder/new", "made")).toMatchObject({ code: "other_mount" });
      expect(workspace.read("folder/file")).toMatchObject({ code: "other_mount" });
      expect(workspace.read("file")).toMatchObject({ code: "other_mount" });
      expect(inventory(outside)).toHaveLength(1);
    } finally {
      workspace.close();
      execFileSync("umount", [join(root, "folder"), join(root, "file")]);
    }
  });
});
