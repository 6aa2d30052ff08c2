import { describe, expect, it } from "vitest";
import { clearFaults } from "../../../src/model/step.js";
import type { CheckerFault, OutputFinding, SpoiltOutput, StageEvent } from "../../../src/model/vocabulary.js";
import {
  advance,
  allowed,
  empty,
  expire,
  finish,
  lastReceipt,
  region,
  retry,
  river2,
  submit,
  take,
  worldAfter,
} from "./fixture.js";

function spoilt(as: OutputFinding, tries: SpoiltOutput["tries"] = 1): SpoiltOutput {
  return { kind: "spoilt_output", as, tries };
}

const shown: readonly StageEvent[] = [...allowed, "business_started", "effect_committed", "output_started"];

/** Fault, answer, what is said after output_started, what the caller gets. */
const dispositions: readonly (readonly [
  SpoiltOutput,
  string,
  readonly StageEvent[],
  "acceptable" | "nothing",
])[] = [
  [spoilt("format"), "accepted/ok", ["output_regenerated", "output_allowed"], "acceptable"],
  [
    spoilt("format", 2),
    "accepted/ok",
    ["output_regenerated", "output_regenerated", "output_allowed"],
    "acceptable",
  ],
  [
    spoilt("format", 3),
    "output_rejected/output_contract",
    ["output_regenerated", "output_regenerated"],
    "nothing",
  ],
  [spoilt("personal"), "accepted/partial", ["output_allowed"], "acceptable"],
  // The fixed question is what the contract accepts here.
  [spoilt("question"), "clarification_needed/question", [], "acceptable"],
  [spoilt("impact"), "escalated/impact", [], "nothing"],
  [spoilt("secret"), "output_rejected/secret", [], "nothing"],
];

describe("what becomes of a value on its way out", () => {
  it.each(dispositions)("%o", (fault, answer, said, released) => {
    const { world, events } = take(empty, submit("a1", river2, { faults: [fault] }), finish("a1"));
    expect(lastReceipt(world)).toEqual([answer, ...shown, ...said]);
    const end = events.at(-1);
    expect(end?.kind === "ended" && end.outcome.kind === "completed" ? end.outcome.released : end).toBe(
      released,
    );
    // Whatever it is, the effect stays, and nothing executed again.
    expect(world.effects).toHaveLength(1);
    expect(world.consent.uses).toHaveLength(1);
    expect(world.receipts.map(({ effectExists }) => effectExists)).toEqual([true]);
  });

  it("is judged on a reuse as on the first release", () => {
    const first = worldAfter(empty, submit("a1", river2), finish("a1"));
    const { world } = take(first, retry("a2", "a1", spoilt("secret")), finish("a2"));
    expect(lastReceipt(world)[0]).toBe("output_rejected/secret");
    expect(lastReceipt(worldAfter(world, retry("a3", "a1"), finish("a3")))[0]).toBe("accepted/ok");
  });

  it("is judged for a read, too", () => {
    const { world } = take(empty, submit("a1", region, { faults: [spoilt("personal")] }), finish("a1"));
    expect(lastReceipt(world)[0]).toBe("accepted/partial");
  });

  it.each<CheckerFault["kind"]>(["checker_throws", "checker_rejects_falsy", "checker_garbled"])(
    "is an error without a verdict, whatever the value is: %s",
    (kind) => {
      const faults = [spoilt("format"), { kind, stage: "output" } as const];
      const { world } = take(empty, submit("a1", river2, { faults }), finish("a1"));
      expect(lastReceipt(world)).toEqual(["error/no_verdict", ...shown]);
    },
  );

  it("is waited for where the checker hangs", () => {
    const faults = [spoilt("impact"), { kind: "checker_hangs", stage: "output" } as const];
    const { world, transitions } = take(empty, submit("a1", river2, { faults }), finish("a1"), expire("a1"));
    expect(transitions.slice(-2)).toEqual([
      "output_check advance blocked output",
      "blocked_output expire ended error/no_verdict",
    ]);
    expect(world.consent.escalations).toEqual([]);
  });

  it("is looked at only where the profile claims the fault", () => {
    const { profile } = empty;
    const faults = profile.faults.filter((kind) => kind !== "spoilt_output");
    const bare = { ...empty, profile: { ...profile, faults } };
    const { world } = take(bare, submit("a1", river2, { faults: [spoilt("secret")] }), finish("a1"));
    expect(lastReceipt(world)[0]).toBe("accepted/ok");
  });
});

describe("clearing all faults", () => {
  const business = worldAfter(empty, submit("a1", river2, { faults: [spoilt("format", 3)] }), advance("a1"));
  const output = worldAfter(business, advance("a1"));

  it("comes in time for a value that is still to be made", () => {
    expect(lastReceipt(worldAfter(clearFaults(business), finish("a1")))).toEqual([
      "accepted/ok",
      ...shown,
      "output_allowed",
    ]);
  });

  it("comes too late for the first value that was made, and for no other", () => {
    expect(lastReceipt(worldAfter(clearFaults(output), finish("a1")))).toEqual([
      "accepted/ok",
      ...shown,
      "output_regenerated",
      "output_allowed",
    ]);
  });

  it("leaves what is wrong with that value as it is", () => {
    const faults = [spoilt("secret"), { kind: "receipt_ignored" } as const];
    const parked = worldAfter(empty, submit("a1", river2, { faults }), advance("a1"), advance("a1"));
    const cleared = clearFaults(parked);
    expect(cleared.attempts.map((attempt) => attempt.faults)).toEqual([[spoilt("secret")]]);
    expect(lastReceipt(worldAfter(cleared, finish("a1")))[0]).toBe("output_rejected/secret");
  });
});
