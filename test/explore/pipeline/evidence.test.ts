import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Take } from "../../../src/explore/pipeline/fired.js";
import { step } from "../../../src/model/step.js";
import type { Event, Fault, Observation, Outcome } from "../../../src/model/vocabulary.js";
import { createBudget } from "../../../src/properties/budget.js";
import { executeRun } from "../../../src/properties/run.js";
import { isDriverFault, stageOf } from "../../../src/sut/fault-kinds.js";
import { openLedgerPort } from "../../../src/sut/ledger/system.js";
import type { Port } from "../../../src/sut/port.js";
import { smallBounds } from "./small-bounds.js";
import { everyHistory, type Whole } from "./whole-histories.js";

const budgetMs = 5000;
let directory = "";
let port: Port;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "commitpoint-evidence-"));
  port = openLedgerPort({ directory, budgetMs });
});
afterAll(async () => {
  await port.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** What of an event a promise reads, and executors do not word for themselves. */
function tell(event: Event): unknown {
  switch (event.kind) {
    case "submitted":
      return [event.kind, event.attempt, event.request, event.contract, event.canaries];
    case "parked":
      return [event.kind, event.attempt, event.at, event.snapshotRevision];
    case "ended":
      return [event.kind, event.attempt, tellOutcome(event.outcome), event.releasedIs, rows(event.atRelease)];
    case "observed":
      return [event.kind, rows(event.observation)];
    case "crashed":
      return [event.kind, event.advancing, event.lost];
    case "policy_set":
      return [event.kind, event.setting];
    case "fault_fired":
      return [event.kind, event.attempt, event.fault];
    case "cancel_delivered":
      return [event.kind, event.attempt, event.at];
    default:
      return [event.kind, "attempt" in event ? event.attempt : "nobody"];
  }
}

function rows({ effects, receipts, policy }: Observation): unknown {
  return [
    effects.map(({ key, digest, revision }) => [key, digest, revision]),
    receipts.map(({ number, key, status, code, effectExists, events }) => [
      number,
      key,
      status,
      code,
      effectExists,
      events,
    ]),
    policy,
  ];
}

function tellOutcome(outcome: Outcome): unknown {
  switch (outcome.kind) {
    case "completed": {
      const { receiptNumber, status, code, events, effectExists, released } = outcome;
      return [outcome.kind, receiptNumber, status, code, events, effectExists, released.kind];
    }
    case "audit_unavailable":
      return [outcome.kind, outcome.causes, outcome.events];
    case "unknown":
      return [outcome.kind, outcome.cause];
    default:
      return [outcome.kind];
  }
}

/** What is told of one action: the events in order, and the faults that struck. */
function toldOf({ history }: Pick<Whole, "history">, action: number): readonly [string, readonly Fault[]] {
  const own = history.filter((event) => event.action === action);
  const faults = own.flatMap((event) => (event.kind === "fault_fired" ? [event.fault] : []));
  return [JSON.stringify(own.filter(({ kind }) => kind !== "fault_fired").map(tell)), faults];
}

/** A run of every kind, each in one of its longest forms. */
function longestRuns(small: Parameters<typeof smallBounds>[0]): readonly Whole[] {
  const bounded = smallBounds(small);
  const take: Take = (world, action) => step(world, action, bounded.contract.interpret);
  const runs = new Set<Whole>();
  everyHistory(bounded, take, ({ from, to }) => {
    runs.delete(from);
    runs.add(to);
  });
  return [...runs];
}

/** The machine tells faults that change something; where a fault is set before it could, the ledger's are more. */
function agree(ours: readonly Fault[], theirs: readonly Fault[]): boolean {
  const isAsked = (fault: Fault): boolean => fault.kind !== "bad_output";
  const texts = (faults: readonly Fault[]): readonly string[] =>
    faults.filter(isAsked).map((fault) => JSON.stringify(fault));
  const isSetTooEarly = (fault: Fault): boolean => isDriverFault(fault) && stageOf(fault) === "execute";
  const surplus = theirs.filter((fault) => isAsked(fault) && !texts(ours).includes(JSON.stringify(fault)));
  return texts(ours).every((text) => texts(theirs).includes(text)) && surplus.every(isSetTooEarly);
}

describe("the evidence of a step", () => {
  it.each<readonly [string, Parameters<typeof smallBounds>[0], number]>([
    ["a throw anywhere and a crash", { crashes: 1, faults: ["throw_at"], requests: [0] }, 2],
    [
      "checkers that fail and a crash",
      { crashes: 1, faults: ["checker_throws", "checker_hangs"], requests: [0] },
      2,
    ],
    ["a bad copy and a change of the policy", { policyChanges: 1, faults: ["bad_output"], requests: [0] }, 2],
    ["a held lock and a crash", { crashes: 1, faults: ["busy"], requests: [0] }, 3],
    [
      "a refused commit and an ignored receipt",
      { faults: ["commit_refused", "receipt_ignored"], requests: [0] },
      2,
    ],
    ["two attempts and a change of the policy", { attempts: 2, policyChanges: 1, requests: [0] }, 12],
    [
      "two attempts on one key and an ignored effect",
      { attempts: 2, faults: ["effect_ignored"], requests: [0, 1] },
      24,
    ],
  ])("is what the ledger gives in the same runs, with %s", async (_, small, every) => {
    const { contract, policy } = smallBounds(small);
    const runs = longestRuns(small).filter((__, index) => index % every === 0);
    expect(runs.length).toBeGreaterThan(20);
    for (const run of runs) {
      const bench = { port, contract, policy, budget: createBudget(budgetMs) };
      const real = await executeRun(bench, run.actions, { epilogue: "left_out" });
      for (const action of run.actions.keys()) {
        const [ours, ourFaults] = toldOf(run, action);
        const [theirs, theirFaults] = toldOf(real, action);
        expect(ours, JSON.stringify(run.actions.slice(0, action + 1))).toBe(theirs);
        expect([ourFaults, theirFaults]).toSatisfy(() => agree(ourFaults, theirFaults));
      }
    }
  });
});
