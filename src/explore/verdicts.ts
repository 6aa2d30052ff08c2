import type { AlwaysVerdict, Exploration, Outcome, Path, SometimesVerdict } from "./exploration.js";
import { livenessVerdict } from "./liveness.js";
import type { PromiseScope } from "./machine.js";
import { chainTo, pathThrough } from "./path.js";
import type { Run } from "./run.js";
import { firstBroken, firstOccurred, type Shown } from "./showings.js";
import { trailOf } from "./stored.js";

type Verdicts = Pick<Exploration, "always" | "sometimes" | "liveness">;

/** What the run says of each promise. What was seen is seen; what was not counts only if nothing was left out. */
export function verdictsOf(run: Run, outcome: Outcome, stored: Exploration["stored"]): Verdicts {
  const { machine } = run;
  return {
    always: machine.always.map((scope) => ({ id: scope.id, verdict: alwaysVerdict(run, outcome, scope) })),
    sometimes: machine.sometimes.map((scope) => ({
      id: scope.id,
      verdict: sometimesVerdict(run, outcome, scope),
    })),
    liveness: machine.liveness.map((promise) => ({
      id: promise.id,
      verdict: livenessVerdict(run, outcome, promise, stored),
    })),
  };
}

function alwaysVerdict(run: Run, outcome: Outcome, scope: PromiseScope): AlwaysVerdict {
  // The mirror image of a broken state need not break what looks at names.
  if (run.toCanonical !== undefined && scope.looksAt === "names") {
    return { kind: "not_checked", why: "symmetry_is_not_sound_for_it" };
  }
  const broken = firstBroken(run.machine, run.shown, scope.id);
  if (broken !== undefined) {
    return { kind: "violated", path: pathToShown(run, broken, (names) => names.broken.includes(scope.id)) };
  }
  if (run.partialOrder !== undefined && scope.over === "everything") {
    return { kind: "not_checked", why: "partial_order_is_not_sound_for_it" };
  }
  return outcome.kind === "complete" ? { kind: "holds" } : { kind: "undecided" };
}

function sometimesVerdict(run: Run, outcome: Outcome, scope: PromiseScope): SometimesVerdict {
  const { id } = scope;
  // The mirror image of a situation need not be one, where names are looked at.
  if (run.toCanonical !== undefined && scope.looksAt === "names") {
    return { kind: "not_checked", why: "symmetry_is_not_sound_for_it" };
  }
  const occurred = firstOccurred(run.machine, run.shown, id);
  if (occurred !== undefined) {
    return { kind: "occurs", path: pathToShown(run, occurred, (names) => names.occurred.includes(id)) };
  }
  if (run.partialOrder !== undefined && scope.over === "everything") {
    return { kind: "not_checked", why: "partial_order_is_not_sound_for_it" };
  }
  return outcome.kind === "complete" ? { kind: "never_occurs" } : { kind: "undecided" };
}

type Names = Run["machine"]["showings"][number];

function pathToShown(run: Run, shown: Shown, shows: (names: Names) => boolean): Path {
  const { machine, table } = run;
  if (shown.kind === "state") return pathThrough(trailOf(run), chainTo(table, shown.state));
  return pathThrough(trailOf(run), [...chainTo(table, shown.state), shown.target], (state, action, next) => {
    const names = machine.showings[machine.showingOfStep(state, action, next)];
    return names !== undefined && shows(names);
  });
}
