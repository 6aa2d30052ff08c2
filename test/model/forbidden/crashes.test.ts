import { describe } from "vitest";
import { river2 } from "../fixture.js";
import { advanced, cancelRequested, delivered, observed, parked, submitted } from "../history.js";
import {
  crashed,
  divergesThere,
  entered,
  executed,
  type Forbidden,
  hungAtCheck,
  released,
} from "./forbidden.js";

const crashes: readonly Forbidden[] = [
  {
    why: "an attempt survives",
    start: entered,
    wrong: { kind: "crashed", advancing: { kind: "idle" }, lost: [] },
    stage: "control",
    allowed: "crashed, lost a1",
    seen: "crashed, lost none",
  },
  {
    why: "one is lost that had ended",
    start: released,
    wrong: crashed,
    stage: "control",
    allowed: "crashed, lost none",
    seen: "crashed, lost a1",
  },
  {
    why: "two of three are lost",
    start: [
      ...entered,
      submitted("a2", river2),
      parked("a2", "before_business"),
      submitted("a3", river2),
      parked("a3", "before_business"),
    ],
    wrong: { kind: "crashed", advancing: { kind: "idle" }, lost: ["a3", "a1"] },
    stage: "control",
    allowed: "crashed, lost a1, a2, a3",
    seen: "crashed, lost a1, a3",
  },
  ...(
    [
      ["before_receipt", "receipt"],
      ["after_receipt", "release"],
    ] as const
  ).map(
    ([at, stage]): Forbidden => ({
      why: `${at} is not on the way`,
      start: entered,
      wrong: { kind: "crashed", advancing: { kind: "attempt", attempt: "a1", at }, lost: ["a1"] },
      stage,
      allowed: `a1 passes no ${at}`,
      seen: `crashed at ${at}`,
    }),
  ),
  ...(["inside_transaction", "after_commit"] as const).map(
    (at): Forbidden => ({
      why: `${at} is passed already`,
      start: executed,
      wrong: { kind: "crashed", advancing: { kind: "attempt", attempt: "a1", at }, lost: ["a1"] },
      stage: "execute",
      allowed: `a1 passes no ${at}`,
      seen: `crashed at ${at}`,
    }),
  ),
  {
    why: "an executor is down already",
    start: [...entered, crashed],
    wrong: { kind: "crashed", advancing: { kind: "idle" }, lost: [] },
    stage: "control",
    allowed: "nothing, as the executor is down",
    seen: "crashed",
  },
  {
    why: "a cancel is swallowed in the fatal move",
    start: [...entered, cancelRequested("a1")],
    wrong: {
      kind: "crashed",
      advancing: { kind: "attempt", attempt: "a1", at: "before_receipt" },
      lost: ["a1"],
    },
    stage: "control",
    allowed: "a1 cancel delivered at before_business, crashed, lost a1",
    seen: "crashed, lost a1",
  },
  {
    why: "a cancel is delivered in a move that was none",
    start: [...entered, cancelRequested("a1"), delivered("a1", "before_business")],
    wrong: crashed,
    stage: "control",
    allowed: "crashed, lost a1",
    seen: "a1 cancel delivered at before_business, crashed, lost a1",
  },
  {
    why: "a cancel is delivered out of nothing, and then there is no crash but a look",
    start: [...entered, cancelRequested("a1"), delivered("a1", "before_business")],
    wrong: observed(),
    stage: "control",
    allowed: "a crash",
    seen: "nothing more",
  },
  {
    why: "a cancel is delivered out of nothing, and then an advance",
    start: [...entered, cancelRequested("a1"), delivered("a1", "before_business")],
    wrong: advanced("a1"),
    stage: "control",
    allowed: "a crash",
    seen: "a1 advanced",
  },
  {
    why: "a cancel is delivered twice out of nothing",
    start: [...entered, cancelRequested("a1"), delivered("a1", "before_business")],
    wrong: delivered("a1", "before_business"),
    stage: "control",
    allowed: "a crash",
    seen: "a1 cancel delivered at before_business",
  },
  {
    why: "a cancel is delivered out of nothing that nobody asked for",
    start: entered,
    wrong: delivered("a1", "before_business"),
    stage: "control",
    allowed: "nothing",
    seen: "a1 cancel delivered at before_business",
  },
  {
    why: "a cancel is delivered out of nothing where the attempt does not stand",
    start: [...entered, cancelRequested("a1")],
    wrong: delivered("a1", "after_business"),
    stage: "control",
    allowed: "nothing",
    seen: "a1 cancel delivered at after_business",
  },
  {
    why: "a cancel is delivered out of nothing to another attempt",
    start: [...entered, cancelRequested("a1"), submitted("a2", river2), parked("a2", "before_business")],
    wrong: delivered("a2", "before_business"),
    stage: "control",
    allowed: "nothing",
    seen: "a2 cancel delivered at before_business",
  },
  {
    why: "a cancel is delivered out of nothing to one that hangs",
    start: [...hungAtCheck, cancelRequested("a1")],
    wrong: delivered("a1", "before_business"),
    stage: "control",
    allowed: "nothing",
    seen: "a1 cancel delivered at before_business",
  },
];

describe("a history with the wrong end: a crash", () => {
  divergesThere(crashes);
});
