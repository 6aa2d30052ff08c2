import { afterEach, describe, expect, it } from "vitest";
import config from "../../../examples/refunds/commitpoint.config.js";
import { removeScratchFolder, scratchFolder } from "../../../src/cli/scratch.js";
import { openBench } from "../../../src/config/open-bench.js";
import { contractFromSchema } from "../../../src/contract/from-schema.js";
import { createJudge } from "../../../src/properties/judge.js";
import { executeShare, type Share } from "../../../src/properties/share.js";
import { type DefinedExecutor, defineExecutor } from "../../../src/sut/adapters/define-executor.js";
import { allOf, type Place, rowOf } from "../../../src/sut/footprint.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) removeScratchFolder(folder);
});

function scratch(): string {
  const directory = scratchFolder();
  folders.push(directory);
  return directory;
}

async function campaign(executor: DefinedExecutor, runs: number): Promise<Share> {
  const directory = scratch();
  const bench = await openBench({ name: "own", ...executor }, { directory });
  const request = { seed: 1, first: 0, runs, maxActions: 20, stopAt: [] };
  const share = await executeShare(bench, request, {
    stopped: () => false,
    began: () => {},
    ended: () => {},
  });
  await bench.close();
  return share;
}

const tool = contractFromSchema({
  name: "note",
  effect: "write",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["id", "text"],
    properties: { id: { type: "string", pattern: "^N[0-9]$" }, text: { type: "string", maxLength: 20 } },
  },
  key: ({ id }) => String(id),
  accepts: (output, { id, text }) => JSON.stringify(output) === JSON.stringify({ id, text }),
  examples: [
    { id: "N1", text: "one" },
    { id: "N2", text: "two" },
  ],
});

type Note = { readonly id: string; readonly text: string };

/** A store in memory that outlives the executor; */
function notes(manner: "sound" | "deaf to cancels" | "writes again"): DefinedExecutor {
  const stores = new Map<string, Note[]>();
  return defineExecutor({
    tool,
    abilities: { checkpoints: ["before_business", "after_business"], cancel: true },
    open: ({ directory }) => {
      const rows: Note[] = stores.get(directory) ?? [];
      stores.set(directory, rows);
      return rows;
    },
    call: async (rows, request, { signal, checkpoint }) => {
      const note = noteOf(request);
      await checkpoint("before_business");
      if (manner !== "deaf to cancels") signal.throwIfAborted();
      const earlier = rows.find(({ id }) => id === note.id);
      if (earlier !== undefined && earlier.text !== note.text) throw new Refused("taken");
      if (earlier === undefined || manner === "writes again") rows.push(note);
      await checkpoint("after_business");
      if (manner !== "deaf to cancels") signal.throwIfAborted();
      return note;
    },
    close: () => {},
    openObserver: ({ directory }) => stores.get(directory) ?? [],
    observe: async (rows) => ({ effects: rows.map(({ id }) => ({ key: id })) }),
    refusal: (error) => (error instanceof Refused ? "it throws this before it writes" : undefined),
  });
}

class Refused extends Error {}

/** Notes with the time, that say which note they have written. */
function watchedNotes(): DefinedExecutor {
  let written: Place[] = [];
  return defineExecutor({
    tool,
    abilities: { checkpoints: ["before_business"] },
    open: ({ clock }) => ({ clock, rows: new Map<string, number>() }),
    call: async ({ clock, rows }, request, { checkpoint }) => {
      const note = noteOf(request);
      await checkpoint("before_business");
      rows.set(note.id, clock());
      written.push(rowOf("notes", note.id));
      return note;
    },
    close: () => {},
    openObserver: () => undefined,
    observe: () => ({ effects: [] }),
    footprint: () => {
      const writes = written;
      written = [];
      return { kind: "known", reads: [], writes };
    },
  });
}

function noteOf(request: unknown): Note {
  const facts = tool.interpret(JSON.stringify(request));
  if (facts.kind === "invalid" || typeof request !== "object" || request === null)
    throw new Refused("invalid");
  if (!("id" in request) || !("text" in request)) throw new Refused("invalid");
  return { id: String(request.id), text: String(request.text) };
}

describe("defineExecutor", () => {
  it("plugs in the refunds example, which holds every promise that can be asked of it", async () => {
    const refunds = config.executors?.refunds;
    if (refunds === undefined) throw new Error("the example defines no refunds executor");
    const share = await campaign(refunds, 150);
    expect(share).toMatchObject({
      executed: 150,
      skipped: 0,
      failures: [],
      broken: [],
      undecided: {},
      end: "complete",
    });
    const judge = createJudge(refunds.profile, { policy: { kind: "limit", maxCopies: 3 }, tool: "refund" });
    // No receipts, no policy and no digests are claimed, so what needs them is left out and what does not has occurred.
    expect(judge.checked().filter((promise) => share.occurred[promise] === undefined)).toEqual([]);
    expect(judge.lacking().map(({ promise }) => promise)).toContain("receipt-before-release");
  });

  it("takes observers that answer later", async () => {
    expect(await campaign(notes("sound"), 100)).toMatchObject({ failures: [], broken: [], undecided: {} });
  });

  it("catches an executor that hears no cancel", async () => {
    const { failures } = await campaign(notes("deaf to cancels"), 100);
    expect(failures.map(({ promise }) => promise)).toContain("cancel-is-not-success");
  });

  it("catches an executor that writes the same key twice", async () => {
    const { failures } = await campaign(notes("writes again"), 100);
    expect(failures.map(({ promise }) => promise)).toContain("one-effect-per-key");
  });

  it("reports no footprints without the hook", async () => {
    const port = await notes("sound").open({ directory: scratch(), budgetMs: 1000 });
    expect(port.footprints.kind).toBe("none");
  });

  it("asks the hook after each step, and adds the attempt and the clock that all attempts share", async () => {
    const port = await watchedNotes().open({ directory: scratch(), budgetMs: 1000 });
    const { footprints } = port;
    if (footprints.kind === "none") throw new Error("the hook was given");
    footprints.watch();
    await port.start({ policy: { kind: "limit", maxCopies: 3 }, report: () => {} });
    expect(footprints.take()).toEqual({ kind: "unknown" });
    const context = { tenant: "t1", runId: "r1", callId: "c1", principal: "p1" };
    const request = JSON.stringify({ id: "N1", text: "one" });
    await port.submit({ attempt: "a1", delivery: "d-a1", request, context, faults: [] });
    const own = { reads: [allOf("#faults")], writes: [rowOf("#attempts", "a1")] };
    expect(footprints.take()).toEqual({ kind: "known", ...own });
    await port.advance("a1");
    expect(footprints.take()).toEqual({
      kind: "known",
      reads: own.reads,
      writes: [...own.writes, allOf("#clock"), rowOf("notes", "N1")],
    });
    await port.stop();
  });

  it("refuses crash points without a way to cut the store, and says why", () => {
    const define = (): unknown =>
      defineExecutor({
        tool,
        abilities: { crashPoints: ["after_commit"] },
        open: () => [],
        call: async () => null,
        close: () => {},
        openObserver: () => [],
        observe: () => ({ effects: [] }),
      });
    expect(define).toThrow(/claims crash points but has no sever/);
  });
});
