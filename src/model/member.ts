import { expire, finish } from "./moves.js";
import { decidingStage, partingStage } from "./parting.js";
import type { Predicted } from "./predicted.js";
import { claims, type Sight, tell } from "./sight.js";
import type { AttemptName, Event, Profile, Stage } from "./vocabulary.js";
import type { World } from "./world.js";

/** One world that explains the history so far. */
export type Member = {
  readonly world: World;
  /** What the history must say next, before anything else can happen. */
  readonly queue: readonly Predicted[];
  /** What it said of a move that it did not announce: the executor is about to be killed in it. */
  readonly heard: readonly Sight[];
  /** `no_answer`: a cancel was due and none was delivered, which only an answer that got lost explains. */
  readonly awaits: "the_queue" | "no_answer";
  /** The world before the move that filled the queue. */
  readonly before: World;
  /** The submission that filled the queue, as long as nothing of it was heard: the executor may have died in it. */
  readonly entering?: Extract<Event, { kind: "submitted" }>;
};

/** As what a member explains an event, or what it would have allowed instead. */
export type Answer = { readonly kind: "explains"; readonly members: readonly Member[] } | Objection;

export type Objection = {
  readonly kind: "objects";
  readonly stage: Stage | "store" | "control";
  readonly allowed: string;
  readonly seen: string;
};

/** A world of which the history has said all there is to say. */
export function atRest(world: World): Member {
  return { world, queue: [], heard: [], awaits: "the_queue", before: world };
}

export function objects(stage: Objection["stage"], allowed: string, seen: string): Objection {
  return { kind: "objects", stage, allowed, seen };
}

/** Holds what the history shows of an attempt against what the machine expects next. */
export function hear(member: Member, sight: Sight, profile: Profile): Answer {
  const [head, ...queue] = member.queue;
  if (head === undefined) return hearUnannounced(member, sight, profile);
  if (head.attempt !== sight.attempt) {
    const [ours, theirs] = [
      `${head.attempt} ${tell(head, profile)}`,
      `${sight.attempt} ${tell(sight, profile)}`,
    ];
    return objects("control", ours, theirs);
  }
  const [allowed, seen] = [tell(head, profile), tell(sight, profile)];
  if (allowed === seen && member.awaits === "the_queue") {
    const { entering: _, ...rest } = member;
    return { kind: "explains", members: [{ ...rest, queue }] };
  }
  const members = withoutAnswer(member, head, sight);
  return members.length > 0
    ? { kind: "explains", members }
    : objects(partingStage(head, sight, profile), allowed, seen);
}

/** What the history still owes, as an objection against anything else that happens. */
export function silence(
  { queue: [head], heard }: Member,
  seen: string,
  profile: Profile,
): Objection | "none" {
  if (head !== undefined) return objects(decidingStage(head), `${head.attempt} ${tell(head, profile)}`, seen);
  return heard.length > 0 ? objects("control", aCrash, seen) : "none";
}

const aCrash = "a crash";

/** Where an executor is killed in a move, its history shows what was delivered in it before it shows the crash. */
function hearUnannounced(member: Member, sight: Sight, profile: Profile): Answer {
  const { world, heard } = member;
  const mayPrecedeCrash =
    claims(profile, "crash") &&
    heard.length === 0 &&
    sight.kind === "cancel_delivered" &&
    world.attempts.some(
      ({ name, cancel, place }) =>
        name === sight.attempt && cancel === "requested" && place.kind === "parked" && place.at === sight.at,
    );
  if (mayPrecedeCrash) return { kind: "explains", members: [{ ...member, heard: [sight] }] };
  return objects(
    "control",
    heard.length > 0 ? aCrash : "nothing",
    `${sight.attempt} ${tell(sight, profile)}`,
  );
}

/**
 * As what a member goes on where the caller heard no answer. Of the rest of the way, the executor may have gone any
 * durable part: nothing, the effect, the effect and the receipt. One that proves that nothing happened has gone none.
 */
function withoutAnswer(member: Member, head: Predicted, sight: Sight): readonly Member[] {
  if (sight.kind === "cancel_too_late") {
    const due = head.kind === "cancel_delivered" && member.awaits === "the_queue";
    return due ? [{ ...member, awaits: "no_answer" }] : [];
  }
  if (sight.kind !== "ended") return [];
  const { attempts, effects, receipts, consent } = member.before;
  const all = ranOut(member.world, sight.attempt);
  const nothing = { ...all, effects, receipts, consent };
  switch (sight.outcome.kind) {
    case "unknown":
      if (sight.outcome.cause === "after_receipt") return [];
      return prefixesOf(nothing, all).map(atRest);
    case "refused":
    case "failed": {
      const hasCommitted = attempts.some(
        ({ name, events }) => name === sight.attempt && events.includes("effect_committed"),
      );
      return hasCommitted ? [] : [atRest(nothing)];
    }
    default:
      return [];
  }
}

/** The durable parts of a way, one more after the other: a begun step, a request or an effect with its use, the receipt. */
function prefixesOf(nothing: World, all: World): readonly World[] {
  const { steps, requests, uses } = all.consent;
  const begun = { ...nothing, consent: { ...nothing.consent, steps } };
  const done = { ...begun, effects: all.effects, consent: { ...begun.consent, requests, uses } };
  const isBegun = nothing.consent.steps !== steps;
  return [nothing, ...(isBegun ? [begun] : []), done, all];
}

/** The world in which an attempt has gone all its way. */
function ranOut(world: World, name: AttemptName): World {
  const finished = finish(world, name);
  const halted = finished.kind === "moved" ? finished.world : world;
  const expired = expire(halted, name);
  return expired.kind === "moved" ? expired.world : halted;
}
