import { clearFaults } from "../../model/step.js";
import type { Action, AttemptName, Happening } from "../../model/vocabulary.js";
import { isWaiting, type World } from "../../model/world.js";
import { isLeftToReconciling } from "../../properties/account/rules.js";
import { type History, type HistoryJudge, inSequence } from "../history-judge.js";
import type { Take } from "../pipeline/fired.js";
import { nextAttempt } from "./actions.js";
import type { RuledWorkload } from "./workload.js";

/** No attempt takes more moves than this. */
const mostMoves = 20;

/**
 * Brings everything to its end as every run is: faults gone, executor up, attempts driven to their ends, reconciled where
 * nothing else can settle a reservation, and the last request of the key tried once more.
 */
export function recoverRuled(
  start: World,
  before: History | "nothing",
  { context }: RuledWorkload,
  { take, judge }: { readonly take: Take; readonly judge: HistoryJudge },
): History {
  const happenings: Happening[] = [{ kind: "epilogue" }];
  let world = clearFaults(start);
  const perform = (action: Action): void => {
    const moved = take(world, action);
    if (moved.kind === "refused") return;
    happenings.push(...judge.tell(world, action, moved));
    world = moved.world;
  };
  const drive = (attempt: AttemptName): void => {
    for (let moves = 0; moves < mostMoves; moves++) {
      const place = world.attempts.find(({ name }) => name === attempt)?.place.kind;
      if (place !== "parked" && place !== "blocked") return;
      perform({ kind: place === "parked" ? "advance" : "expire", attempt });
    }
  };
  if (world.executor === "down") perform({ kind: "restart" });
  for (const { name } of world.attempts.filter(isWaiting)) drive(name);
  const unsettled = struckBeforeSettling([...inSequence(before), ...happenings]);
  const isOpen = world.reservations.some(({ state, attempt }) =>
    isLeftToReconciling(state, unsettled.has(attempt)),
  );
  if (isOpen) perform({ kind: "reconcile" });
  const request = world.attempts.findLast(({ facts }) => facts.kind === "valid")?.request;
  if (request !== undefined) {
    const attempt = nextAttempt(world);
    perform({ kind: "submit", attempt, request, context, faults: [] });
    drive(attempt);
  }
  return { happenings, before };
}

function struckBeforeSettling(happenings: readonly Happening[]): ReadonlySet<AttemptName> {
  return new Set(
    happenings.flatMap((one) =>
      one.kind === "fault_fired" && one.at === "before_settle" ? [one.attempt] : [],
    ),
  );
}
