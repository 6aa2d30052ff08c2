import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type RaceFigures, race } from "../../../bench/workspace/race.js";
import { removeScratchFolder, scratchFolder } from "../../../src/cli/scratch.js";
import { faultyWorkspaces } from "../../../src/sut/faulty/workspace/faulty-workspaces.js";
import { opensAFifo } from "../../../src/sut/faulty/workspace/opens-a-fifo.js";
import { soundSteps, type WorkspaceSteps } from "../../../src/sut/tools/workspace-steps.js";
import { clearGroundsAfterEach, freshGround, inventory } from "./ground.js";

clearGroundsAfterEach();

const tries = 3000;

async function raced(steps: WorkspaceSteps): Promise<RaceFigures> {
  const scratch = scratchFolder();
  try {
    return await race(scratch, steps, tries);
  } finally {
    removeScratchFolder(scratch);
  }
}

/** What one call in a process of its own says before five seconds are over and it is killed. */
function oneCall(args: readonly string[], limit = "unlimited"): string {
  const program = fileURLToPath(new URL("../../../bench/workspace/one-call.ts", import.meta.url));
  // The limit of what a process may write to a file, in KiB; past it the system answers instead of killing.
  const script = `trap "" XFSZ; ulimit -f ${limit}; exec "$0" "$@"`;
  const command = [process.execPath, "--import", "tsx", program, ...args];
  return spawnSync("bash", ["-c", script, ...command], { timeout: 5000, encoding: "utf8" }).stdout;
}

describe("workspace beside a process that swaps links", () => {
  it("never leaves the workspace, and leaves nothing that it does not answer for", async () => {
    const figures = await raced(soundSteps);
    expect(figures).toMatchObject({ madeOutside: 0, readOutside: 0, leftOver: 0 });
    // Both sides had their turns, else nothing was raced.
    expect(figures.created).toBeGreaterThan(0);
    expect(figures.read).toBeGreaterThan(0);
    expect([...figures.refused.keys()]).toEqual(
      expect.arrayContaining(["not_a_folder", "link", "several_links"]),
    );
  });

  it.each(faultyWorkspaces.filter((bug) => bug !== opensAFifo))(
    "gets out with the bug $name",
    async ({ steps }) => {
      let leaks = 0;
      // The processors are shared: a race may be one in which the two never met.
      for (let race = 0; leaks === 0 && race < 5; race += 1) {
        const figures = await raced(steps);
        leaks += figures.madeOutside + figures.readOutside;
      }
      expect(leaks).toBeGreaterThan(0);
    },
  );
});

describe("workspace in a process of its own", () => {
  it("answers to a pipe that nobody writes to; the bug waits", () => {
    const { root } = freshGround();
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(oneCall(["sound", root, "read", "pipe"])).toContain("not_a_regular_file");
    expect(oneCall([opensAFifo.name, root, "read", "pipe"])).toBe("calling\n");
  });

  it("leaves nothing of a file that the system does not let it finish", () => {
    const { root } = freshGround();
    // 1 KiB may be written: the first 1,024 bytes go in, the next are refused with EFBIG.
    expect(oneCall(["sound", root, "create", "short", "1024"], "1")).toContain("created");
    expect(oneCall(["sound", root, "create", "long", "1025"], "1")).toContain("EFBIG");
    expect(inventory(root).map((line) => line.split(" ")[0])).toEqual(["short"]);
  });
});
