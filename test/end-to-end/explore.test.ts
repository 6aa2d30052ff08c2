import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as passed } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emptyFolder, run, scratchFolders, start } from "./program.js";

let place: ReturnType<typeof emptyFolder>;
beforeEach(() => {
  place = emptyFolder();
});
afterEach(() => place.remove());

const report = (file: string): { readonly [key: string]: unknown } =>
  JSON.parse(readFileSync(join(place.folder, file), "utf8"));

/** Small enough to be finished in a moment: one attempt that can meet a change of the policy and a crash. */
const small = ["--attempts", "1", "--keys", "1", "--policy-changes", "1", "--faults", "none"];
/** Without a fault no attempt ends unknown. */
const noFault = ["--allow-vacuous", "unknown-is-not-failed"];

describe("commitpoint explore", () => {
  it("finishes the machine, its edges and its schedules on the ledger, and says so", async () => {
    const args = ["explore", "--executor", "ledger", ...small, ...noFault, "--seed", "1"];
    const { code, stdout } = await run(
      [...args, "--reporter", "terminal", "--reporter", "json:out.json"],
      place.folder,
    );
    expect(code).toBe(0);
    expect(stdout).toContain("complete within the bounds");
    const { machine, edges, schedules, verdict } = report("out.json");
    expect(verdict).toBe("holds");
    expect(machine).toEqual([expect.objectContaining({ outcome: { kind: "complete" } })]);
    const [walk] = edges as readonly { readonly walked: number; readonly reachable: number }[];
    expect(walk?.reachable).toBeGreaterThan(0);
    expect(walk?.walked).toBe(walk?.reachable);
    expect(schedules).not.toEqual([]);
  });

  it("keeps what it finds broken as a scenario that replays, and holds on the sound executor", async () => {
    const bug = "commits-on-the-snapshot-alone";
    const found = await run(
      ["explore", "--executor", bug, ...small, "--no-edges", "--seed", "1"],
      place.folder,
    );
    expect(found.code).toBe(1);
    const file = `commitpoint-out/no-stale-commit.${bug}.yaml`;
    expect(existsSync(join(place.folder, file))).toBe(true);
    expect((await run(["replay", file], place.folder)).code).toBe(0);
    expect((await run(["replay", file, "--executor", "ledger"], place.folder)).code).toBe(0);
  });

  it("searches on past its memory in processes of its own, and calls it undecided", async () => {
    const args = [
      "explore",
      "--faults",
      "none",
      "--memory",
      "1m",
      "--seed",
      "1",
      "--reporter",
      "json:out.json",
    ];
    const { code } = await run(args, place.folder);
    expect(code).toBe(3);
    const { machine, verdict } = report("out.json");
    expect(verdict).toBe("undecided");
    expect(machine).toEqual([
      expect.objectContaining({
        outcome: { kind: "undecided", reason: "memory" },
        bitstate: expect.objectContaining({ seeds: 3 }),
      }),
    ]);
  });

  it("tells what it knows when it is interrupted", async () => {
    const args = ["explore", "--executor", "ledger", "--seed", "1", "--reporter", "json:out.json"];
    const before = scratchFolders();
    const program = start(args, place.folder);
    await program.said("exploring ledger");
    await passed(3000);
    program.signal("SIGINT");
    expect((await program.ended).code).toBe(130);
    expect(report("out.json")).toMatchObject({ interrupted: true });
    expect(scratchFolders().filter((name) => !before.includes(name))).toEqual([]);
  });

  it("refuses a kind of fault that there is not, with the nearest that there is", async () => {
    const { code, stderr } = await run(["explore", "--faults", "bussy"], place.folder);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "busy"');
  });
});
