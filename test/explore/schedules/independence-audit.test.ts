import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { auditIndependence } from "../../../src/explore/schedules/independence-audit.js";
import type { Program, StepRecord } from "../../../src/explore/schedules/program.js";
import { exploreSchedules } from "../../../src/explore/schedules/source-dpor.js";
import type { Footprint } from "../../../src/sut/footprint.js";
import { fixed, read, type ToyStep, toyProgram, write } from "./toy-programs.js";

/** An attempt in small: it commits only if the policy is as it was, and goes on afterwards. */
const commit: ToyStep = {
  label: "commit",
  run: (memory) => {
    if (memory.read("policy") === 0) memory.write("effect", 1);
  },
};
const guarded = toyProgram(
  [fixed(read("request"), commit, write("receipt", 1), read("receipt")), fixed(write("policy", 1))],
  (look) => (look("effect") === 0 ? ["nothing was committed"] : []),
);

/** The same program with footprints that say nothing of one variable. */
function withoutPlace(program: Program, variable: string, of: "reads" | "writes"): Program {
  const without = (footprint: Footprint): Footprint =>
    footprint.kind === "unknown"
      ? footprint
      : {
          ...footprint,
          [of]: footprint[of].filter(({ key }) => key.kind === "any" || key.row !== variable),
        };
  return {
    ...program,
    start: async () => {
      const execution = await program.start();
      const step = async (thread: number): Promise<StepRecord> => {
        const record = await execution.step(thread);
        return { ...record, footprint: without(record.footprint) };
      };
      return { ...execution, step };
    },
  };
}

async function exploreAndAudit(program: Program, limits = unlimited) {
  const sequences: (readonly StepRecord[])[] = [];
  const search = await exploreSchedules(program, {
    ...unlimited,
    repeat: "none",
    onExecution: ({ records }) => {
      sequences.push(records);
    },
  });
  return { search, audit: await auditIndependence(program, sequences, limits) };
}

describe("the independence audit", () => {
  it("finds nothing in footprints that are whole", async () => {
    const { search, audit } = await exploreAndAudit(guarded);
    expect(search.violations).toHaveLength(1);
    expect(audit.differences).toEqual([]);
    // The policy change with the request and with both steps of the receipt; with the commit it is in conflict.
    expect(audit).toMatchObject({ audited: 3, unaudited: 0, executions: 6 });
  });

  it("finds a commit that leaves out its policy read, though no execution has the two side by side", async () => {
    const { search, audit } = await exploreAndAudit(withoutPlace(guarded, "policy", "reads"));
    // The search believes in one trace and misses the violation.
    expect(search.executions.complete).toBe(1);
    expect(search.violations).toEqual([]);
    expect(audit.differences).toEqual([
      {
        pair: ["commit", "policy := 1"],
        what: "seen",
        first: { schedule: { threads: [0, 0], labels: ["read request", "commit"] }, shown: "[0]" },
        second: {
          schedule: { threads: [0, 1, 0], labels: ["read request", "policy := 1", "commit"] },
          shown: "[1]",
        },
      },
    ]);
  });

  it("finds two writes whose steps look the same but whose order decides the state", async () => {
    const program = withoutPlace(toyProgram([fixed(write("x", 1)), fixed(write("x", 2))]), "x", "writes");
    const { audit } = await exploreAndAudit(program);
    expect(audit.differences).toMatchObject([
      {
        what: "snapshot",
        first: { schedule: { threads: [0, 1] } },
        second: { schedule: { threads: [1, 0] } },
      },
    ]);
  });

  it("finds a step that is no longer possible before the other", async () => {
    const waits: ToyStep = {
      label: "take",
      run: () => undefined,
      waitsUntil: (look) => look("lock") === 1,
    };
    const { audit } = await exploreAndAudit(toyProgram([fixed(write("lock", 1)), fixed(waits)]));
    // The step waits for the lock without a trace of it in its footprint.
    expect(audit.differences).toMatchObject([{ what: "enabled", second: { schedule: { threads: [1] } } }]);
  });

  it("says how many kinds of pairs its limit left out", async () => {
    const { audit } = await exploreAndAudit(guarded, { ...unlimited, executions: 5 });
    // Two pairs take four executions; the fifth is not enough for a third pair.
    expect(audit).toMatchObject({ audited: 2, unaudited: 1, executions: 4 });
  });
});
