import { boundTo, isGranted, latestRequest } from "../../model/consent/rules.js";
import { isOfCall } from "../../model/passage.js";
import { clearFaults } from "../../model/step.js";
import type { Step } from "../../model/stepped.js";
import type { Action, Happening } from "../../model/vocabulary.js";
import { type Attempt, isWaiting, type World } from "../../model/world.js";
import { asksSomebody } from "../../properties/account/outcomes.js";
import type { History, HistoryJudge } from "../history-judge.js";
import type { Take } from "../pipeline/fired.js";
import type { CallPlan } from "./workload.js";

/** An attempt more than it takes to be asked again, granted, and let through. */
const mostAttempts = 4;
/** No attempt takes more moves than this. */
const mostMoves = 20;

export type Recovered = { readonly world: World; readonly history: History };

/**
 * Brings a call to its end as every run is: faults gone, executor up, its attempts driven to their ends, then one more
 * attempt, and where that has to wait, a genuine grant and another.
 */
export function recover(
  start: World,
  before: History | "nothing",
  call: CallPlan,
  { take, judge }: { readonly take: Take; readonly judge: HistoryJudge },
): Recovered {
  const happenings: Happening[] = [{ kind: "epilogue" }];
  let world = clearFaults(start);
  const perform = (action: Action): Step => {
    const moved = take(world, action);
    if (moved.kind === "refused") return moved;
    happenings.push(...judge.tell(world, action, moved));
    world = moved.world;
    return moved;
  };
  const drive = (name: Attempt["name"]): boolean => {
    let asks = false;
    for (let moves = 0; moves < mostMoves; moves++) {
      const place = world.attempts.find((one) => one.name === name)?.place.kind;
      if (place !== "parked" && place !== "blocked") break;
      asks = hasAsked(perform({ kind: place === "parked" ? "advance" : "expire", attempt: name }));
    }
    return asks;
  };
  if (world.executor === "down") perform({ kind: "restart" });
  for (const { name } of world.attempts.filter(isWaiting)) drive(name);
  const request = intentionOf(world, call);
  for (let tries = 0; request !== "none" && tries < mostAttempts; tries++) {
    const attempt = `a${world.attempts.length + 1}` as const;
    const entered = perform({ kind: "submit", attempt, request, context: call.context, faults: [] });
    if (!(hasAsked(entered) || drive(attempt)) || !grant()) break;
  }
  return { world, history: { happenings, before } };

  function grant(): boolean {
    const latest = latestRequest(world, call.context);
    if (latest === "none") return false;
    const decision = `d${world.decisionsMade + 1}` as const;
    if (!isGranted(world, latest))
      perform({ kind: "approve", decision, request: latest.number, flaw: "none", pace: "at_once" });
    return true;
  }
}

/** The latest valid request of the call that is what it is bound to. */
function intentionOf(world: World, { context }: CallPlan): string | "none" {
  const bound = boundTo(world, context);
  const fitting = world.attempts.filter(
    ({ facts, context: its }) =>
      isOfCall(its, context) && facts.kind === "valid" && (bound === "none" || bound.digest === facts.digest),
  );
  return fitting.at(-1)?.request ?? "none";
}

function hasAsked(taken: Step): boolean {
  if (taken.kind === "refused") return false;
  return taken.events.some(
    (event) => event.kind === "ended" && event.outcome.kind === "completed" && asksSomebody(event.outcome),
  );
}
