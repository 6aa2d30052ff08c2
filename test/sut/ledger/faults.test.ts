import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DriverFault, Fault } from "../../../src/model/vocabulary.js";
import { advance, draft, drive, endedOf, finish, openDraftBench, storeOf, submit } from "./draft-bench.js";

let bench: Awaited<ReturnType<typeof openDraftBench>>;
beforeAll(async () => {
  bench = await openDraftBench();
});
afterAll(() => bench.close());

const withFault = async (fault: Fault) => {
  const { history } = await drive(bench, [submit("a1", draft("JOB-001"), [fault]), finish("a1")]);
  const { outcome } = endedOf(history, "a1");
  return { outcome, store: storeOf(history), history };
};

/** Rows of the execute stage: the transaction never commits, so nothing is left, whatever the driver said. */
const executeFaults: readonly (readonly [DriverFault, string])[] = [
  [{ kind: "effect_ignored" }, "effect_not_written"],
  [{ kind: "busy", stage: "execute" }, "busy"],
  [{ kind: "commit_refused", stage: "execute" }, "commit_refused"],
  [{ kind: "disk_full", stage: "execute" }, "disk_full"],
  [{ kind: "read_only", stage: "execute" }, "read_only"],
];

/** Rows of the receipt stage. A trigger that ignores the insert raises nothing, so the driver is no cause there. */
const receiptFaults: readonly (readonly [DriverFault, readonly string[]])[] = [
  [{ kind: "receipt_ignored" }, ["receipt_write"]],
  [{ kind: "receipt_aborted" }, ["receipt_write", "driver"]],
  [{ kind: "busy", stage: "receipt" }, ["receipt_write", "driver"]],
  [{ kind: "commit_refused", stage: "receipt" }, ["receipt_write", "driver"]],
  [{ kind: "disk_full", stage: "receipt" }, ["receipt_write", "driver"]],
  [{ kind: "read_only", stage: "receipt" }, ["receipt_write", "driver"]],
];

describe("faults of the store's driver", () => {
  it.each(executeFaults)(
    "%o at execute ends as error/%s, without an effect and with a receipt",
    async (fault, code) => {
      const { outcome, store } = await withFault(fault);
      expect(outcome).toMatchObject({ kind: "completed", status: "error", code, effectExists: false });
      expect(store.effects).toEqual([]);
      expect(store.receipts).toMatchObject([{ number: 1, status: "error", code, effectExists: false }]);
      // The rival could begin: no transaction stayed open.
      expect(store.writeLock).toBe("free");
    },
  );

  it.each(receiptFaults)(
    "%o ends as audit_unavailable for %j, and the effect stays",
    async (fault, causes) => {
      const { outcome, store } = await withFault(fault);
      expect(outcome).toMatchObject({ kind: "audit_unavailable", causes });
      expect(store.effects).toMatchObject([{ key: "JOB-001" }]);
      expect(store.receipts).toEqual([]);
      expect(store.writeLock).toBe("free");
    },
  );

  it("are lifted at the next crash point: the attempt that follows is untouched by each of them", async () => {
    for (const [fault] of [...executeFaults, ...receiptFaults]) {
      const { history } = await drive(bench, [
        submit("a1", draft("JOB-001"), [fault]),
        finish("a1"),
        submit("a2", draft("JOB-002")),
        finish("a2"),
      ]);
      expect(endedOf(history, "a2").outcome).toMatchObject({ status: "accepted" });
    }
  });

  it("do not touch a neighbour that is parked meanwhile", async () => {
    const { history } = await drive(bench, [
      submit("a1", draft("JOB-001")),
      submit("a2", draft("JOB-002"), [{ kind: "disk_full", stage: "execute" }]),
      advance("a1"),
      finish("a2"),
      finish("a1"),
    ]);
    expect(endedOf(history, "a1").outcome).toMatchObject({ status: "accepted" });
    expect(endedOf(history, "a2").outcome).toMatchObject({ status: "error", code: "disk_full" });
  });

  it("armed for all, hit every attempt until they are disarmed, also after a restart", async () => {
    const fault: DriverFault = { kind: "read_only", stage: "execute" };
    const { history } = await drive(bench, [
      { kind: "arm", fault },
      submit("a1", draft("JOB-001")),
      finish("a1"),
      { kind: "crash", where: { kind: "parked" } },
      { kind: "restart" },
      submit("a2", draft("JOB-002")),
      finish("a2"),
      { kind: "disarm", fault },
      submit("a3", draft("JOB-003")),
      finish("a3"),
    ]);
    expect(endedOf(history, "a1").outcome).toMatchObject({ status: "error", code: "read_only" });
    expect(endedOf(history, "a2").outcome).toMatchObject({ status: "error", code: "read_only" });
    expect(endedOf(history, "a3").outcome).toMatchObject({ status: "accepted" });
  });
});

describe("what meets at one checkpoint", () => {
  it("lets a delivered cancel win over a throw that is planned there", async () => {
    const { history } = await drive(bench, [
      submit("a1", draft("JOB-001"), [{ kind: "throw_at", at: "before_business" }]),
      { kind: "cancel", attempt: "a1" },
      finish("a1"),
    ]);
    expect(endedOf(history, "a1").outcome).toMatchObject({ kind: "cancelled", reason: "callers" });
    expect(history.map(({ kind }) => kind)).not.toContain("fault_fired");
  });

  it("lets an attempt's own plan come before the fault that is armed for all", async () => {
    const { history } = await drive(bench, [
      { kind: "arm", fault: { kind: "busy", stage: "execute" } },
      submit("a1", draft("JOB-001"), [{ kind: "read_only", stage: "execute" }]),
      finish("a1"),
    ]);
    expect(endedOf(history, "a1").outcome).toMatchObject({ status: "error", code: "read_only" });
  });
});

describe("a checker without a readable verdict", () => {
  const kinds = ["checker_throws", "checker_rejects_falsy", "checker_garbled"] as const;

  it.each(kinds)("%s at the check refuses before anything is written", async (kind) => {
    const { outcome, store } = await withFault({ kind, stage: "check" });
    expect(outcome).toMatchObject({ status: "error", code: "no_verdict", released: { kind: "nothing" } });
    expect(store.effects).toEqual([]);
  });

  it.each(kinds)("%s at the output releases nothing, and the effect stays", async (kind) => {
    const { outcome, store } = await withFault({ kind, stage: "output" });
    expect(outcome).toMatchObject({ status: "error", code: "no_verdict", released: { kind: "nothing" } });
    expect(store.effects).toHaveLength(1);
  });

  it("that hangs is waited for until its time is over", async () => {
    const { history } = await drive(bench, [
      submit("a1", draft("JOB-001"), [{ kind: "checker_hangs", stage: "check" }]),
      { kind: "expire", attempt: "a1" },
    ]);
    expect(history.map(({ kind }) => kind)).toContain("blocked");
    expect(endedOf(history, "a1").outcome).toMatchObject({ status: "error", code: "no_verdict" });
  });
});

describe("crashes", () => {
  /** Before COMMIT nothing is left; from COMMIT on the effect is, and the receipt only once it is durable itself. */
  const rows = [
    ["inside_transaction", 0, 0],
    ["after_commit", 1, 0],
    ["before_receipt", 1, 0],
    ["after_receipt", 1, 1],
  ] as const;

  it.each(rows)("at %s leave %i effects and %i receipts", async (at, effects, receipts) => {
    const start = at === "inside_transaction" || at === "after_commit" ? [] : [advance("a1"), advance("a1")];
    const { history } = await drive(bench, [
      submit("a1", draft("JOB-001")),
      ...start,
      { kind: "crash", where: { kind: "at", attempt: "a1", at } },
      { kind: "restart" },
    ]);
    const store = storeOf(history);
    expect([store.effects.length, store.receipts.length]).toEqual([effects, receipts]);
    expect(history.find(({ kind }) => kind === "crashed")).toMatchObject({
      advancing: { kind: "attempt", attempt: "a1", at },
      lost: ["a1"],
    });
  });

  it("lose every attempt in flight, and a point that is not passed never strikes later", async () => {
    const { history } = await drive(bench, [
      submit("a1", draft("JOB-001")),
      submit("a2", draft("JOB-002")),
      // From before_business an attempt that goes on normally reaches no receipt in one move.
      { kind: "crash", where: { kind: "at", attempt: "a1", at: "before_receipt" } },
      finish("a1"),
      { kind: "crash", where: { kind: "parked" } },
      { kind: "restart" },
      finish("a2"),
    ]);
    expect(endedOf(history, "a1").outcome).toMatchObject({ status: "accepted" });
    expect(history.find(({ kind }) => kind === "crashed")).toMatchObject({ lost: ["a2"] });
    expect(history.at(-1)).toMatchObject({ kind: "skipped", reason: "a2 is lost" });
  });

  it("keep the policy as it was: a restart makes none", async () => {
    const { history } = await drive(bench, [
      { kind: "change_policy", to: { kind: "remove" } },
      { kind: "crash", where: { kind: "parked" } },
      { kind: "restart" },
    ]);
    expect(storeOf(history).policy).toEqual({ kind: "missing" });
  });
});
