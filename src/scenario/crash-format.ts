import { type CrashWhere, crashPoints, decisionPoints } from "../model/vocabulary.js";
import { entry } from "./entry-format.js";
import { attemptName, decisionName } from "./name-format.js";
import { byShape, made, type Reader, read } from "./reader.js";
import { keyed, record } from "./record.js";
import { only, word } from "./scalars.js";

const wants = "parked, or like { attempt: a1, at: after_commit }";
const crashPoint = word(crashPoints, "a crash point");

/** Where the executor is killed. */
export const where: Reader<CrashWhere> = byShape(wants, {
  scalar: made(only("parked", wants), () => read<CrashWhere>({ kind: "parked" })),
  map: keyed<CrashWhere>("attempt", {
    attempt: made(
      record("an attempt and the point at which it is killed", { attempt: attemptName, at: crashPoint }, {}),
      ({ attempt, at }) => read<CrashWhere>({ kind: "at", attempt, at }),
    ),
    entering: made(
      record("a new attempt and the point at which it is killed", { entering: entry, at: crashPoint }, {}),
      ({ entering, at }) => read<CrashWhere>({ kind: "entering", entry: entering, at }),
    ),
    deciding: made(
      record(
        "a held decision and the point at which it is killed",
        { deciding: decisionName, at: word(decisionPoints, "a point of a decision") },
        {},
      ),
      ({ deciding, at }) => read<CrashWhere>({ kind: "deciding", decision: deciding, at }),
    ),
  }),
});
