import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guardedContract } from "../../../src/contract/guarded/toolbox.js";
import type {
  Action,
  AttemptName,
  Consent,
  CrashPoint,
  DecisionPoint,
  Event,
  Observation,
} from "../../../src/model/vocabulary.js";
import { createBudget } from "../../../src/properties/budget.js";
import { executeRun, type RunRecord } from "../../../src/properties/run.js";
import { openKillablePort } from "../../../src/sut/process/killable-port.js";
import {
  advance,
  answerOf,
  changePolicy,
  crash,
  crashAt,
  decide,
  endingOf,
  finish,
  lastConsent,
  lastObservation,
  note,
  restart,
  retry,
  river,
  submit,
  tick,
  ticket,
} from "../guarded/guarded-run.js";

/** Runs action lists on an executor that is killed for real, each on an empty store under a limit of 3. */
function openKillBench(bug: string) {
  const directory = mkdtempSync(join(tmpdir(), "kill-"));
  const port = openKillablePort({ directory, budgetMs: 10_000, bug });
  const budget = createBudget(15_000);
  const policy = { kind: "limit", maxCopies: 3 } as const;
  return {
    port,
    run: (actions: readonly Action[]) =>
      executeRun({ port, contract: guardedContract, policy, budget }, actions),
    close: async () => {
      budget.close();
      await port.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

let bench: ReturnType<typeof openKillBench>;
beforeAll(() => {
  bench = openKillBench("none");
});
afterAll(() => bench.close());

/** Runs a list that holds one kill, and on to its end; every promise must hold, the machine's among them. */
async function killedOnce(actions: readonly Action[]): Promise<RunRecord> {
  const before = bench.port.kills();
  const record = await bench.run(actions);
  expect(record.end).toEqual({ kind: "judged" });
  expect(record.skipped).toBe(0);
  expect(record.verdict.violations).toEqual([]);
  expect(record.verdict.undecided).toEqual([]);
  expect(bench.port.kills() - before).toBe(1);
  return record;
}

/** What another process reads of the store while its executor is dead. */
function leftBy(history: readonly Event[]): Observation & { readonly consent: Consent } {
  const killed = history.findIndex((event) => event.kind === "crashed");
  const observed = history.slice(killed).find((event) => event.kind === "observed");
  if (observed?.kind !== "observed") throw new Error("nothing was observed after the kill");
  const { consent } = observed.observation;
  if (consent === undefined) throw new Error("no consent was observed");
  return { ...observed.observation, consent };
}

function eventsOf(history: readonly Event[], attempt: AttemptName): readonly string[] {
  const ended = history.find((event) => event.kind === "ended" && event.attempt === attempt);
  return ended?.kind === "ended" && ended.outcome.kind === "completed" ? ended.outcome.events : [];
}

const look: Action = { kind: "observe" };
/** The store is looked at between the kill and the restart. */
const overTheKill = (kill: Action): readonly Action[] => [kill, look, restart];
const entering = (entry: ReturnType<typeof submit>, at: CrashPoint): Action => ({
  kind: "crash",
  where: { kind: "entering", entry, at },
});
const deciding = (decision: `d${number}`, at: DecisionPoint): Action => ({
  kind: "crash",
  where: { kind: "deciding", decision, at },
});

const tools = [
  { tool: "create_ticket", args: ticket, keyed: "with a key" },
  { tool: "notify_oncall", args: note, keyed: "without a key" },
] as const;

describe.each(tools)("after a real kill of a call $keyed ($tool)", ({ tool, args }) => {
  const first = submit("a1", tool, args);
  /** a1 has opened request 1, which waits. */
  const asked = [first, finish("a1")];
  /** a2 is parked at ◆before_business with the grant of request 1. */
  const granted = [...asked, decide("approve", "d1"), retry("a2", "a1")];

  it("at after_step the next attempt asks, and no further step is used", async () => {
    const { history } = await killedOnce([
      ...overTheKill(entering(first, "after_step")),
      retry("a2", "a1"),
      finish("a2"),
    ]);
    // The step row is committed before ▲after_step; nothing else was on its way yet.
    expect(leftBy(history)).toMatchObject({ receipts: [], consent: { steps: [{ step: 0 }], requests: [] } });
    expect(endingOf(history, "a2")).toBe("waiting_for_approval/approval_required");
    expect(lastConsent(history)).toMatchObject({ steps: [{ callId: "c-a1" }], requests: [{ number: 1 }] });
    expect(lastConsent(history).steps).toHaveLength(1);
  });

  it("parked at before_request the next attempt opens the first request", async () => {
    const { history } = await killedOnce([first, ...overTheKill(crash), retry("a2", "a1"), finish("a2")]);
    expect(leftBy(history).consent.requests).toEqual([]);
    expect(endingOf(history, "a2")).toBe("waiting_for_approval/approval_required");
    expect(lastConsent(history).requests.map(({ number }) => number)).toEqual([1]);
  });

  it.each(["after_request", "before_receipt"] as const)(
    "at %s of an attempt that asks the next one waits on that request, with no second one",
    async (at) => {
      const { history } = await killedOnce([first, ...overTheKill(crashAt("a1", at)), retry("a2", "a1")]);
      expect(leftBy(history)).toMatchObject({ receipts: [], consent: { requests: [{ number: 1 }] } });
      expect(endingOf(history, "a2")).toBe("waiting_for_approval/approval_required");
      expect(lastConsent(history).requests).toHaveLength(1);
    },
  );

  it("at before_decision the call waits, and the approver who repeats is recorded", async () => {
    const { history } = await killedOnce([
      ...asked,
      decide("approve", "d1", 1, { pace: "held" }),
      ...overTheKill(deciding("d1", "before_decision")),
      retry("a2", "a1"),
      decide("approve", "d2"),
      retry("a3", "a1"),
      finish("a3"),
    ]);
    expect(leftBy(history).consent.decisions).toEqual([]);
    expect(endingOf(history, "a2")).toBe("waiting_for_approval/approval_required");
    expect(answerOf(history, "d2")).toBe("recorded");
    expect(endingOf(history, "a3")).toBe("accepted/ok");
  });

  it("at after_decision of a grant the call proceeds, and a repeat hears that it was granted", async () => {
    const { history } = await killedOnce([
      ...asked,
      decide("approve", "d1", 1, { pace: "held" }),
      ...overTheKill(deciding("d1", "after_decision")),
      decide("approve", "d2"),
      retry("a2", "a1"),
      finish("a2"),
    ]);
    expect(leftBy(history).consent.decisions).toMatchObject([{ request: 1, verdict: "grant" }]);
    expect(answerOf(history, "d1")).toBe("not answered");
    expect(answerOf(history, "d2")).toBe("already_granted");
    expect(endingOf(history, "a2")).toBe("accepted/ok");
  });

  it("at after_decision of a no the call is refused, and a repeat hears that it was denied", async () => {
    const { history } = await killedOnce([
      ...asked,
      decide("deny", "d1", 1, { pace: "held" }),
      ...overTheKill(deciding("d1", "after_decision")),
      decide("deny", "d2"),
      retry("a2", "a1"),
    ]);
    expect(leftBy(history).consent.decisions).toMatchObject([{ request: 1, verdict: "deny" }]);
    expect(answerOf(history, "d2")).toBe("already_denied");
    expect(endingOf(history, "a2")).toBe("approval_refused/denied");
    expect(lastObservation(history).effects).toEqual([]);
  });

  it("inside the transaction of its effect the approval is unspent and the next attempt executes", async () => {
    const sent = bench.port.notified().length;
    const { history } = await killedOnce([
      ...granted,
      ...overTheKill(crashAt("a2", "inside_transaction")),
      retry("a3", "a1"),
      finish("a3"),
    ]);
    // Its locks die with the process; nothing of an uncommitted transaction is in the file for a reader.
    expect(leftBy(history)).toMatchObject({ effects: [], writeLock: "free", consent: { uses: [] } });
    expect(endingOf(history, "a3")).toBe("accepted/ok");
    expect(eventsOf(history, "a3")).toContain("effect_committed");
    expect(lastConsent(history).uses).toMatchObject([{ callId: "c-a1", request: 1 }]);
    // Sent by a3: the killed attempt had not come to it.
    expect(bench.port.notified().length - sent).toBe(tool === "notify_oncall" ? 1 : 0);
  });

  it("at after_commit of its effect the next attempt reuses it, though the request has expired and the policy asks for more", async () => {
    const sent = bench.port.notified().length;
    const { history } = await killedOnce([
      ...granted,
      ...overTheKill(crashAt("a2", "after_commit")),
      tick(2),
      changePolicy(2, "required"),
      retry("a3", "a1"),
      finish("a3"),
    ]);
    expect(leftBy(history)).toMatchObject({
      effects: [{ callId: "c-a1" }],
      consent: { uses: [{ request: 1 }] },
    });
    // Only a1's, which waits: the killed attempt had not come to its own.
    expect(leftBy(history).receipts.map(({ status }) => status)).toEqual(["waiting_for_approval"]);
    expect(endingOf(history, "a3")).toBe("accepted/ok");
    expect(eventsOf(history, "a3")).toContain("effect_reused");
    expect(lastObservation(history).effects).toHaveLength(1);
    // The send comes after the commit and is not made again on a reuse: what was lost with the process is unknown to the store.
    expect(bench.port.notified().length - sent).toBe(0);
  });

  it.each([
    { at: "before_receipt", receipts: ["waiting_for_approval"] },
    { at: "after_receipt", receipts: ["waiting_for_approval", "accepted"] },
  ] as const)("at $at two more deliveries reuse the one effect", async ({ at, receipts }) => {
    const sent = bench.port.notified().length;
    const { history } = await killedOnce([
      ...granted,
      advance("a2"),
      advance("a2"),
      ...overTheKill(crashAt("a2", at)),
      retry("a3", "a1"),
      finish("a3"),
      retry("a4", "a1"),
      finish("a4"),
    ]);
    expect(leftBy(history).receipts.map(({ status }) => status)).toEqual(receipts);
    expect(endingOf(history, "a2")).toBe("not ended");
    for (const attempt of ["a3", "a4"] as const) {
      expect(endingOf(history, attempt)).toBe("accepted/ok");
      expect(eventsOf(history, attempt)).toContain("effect_reused");
    }
    expect(lastObservation(history).effects).toHaveLength(1);
    expect(bench.port.notified().length - sent).toBe(tool === "notify_oncall" ? 1 : 0);
  });
});

describe("after a real kill of a call that reuses another call's effect", () => {
  /** Call c-a1 has made the ticket; call c-a3 wants the same one, is granted it as request 2, and a4 is parked before it. */
  const another = [
    submit("a1", "create_ticket", ticket),
    finish("a1"),
    decide("approve", "d1"),
    retry("a2", "a1"),
    finish("a2"),
    submit("a3", "create_ticket", ticket),
    finish("a3"),
    decide("approve", "d2", 2),
    retry("a4", "a3"),
  ];

  it("inside the transaction the approval is unspent, so that a no still counts", async () => {
    const { history } = await killedOnce([
      ...another,
      ...overTheKill(crashAt("a4", "inside_transaction")),
      decide("revoke", "d3", 2),
      retry("a5", "a3"),
    ]);
    expect(leftBy(history).consent.uses.map(({ callId }) => callId)).toEqual(["c-a1"]);
    expect(answerOf(history, "d3")).toBe("recorded");
    expect(endingOf(history, "a5")).toBe("approval_refused/revoked");
  });

  it("inside the transaction the next attempt reuses the effect and spends the approval", async () => {
    const { history } = await killedOnce([
      ...another,
      ...overTheKill(crashAt("a4", "inside_transaction")),
      retry("a5", "a3"),
      finish("a5"),
    ]);
    expect(endingOf(history, "a5")).toBe("accepted/ok");
    expect(eventsOf(history, "a5")).toContain("effect_reused");
    expect(lastConsent(history).uses.map(({ callId }) => callId)).toEqual(["c-a1", "c-a3"]);
    expect(lastObservation(history).effects).toHaveLength(1);
  });

  it("at after_commit the approval is spent: a no comes too late and the next attempt reuses", async () => {
    const { history } = await killedOnce([
      ...another,
      ...overTheKill(crashAt("a4", "after_commit")),
      decide("revoke", "d3", 2),
      retry("a5", "a3"),
      finish("a5"),
    ]);
    expect(leftBy(history).consent.uses.map(({ callId }) => callId)).toEqual(["c-a1", "c-a3"]);
    expect(answerOf(history, "d3")).toBe("already_used");
    expect(endingOf(history, "a5")).toBe("accepted/ok");
    expect(lastObservation(history).effects).toHaveLength(1);
  });
});

describe("a fault of the store that was in force when the process was killed", () => {
  it("is gone with it, but for one that is still armed", async () => {
    // a1 would be refused its COMMIT; it is killed inside the transaction, where that is yet to come.
    const { history } = await killedOnce([
      submit("a1", "draft", river, {
        sideEffects: "permitted",
        faults: [{ kind: "commit_refused", stage: "execute" }],
      }),
      ...overTheKill(crashAt("a1", "inside_transaction")),
      retry("a2", "a1"),
      finish("a2"),
      { kind: "arm", fault: { kind: "busy", stage: "execute" } },
      retry("a3", "a1"),
      finish("a3"),
    ]);
    expect(endingOf(history, "a2")).toBe("accepted/ok");
    expect(endingOf(history, "a3")).toBe("error/busy");
  });
});

describe("an executor that forgets when it is killed", () => {
  it.each([
    // What only a process remembers is lost with the process: nobody had to simulate it.
    {
      bug: "keeps-requests-in-memory",
      promise: "consent-survives",
      actions: [submit("a1", "create_ticket", ticket), finish("a1"), crash, restart],
    },
    {
      bug: "loses-the-gate-at-restart",
      promise: "approval-binds",
      actions: [
        changePolicy(3, "required"),
        crash,
        restart,
        submit("a1", "draft", river, { sideEffects: "permitted" }),
        finish("a1"),
      ],
    },
  ])("$bug breaks $promise", async ({ bug, promise, actions }) => {
    const faulty = openKillBench(bug);
    try {
      const { verdict } = await faulty.run(actions);
      expect(verdict.violations.map((violation) => violation.promise)).toContain(promise);
      expect(faulty.port.kills()).toBeGreaterThanOrEqual(1);
    } finally {
      await faulty.close();
    }
  });
});
