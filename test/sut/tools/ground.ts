import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

export type Ground = {
  readonly root: string;
  /** Beside the root, under a name that begins with the root's. */
  readonly outside: string;
};

const scratch: string[] = [];

/** A workspace and a folder beside it, both empty, until the test ends. */
export function freshGround(): Ground {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "commitpoint-workspace-")));
  scratch.push(folder);
  const ground = { root: join(folder, "workspace"), outside: join(folder, "workspace-outside") };
  mkdirSync(ground.root);
  mkdirSync(ground.outside);
  return ground;
}

export function clearGroundsAfterEach(): void {
  afterEach(() => {
    for (const folder of scratch.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
}

/** Everything under a folder, links not followed: path, identity, kind and mode, and a regular file's text. */
export function inventory(folder: string, prefix = ""): readonly string[] {
  // One level at a time: Node's own recursive listing goes through links.
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      const { ino, mode } = lstatSync(path);
      const text = entry.isFile() ? readFileSync(path, "utf8") : "";
      const line = `${prefix}${entry.name} ${ino} ${mode.toString(8)} ${text}`;
      return entry.isDirectory() ? [line, ...inventory(path, `${prefix}${entry.name}/`)] : [line];
    });
}

/** How many files, folders and pipes this process has open. */
export function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}
