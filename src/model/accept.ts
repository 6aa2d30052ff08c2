import { type Cause, causedBy, unasked } from "./cause.js";
import { decide, heldDecision, roundTrip, withoutHeld } from "./consent/decisions.js";
import { driverAnswer, overAttempt } from "./consent/driver.js";
import { answerToRules } from "./controls.js";
import { type Deliveries, durableOf, holdsTheSame } from "./durable.js";
import { type Answer, atRest, hear, type Member, type Objection, objects, silence } from "./member.js";
import { claims, list, type Sight, sightOf, tell } from "./sight.js";
import { step } from "./step.js";
import { tellBriefly, tellFully } from "./tell-durable.js";
import { unreachable } from "./unreachable.js";
import type {
  CrashPoint,
  CrashWhere,
  DecisionAnswer,
  Event,
  Grant,
  Observation,
  PolicySetting,
  Profile,
  Stage,
} from "./vocabulary.js";
import { inFlight, initialWorld, type World } from "./world.js";

/** The worlds of the machine that explain a history so far; at least one, all different. */
export type Frontier = {
  readonly profile: Profile;
  readonly deliveries: Deliveries;
  readonly members: readonly Member[];
  /** Where world and store were last found to hold the same rows; most reads show the very same ones again. */
  readonly agreed: { readonly world: World; readonly observation: Observation } | "never";
};

export type Accepted =
  | { readonly kind: "following"; readonly frontier: Frontier }
  | {
      readonly kind: "diverged";
      readonly stage: Objection["stage"];
      /** What the machine would have allowed in place of the event, one text for each way on. */
      readonly allowed: readonly string[];
      readonly seen: string;
    };

/** The one world in which every history starts. */
export function startFrontier(
  profile: Profile,
  setting: PolicySetting,
  tool: string,
  capabilities: readonly Grant[] = [],
): Frontier {
  return {
    profile,
    deliveries: {},
    members: [atRest(initialWorld(profile, setting, tool, capabilities))],
    agreed: "never",
  };
}

/** Follows a history by one event, from what it says alone: no action list is consulted. */
export function accept(frontier: Frontier, event: Event): Accepted {
  const { profile } = frontier;
  switch (event.kind) {
    case "fault_fired":
    case "logged":
    case "skipped":
    case "late":
      return { kind: "following", frontier };
    case "observed":
      return agreeing(
        ask(frontier, (member) => look(member, event.observation, frontier)),
        event.observation,
      );
    case "parked":
    case "blocked":
    case "cancel_delivered":
    case "cancel_too_late":
    case "ended":
      return ask(frontier, (member) => hear(member, sightOf(event), profile));
    case "crashed":
      return ask(frontier, (member) => followCrash(member, event, profile));
    case "decided":
      return ask(frontier, (member) => followDecision(member, event, profile));
    case "round_tripped":
      return ask(frontier, (member) =>
        followAnswer(member, event.kind, profile, roundTrip(member.world, event.tampered), event.answer),
      );
    case "rules_set":
      return ask(frontier, (member) => followRules(member, event, profile));
    case "driven":
      return ask(frontier, (member) => {
        const over = overAttempt(member.world, event.of);
        const due = over === "none" ? "nothing" : driverAnswer(member.world, over);
        return followAnswer(member, `driver on ${event.of}`, profile, due, event.answer);
      });
    case "submitted": {
      const deliveries = { ...frontier.deliveries, [event.attempt]: event.delivery };
      return ask({ ...frontier, deliveries }, (member) => follow(member, event, profile));
    }
    default:
      return ask(frontier, (member) => follow(member, event, profile));
  }
}

/** What the members make of an event: those that explain it remain; if none does, their objections are the answer. */
function ask(frontier: Frontier, answer: (member: Member) => Answer): Accepted {
  const members: Member[] = [];
  const objections: Objection[] = [];
  for (const given of frontier.members.map(answer)) {
    if (given.kind === "explains") members.push(...given.members);
    else objections.push(given);
  }
  const [first] = objections;
  if (members.length > 0 || first === undefined) {
    return { kind: "following", frontier: { ...frontier, members: distinct(members) } };
  }
  const allowed = [...new Set(objections.map((objection) => objection.allowed))];
  return { kind: "diverged", stage: first.stage, allowed, seen: first.seen };
}

/** Members as plain data are the same exactly if their texts are; one alone needs no text. */
function distinct(members: readonly Member[]): readonly Member[] {
  if (members.length === 1) return members;
  return [...new Map(members.map((member) => [JSON.stringify(member), member])).values()];
}

function follow(member: Member, event: Cause, profile: Profile): Answer {
  const seen = "attempt" in event ? `${event.attempt} ${event.kind}` : event.kind;
  const owed = silence(member, seen, profile);
  if (owed !== "none") return owed;
  const stepped = causedBy(event, member.world);
  if (stepped.kind === "refused") return objects("control", `nothing, as ${stepped.reason}`, seen);
  if (event.kind === "restarted" && event.result === "failed") {
    return objects("control", "restarted up", "restarted failed");
  }
  const { world, events: queue } = stepped;
  const entering = event.kind === "submitted" ? { entering: event } : {};
  return { kind: "explains", members: [{ ...atRest(member.world), world, queue, ...entering }] };
}

/** What the executor answered, which changes nothing, held against what the machine would have answered. */
function followAnswer(member: Member, what: string, profile: Profile, due: string, answer: string): Answer {
  const owed = silence(member, what, profile);
  if (owed !== "none") return owed;
  return due === answer
    ? { kind: "explains", members: [atRest(member.world)] }
    : objects("control", `${what}: ${due}`, `${what}: ${answer}`);
}

/** A decision is judged by what the history says of it; of one that got no answer, both ways it may have gone. */
function followDecision(
  member: Member,
  event: Extract<Event, { kind: "decided" }>,
  profile: Profile,
): Answer {
  const name = `${event.decision} ${event.verdict} of request ${event.request}`;
  const owed = silence(member, name, profile);
  if (owed !== "none") return owed;
  const { answer } = event;
  const decision = heldDecision(member.world, event.decision);
  const before = withoutHeld(member.world, event.decision);
  const decided = decide(before, decision === "none" ? event : decision);
  if (answer.kind === "unknown") {
    return { kind: "explains", members: [before, decided.world].map(atRest) };
  }
  const [allowed, seen] = [tellAnswer(decided.answer), tellAnswer(answer)];
  return allowed === seen
    ? { kind: "explains", members: [atRest(decided.world)] }
    : objects("approval", `${name} ${allowed}`, `${name} ${seen}`);
}

/** A rule set that was taken or refused as the machine would; one that was taken has to be one without a flaw. */
function followRules(member: Member, event: Extract<Event, { kind: "rules_set" }>, profile: Profile): Answer {
  const followed = follow(member, event, profile);
  const due = answerToRules(event.flaw);
  if (followed.kind === "objects" || due === event.answer) return followed;
  const what = event.flaw === "none" ? "rules_set" : `rules_set with ${event.flaw}`;
  return objects("rules", `${what}: ${due}`, `${what}: ${event.answer}`);
}

function tellAnswer(answer: DecisionAnswer): string {
  return answer.kind === "refused" ? `refused ${answer.code}` : answer.kind;
}

/** A crash shows itself after the fact: what was delivered in the fatal move has been heard already. */
function followCrash(member: Member, event: Extract<Event, { kind: "crashed" }>, profile: Profile): Answer {
  const { advancing } = event;
  const { entering } = member;
  const entered =
    entering !== undefined && advancing.kind === "attempt" && entering.attempt === advancing.attempt;
  const owed = entered ? "none" : silence({ ...member, heard: [] }, "crashed", profile);
  if (owed !== "none") return owed;
  const before = entered ? member.before : member.world;
  const stepped = entered
    ? step(before, { kind: "crash", where: enteringAt(entering, advancing.at) }, () => entering.contract)
    : step(before, { kind: "crash", where: whereOf(advancing) }, unasked);
  if (stepped.kind === "refused") return objects("control", `nothing, as ${stepped.reason}`, "crashed");
  if (stepped.world.executor === "up" && advancing.kind === "attempt") {
    return objects(
      stageOfPoint[advancing.at],
      `${advancing.attempt} passes no ${advancing.at}`,
      `crashed at ${advancing.at}`,
    );
  }
  const lost = [...inFlight(before).map(({ name }) => name), ...(entered ? [entering.attempt] : [])];
  const held = before.held.map(({ decision }) => decision);
  const allowed = tellCrash(stepped.events, [...lost, ...held], profile);
  const seen = tellCrash(member.heard, [...event.lost, ...(event.lostDecisions ?? [])], profile);
  if (allowed !== seen) return objects("control", allowed, seen);
  return { kind: "explains", members: [atRest(stepped.world)] };
}

type Crashed = Extract<Event, { kind: "crashed" }>;

function whereOf(advancing: Crashed["advancing"]): CrashWhere {
  switch (advancing.kind) {
    case "idle":
      return { kind: "parked" };
    case "attempt":
      return { ...advancing, kind: "at" };
    case "decision":
      return { ...advancing, kind: "deciding" };
    default:
      return unreachable(advancing);
  }
}

function enteringAt(submitted: Extract<Event, { kind: "submitted" }>, at: CrashPoint): CrashWhere {
  const { attempt, request, context, faults } = submitted;
  return { kind: "entering", entry: { kind: "submit", attempt, request, context, faults }, at };
}

function tellCrash(heard: readonly Sight[], lost: readonly string[], profile: Profile): string {
  const delivered = heard.map((sight) => `${sight.attempt} ${tell(sight, profile)}, `);
  return `${delivered.join("")}crashed, lost ${list([...lost].sort(), ", ")}`;
}

const stageOfPoint: { readonly [at in CrashPoint]: Stage } = {
  after_step: "run",
  after_request: "approval",
  after_reserve: "reserve",
  inside_transaction: "execute",
  after_commit: "execute",
  before_settle: "reserve",
  before_receipt: "receipt",
  after_receipt: "release",
};

/** Holds what the second observer reads against what the machine has in its store. */
function look(member: Member, observation: Observation, { profile, deliveries, agreed }: Frontier): Answer {
  const owed = silence(member, "nothing more", profile);
  if (owed !== "none") return owed;
  if (agreed !== "never" && sameRowsAgain(agreed.world, member.world, agreed.observation, observation)) {
    return { kind: "explains", members: [atRest(member.world)] };
  }
  if (!claims(profile, "second_observer") || holdsTheSame(member.world, deliveries, observation, profile)) {
    return { kind: "explains", members: [atRest(member.world)] };
  }
  const ours = durableOf(member.world, deliveries);
  const brief = [tellBriefly(ours), tellBriefly(observation)] as const;
  const [allowed, seen] =
    brief[0] === brief[1] ? [tellFully(ours, profile), tellFully(observation, profile)] : brief;
  return objects("store", allowed, seen);
}

function sameRowsAgain(before: World, world: World, earlier: Observation, observation: Observation): boolean {
  return (
    before.effects === world.effects &&
    before.receipts === world.receipts &&
    before.policy === world.policy &&
    before.consent === world.consent &&
    before.reservations === world.reservations &&
    earlier.effects === observation.effects &&
    earlier.receipts === observation.receipts &&
    earlier.policy === observation.policy &&
    earlier.consent === observation.consent &&
    earlier.reservations === observation.reservations
  );
}

/** With several worlds it would have to be said of each; there they are few and short-lived. */
function agreeing(accepted: Accepted, observation: Observation): Accepted {
  if (accepted.kind === "diverged") return accepted;
  const { frontier } = accepted;
  const [only, second] = frontier.members;
  if (only === undefined || second !== undefined) return accepted;
  return { kind: "following", frontier: { ...frontier, agreed: { world: only.world, observation } } };
}
