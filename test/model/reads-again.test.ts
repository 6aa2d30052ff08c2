import { describe, expect, it } from "vitest";
import type { Happening, Observation } from "../../src/model/vocabulary.js";
import { river2, shapeless } from "./fixture.js";
import {
  advanced,
  completed,
  draft,
  ended,
  follow,
  nothingStored,
  parked,
  receiptRow,
  submitted,
} from "./history.js";

/** The very rows that were found to agree before: a reader hands out the same objects while nothing was committed. */
const seen = (observation: Observation): Happening => ({ kind: "observed", observation });
const checked: readonly Happening[] = [
  seen(nothingStored),
  submitted("a1", river2),
  parked("a1", "before_business"),
  seen(nothingStored),
];

/** Where the history parts from the machine, in its brief words; `nowhere` if it is followed to its end. */
function parting(happenings: readonly Happening[]): unknown {
  const followed = follow(happenings);
  if (followed.kind === "following") return "nowhere";
  const { position, stage, allowed, seen: saw } = followed;
  return { position, stage, allowed, saw };
}

const nothing = "receipts none; effects none; policy r1 limit 3";

describe("a store that is read again", () => {
  it("is followed while it shows the same rows", () => {
    expect(parting([...checked, seen(nothingStored), seen({ ...nothingStored, writeLock: "held" })])).toBe(
      "nowhere",
    );
  });

  const receipt = receiptRow(1, "a1", "accepted", "ok", [], true);
  it.each<[string, Partial<Observation>, string]>([
    ["an effect", { effects: [draft] }, "receipts none; effects JOB-001@r1; policy r1 limit 3"],
    ["a receipt", { receipts: [receipt] }, "receipts 1; effects none; policy r1 limit 3"],
    ["a policy", { policy: { kind: "missing" } }, "receipts none; effects none; policy missing"],
  ])("is looked at anew where %s alone has changed", (_, changed, saw) => {
    const wrong = seen({ ...nothingStored, ...changed });
    expect(parting([...checked, wrong])).toEqual({ position: 4, stage: "store", allowed: [nothing], saw });
  });

  it.each<[string, readonly Happening[], string]>([
    [
      "a policy",
      [...checked, { kind: "policy_set", setting: { kind: "limit", maxCopies: 3 } }],
      // Setting the same limit takes the next revision.
      "receipts none; effects none; policy r2 limit 3",
    ],
    [
      "an effect",
      [...checked, advanced("a1"), parked("a1", "after_business")],
      "receipts none; effects JOB-001@r1; policy r1 limit 3",
    ],
    [
      "a receipt",
      [
        seen(nothingStored),
        submitted("a1", shapeless),
        ended("a1", completed(1, "input_rejected", "shape", [], false)),
      ],
      "receipts 1; effects none; policy r1 limit 3",
    ],
  ])("parts where the machine has written %s and the rows are the old ones", (_, history, allowed) => {
    expect(parting([...history, seen(nothingStored)])).toEqual({
      position: history.length,
      stage: "store",
      allowed: [allowed],
      saw: nothing,
    });
  });
});
