import { afterAll, describe, expect, it } from "vitest";
import { removeScratchFolder, scratchFolder } from "../../../src/cli/scratch.js";
import type { AttemptName, Fault, Observation } from "../../../src/model/vocabulary.js";
import { faultyExecutors } from "../../../src/sut/faulty/faulty-executors.js";
import { openOmittingThePolicyRead } from "../../../src/sut/faulty/omits-the-policy-read.js";
import { allOf, conflict, type Footprint, type Place, rowOf } from "../../../src/sut/footprint.js";
import { openLedgerPort } from "../../../src/sut/ledger/system.js";
import type { Port, Progress } from "../../../src/sut/port.js";
import { draft } from "./draft-bench.js";

const folders: string[] = [];
const ports: Port[] = [];
afterAll(async () => {
  for (const port of ports) await port.stop();
  for (const folder of folders) removeScratchFolder(folder);
});

type Open = (options: { readonly directory: string; readonly budgetMs: number }) => Port;

/** A started ledger, and steps on it that answer what they touched. */
async function watched(open: Open = openLedgerPort) {
  const directory = scratchFolder();
  folders.push(directory);
  const port = open({ directory, budgetMs: 5000 });
  ports.push(port);
  const { footprints } = port;
  if (footprints.kind === "none") throw new Error("the ledger reports footprints");
  footprints.watch();
  await port.start({ policy: { kind: "limit", maxCopies: 3 }, report: () => {} });
  const begun = footprints.take();
  const step = async <Answer>(move: Promise<Answer>): Promise<{ touched: Footprint; answer: Answer }> => ({
    answer: await move,
    touched: footprints.take(),
  });
  return {
    port,
    begun,
    submit: (attempt: AttemptName, job: string, ...faults: readonly Fault[]) =>
      step(port.submit(submission(attempt, job, faults))),
    advance: (attempt: AttemptName) => step(port.advance(attempt)),
    cancel: (attempt: AttemptName) => step(port.cancel(attempt)),
    limit: (maxCopies: number) => step(port.setPolicy({ kind: "limit", maxCopies })),
    remove: () => step(port.setPolicy({ kind: "remove" })),
    step,
    store: async (): Promise<Observation> => port.observe({ probeLock: false }),
  };
}

const submission = (attempt: AttemptName, job: string, faults: readonly Fault[]) => ({
  attempt,
  delivery: `d-${attempt}`,
  request: draft(job),
  context: { tenant: "t1", runId: "r1", callId: `c-${attempt}`, principal: "p1" },
  faults,
});

const known = (reads: readonly Place[], writes: readonly Place[]): Footprint => ({
  kind: "known",
  reads,
  writes,
});
const [transaction, faults, clock] = [allOf("#transaction"), allOf("#faults"), allOf("#clock")];
/** `policy` has one row, whose key is 1. */
const policy = rowOf("policy", '["1"]');
const effect = (job: string): Place => rowOf("effects", JSON.stringify(["t1", "draft", job]));
const attempt = (name: AttemptName): Place => rowOf("#attempts", name);
/** Each receipt takes the number after the last. */
const numbered = [allOf("receipts"), allOf("sqlite_sequence")];

describe("the ledger's footprint", () => {
  it("of a submission is a read of the policy", async () => {
    const { submit } = await watched();
    expect((await submit("a1", "JOB-001")).touched).toEqual(
      known([faults, transaction, policy], [attempt("a1")]),
    );
  });

  it("of a commit holds the policy it depends on and the effect under its key", async () => {
    const { submit, advance } = await watched();
    await submit("a1", "JOB-001");
    expect((await advance("a1")).touched).toEqual(
      known([faults, transaction, effect("JOB-001"), policy], [attempt("a1"), effect("JOB-001")]),
    );
  });

  it("of a reuse writes no effect", async () => {
    const { submit, advance } = await watched();
    await submit("a1", "JOB-001");
    await advance("a1");
    await submit("a2", "JOB-001");
    expect((await advance("a2")).touched).toEqual(
      known([faults, transaction, effect("JOB-001")], [attempt("a2")]),
    );
  });

  it("of a step that does nothing in the store is the attempt's own", async () => {
    const { submit, advance, cancel } = await watched();
    await submit("a1", "JOB-001");
    await advance("a1");
    // From after_business to output_check there is nothing to read or write.
    expect((await advance("a1")).touched).toEqual(known([faults], [attempt("a1")]));
    expect((await cancel("a1")).touched).toEqual(known([faults], [attempt("a1")]));
  });

  it("of a receipt reads whether the effect exists and takes a number and the time", async () => {
    const { submit, advance } = await watched();
    await submit("a1", "JOB-001");
    await advance("a1");
    await advance("a1");
    const { answer, touched } = await advance("a1");
    expect(answer.kind).toBe("returned");
    expect(touched).toEqual(
      known([faults, transaction, effect("JOB-001"), ...numbered], [attempt("a1"), clock, ...numbered]),
    );
  });

  it("of a new limit takes a revision and writes the policy, of a removal the policy alone", async () => {
    const { limit, remove } = await watched();
    const revision = rowOf("policy_revisions", '["1"]');
    // Whether the row is inserted or updated, its key comes out of a query, which could give any.
    expect((await limit(2)).touched).toEqual(
      known([transaction, allOf("policy"), revision], [allOf("policy"), revision]),
    );
    expect((await remove()).touched).toEqual(known([transaction, policy], [policy]));
  });

  it("leaves out what the observer reads and what the lock is probed with", async () => {
    const { port, step } = await watched();
    expect((await step(Promise.resolve(port.observe({ probeLock: true })))).touched).toEqual(known([], []));
  });

  it("of a start, a crash and a restart is unknown", async () => {
    const { begun, port, step } = await watched();
    expect(begun).toEqual({ kind: "unknown" });
    expect((await step(port.crash({ kind: "parked" }))).touched).toEqual({ kind: "unknown" });
    expect((await step(port.restart())).touched).toEqual({ kind: "unknown" });
  });

  it("is still told after a crash has replaced the connection", async () => {
    const { port, step, submit } = await watched();
    await step(port.crash({ kind: "parked" }));
    await step(port.restart());
    expect((await submit("a1", "JOB-001")).touched).toEqual(
      known([faults, transaction, policy], [attempt("a1")]),
    );
  });

  it("counts a fault that is in force by what its trigger writes", async () => {
    const { submit, advance } = await watched();
    await submit("a1", "JOB-001", { kind: "commit_refused", stage: "execute" });
    const { touched } = await advance("a1");
    expect(touched.kind === "known" && touched.writes).toContainEqual(allOf("harness_child"));
    await submit("a2", "JOB-002");
    // The fault is over.
    expect((await advance("a2")).touched).toEqual(
      known([faults, transaction, effect("JOB-002"), policy], [attempt("a2"), effect("JOB-002")]),
    );
  });

  it("is not worked out before somebody watches", async () => {
    const directory = scratchFolder();
    folders.push(directory);
    const port = openLedgerPort({ directory, budgetMs: 5000 });
    await port.start({ policy: { kind: "limit", maxCopies: 3 }, report: () => {} });
    await port.submit(submission("a1", "JOB-001", []));
    expect(port.footprints.kind === "reported" && port.footprints.take()).toEqual(known([], []));
    await port.stop();
  });
});

/** Both parked before their business step. */
async function twoParked(open: Open, jobs: readonly [string, string]) {
  const ledger = await watched(open);
  await ledger.submit("a1", jobs[0]);
  await ledger.submit("a2", jobs[1]);
  return ledger;
}

const faultyNamed = (bug: string): Open => {
  const faulty = faultyExecutors.find(({ name }) => name === bug);
  if (faulty === undefined) throw new Error(`there is no faulty executor ${bug}`);
  return faulty.open;
};

const endOf = ({ answer }: { readonly answer: Progress }): string =>
  answer.kind === "returned" && answer.outcome.kind === "completed" ? answer.outcome.status : answer.kind;

describe("two steps of the ledger", () => {
  it("do not conflict if they commit under different keys", async () => {
    const { advance } = await twoParked(openLedgerPort, ["JOB-001", "JOB-002"]);
    expect(conflict((await advance("a1")).touched, (await advance("a2")).touched)).toBe(false);
  });

  it("conflict if they commit under one key", async () => {
    const { advance } = await twoParked(openLedgerPort, ["JOB-001", "JOB-001"]);
    expect(conflict((await advance("a1")).touched, (await advance("a2")).touched)).toBe(true);
  });

  it("conflict if one is the policy's change and the other a submission or a commit", async () => {
    const { submit, advance, limit } = await watched();
    const submitted = await submit("a1", "JOB-001");
    const committed = await advance("a1");
    const changed = await limit(1);
    expect(conflict(submitted.touched, changed.touched)).toBe(true);
    expect(conflict(committed.touched, changed.touched)).toBe(true);
  });

  it("conflict if both write a receipt, since the numbers would change places", async () => {
    const { advance } = await twoParked(openLedgerPort, ["JOB-001", "JOB-002"]);
    for (const name of ["a1", "a2", "a1", "a2"] as const) await advance(name);
    const [first, second] = [await advance("a1"), await advance("a2")];
    expect([endOf(first), endOf(second)]).toEqual(["accepted", "accepted"]);
    expect(conflict(first.touched, second.touched)).toBe(true);
  });

  it("conflict if they are one attempt's step and its cancel, and not another's", async () => {
    const { advance, cancel } = await twoParked(openLedgerPort, ["JOB-001", "JOB-002"]);
    const cancelled = await cancel("a1");
    // Each of these commits or ends; a2's commit has nothing to do with the cancel of a1.
    expect(conflict(cancelled.touched, (await advance("a2")).touched)).toBe(false);
    expect(conflict(cancelled.touched, (await advance("a1")).touched)).toBe(true);
  });

  it("conflict if one arms a fault that may hit the other", async () => {
    const { port, step, submit, advance } = await watched();
    await submit("a1", "JOB-001");
    const armed = await step(port.arm({ kind: "busy", stage: "execute" }));
    await port.disarm({ kind: "busy", stage: "execute" });
    expect(conflict(armed.touched, (await advance("a1")).touched)).toBe(true);
  });

  it("conflict with whatever leaves a transaction open between steps", async () => {
    const { submit, advance } = await watched(faultyNamed("holds-the-transaction-over-a-checkpoint"));
    await submit("a1", "JOB-001");
    const held = await advance("a1");
    expect(held.touched.kind === "known" && held.touched.writes).toContainEqual(transaction);
    // Another key, but its BEGIN fails, and it rolls back what is open.
    await submit("a2", "JOB-002");
    const rolledBack = await advance("a2");
    expect(conflict(held.touched, rolledBack.touched)).toBe(true);
    // It was open when the step began, so the rollback undid what another step wrote.
    expect(rolledBack.touched.kind === "known" && rolledBack.touched.writes).toContainEqual(transaction);
    // a1 runs no statement any more: it asks whether there is something to commit, and finds nothing.
    expect((await advance("a1")).touched).toEqual(known([faults, transaction], [attempt("a1")]));
  });
});

describe("the ledger that omits the policy read", () => {
  it("calls a commit and a policy change independent, which they are not", async () => {
    const first = await watched(openOmittingThePolicyRead);
    await first.submit("a1", "JOB-001");
    const committed = await first.advance("a1");
    const changed = await first.limit(1);
    expect(conflict(committed.touched, changed.touched)).toBe(false);
    expect(endOf(committed)).toBe("parked");

    const swapped = await watched(openOmittingThePolicyRead);
    await swapped.submit("a1", "JOB-001");
    await swapped.limit(1);
    expect(endOf(await swapped.advance("a1"))).toBe("policy_changed");
    expect((await first.store()).effects).toHaveLength(1);
    expect((await swapped.store()).effects).toHaveLength(0);
  });

  it("omits nothing else", async () => {
    const [omitting, sound] = [await watched(openOmittingThePolicyRead), await watched()];
    for (const ledger of [omitting, sound]) await ledger.submit("a1", "JOB-001");
    const [one, other] = [await omitting.advance("a1"), await sound.advance("a1")];
    if (one.touched.kind === "unknown" || other.touched.kind === "unknown") throw new Error("both are known");
    expect(one.touched.writes).toEqual(other.touched.writes);
    expect(one.touched.reads).toEqual(other.touched.reads.filter(({ table }) => table !== "policy"));
  });
});

/** What a1 writes in the store when it commits and, cancelled there, ends. */
async function writtenWhenCancelledAfterTheCommit(open: Open): Promise<readonly (readonly Place[])[]> {
  const { submit, advance, cancel } = await watched(open);
  await submit("a1", "JOB-001");
  const committed = await advance("a1");
  await cancel("a1");
  const ended = await advance("a1");
  return [committed, ended].map(({ touched }) =>
    touched.kind === "known" ? touched.writes.filter(({ table }) => table === "effects") : [],
  );
}

describe("a faulty executor's footprint", () => {
  it("holds what runs without a name in the table of statements", async () => {
    const deleting = faultyNamed("deletes-the-draft-when-cancelled-after-the-commit");
    const own = [effect("JOB-001")];
    expect(await writtenWhenCancelledAfterTheCommit(deleting)).toEqual([own, own]);
    expect(await writtenWhenCancelledAfterTheCommit(openLedgerPort)).toEqual([own, []]);
  });

  it("tells no rows apart where its schema has no key", async () => {
    const keyless = faultyNamed("remembers-keys-in-memory-only");
    expect(await writtenWhenCancelledAfterTheCommit(keyless)).toEqual([[allOf("effects")], []]);
  });

  it.each(faultyExecutors)("is known for every step of $name", async ({ open }) => {
    const { submit, advance, cancel, limit, remove } = await watched(open);
    const steps = [
      await submit("a1", "JOB-001"),
      await submit("a2", "JOB-001"),
      await advance("a1"),
      await limit(2),
      await advance("a2"),
      await cancel("a1"),
      await advance("a1"),
      await remove(),
      await submit("a3", "JOB-003"),
      await limit(3),
    ];
    expect(steps.filter(({ touched }) => touched.kind === "unknown")).toEqual([]);
  });
});
