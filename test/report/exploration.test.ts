import { describe, expect, it } from "vitest";
import type { ExploreReport, MachineReport } from "../../src/explore/report.js";
import { explorationText } from "../../src/report/exploration.js";
import { explorationSuite } from "../../src/report/exploration-suite.js";
import { junitXml } from "../../src/report/junit.js";
import { paintFor } from "../../src/report/paint.js";
import type { Detail } from "../../src/report/terminal.js";
import {
  alone,
  executed,
  leftOut,
  notTheSameTwice,
  onLedger,
  search,
  violatedByMachine,
  violatedBySchedules,
  walked,
} from "./explorations.js";
import { brokenRun, promises } from "./reports.js";

const kept = { file: "commitpoint-out/x.yaml", replay: "npx commitpoint replay commitpoint-out/x.yaml" };

function text(report: ExploreReport, detail: Detail = "usual", width = 100): string {
  const canvas = { paint: paintFor("plain"), width };
  return explorationText(report, { canvas, detail, keptAt: () => kept });
}

/** The verdict comes last, and may take several lines. */
function verdict(report: ExploreReport): string {
  return text(report, "quiet").replaceAll("\n", " ").trim();
}

const outOfMemory: MachineReport = {
  ...search,
  faults: ["disk_full"],
  outcome: { kind: "undecided", reason: "memory" },
};

const undecided: ExploreReport = {
  ...alone,
  machine: [search, outOfMemory],
  verdict: "undecided",
  promises: promises(1, { "fail-closed": { kind: "undecided", reason: "the search ended early: memory" } }),
};

describe("explorationText", () => {
  it("opens with what was explored, within which bounds, and how long each part took", () => {
    expect(text(alone, "usual", 200).split("\n").slice(0, 3)).toEqual([
      "reference machine alone, profile ledger, seed 7",
      "bounds: at most 2 attempts on 2 keys, 2 changes of the policy, 1 crash, 1 fault of the store armed, 1 attempt with a planned fault",
      "in 4.2 s (machine 4.2 s)",
    ]);
    expect(text(onLedger)).toMatch(/^executor ledger, profile ledger, seed 7\n/);
  });

  it("has one row for each search", () => {
    const rows = text(undecided).split("\n");
    // Two spaces between columns, each as wide as its widest cell.
    expect(rows).toContain(
      "    search with  outcome                     states  transitions  depth  bytes/state",
    );
    expect(rows).toContain(
      "  ✓ no fault     complete                    12,345       67,890     31         24.1",
    );
    expect(rows).toContain(
      "  ? disk_full    undecided: limit of memory  12,345       67,890     31         24.1",
    );
  });

  it("tells under its search what a search found broken", () => {
    const found: MachineReport = {
      ...search,
      promises: [
        { promise: "no-stale-commit", verdict: { kind: "violated" }, occurs: "yes", path: ["a", "b"] },
      ],
    };
    expect(text({ ...alone, machine: [found] })).toMatch(
      /✗ no fault {5}complete .*\n {6}violated: no-stale-commit\n/,
    );
  });

  it("tells how often each kind of step was taken only when asked for more", () => {
    expect(text(alone)).not.toContain("steps:");
    expect(text(alone, "verbose")).toContain("      steps: advance 60,000, submit 7,890\n");
  });

  it("gives the estimate of a search that went past its memory", () => {
    const past = {
      ...outOfMemory,
      bitstate: { seeds: 3, states: 9_000_000, missedByAll: 1e-6, expectedMissed: 9 },
    };
    expect(text({ ...undecided, machine: [past] }, "usual", 200)).toContain(
      "bit fields with 3 seeds: at most 9,000,000 states met by one of them; expected to be missed by all of those offered to them: about 9 (probability 1.0e-6)",
    );
  });

  describe("of reductions", () => {
    it("names each once", () => {
      expect(text(alone).match(/symmetry: one state stands for all/g)).toHaveLength(1);
      expect(text(alone)).not.toContain("partial order");
    });

    it("says that there is none", () => {
      const reduction = { partialOrder: false, symmetry: false };
      const full = { ...alone, machine: [{ ...search, reduction }] };
      expect(text(full)).toContain("no reduction: every state is stored as it is");
      expect(text(full)).not.toContain("symmetry");
    });

    it("says which promise one is not sound for, and whether it was checked without it", () => {
      const reason = "partial order is not sound for it";
      const notChecked: MachineReport = {
        ...search,
        reduction: { partialOrder: true, symmetry: true },
        promises: [
          { promise: "no-stale-commit", verdict: { kind: "not_checked", reason }, occurs: "yes", path: [] },
          { promise: "fail-closed", verdict: { kind: "not_checked", reason }, occurs: "yes", path: [] },
        ],
      };
      const both = text({ ...alone, machine: [search, notChecked] });
      expect(both).toContain(
        "    partial order (in 1 of 2): of steps that commute only one order is searched\n",
      );
      expect(both).toContain(`    no-stale-commit: checked without it in 1 of 2; ${reason}\n`);
      expect(both).toContain(`    fail-closed: not checked on the machine; ${reason}\n`);
    });

    it("says so in the row of a promise, where no part checked it", () => {
      const lacks = ["partial order is not sound for it"];
      const report = { ...alone, promises: promises(1, { "fail-closed": { kind: "not_checked", lacks } }) };
      expect(text(report)).toContain(
        "  – fail-closed               not checked     partial order is not sound for it\n",
      );
      expect(text(alone)).toContain("  – matches-the-machine       not checked     lacks an executor\n");
    });
  });

  it("sets edges walked beside what as many random actions walk", () => {
    const rows = text(onLedger).split("\n");
    // 250 of 1,000 are 25 %.
    expect(rows).toContain("  ✓ no fault    complete  1,000/1,000        0     80    1,600  250 (25.0 %)");
    expect(text(alone)).not.toContain("edges with");
  });

  it("does not call walks complete that could not walk every edge", () => {
    const part = { ...walked, walked: 990, cutOff: 10 };
    const report = text({ ...onLedger, edges: [part] });
    expect(report).toContain("  ✗ no fault    not all walked  990/1,000       10 ");
    expect(report).toContain("cut off: the executor left the machine's way before them or on them");
  });

  it("counts the executions of each workload, and what was audited", () => {
    // 4 blocked of 36 + 4.
    expect(text(onLedger)).toContain(
      [
        "  ✓ the same request  complete",
        "      threads: a1, a2, policy",
        "      36 complete executions, 4 blocked (10.0 %), 36 repeated, 5 final states",
        "      audit: 12 kinds of pairs made in both orders: no difference",
        "",
      ].join("\n"),
    );
  });

  it("says what an executor without footprints means", () => {
    const report = text({ ...onLedger, schedules: [{ ...executed, footprints: "none" }] });
    expect(report.replaceAll(/\n +/g, " ")).toContain(
      "no footprints are reported: every step counts as dependent on every other, so nothing is left out",
    );
    expect(report).not.toContain("audit:");
  });

  it("shows a schedule that was not the same twice, from where it differs", () => {
    const report = text({ ...onLedger, verdict: "undecided", schedules: [notTheSameTwice] });
    expect(report).toContain("  ✗ the same request  undecided: not deterministic\n");
    expect(report).toContain(
      [
        "      NOT DETERMINISTIC: the same schedule showed something else the second time",
        "      schedule   a1 a1 policy a2",
        "      differs    at step 4, of a2: what was seen of the step",
        // 24 characters before the first that differs.
        '      first      …fore_business","number":1}',
        '      again      …fore_business","number":2}',
        "",
      ].join("\n"),
    );
  });

  it("tells an ending that was not the same twice as such", () => {
    const [difference] = notTheSameTwice.nondeterminism;
    if (difference === undefined) throw new Error("the fixture has a difference");
    const atEnd = { ...notTheSameTwice, nondeterminism: [{ ...difference, at: 4, what: "ending" as const }] };
    expect(text({ ...onLedger, schedules: [atEnd] })).toContain(
      "differs    at the end: the state that is left behind\n",
    );
  });

  it("shows what the footprints leave out", () => {
    const report = text({ ...onLedger, schedules: [leftOut] });
    expect(report).toContain("audit: 11 kinds of pairs made in both orders, 1 not audited: 1 difference\n");
    expect(report).toContain(
      [
        "      THE FOOTPRINTS LEAVE SOMETHING OUT: schedules may be missing",
        "      advance a1 and limit 1 are not independent: the state after both",
        "      after submit a1, advance a1, limit 1",
        "      and after submit a1, limit 1, advance a1",
        "      one        one",
        "      other      two",
        "",
      ].join("\n"),
    );
  });

  it("shows three differences, and how many more there are", () => {
    const many = {
      ...leftOut,
      audit: { ...leftOut.audit, differences: Array(5).fill(leftOut.audit.differences[0]) },
    };
    const report = text({ ...onLedger, schedules: [many] });
    expect(report.match(/are not independent/g)).toHaveLength(3);
    expect(report).toContain("and 2 more; the JSON report has them all");
  });

  it("estimates the size of what was too large, and what was sampled of it", () => {
    const violation = {
      text: "no-stale-commit",
      schedule: { threads: [0], labels: ["submit a1"] },
      executions: 3,
      times: 2,
    };
    const sampled = {
      size: { schedules: 12_345_678, standardError: 2345, walks: 200 },
      samples: [
        { strategy: "random_walk" as const, executions: 200, traces: 190, states: 5, violations: [] },
        { strategy: "pct" as const, executions: 200, traces: 90, states: 4, violations: [violation] },
      ],
    };
    const outcome = { kind: "undecided", reason: "executions" } as const;
    const report = text({ ...onLedger, schedules: [{ ...executed, outcome, sampled }] });
    expect(report).toContain("  ? the same request  undecided: limit of executions\n");
    expect(report).toContain(
      "about 1.2e+7 schedules in all (estimated by 200 random walks, standard error 2,345)\n",
    );
    expect(report).toContain("random walk  200 executions, 190 traces, 5 final states; no violation\n");
    expect(report).toContain(
      "PCT          200 executions, 90 traces, 4 final states; no-stale-commit after 3\n",
    );
  });

  it("tells what an executor broke with its timeline, and which execution showed it", () => {
    const report = text(violatedBySchedules);
    expect(report).toContain("✗ no-stale-commit is broken here");
    expect(report).toContain("the executor did      policy revision 1");
    expect(report).toContain("found with   execution 37 of the schedules, seed 7\n");
    expect(report).toContain("replay with  npx commitpoint replay commitpoint-out/x.yaml\n");
  });

  it("lists the steps by which the machine broke a promise: nothing executed them", () => {
    const report = text(violatedByMachine);
    expect(report).toContain("5 steps, the way on which the search met it");
    expect(report).toContain("     3  change policy: at most 1\n");
    expect(report).toContain("the machine did       policy revision 1");
    expect(report).toContain("found with   the search of the machine\n");
    expect(report).not.toContain("the executor did");
    expect(report).not.toContain("shrunk from");
  });

  it("does not call what broke a verdict", () => {
    const report = text({ ...onLedger, verdict: "broken", broken: [brokenRun] });
    expect(report).toContain("── ! broken in 1 run ──");
    expect(report).toContain("  advance:\n    advance took longer than 2000 ms");
    expect(report).toContain("This is no verdict on the executor");
  });

  it.each([60, 80, 100])("fits into %d columns but for its tables", (width) => {
    const lines = text({ ...onLedger, schedules: [notTheSameTwice, leftOut] }, "usual", width).split("\n");
    const told = lines.filter(
      (line) => !/ {2}(search|edges|no fault|busy|promise|[✓–✗?] )|NOT DET|THE FOOT/.test(line),
    );
    expect(Math.max(...told.map((line) => Array.from(line).length))).toBeLessThanOrEqual(width);
  });
});

describe("the verdict of an exploration", () => {
  it("claims no more of the machine alone than its states", () => {
    expect(verdict(alone)).toBe(
      "the machine of profile ledger: complete within the bounds: every promise that was checked holds (21); " +
        "1 promise not checked. Covered: every state of the machine, up to symmetry, in 2 searches; no executor was asked.",
    );
  });

  it("says what was covered of an executor, and on what that relies", () => {
    expect(verdict(onLedger)).toBe(
      "ledger: complete within the bounds: every promise that was checked holds (22). Covered: every state of " +
        "the machine, up to symmetry, in 2 searches; on ledger, all 1,000 edges of its graph up to symmetry, " +
        "and every schedule of 1 workload that can matter by its footprints.",
    );
  });

  it.each([
    [{ edges: [] }, "on ledger, no edges were walked, and every schedule of 1 workload that"],
    [{ schedules: [] }, "up to symmetry, and no schedules were explored."],
    [{ schedules: [{ ...executed, footprints: "none" }] }, "and every schedule of 1 workload."],
    [
      { schedules: [{ ...executed, audit: { audited: 3, unaudited: 2, differences: [] } }] },
      "by its footprints, of which 2 kinds of pairs went unaudited.",
    ],
    [
      { machine: [{ ...search, reduction: { partialOrder: true, symmetry: true } }] },
      "every state of the machine, up to symmetry and partial order, in 1 search;",
    ],
    [
      { machine: [{ ...search, reduction: { partialOrder: false, symmetry: false } }] },
      "every state of the machine in 1 search; on ledger, all 1,000 edges of its graph, and",
    ],
  ] as const satisfies readonly (readonly [Partial<ExploreReport>, string])[])(
    "leaves out what was not done: %j",
    (difference, part) => {
      expect(verdict({ ...onLedger, ...difference })).toContain(part);
    },
  );

  it("names what was not finished", () => {
    expect(verdict(undecided)).toBe(
      "the machine of profile ledger: undecided: fail-closed; no promise was found broken. " +
        "Not finished: the search with disk_full (limit of memory).",
    );
  });

  it("names five undecided promises and counts the others", () => {
    const open = { kind: "undecided", reason: "x" } as const;
    const all = promises(1).map((row) => ({ ...row, verdict: open }));
    // 22 promises.
    expect(verdict({ ...undecided, promises: all })).toContain(
      "undecided: receipt-before-release, one-effect-per-key, one-receipt-per-attempt, receipt-tells-truth, " +
        "outcome-tells-truth and 17 more; no promise was found broken.",
    );
  });

  it.each([
    [{ machine: [outOfMemory] }, "the search with disk_full (limit of memory)"],
    [{ edges: [{ ...walked, walked: 990 }] }, "the edges with no fault (10 not walked)"],
    [{ schedules: [notTheSameTwice] }, "the schedules of the same request (not deterministic)"],
    [{ schedules: [leftOut] }, "the schedules of the same request (the audit contradicts the footprints)"],
  ] as const satisfies readonly (readonly [Partial<ExploreReport>, string])[])(
    "is not complete while something is open, whatever the promises say: %j",
    (difference, gap) => {
      const told = verdict({ ...onLedger, ...difference });
      expect(told).toContain(
        "ledger: undecided: in what was explored every promise that was checked holds (22).",
      );
      expect(told).toContain(`Not finished: ${gap}.`);
      expect(told).not.toContain("complete within the bounds");
    },
  );

  it.each([
    [{ verdict: "nothing_checked" }, "ledger: no promise was checked, so nothing is known."],
    [{ verdict: "broken", broken: [] }, "ledger: 0 runs broke; nothing is proven."],
    [
      { verdict: "vacuous", promises: promises(1, { "fail-closed": { kind: "vacuous" } }) },
      "ledger: vacuous, their situation never occurred within the bounds: fail-closed.",
    ],
    [{ interrupted: true }, "Interrupted. ledger: "],
  ] as const satisfies readonly (readonly [Partial<ExploreReport>, string])[])(
    "is told for %j",
    (difference, sentence) => {
      expect(verdict({ ...onLedger, ...difference })).toContain(sentence);
    },
  );

  it("names what is violated", () => {
    expect(verdict(violatedBySchedules)).toMatch(/ledger: violated: no-stale-commit\.$/);
  });
});

describe("explorationSuite", () => {
  const results = (report: ExploreReport) =>
    Object.fromEntries(explorationSuite(report).cases.map(({ name, result }) => [name, result.kind]));

  it("has a case for each promise, each search and the exploration as such", () => {
    const found = results(onLedger);
    // 22 promises, 2 searches, 1 walk, 1 workload, the exploration.
    expect(Object.keys(found)).toHaveLength(27);
    expect(new Set(Object.values(found))).toEqual(new Set(["passed"]));
    expect(Object.keys(found).slice(22)).toEqual([
      "machine: no fault",
      "machine: busy",
      "edges: no fault",
      "schedules: the same request",
      "the exploration",
    ]);
  });

  it("has a failure for what is violated and an error for what is not decided", () => {
    expect(
      results({
        ...violatedBySchedules,
        machine: [outOfMemory],
        edges: [{ ...walked, walked: 999 }],
        schedules: [notTheSameTwice],
        promises: promises(1, {
          "no-stale-commit": { kind: "violated" },
          "fail-closed": { kind: "vacuous" },
          "always-recoverable": { kind: "not_checked", lacks: ["symmetry is not sound for it"] },
        }),
      }),
    ).toMatchObject({
      "no-stale-commit": "failure",
      "fail-closed": "error",
      "always-recoverable": "skipped",
      "machine: disk_full": "error",
      "edges: no fault": "error",
      "schedules: the same request": "error",
      "the exploration": "passed",
    });
  });

  it("does not pass schedules whose footprints leave something out", () => {
    const xml = junitXml([explorationSuite({ ...onLedger, schedules: [leftOut] })]);
    expect(xml).toContain('<error message="the footprints leave something out: schedules may be missing">');
    expect(xml).toContain("advance a1 and limit 1 are not independent");
  });

  it.each([{ broken: [brokenRun] }, { interrupted: true }, { verdict: "nothing_checked" }] as const)(
    "has an error of the exploration itself for %j",
    (difference) => {
      expect(results({ ...onLedger, ...difference })["the exploration"]).toBe("error");
    },
  );

  it("carries timeline and schedule as text", () => {
    const xml = junitXml([explorationSuite({ ...violatedBySchedules, schedules: [notTheSameTwice] })]);
    expect(xml).toContain('<testsuite name="explore ledger seed 7" ');
    expect(xml).toContain("✗ no-stale-commit is broken here");
    expect(xml).toContain("schedule   a1 a1 policy a2");
    expect(xml).toContain(
      'message="not deterministic: the same schedule showed something else the second time"',
    );
    expect(junitXml([explorationSuite(violatedByMachine)])).toContain("the machine did");
    expect(junitXml([explorationSuite(violatedByMachine)])).toContain(
      'name="explore machine of ledger seed 7"',
    );
  });
});
