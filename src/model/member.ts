import { worldsWithoutAnswer } from "./lost-answer.js";
import { decidingStage, partingStage } from "./parting.js";
import type { Predicted } from "./predicted.js";
import { claims, type Sight, tell } from "./sight.js";
import type { Event, Profile, Stage } from "./vocabulary.js";
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
  if (head !== undefined)
    return objects(decidingStage(head, profile), `${head.attempt} ${tell(head, profile)}`, seen);
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

/** As what a member goes on where the caller heard no answer. */
function withoutAnswer(member: Member, head: Predicted, sight: Sight): readonly Member[] {
  if (sight.kind === "cancel_too_late") {
    const due = head.kind === "cancel_delivered" && member.awaits === "the_queue";
    return due ? [{ ...member, awaits: "no_answer" }] : [];
  }
  return sight.kind === "ended" ? worldsWithoutAnswer(member, head, sight).map(atRest) : [];
}
