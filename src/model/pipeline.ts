import { fail, goOn, type Halt, type Passage, settle, type Turn, throwsAt } from "./passage.js";
import { openRequest, seekApproval } from "./stages/approval.js";
import { passCapability } from "./stages/capability.js";
import { check } from "./stages/check.js";
import { execute } from "./stages/execute.js";
import { judgeOutput, startOutput } from "./stages/output.js";
import { writeReceipt } from "./stages/receipt.js";
import { release } from "./stages/release.js";
import { reserve, settling, unreserving } from "./stages/reserve.js";
import { passRules } from "./stages/rules.js";
import { enterRun } from "./stages/run.js";
import { validate } from "./stages/validate.js";
import type { Checkpoint, Stage } from "./vocabulary.js";

type Leg = (passage: Passage) => Turn;

/** The work of a layer; a profile without that layer passes by in silence. */
function layer(stage: Stage, work: Leg): Leg {
  return (passage) => (passage.world.profile.layers.includes(stage) ? work(passage) : goOn(passage));
}

/** Parks where the profile claims the checkpoint. */
function stop(at: Checkpoint): Leg {
  return (passage) =>
    passage.world.profile.checkpoints.includes(at) ? { kind: "parked", passage, at } : goOn(passage);
}

/** What was waiting at a checkpoint acts when the attempt leaves it: a cancel before a throw. */
function leave(at: Checkpoint): Leg {
  return (passage) => {
    if (passage.attempt.cancel === "requested") return settle(passage, "cancelled", "cancelled");
    return throwsAt(passage, at) ? fail(passage, at) : goOn(passage);
  };
}

/** Only an attempt for which a request is to be opened has stopped before it. */
function unlessSettled(leg: Leg): Leg {
  return (passage) => (passage.approval === "settled" ? goOn(passage) : leg(passage));
}

const leaving: { readonly [at in Checkpoint]: Leg } = {
  before_request: unlessSettled(leave("before_request")),
  before_business: unreserving(leave("before_business")),
  after_business: leave("after_business"),
  output_check: leave("output_check"),
};

/** What lies on the way through each stage, in order. */
const pipeline = {
  run: [layer("run", enterRun)],
  validate: [layer("validate", validate)],
  check: [layer("check", check)],
  capability: [layer("capability", passCapability)],
  rules: [layer("rules", passRules)],
  approval: [
    layer("approval", seekApproval),
    layer("approval", unlessSettled(stop("before_request"))),
    leaving.before_request,
    layer("approval", unlessSettled(openRequest)),
  ],
  reserve: [layer("reserve", reserve)],
  execute: [stop("before_business"), leaving.before_business, layer("execute", settling(execute))],
  output: [
    stop("after_business"),
    leaving.after_business,
    layer("output", startOutput),
    stop("output_check"),
    leaving.output_check,
    layer("output", judgeOutput),
  ],
  receipt: layer("receipt", writeReceipt),
  release,
} as const satisfies { readonly [stage in Stage]: Leg | readonly Leg[] };

const opening: readonly Leg[] = [
  ...pipeline.run,
  ...pipeline.validate,
  ...pipeline.check,
  ...pipeline.capability,
  ...pipeline.rules,
  ...pipeline.approval,
  ...pipeline.reserve,
  ...pipeline.execute,
  ...pipeline.output,
];

function from(at: Checkpoint): readonly Leg[] {
  return opening.slice(opening.indexOf(leaving[at]));
}

const onward: { readonly [at in Checkpoint]: readonly Leg[] } = {
  before_request: from("before_request"),
  before_business: from("before_business"),
  after_business: from("after_business"),
  output_check: from("output_check"),
};

/** Brings a new attempt to its first halt. */
export function enter(passage: Passage): Halt {
  return walk(passage, opening);
}

/** Brings a parked attempt to its next halt. */
export function resume(passage: Passage, at: Checkpoint): Halt {
  return walk(passage, onward[at]);
}

/** Ends the wait for a checker that does not answer: it has given no verdict. */
export function giveUp(passage: Passage): Halt {
  return walk(passage, [(waiting) => fail(waiting, "no_verdict")]);
}

function walk(start: Passage, legs: readonly Leg[]): Halt {
  let passage = start;
  for (const leg of legs) {
    const turn = leg(passage);
    if (turn.kind === "settled") return conclude(turn.passage);
    if (turn.kind !== "goes_on") return turn;
    passage = turn.passage;
  }
  return conclude(passage);
}

/** However an attempt fared, its receipt comes before its release. */
function conclude(passage: Passage): Halt {
  const turn = pipeline.receipt(passage);
  return turn.kind === "goes_on" || turn.kind === "settled" ? pipeline.release(turn.passage) : turn;
}
