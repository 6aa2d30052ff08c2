import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { attempt, cancelOf, policy } from "../../../bench/explore/threads.js";
import { executorProgram } from "../../../src/explore/schedules/executor-program.js";
import { judgedFootprint } from "../../../src/explore/schedules/judged-footprint.js";
import type { StepRecord } from "../../../src/explore/schedules/program.js";
import { exploreSchedules } from "../../../src/explore/schedules/source-dpor.js";
import type { EffectRow, Event, Happening, Observation, ReceiptRow } from "../../../src/model/vocabulary.js";
import { conflict } from "../../../src/sut/footprint.js";
import { openLedgerPort } from "../../../src/sut/ledger/system.js";
import { withBench } from "../executor-bench.js";

const context = { tenant: "t1", runId: "r1", callId: "c-a1", principal: "p1" };

const submitted: Happening = {
  kind: "submitted",
  attempt: "a1",
  delivery: "d-a1",
  request: "{}",
  context,
  faults: [],
  contract: { kind: "valid", key: "JOB-001", digest: "x", weight: 1 },
  canaries: [],
};
const parked: Happening = {
  kind: "parked",
  attempt: "a1",
  at: "before_business",
  snapshotRevision: { kind: "seen", revision: 1 },
};
const advanced: Happening = { kind: "advanced", attempt: "a1" };
const ofJob = (key: string): EffectRow => ({
  ...{ tenant: "t1", tool: "draft", key, digest: "x", body: "{}", revision: 1 },
  ...{ runId: "r1", callId: "c-a1" },
});
const receipt: ReceiptRow = {
  ...{ number: 1, delivery: "d-a1", tenant: "t1", runId: "r1", callId: "c-a1" },
  ...{
    key: { kind: "none" },
    status: "cancelled",
    code: "cancelled",
    effectExists: false,
    events: [],
    raw: "",
  },
};
const empty: Observation = {
  effects: [],
  receipts: [],
  policy: { kind: "present", revision: 1, maxCopies: 3 },
  writeLock: "not_probed",
};
const ended: Happening = {
  kind: "ended",
  attempt: "a1",
  outcome: { kind: "unknown", cause: "rejected", errorText: "" },
  releasedIs: "nothing",
  atRelease: empty,
};
const observed = (over: Partial<Observation> = {}): Happening => ({
  kind: "observed",
  observation: { ...empty, ...over },
});

/** What the last of these steps was judged by, as names of places. */
function judged(...steps: readonly (readonly Happening[])[]) {
  const take = judgedFootprint("draft");
  const footprints = steps.map((step) =>
    take(step.map((one): Event => ({ ...one, position: 0, action: 0 }))),
  );
  const last = footprints.at(-1);
  if (last?.kind !== "known") throw new Error("what a judgement looks at is known");
  const names = (places: typeof last.reads) =>
    places.map(({ table, key }) => (key.kind === "any" ? table : `${table} ${key.row.split("\n").at(-1)}`));
  return { reads: names(last.reads), writes: names(last.writes) };
}

const free = [observed()];
const taken = [observed({ effects: [ofJob("JOB-001")] })];
const standing = [submitted, parked, observed()];

describe("what judging a step depends on", () => {
  it.each([
    ["a submission: the policy that it is checked under", [[submitted]], ["#seen policy"], []],
    [
      "a submission that the contract refuses: nothing",
      [[{ ...submitted, contract: { kind: "invalid", code: "wrong_type" } }]],
      [],
      [],
    ],
    [
      "an attempt that enters its business step: its key, and the policy as long as the key is free",
      [free, standing, [advanced]],
      ["#seen effects JOB-001", "#seen policy"],
      [],
    ],
    [
      "one whose key is taken: the key alone, as it reuses or is refused under any policy",
      [taken, [submitted, parked, ...taken], [advanced]],
      ["#seen effects JOB-001"],
      [],
    ],
    [
      "one whose cancel takes hold there: neither",
      [free, standing, [advanced, { kind: "cancel_delivered", attempt: "a1", at: "before_business" }]],
      [],
      [],
    ],
    ["any step after that: nothing", [free, standing, [advanced], [advanced]], [], []],
    [
      "an effect that appears: its key, and the policy that it must be committed on",
      [free, taken],
      ["#seen policy"],
      ["#seen effects JOB-001"],
    ],
    ["an effect that disappears: likewise", [taken, free], ["#seen policy"], ["#seen effects JOB-001"]],
    [
      "an effect that changes: likewise",
      [taken, [observed({ effects: [{ ...ofJob("JOB-001"), digest: "y" }] })]],
      ["#seen policy"],
      ["#seen effects JOB-001"],
    ],
    ["a receipt: the list of them", [free, [observed({ receipts: [receipt] })]], [], ["#seen receipts"]],
    [
      "an end: the receipt that there must be, and whether its key has an effect",
      [free, standing, [ended]],
      ["#seen effects JOB-001"],
      ["#seen receipts"],
    ],
    [
      "a change of the policy: the policy",
      [[{ kind: "policy_set", setting: { kind: "remove" } }]],
      [],
      ["#seen policy"],
    ],
    [
      "a look at the write lock: whoever has a transaction open",
      [free, [observed({ writeLock: "free" })]],
      ["#transaction"],
      [],
    ],
    ["the first look at the store: nothing, as that is where it begins", [taken], [], []],
  ] as const satisfies readonly (readonly [
    string,
    readonly (readonly Happening[])[],
    readonly string[],
    readonly string[],
  ])[])("is for %s", (_, steps, reads, writes) => {
    expect(judged(...steps)).toEqual({ reads, writes });
  });

  it("adds nothing to what a sound executor touches: no two steps of the ledger conflict by it alone", async () => {
    const threads = [attempt("a1"), attempt("a2"), policy(3), cancelOf("a1")];
    const sequences: (readonly StepRecord[])[] = [];
    await withBench(openLedgerPort, (bench) =>
      exploreSchedules(executorProgram(bench, threads), {
        ...unlimited,
        repeat: "none",
        onExecution: ({ records }) => {
          sequences.push(records);
        },
      }),
    );
    const alone = sequences.flatMap((records) =>
      records.flatMap((one) =>
        records.filter(
          (other) =>
            one.thread < other.thread &&
            conflict(one.footprint, other.footprint) &&
            !conflict(one.reported ?? one.footprint, other.reported ?? other.footprint),
        ),
      ),
    );
    expect(sequences.length).toBeGreaterThan(0);
    expect(alone).toEqual([]);
  });
});
