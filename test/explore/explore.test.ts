import { describe, expect, it } from "vitest";
import { type ExploreOptions, explore } from "../../src/explore/explore.js";
import type { ExploreReport } from "../../src/explore/report.js";
import type { PromiseId } from "../../src/properties/verdict.js";
import { openOmittingThePolicyRead } from "../../src/sut/faulty/omits-the-policy-read.js";
import { openLedgerPort } from "../../src/sut/ledger/system.js";
import { type Opener, openerOf, withBench } from "./executor-bench.js";

/** One attempt for one key, one change of the policy; with `throw_at`, one attempt that it strikes. */
const bounds: ExploreOptions["bounds"] = {
  attempts: 1,
  keys: 1,
  policyChanges: 1,
  crashes: 0,
  arms: 0,
  faultyAttempts: 1,
};

function exploreWith(open: Opener, chosen: Partial<ExploreOptions> = {}): Promise<ExploreReport> {
  return withBench(open, (bench) =>
    explore({
      version: "0.0.0",
      seed: 1,
      profile: bench.port.profile,
      contract: bench.contract,
      policy: bench.policy,
      executor: { kind: "executor", name: "under test", bench },
      bounds,
      faultSets: [[]],
      walks: "every_edge",
      schedules: "all",
      reduction: { partialOrder: false, symmetry: false },
      maxExecutions: 1000,
      allowVacuous: [],
      signal: new AbortController().signal,
      now: () => 0,
      startedAt: new Date(0),
      progress: () => {},
      ...chosen,
    }),
  );
}

function verdictOf({ promises }: ExploreReport, promise: PromiseId) {
  return promises.find((one) => one.promise === promise)?.verdict;
}

function promisesThat({ promises }: ExploreReport, kind: string): readonly PromiseId[] {
  return promises.filter(({ verdict }) => verdict.kind === kind).map(({ promise }) => promise);
}

describe("an exploration of the ledger", () => {
  it("is finished in all its parts and finds every promise that it can ask about to hold", async () => {
    const report = await exploreWith(openLedgerPort, { faultSets: [[], ["throw_at"]] });
    expect(report.machine.map(({ outcome }) => outcome.kind)).toEqual(["complete", "complete"]);
    expect(report.edges.map(({ outcome }) => outcome.kind)).toEqual(["complete", "complete"]);
    for (const { walked, reachable, cutOff } of report.edges)
      expect([walked, cutOff]).toEqual([reachable, 0]);
    expect(report.schedules).toMatchObject([
      {
        workload: "the same request",
        threads: ["a1", "policy", "cancel a1"],
        outcome: { kind: "complete" },
        audit: { unaudited: 0, differences: [] },
        nondeterminism: [],
        sampled: "not_needed",
      },
    ]);
    expect(report.verdict).toBe("holds");
    // A checker that fails takes a fault of its own, which is not among these; approvals, runs, rights and a driver are
    // what the ledger lacks.
    expect(promisesThat(report, "not_checked")).toEqual([
      "fail-closed",
      "approval-binds",
      "denied-stays-denied",
      "approve-once-executes-once",
      "pause-consumes-nothing",
      "consent-survives",
      "decision-tells-truth",
      "asks-once",
      "authority-at-commit",
      "recovery-by-kind",
      "repair-is-bounded",
      "identity-from-context",
      "layers-do-not-average",
      "gate-equals-guard",
      "reservation-is-exclusive",
    ]);
    expect(report.counterexamples).toEqual([]);
  });

  it("calls a promise vacuous whose situation no part has met", async () => {
    // Nothing but a fault makes an executor answer that it does not know.
    const report = await exploreWith(openLedgerPort);
    expect(promisesThat(report, "vacuous")).toEqual(["unknown-is-not-failed"]);
    expect(report.verdict).toBe("vacuous");
  });

  it("without an executor asks nothing that takes one", async () => {
    const report = await exploreWith(openLedgerPort, { executor: { kind: "none" } });
    expect(verdictOf(report, "matches-the-machine")).toEqual({ kind: "not_checked", lacks: ["an executor"] });
    expect(report).toMatchObject({ executor: "none", edges: [], schedules: [] });
  });
});

describe("an exploration of a faulty executor", () => {
  it.each([
    { foundBy: "edges", chosen: {} },
    { foundBy: "schedules", chosen: { walks: "none" } },
  ] as const)("keeps a minimal counterexample found by the $foundBy", async ({ foundBy, chosen }) => {
    const report = await exploreWith(openerOf("commits-on-the-snapshot-alone"), chosen);
    expect(report.verdict).toBe("violated");
    expect(verdictOf(report, "no-stale-commit")).toEqual({ kind: "violated" });
    const found = report.counterexamples.find(({ promise }) => promise === "no-stale-commit");
    expect(found?.foundBy).toBe(foundBy);
    // The epilogue drives the attempt on, so that no step is needed after the change of the policy.
    expect(found?.minimal.actions.map(({ kind }) => kind)).toEqual(["submit", "change_policy"]);
    expect(found?.minimal.kind).toBe("one_minimal");
    expect(found?.minimal.violation.promise).toBe("no-stale-commit");
  });

  it("keeps one counterexample of a promise, though several parts find it broken", async () => {
    const report = await exploreWith(openerOf("swallows-a-cancel-after-the-commit"));
    const promises = report.counterexamples.map(({ promise }) => promise);
    expect(promises).toContain("cancel-is-not-success");
    expect(new Set(promises).size).toBe(promises.length);
  });

  it("is undecided of every promise when the audit finds the footprints to leave something out", async () => {
    const report = await exploreWith(openOmittingThePolicyRead, { walks: "none" });
    expect(report.schedules).toMatchObject([{ outcome: { kind: "complete" } }]);
    expect(report.schedules[0]?.audit.differences).not.toEqual([]);
    expect(report.verdict).toBe("undecided");
    expect(promisesThat(report, "holds")).toEqual([]);
    expect(verdictOf(report, "no-stale-commit")).toEqual({
      kind: "undecided",
      reason: "the footprints leave something out, so schedules may be missing",
    });
  });

  it("is undecided when an outcome depends on something else than the schedule", async () => {
    let starts = 0;
    const report = await exploreWith(
      (options) => {
        const port = openLedgerPort(options);
        return {
          ...port,
          // A limit that allows the request in every other execution only.
          start: (world) => port.start({ ...world, policy: { kind: "limit", maxCopies: starts++ % 2 } }),
        };
      },
      { walks: "none" },
    );
    expect(report.schedules).toMatchObject([
      { outcome: { kind: "undecided", reason: "nondeterministic" }, nondeterminism: [{ what: "seen" }] },
    ]);
    expect(promisesThat(report, "holds")).toEqual([]);
  });
});

describe("an exploration of an executor that breaks", () => {
  it("is broken where the executor is tried, and never rejects", async () => {
    const report = await exploreWith((options) => ({
      ...openLedgerPort(options),
      start: () => Promise.reject(new Error("no store")),
    }));
    expect(report.verdict).toBe("broken");
    expect(report.broken.map(({ message }) => message)).toEqual(["no store", "no store"]);
    expect(report.edges).toMatchObject([{ outcome: { kind: "undecided", reason: "broken" }, walked: 0 }]);
    expect(report.schedules).toMatchObject([{ outcome: { kind: "undecided", reason: "broken" } }]);
    expect(promisesThat(report, "holds")).toEqual([]);
  });
});

describe("an exploration that ends early", () => {
  it("is undecided when its time is over, in what it had not come to as well", async () => {
    let clock = 0;
    const report = await exploreWith(openLedgerPort, {
      bounds: { ...bounds, attempts: 2 },
      executor: { kind: "none" },
      faultSets: [[], ["throw_at"], ["bad_output"]],
      timeMs: 100,
      now: () => clock,
      // The time runs out during the second search; the third would have no time at all.
      progress: (line) => {
        if (line.part === "machine" && line.search === 2) clock = 1000;
      },
    });
    const overtime = { kind: "undecided", reason: "time" };
    expect(report.machine.map(({ outcome }) => outcome)).toEqual([{ kind: "complete" }, overtime, overtime]);
    expect(promisesThat(report, "holds")).toEqual([]);
    expect(report.verdict).toBe("undecided");
  });

  it("is undecided of the schedules that it has no time for", async () => {
    let clock = 0;
    const report = await exploreWith(openLedgerPort, { walks: "none", timeMs: 10, now: () => clock++ });
    expect(report.schedules).toMatchObject([{ outcome: { kind: "undecided", reason: "time" } }]);
    expect(promisesThat(report, "holds")).toEqual([]);
  });

  it("is undecided when the schedules are executed but not audited", async () => {
    const [whole] = (await exploreWith(openLedgerPort, { walks: "none" })).schedules;
    const last = (whole?.executions.complete ?? 0) + (whole?.executions.blocked ?? 0);
    let clock = 0;
    const report = await exploreWith(openLedgerPort, {
      walks: "none",
      timeMs: 100,
      now: () => clock,
      progress: (line) => {
        if (line.part === "schedules" && line.executions === last) clock = 1000;
      },
    });
    expect(report.schedules).toMatchObject([{ outcome: { kind: "complete" }, audit: { audited: 0 } }]);
    expect(report.schedules[0]?.audit.unaudited).toBe(whole?.audit.audited);
    expect(promisesThat(report, "holds")).toEqual([]);
  });

  it("is undecided when it is interrupted, and says so", async () => {
    const report = await exploreWith(openLedgerPort, { signal: AbortSignal.abort() });
    const undecided = { outcome: { kind: "undecided", reason: "interrupted" } };
    expect(report).toMatchObject({ interrupted: true, machine: [undecided], schedules: [undecided] });
    expect(promisesThat(report, "holds")).toEqual([]);
    expect(report.verdict).toBe("undecided");
  });

  it("is undecided past its most executions, and samples what is left", async () => {
    const report = await exploreWith(openLedgerPort, { walks: "none", maxExecutions: 4 });
    expect(report.schedules).toMatchObject([{ outcome: { kind: "undecided", reason: "executions" } }]);
    expect(report.schedules[0]?.sampled).toMatchObject({
      samples: [{ strategy: "random_walk" }, { strategy: "pos" }, { strategy: "pct" }],
    });
    expect(report.verdict).toBe("undecided");
  });

  it("goes on in a field of bits when memory runs out, which decides nothing", async () => {
    const report = await exploreWith(openLedgerPort, {
      bounds: { ...bounds, attempts: 2 },
      executor: { kind: "none" },
      maxBytes: 2 ** 14,
    });
    expect(report.machine).toMatchObject([
      { outcome: { kind: "undecided", reason: "memory" }, bitstate: { seeds: 3 } },
    ]);
    expect(report.machine[0]?.bitstate?.states).toBeGreaterThan(0);
    expect(promisesThat(report, "holds")).toEqual([]);
    expect(report.verdict).toBe("undecided");
  });
});

describe("an exploration with partial order reduction", () => {
  it("does not decide what the reduction is not sound for, and says so", async () => {
    const report = await exploreWith(openLedgerPort, {
      executor: { kind: "none" },
      reduction: { partialOrder: true, symmetry: false },
    });
    for (const promise of ["every-attempt-ends", "always-recoverable"] as const) {
      expect(verdictOf(report, promise)).toEqual({
        kind: "not_checked",
        lacks: [expect.stringMatching(/partial order/)],
      });
    }
    expect(verdictOf(report, "no-stale-commit")).toEqual({ kind: "holds" });
  });
});
