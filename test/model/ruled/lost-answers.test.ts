import { describe, expect, it } from "vitest";
import type {
  Fault,
  Happening,
  Profile,
  ReservationRow,
  ReservationState,
} from "../../../src/model/vocabulary.js";
import { cancel, finish, river2, river4, submit, worldAfter } from "../fixture.js";
import {
  advanced,
  cancelRequested,
  draft,
  ended,
  follow,
  observed,
  parked,
  receiptRow,
  submitted,
  tooLate,
  unknown,
} from "../history.js";
import {
  atMost,
  change,
  complete,
  empty,
  forbidden,
  once,
  ruled,
  throwing,
  verdicts,
  without,
} from "./fixture.js";

/** What each world that explains a history holds: calls counted, keys, effects, receipts. */
type Left = readonly [calls: number, keys: readonly ReservationState[], effects: number, receipts: number];

function left(happenings: readonly Happening[], profile: Profile = ruled): readonly Left[] {
  const followed = follow(happenings, profile);
  if (followed.kind !== "following")
    throw new Error(`diverged: ${followed.allowed.join(" or ")}, ${followed.seen}`);
  return followed.frontier.members.map(({ world }) => [
    world.calls,
    world.reservations.map(({ state }) => state),
    world.effects.length,
    world.receipts.length,
  ]);
}

const asks: Happening = { kind: "rules_set", to: [once], flaw: "none", answer: "taken" };
const lost = ended("a1", unknown("timeout"));
const damaged: Happening = { kind: "ledger_damaged" };
const busy: Fault = { kind: "busy", stage: "execute" };
const straight = without("checkpoints", "before_business", "after_business", "output_check");

function entered(...faults: readonly Fault[]): readonly Happening[] {
  return [asks, submitted("a1", river2, ...faults), parked("a1", "before_business")];
}

function proven(kind: "refused" | "failed"): Happening {
  return ended("a1", { kind, proof: "nothing", errorText: "no" });
}

describe("an answer that the caller never heard", () => {
  it.each<readonly [string, readonly Happening[], readonly Left[]]>([
    [
      "on its way in: nothing, the call counted, its key, its effect, the key settled, the receipt",
      [asks, submitted("a1", river2), lost],
      [
        [0, [], 0, 0],
        [1, [], 0, 0],
        [1, ["reserved"], 0, 0],
        [1, ["reserved"], 1, 0],
        [1, ["done"], 1, 0],
        [1, ["done"], 1, 1],
      ],
    ],
    [
      "with its key reserved: what comes after that",
      [...entered(), advanced("a1"), lost],
      [
        [1, ["reserved"], 0, 0],
        [1, ["reserved"], 1, 0],
        [1, ["done"], 1, 0],
        [1, ["done"], 1, 1],
      ],
    ],
    [
      "with a key that cannot be read: it is found all the same",
      [...entered(), damaged, advanced("a1"), lost],
      [
        [1, ["unreadable"], 0, 0],
        [1, ["unreadable"], 1, 0],
        [1, ["done"], 1, 0],
        [1, ["done"], 1, 1],
      ],
    ],
    [
      "after its key was settled: the receipt or none",
      [...entered(), advanced("a1"), parked("a1", "after_business"), advanced("a1"), lost],
      [
        [1, ["done"], 1, 0],
        [1, ["done"], 1, 1],
      ],
    ],
    [
      "of a failure in the transaction: the key let go, then the receipt",
      [...entered(busy), advanced("a1"), lost],
      [
        [1, ["reserved"], 0, 0],
        [1, [], 0, 0],
        [1, [], 0, 1],
      ],
    ],
    [
      "of an error that proves nothing",
      [...entered(throwing("after_commit")), advanced("a1"), lost],
      [
        [1, ["reserved"], 0, 0],
        [1, ["reserved"], 1, 0],
        [1, ["unknown"], 1, 0],
        [1, ["unknown"], 1, 1],
      ],
    ],
    [
      "of a settling that throws",
      [...entered(throwing("before_settle")), advanced("a1"), lost],
      [
        [1, ["reserved"], 0, 0],
        [1, ["reserved"], 1, 0],
        [1, ["reserved"], 1, 1],
      ],
    ],
    [
      "of a cancel at its business",
      [...entered(), cancelRequested("a1"), advanced("a1"), tooLate("a1"), lost],
      [
        [1, ["reserved"], 0, 0],
        [1, [], 0, 0],
        [1, [], 0, 1],
      ],
    ],
    [
      "of a refusal by a rule: it counts, and has a receipt",
      [{ ...asks, to: [forbidden] }, submitted("a1", river2), lost],
      [
        [0, [], 0, 0],
        [1, [], 0, 0],
        [1, [], 0, 1],
      ],
    ],
    [
      "of a refusal before the rules: it does not count",
      [asks, submitted("a1", river4), lost],
      [
        [0, [], 0, 0],
        [0, [], 0, 1],
      ],
    ],
    [
      "of a call that reserves nothing",
      [submitted("a1", river2), lost],
      [
        [0, [], 0, 0],
        [1, [], 0, 0],
        [1, [], 1, 0],
        [1, [], 1, 1],
      ],
    ],
    [
      "of a throw right after the reservation: held for a moment, then as if it had never been",
      [asks, submitted("a1", river2, throwing("after_reserve")), lost],
      [
        [0, [], 0, 0],
        [1, [], 0, 0],
        [1, ["reserved"], 0, 0],
        [1, [], 0, 1],
      ],
    ],
  ])("%s", (_, happenings, ways) => {
    expect(left(happenings)).toEqual(ways);
  });

  it.each<readonly [string, readonly Fault[], readonly Left[]]>([
    [
      "a commit",
      [],
      [
        [1, ["reserved"], 0, 0],
        [1, ["reserved"], 1, 0],
        [1, ["done"], 1, 0],
        [1, ["done"], 1, 1],
      ],
    ],
    [
      "a failure",
      [busy],
      [
        [1, ["reserved"], 0, 0],
        [1, [], 0, 0],
        [1, [], 0, 1],
      ],
    ],
    [
      "a failure whose receipt fails",
      [busy, { kind: "receipt_ignored" }],
      [
        [1, ["reserved"], 0, 0],
        [1, [], 0, 0],
      ],
    ],
  ])("goes the same ways where the attempt stops nowhere: %s", (_, faults, ways) => {
    const start: readonly Left[] = [
      [0, [], 0, 0],
      [1, [], 0, 0],
    ];
    const seen = left([asks, submitted("a1", river2, ...faults), lost], straight);
    // The key that is let go leaves the same as the key never reserved.
    const again = seen.filter(
      (way, index) => JSON.stringify(way) !== JSON.stringify(start[1]) || index === 1,
    );
    const due = ways.filter((way) => JSON.stringify(way) !== JSON.stringify(start[1]));
    expect(again).toEqual([...start, ...due]);
  });

  it("names the attempt and the key in the row that it may have left", () => {
    const row: ReservationRow = { tenant: "t1", key: "JOB-001", state: "reserved", delivery: "d-a1" };
    const history = [asks, submitted("a1", river2), lost];
    const looks = (reservations: readonly ReservationRow[], effects = [draft]) =>
      follow([...history, observed({ effects, reservations })], ruled).kind;
    expect(looks([row])).toBe("following");
    expect(looks([row], [])).toBe("following");
    expect(looks([{ ...row, state: "done" }])).toBe("following");
    expect(looks([{ ...row, state: "done" }], [])).toBe("diverged");
    expect(looks([])).toBe("diverged");
    expect(looks([{ ...row, tenant: "t2" }])).toBe("diverged");
    expect(looks([{ ...row, delivery: "d-a2" }])).toBe("diverged");
    const receipts = [receiptRow(1, "a1", "accepted", "ok", complete, true)];
    const receipted = (state: ReservationState) =>
      follow([...history, observed({ effects: [draft], receipts, reservations: [{ ...row, state }] })], ruled)
        .kind;
    expect([receipted("done"), receipted("reserved")]).toEqual(["following", "diverged"]);
  });

  it("leaves a key beside those of others", () => {
    const other: ReservationRow = { tenant: "t1", key: "JOB-001", state: "reserved", delivery: "d-a1" };
    const history = [...entered(), submitted("a2", river2), ended("a2", unknown("timeout"))];
    expect(follow([...history, observed({ reservations: [other] })], ruled).kind).toBe("following");
    expect(left(history)).toEqual([
      [1, ["reserved"], 0, 0],
      [2, ["reserved"], 0, 0],
      [2, ["reserved"], 0, 1],
    ]);
  });

  it("leaves a key that a reconciling settles, since nobody is under way any more", () => {
    const settled = left([...entered(), advanced("a1"), lost, { kind: "reconciled" }]);
    // Two of the ways have come to the same.
    const ways: readonly Left[] = [
      [1, [], 0, 0],
      [1, ["done"], 1, 0],
      [1, ["done"], 1, 1],
    ];
    const told = (given: readonly Left[]) => new Set(given.map((way) => JSON.stringify(way)));
    expect(told(settled)).toEqual(told(ways));
  });

  it("leaves open whether the call counts, until a budget tells", () => {
    const history: readonly Happening[] = [
      { ...asks, to: [atMost(1)] },
      submitted("a1", river2),
      lost,
      observed({ reservations: [] }),
    ];
    expect(left(history)).toEqual([
      [0, [], 0, 0],
      [1, [], 0, 0],
    ]);
    expect(left([...history, submitted("a2", river2), parked("a2", "before_business")])).toEqual([
      [1, [], 0, 0],
    ]);
  });
});

describe("an answer that proves that nothing happened", () => {
  it.each(["refused", "failed"] as const)("leaves at most a counted call on the way in: %s", (kind) => {
    expect(left([asks, submitted("a1", river2), proven(kind)])).toEqual([
      [0, [], 0, 0],
      [1, [], 0, 0],
    ]);
  });

  it.each(["refused", "failed"] as const)("leaves the key of an attempt or lets it go: %s", (kind) => {
    expect(left([...entered(), advanced("a1"), proven(kind)])).toEqual([
      [1, ["reserved"], 0, 0],
      [1, [], 0, 0],
    ]);
  });

  it("cannot be given after a commit", () => {
    const history = [...entered(), advanced("a1"), parked("a1", "after_business"), advanced("a1")];
    expect(follow([...history, proven("failed")], ruled)).toMatchObject({ kind: "diverged" });
  });
});

describe("the fixture of this table", () => {
  it("agrees with the machine on how a cancel ends", () => {
    const world = worldAfter(empty, change([once]), submit("a1", river2), cancel("a1"), finish("a1"));
    expect(verdicts(world)).toEqual(["cancelled/cancelled"]);
  });
});
