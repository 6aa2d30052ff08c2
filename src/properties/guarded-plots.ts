import { contractFor } from "../contract/tool.js";
import { isGranted, latestRequest, requestsOf } from "../model/consent/rules.js";
import type {
  Action,
  AttemptName,
  Context,
  DecisionName,
  Dispatch,
  Fault,
  RequestRow,
} from "../model/vocabulary.js";
import type { Attempt, World } from "../model/world.js";
import type { Chooser } from "./chooser.js";
import type { GuardedMeans } from "./guarded-planner.js";

const permit: readonly Move[] = ["advance", "grant", "resume"];

/**
 * What people do with an approval one thing after the other: most ways in which consent goes wrong take eight or ten
 * steps in just this order, which chance alone seldom finds. A run that has a plot follows it most of the time.
 */
export const guardedPlots: readonly Plot[] = [
  { tools: "any", moves: ["ask", "advance", "grant", "resume", "expire", "advance"] },
  { tools: "any", moves: ["ask", "advance", "grant", "resume", "deny", "advance"] },
  { tools: "any", moves: ["ask", "advance", "grant", "deny", "resume", "advance"] },
  {
    tools: "any",
    moves: ["ask", "advance", "grant", "change", "resume", "advance", "grant", "resume", "advance"],
  },
  { tools: "any", moves: ["ask", "advance", "expire", "grant the first", "resume", "advance"] },
  { tools: "any", moves: ["ask", "advance", "change", "grant the first", "resume", "advance"] },
  { tools: "any", moves: ["ask", "advance", "deny", "resume", "advance"] },
  { tools: "any", moves: ["ask", "advance", "deny", "grant the first", "resume", "advance"] },
  { tools: "any", moves: ["ask", "advance", "grant", "resume", "advance", "expire", "resume", "advance"] },
  {
    tools: "any",
    moves: ["ask", "advance", "change", "resume", "advance", "grant", "deny the first", "resume", "advance"],
  },
  {
    tools: "any",
    moves: ["ask", "advance", "change", "resume", "advance", "grant", "deny the first", "resume", "advance"],
  },
  {
    tools: "any",
    moves: ["ask", "advance", "change", "resume", "advance", "grant", "deny the first", "resume", "advance"],
  },
  { tools: "keyless", moves: ["ask", "advance", "grant", "resume", "advance", "resume", "advance"] },
  { tools: "keyless", moves: ["ask", "advance", "grant", "resume", "resume", "advance first", "advance"] },
  {
    tools: "keyless",
    moves: ["ask", "advance", "grant", "resume", "die after the commit", "restart", "resume", "advance"],
  },
  {
    tools: "keyless",
    moves: ["ask", "advance", "grant", "resume", "die after the commit", "restart", "resume", "advance"],
  },
  { tools: "keyless", moves: ["ask", "advance", "grant", "other tool under its id", "advance"] },
  { tools: "keyless", moves: ["ask", "advance", "grant", "other tool under its id", "advance"] },
  {
    tools: "keyed",
    moves: ["ask", ...permit, "finish", "ask the same", ...permit, "advance", "deny", "advance"],
  },
  {
    tools: "keyed",
    moves: ["ask", ...permit, "finish", "ask the same", ...permit, "advance", "deny", "advance"],
  },
  { tools: "keyed", moves: ["do", "do another under its id", "advance first", "advance"] },
  { tools: "keyed", moves: ["do", "do another under its id", "advance first", "advance"] },
  { tools: "keyed", moves: ["do", "finish", "do another under its id", "advance"] },
  { tools: "keyed", moves: ["require", "die", "restart", "do", "advance"] },
  { tools: "keyed", moves: ["require", "die", "restart", "do", "advance"] },
  { tools: "keyed", moves: ["require", "do", "advance", "deny", "do not require", "resume", "advance"] },
  { tools: "keyed", moves: ["require", "do", "advance", "deny", "do not require", "resume", "advance"] },
  { tools: "any", moves: ["ask", "advance", "grant", "its id in another tenant", "advance"] },
  { tools: "any", moves: ["ask", "advance", "grant", "ask the same", "advance"] },
  { tools: "any", moves: ["ask", "advance", "grant", "change its arguments", "advance"] },
  { tools: "any", moves: ["ask", "advance", "grant", "take the right", "resume", "advance"] },
  { tools: "any", moves: ["ask", "advance", "grant", "resume", "take the right", "advance"] },
  { tools: "any", moves: ["ask", "advance", "grant", "resume", "cancel", "advance", "advance"] },
  { tools: "any", moves: ["ask", "advance", "grant", "resume", "cancel", "advance", "advance"] },
  { tools: "any", moves: ["ask", "advance", "ask", "advance", "grant", "resume the first", "advance"] },
  { tools: "any", moves: ["ask", "ask under its id", "advance first", "advance"] },
  { tools: "keyed", moves: ["do badly", "finish"] },
  { tools: "any", moves: ["ask", "advance", "grant", "resume badly", "finish"] },
  { tools: "any", moves: ["ask", "advance", "grant", "resume badly", "finish"] },
  { tools: "any", moves: ["ask", "advance", "grant", "resume badly", "finish"] },
  { tools: "any", moves: ["ask", "advance", "grant", "resume badly", "finish"] },
];

/** `tools`: those with which it can go wrong in this way. What takes many steps is told more than once. */
export type Plot = { readonly tools: "any" | "keyed" | "keyless"; readonly moves: readonly Move[] };

type Move =
  | "ask"
  | "ask the same"
  | "ask under its id"
  | "do"
  | "do badly"
  | "do another under its id"
  | "other tool under its id"
  | "its id in another tenant"
  | "change its arguments"
  | "advance"
  | "advance first"
  | "finish"
  | "cancel"
  | "grant"
  | "grant the first"
  | "deny"
  | "deny the first"
  | "resume"
  | "resume badly"
  | "resume the first"
  | "expire"
  | "change"
  | "require"
  | "do not require"
  | "take the right"
  | "die"
  | "die after the commit"
  | "restart";

/** The action of a plot's move as the world stands; undefined where the move does not apply. */
export function plottedAction(
  move: Move,
  world: World,
  means: GuardedMeans,
  pick: Chooser,
): Action | undefined {
  const parked = world.attempts.filter(({ place }) => place.kind === "parked");
  const [first, last] = [parked[0], parked.at(-1)];
  switch (move) {
    case "advance": {
      // Also one that has ended, for the machine: an executor that is wrong may have let it through.
      const mover = last ?? world.attempts.at(-1);
      return mover === undefined ? undefined : { kind: "advance", attempt: mover.name };
    }
    case "advance first":
      return first === undefined ? undefined : { kind: "advance", attempt: first.name };
    case "finish":
      return last === undefined ? undefined : { kind: "finish", attempt: last.name };
    case "cancel":
      return last?.cancel === "none" ? { kind: "cancel", attempt: last.name } : undefined;
    case "resume":
      return again(world, world.attempts.findLast(isAsked(world)) ?? world.attempts.at(-1));
    case "resume badly":
      return again(world, world.attempts.findLast(isAsked(world)), spoilt(means, pick));
    case "resume the first":
      return again(world, world.attempts[0]);
    case "grant":
    case "deny":
      return decision(move, world, openRequest(world, move));
    case "grant the first":
    case "deny the first":
      return decision(move === "grant the first" ? "grant" : "deny", world, world.consent.requests[0]);
    case "expire":
      return { kind: "advance_clock", by: 2 };
    case "change":
    case "do not require":
      return { kind: "change_policy", to: { kind: "limit", maxCopies: 3 } };
    case "require":
      return { kind: "change_policy", to: { kind: "limit", maxCopies: 3, approval: "required" } };
    case "take the right":
      return takeRight(world, means);
    case "die":
      return { kind: "crash", where: { kind: "parked" } };
    case "die after the commit":
      return last === undefined
        ? undefined
        : { kind: "crash", where: { kind: "at", attempt: last.name, at: "after_commit" } };
    case "restart":
      return world.executor === "down" ? { kind: "restart" } : undefined;
    default:
      return entry(move, world, means, pick);
  }
}

type EntryMove = Extract<
  Move,
  | "ask"
  | "ask the same"
  | "ask under its id"
  | "do"
  | "do badly"
  | "do another under its id"
  | "other tool under its id"
  | "its id in another tenant"
  | "change its arguments"
>;

const plain: Dispatch = { tool: "draft", step: 0, replaces: "none", sideEffects: "not_permitted" };

/** A new attempt: of a new call, or of the call of the latest attempt with something else about it. */
function entry(move: EntryMove, world: World, means: GuardedMeans, pick: Chooser): Action | undefined {
  const attempt: AttemptName = `a${world.attempts.length + 1}`;
  const submit = (request: string, context: Context): Action => ({
    kind: "submit",
    attempt,
    request,
    context,
    faults: [],
  });
  const [tool = means.contract] = means.tools;
  const fresh = (sideEffects: Dispatch["sideEffects"]): Context => {
    const dispatch = { ...plain, tool: tool.name, sideEffects };
    return { tenant: "t1", runId: "r1", callId: `c-${attempt}`, principal: "p1", dispatch };
  };
  if (move === "ask") return submit(tool.requests.valid(pick(2), pick(2)), fresh("not_permitted"));
  if (move === "do badly") {
    const request = tool.requests.valid(0, pick(2));
    return { kind: "submit", attempt, request, context: fresh("permitted"), faults: spoilt(means, pick) };
  }
  if (move === "do") return submit(tool.requests.valid(0, pick(2)), fresh("permitted"));
  const earlier = world.attempts.at(-1);
  if (earlier === undefined) return undefined;
  const { request, context } = earlier;
  const { requests } = contractFor(means.contract, context);
  const dispatch = context.dispatch ?? plain;
  switch (move) {
    case "ask the same":
      return submit(request, {
        ...context,
        callId: `c-${attempt}`,
        dispatch: { ...dispatch, sideEffects: "not_permitted" },
      });
    case "ask under its id":
      return submit(request, context);
    case "do another under its id":
      return submit(requests.rekeyed(request, 1), context);
    case "change its arguments":
      return submit(requests.changed(request, pick(2)), context);
    case "its id in another tenant":
      return submit(request, { ...context, tenant: "t2" });
    case "other tool under its id": {
      const other = dispatch.tool === "notify_oncall" ? "page_oncall" : "notify_oncall";
      return submit(request, { ...context, dispatch: { ...dispatch, tool: other } });
    }
  }
}

function isAsked(world: World): (attempt: Attempt) => boolean {
  return ({ context, place }) =>
    (place.kind === "ended" || place.kind === "lost") && requestsOf(world, context).length > 0;
}

function again(world: World, of: Attempt | undefined, faults: readonly Fault[] = []): Action | undefined {
  if (of === undefined) return undefined;
  return { kind: "retry", attempt: `a${world.attempts.length + 1}`, of: of.name, faults };
}

function spoilt(means: GuardedMeans, pick: Chooser): readonly Fault[] {
  const fault = means.spoilt[pick(Math.max(1, means.spoilt.length))];
  return fault === undefined ? [] : [fault];
}

/** The latest request that is not decided, or, to be denied, the latest at all. */
function openRequest(world: World, move: "grant" | "deny"): RequestRow | undefined {
  const { requests } = world.consent;
  if (move === "deny") return requests.at(-1);
  return (
    requests.findLast((request) => !isGranted(world, request) && latestRequest(world, request) === request) ??
    requests.at(-1)
  );
}

function decision(move: "grant" | "deny", world: World, row: RequestRow | undefined): Action | undefined {
  if (row === undefined) return undefined;
  const name: DecisionName = `d${world.decisionsMade + 1}`;
  const kind = move === "grant" ? "approve" : "deny";
  return { kind, decision: name, request: row.number, flaw: "none", pace: "at_once" };
}

function takeRight({ capabilities, attempts }: World, { tools }: GuardedMeans): Action | undefined {
  const facts = attempts.at(-1)?.facts;
  const resource = facts?.kind === "valid" ? facts.tool?.resource : undefined;
  const own = capabilities.find(
    (grant) => grant.tool === tools[0]?.name && grant.tenant === "t1" && grant.resource === resource,
  );
  return own === undefined ? undefined : { kind: "set_capability", capability: own, held: false };
}
