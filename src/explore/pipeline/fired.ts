import type { Step } from "../../model/stepped.js";
import { type Action, type AttemptName, checkpoints, type Fault } from "../../model/vocabulary.js";
import { type World, withAttempt } from "../../model/world.js";
import { isCheckerFault } from "../../sut/fault-kinds.js";

/** The machine's step, or a stand-in for it. */
export type Take = (world: World, action: Action) => Step;

/** The attempt that an action moves; `none` for one that moves no attempt. */
export function moverOf(action: Action): AttemptName | "none" {
  switch (action.kind) {
    case "submit":
    case "retry":
    case "advance":
    case "expire":
      return action.attempt;
    case "crash":
      return action.where.kind === "at" ? action.where.attempt : "none";
    default:
      return "none";
  }
}

/** The faults that struck in a move: those without which the attempt would have fared otherwise, as `take` has it. */
export function firedIn(take: Take, world: World, action: Action): readonly Fault[] {
  const mover = moverOf(action);
  if (mover === "none") return [];
  const plan = action.kind === "submit" ? action.faults : planOf(world, mover);
  const survived = survivedMove(action);
  return [
    ...plan.filter((fault) => {
      const rest = plan.filter((other) => other !== fault);
      const move = strikesBeforeReceipt(fault) ? survived : action;
      const spared =
        move.kind === "submit"
          ? take(world, { ...move, faults: rest })
          : take(withPlan(world, mover, rest), move);
      return told(spared) !== told(take(world, move));
    }),
    ...world.armed.filter((fault) => {
      const armed = world.armed.filter((other) => other !== fault);
      return told(take({ ...world, armed }, action)) !== told(take(world, action));
    }),
  ];
}

/** Of what struck on the way to a receipt, a kill there leaves nothing to tell it by but how it would have gone on. */
function survivedMove(action: Action): Action {
  if (action.kind !== "crash" || action.where.kind !== "at") return action;
  const { attempt, at } = action.where;
  return at === "before_receipt" || at === "after_receipt" ? { kind: "advance", attempt } : action;
}

function strikesBeforeReceipt(fault: Fault): boolean {
  return isCheckerFault(fault) || (fault.kind === "throw_at" && checkpoints.some((at) => at === fault.at));
}

function told(step: Step): string {
  return step.kind === "moved" ? step.transitions.join("; ") : step.reason;
}

function planOf({ attempts }: World, mover: AttemptName): readonly Fault[] {
  return attempts.find(({ name }) => name === mover)?.faults ?? [];
}

function withPlan(world: World, mover: AttemptName, faults: readonly Fault[]): World {
  const attempt = world.attempts.find(({ name }) => name === mover);
  return attempt === undefined ? world : withAttempt(world, { ...attempt, faults });
}
