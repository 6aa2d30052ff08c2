import { crash } from "./crash-and-restart.js";
import type { Halt } from "./passage.js";
import { enter, giveUp, resume } from "./pipeline.js";
import type { Predicted } from "./predicted.js";
import { moved, refused, type Step } from "./stepped.js";
import { resultName, startName } from "./transition.js";
import { unreachable } from "./unreachable.js";
import type { Action, AttemptName, Context, CrashPoint, Entry, Facts, StageEvent } from "./vocabulary.js";
import {
  type Attempt,
  inFlight,
  isWaiting,
  laidToRest,
  type Traveller,
  type Waiting,
  type World,
  withAttempt,
} from "./world.js";

type Submit = Extract<Action, { kind: "submit" }>;
type SubmitAgain = Extract<Action, { kind: "retry" | "retry_changed" | "resubmit_new_key" }>;

/** Brings a new attempt to its first checkpoint or its end. */
export function submit(
  world: World,
  action: Omit<Submit, "kind">,
  interpret: Interpret,
  kill: CrashPoint | "none" = "none",
): Step {
  return enterAs(world, action, interpret(action.request, action.context), kill);
}

/** The contract of the tool that a call goes to, asked what a request means. */
export type Interpret = (request: string, context: Context) => Facts;

/** A further attempt of an earlier call; the same request means the same again. */
export function submitAgain(
  world: World,
  action: SubmitAgain,
  interpret: Interpret,
  kill: CrashPoint | "none" = "none",
): Step {
  const earlier = attemptNamed(world, action.of);
  if (earlier === "unknown") return refused(`${action.of} is not known`);
  const { attempt, faults } = action;
  const { context, request, facts } = earlier;
  switch (action.kind) {
    case "retry":
      return enterAs(world, { attempt, request, context, faults }, facts, kill);
    case "retry_changed":
      return submit(world, { attempt, request: action.request, context, faults }, interpret);
    case "resubmit_new_key":
      return submit(
        world,
        { attempt, request: action.request, context: newCall(context, attempt), faults },
        interpret,
      );
    default:
      return unreachable(action);
  }
}

/** The context of a further call of the same run; scenario files name their calls in the same way. */
export function newCall(context: Context, attempt: AttemptName): Context {
  return { ...context, callId: `c-${attempt}` };
}

/** Brings a new attempt to its first halt, or to its death at the crash point where it is to be killed. */
export function enterInto(world: World, entry: Entry, at: CrashPoint, interpret: Interpret): Step {
  return entry.kind === "submit"
    ? submit(world, entry, interpret, at)
    : submitAgain(world, entry, interpret, at);
}

/** Brings a parked attempt to its next halt, or to its death at the crash point where it is to be killed. */
export function advance(world: World, name: AttemptName, kill: CrashPoint | "none"): Step {
  const attempt = attemptNamed(world, name);
  if (attempt === "unknown") return refused(`${name} is not known`);
  const { place, events: said } = attempt;
  if (place.kind !== "parked") return refused(standing(attempt));
  const halt = resume({ world, attempt, kill, verdict }, place.at);
  return attempt.cancel === "requested"
    ? land(halt, { from: place.at, cause: "cancelled", said }, [
        { kind: "cancel_delivered", attempt: name, at: place.at },
      ])
    : land(halt, { from: place.at, cause: "advance", said });
}

/** Advances an attempt until it can be advanced no further. */
export function finish(world: World, name: AttemptName): Step {
  const first = advance(world, name, "none");
  if (first.kind === "refused") return first;
  const rest = finish(first.world, name);
  if (rest.kind === "refused") return first;
  return moved(rest.world, [...first.transitions, ...rest.transitions], [...first.events, ...rest.events]);
}

/** Ends the wait for a checker. No checkpoint follows, so a cancel requested meanwhile comes too late. */
export function expire(world: World, name: AttemptName): Step {
  const attempt = attemptNamed(world, name);
  if (attempt === "unknown") return refused(`${name} is not known`);
  const { place, cancel, events: said } = attempt;
  if (place.kind !== "blocked") return refused(standing(attempt));
  const halt = giveUp({ world, attempt, kill: "none", verdict });
  const start = { from: startName(place), cause: "expire", said };
  return land(halt, start, cancel === "requested" ? [{ kind: "cancel_too_late", attempt: name }] : []);
}

/** Asks for a cancel; it takes hold when the attempt leaves its checkpoint. */
export function cancel(world: World, name: AttemptName): Step {
  const attempt = attemptNamed(world, name);
  if (attempt === "unknown") return refused(`${name} is not known`);
  if (!isWaiting(attempt)) return refused(standing(attempt));
  if (attempt.cancel === "requested") return refused(`a cancel of ${name} is requested already`);
  return moved(withAttempt(world, { ...attempt, cancel: "requested" }), [
    `${startName(attempt.place)} cancel requested`,
  ]);
}

/** Every passage starts on its way to being accepted. */
const verdict = { status: "accepted", code: "ok" } as const;

function attemptNamed(world: World, name: AttemptName): Attempt | "unknown" {
  return world.attempts.find((attempt) => attempt.name === name) ?? "unknown";
}

function standing({ name, place }: Attempt): string {
  switch (place.kind) {
    case "parked":
      return `${name} is parked at ${place.at}`;
    case "blocked":
      return `${name} is blocked on ${place.on}`;
    case "ended":
      return `${name} has ended`;
    case "lost":
      return `${name} was lost in a crash`;
    default:
      return unreachable(place);
  }
}

function enterAs(world: World, action: Omit<Submit, "kind">, facts: Facts, kill: CrashPoint | "none"): Step {
  const { attempt: name, context, request, faults } = action;
  if (attemptNamed(world, name) !== "unknown") return refused(`${name} exists already`);
  const claimed = faults.filter(({ kind }) => world.profile.faults.includes(kind));
  const attempt: Traveller = {
    name,
    context,
    request,
    facts,
    faults: claimed,
    snapshot: { kind: "none" },
    events: [],
    cancel: "none",
  };
  const halt = enter({ world, attempt, kill, verdict });
  return land(halt, { from: "new", cause: "submit", said: [] });
}

type Start = { readonly from: string; readonly cause: string; readonly said: readonly StageEvent[] };

/** The world in which a passage has come to rest. */
function land(halt: Halt, { from, cause, said }: Start, heard: readonly Predicted[] = []): Step {
  const { world, attempt, kill } = halt.passage;
  const { name: attemptName } = attempt;
  const transition = `${from} ${cause} ${resultName(halt, said)}`;
  switch (halt.kind) {
    case "parked": {
      const { at } = halt;
      const event = {
        kind: "parked",
        attempt: attempt.name,
        at,
        snapshotRevision: attempt.snapshot,
      } as const;
      const parked = withAttempt(world, { ...attempt, place: { kind: "parked", at } });
      return moved(parked, [transition], [...heard, event]);
    }
    case "blocked": {
      const { on } = halt;
      const blocked = withAttempt(world, { ...attempt, place: { kind: "blocked", on } });
      return moved(blocked, [transition], [...heard, { kind: "blocked", attempt: attempt.name, on }]);
    }
    case "ended": {
      const event = { kind: "ended", attempt: attempt.name, outcome: halt.outcome } as const;
      return moved(withAttempt(world, laidToRest(attempt, "ended")), [transition], [...heard, event]);
    }
    case "killed": {
      const neighbours = inFlight(world).filter(({ name }) => name !== attemptName);
      const dead = withAttempt(world, laidToRest(attempt, "lost"));
      return moved(crash(dead), [`${from} crash:${kill} lost`, ...neighbours.map(lostWhileWaiting)], heard);
    }
    default:
      return unreachable(halt);
  }
}

/** The transition of an attempt that a crash takes along. */
export function lostWhileWaiting({ place }: Waiting): string {
  return `${startName(place)} crash:parked lost`;
}
