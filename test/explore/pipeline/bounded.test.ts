import { describe, expect, it } from "vitest";
import { draftContract } from "../../../src/contract/draft.js";
import { type Bounds, boundedWorkload } from "../../../src/explore/pipeline/bounded.js";
import { faultKinds, type PolicySetting } from "../../../src/model/vocabulary.js";
import { ledgerProfile } from "../../../src/sut/ledger/system.js";

const none: Bounds = {
  attempts: 1,
  keys: 1,
  policyChanges: 0,
  crashes: 0,
  faults: [],
  arms: 0,
  faultyAttempts: 0,
};

function workloadOf(bounds: Partial<Bounds>, policy: PolicySetting = { kind: "limit", maxCopies: 3 }) {
  return boundedWorkload({ profile: ledgerProfile, contract: draftContract, policy }, { ...none, ...bounds });
}

describe("a bounded workload", () => {
  it("asks for each key with a light and a heavier request, and once with what the contract refuses", () => {
    const { requests } = workloadOf({ keys: 2 });
    const facts = requests.map(({ text }) => draftContract.interpret(text));
    // The limit of 3 allows the heaviest draft of a job that is within the usual ones, which has 3 copies.
    expect(facts.map((one) => (one.kind === "valid" ? [one.key, one.weight] : one.kind))).toEqual([
      ["JOB-001", 1],
      ["JOB-001", 3],
      ["JOB-002", 1],
      ["JOB-002", 3],
      "invalid",
    ]);
    expect(requests.map((one) => (one.kind === "valid" ? [one.key, one.variant] : one.kind))).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
      "invalid",
    ]);
  });

  it("binds the two requests of a key to different arguments", () => {
    const digests = workloadOf({ keys: 2 }).requests.flatMap(({ text }) => {
      const facts = draftContract.interpret(text);
      return facts.kind === "valid" ? [facts.digest] : [];
    });
    expect(new Set(digests).size).toBe(4);
  });

  it("sets the limit of the start, one that refuses the heavier request, and none", () => {
    expect(workloadOf({}).workload.limits).toEqual([
      { kind: "limit", maxCopies: 3 },
      { kind: "limit", maxCopies: 1 },
      { kind: "remove" },
    ]);
  });

  it.each<readonly [string, PolicySetting, readonly PolicySetting[]]>([
    [
      "as low as it gets",
      { kind: "limit", maxCopies: 1 },
      [{ kind: "limit", maxCopies: 1 }, { kind: "remove" }],
    ],
    ["missing", { kind: "remove" }, [{ kind: "limit", maxCopies: 1 }, { kind: "remove" }]],
  ])("lists no limit twice when the policy of the start is %s", (_, policy, limits) => {
    expect(workloadOf({}, policy).workload.limits).toEqual(limits);
  });

  it("asks with other arguments than the light ones even where the limit allows nothing heavier", () => {
    const facts = workloadOf({}, { kind: "limit", maxCopies: 1 }).requests.map(({ text }) =>
      draftContract.interpret(text),
    );
    // The other topic is just as heavy.
    expect(facts.map((one) => (one.kind === "valid" ? one.weight : 0))).toEqual([1, 1, 0]);
    expect(facts[0]).not.toEqual(facts[1]);
  });

  it("plans the faults of an attempt, and arms those of the store's driver instead", () => {
    const { workload } = workloadOf({ faults: ["checker_hangs", "busy"] });
    expect(workload.faultPlans).toEqual([
      [],
      [{ kind: "checker_hangs", stage: "check" }],
      [{ kind: "checker_hangs", stage: "output" }],
    ]);
    expect(workload.driverFaults).toEqual([
      { kind: "busy", stage: "execute" },
      { kind: "busy", stage: "receipt" },
    ]);
  });

  it("plans a throw at every checkpoint and every crash point, each as a fault of its own", () => {
    // Three checkpoints, four crash points, and the plan without a fault.
    expect(workloadOf({ faults: ["throw_at"] }).workload.faultPlans).toHaveLength(8);
  });

  it("claims no other faults than those of the bounds, and none that the profile lacks", () => {
    expect(workloadOf({ faults: ["busy"] }).profile.faults).toEqual(["busy"]);
    const bounds = { ...none, faults: faultKinds };
    const lacking = { ...ledgerProfile, faults: ["bad_output"] as const };
    const policy = { kind: "limit", maxCopies: 3 } as const;
    const { profile, workload } = boundedWorkload(
      { profile: lacking, contract: draftContract, policy },
      bounds,
    );
    expect(profile.faults).toEqual(["bad_output"]);
    expect([workload.faultPlans, workload.driverFaults]).toEqual([[[], [{ kind: "bad_output" }]], []]);
  });

  it("hands its bounds to the list of enabled actions", () => {
    const { workload } = workloadOf({ attempts: 3, policyChanges: 2, crashes: 1 });
    expect([workload.maxAttempts, workload.maxPolicyChanges, workload.maxCrashes]).toEqual([3, 2, 1]);
  });
});
