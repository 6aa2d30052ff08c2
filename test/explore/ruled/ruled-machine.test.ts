import { describe, expect, it } from "vitest";
import { draftContract } from "../../../src/contract/draft.js";
import { searchMachine } from "../../../src/explore/machine-search.js";
import type { Take } from "../../../src/explore/pipeline/fired.js";
import type { MachineReport } from "../../../src/explore/report.js";
import { ruledMachine } from "../../../src/explore/ruled/ruled-machine.js";
import { type RuledBounds, ruledWorkload } from "../../../src/explore/ruled/workload.js";
import { step } from "../../../src/model/step.js";
import type { FaultKind } from "../../../src/model/vocabulary.js";
import { ruledProfile } from "../../../src/sut/ruled/system.js";

async function searched(
  bounds: RuledBounds,
  { faults = [], take }: { readonly faults?: readonly FaultKind[]; readonly take?: Take } = {},
): Promise<MachineReport> {
  const workload = ruledWorkload(
    { profile: ruledProfile, contract: draftContract, policy: { kind: "limit", maxCopies: 3 }, faults },
    bounds,
  );
  const { report } = await searchMachine(
    ruledMachine(workload, take === undefined ? {} : { take }),
    {
      reduction: { partialOrder: false, symmetry: false },
      stored: "states",
      now: () => 0,
      timeMs: Number.POSITIVE_INFINITY,
      isInterrupted: () => false,
    },
    () => {},
  );
  return report;
}

const verdictsOf = ({ promises }: MachineReport) =>
  new Map(promises.map(({ promise, verdict }) => [promise, verdict.kind]));
const brokenIn = (report: MachineReport): readonly string[] =>
  report.promises.filter(({ verdict }) => verdict.kind === "violated").map(({ promise }) => promise);

const sound: Take = (world, action) => step(world, action, draftContract.interpret);

describe("the ruled machine", () => {
  it("is searched to its end with one attempt and one crash, and no reservation is ever stuck", async () => {
    const report = await searched({ attempts: 1, crashes: 1 });
    expect(report.outcome).toEqual({ kind: "complete" });
    expect(brokenIn(report)).toEqual([]);
    expect(verdictsOf(report).get("always-recoverable")).toBe("holds");
    expect(verdictsOf(report).get("reservation-is-exclusive")).toBe("holds");
  });

  it("holds where an attempt may throw at any place, right before its reservation is settled, too", async () => {
    const report = await searched({ attempts: 1, crashes: 0 }, { faults: ["throw_at"] });
    expect(report.outcome).toEqual({ kind: "complete" });
    expect(brokenIn(report)).toEqual([]);
  });

  it("finds a machine whose restart leaves reservations as they are", async () => {
    const forgetful: Take = (world, action) => {
      const moved = sound(world, action);
      if (moved.kind === "refused" || action.kind !== "restart") return moved;
      return { ...moved, world: { ...moved.world, reservations: world.reservations } };
    };
    // Killed with its key reserved and no effect, the call can never be made again.
    expect(brokenIn(await searched({ attempts: 1, crashes: 1 }, { take: forgetful }))).toEqual([
      "always-recoverable",
    ]);
  });

  it("finds a machine that reserves nothing", async () => {
    const careless: Take = (world, action) => {
      const moved = sound(world, action);
      if (moved.kind === "refused" || action.kind === "damage_ledger") return moved;
      return { ...moved, world: { ...moved.world, reservations: [] } };
    };
    expect(brokenIn(await searched({ attempts: 2, crashes: 0 }, { take: careless }))).toContain(
      "reservation-is-exclusive",
    );
  });

  it("finds a machine whose rules look at the latest turn only", async () => {
    // The bypass of the two turns: the word that switches the rule on is said in a turn before the call's.
    const deaf: Take = (world, action) => sound({ ...world, turns: world.turns.slice(1) }, action);
    expect(brokenIn(await searched({ attempts: 1, crashes: 0 }, { take: deaf }))).toContain(
      "gate-equals-guard",
    );
  });
});
