import type { AttemptName, Event, Observation } from "../model/vocabulary.js";
import { type StoreChange, storeChanges } from "./store-changes.js";
import { eventWords, outcomeTone } from "./words.js";

/** What a mark on a timeline stands for. */
export type Mark =
  | "begun"
  | "plan"
  | "parked"
  | "blocked"
  | "fault"
  | "cancel"
  | "commit"
  | "receipt"
  | "policy"
  | "consent"
  | "ended_good"
  | "ended_refused"
  | "ended_bad"
  | "crash"
  | "note"
  | "wrong"
  | "broken";

/** Where a promise broke: the event that shows it. */
export type BrokenAt = { readonly promise: string; readonly position: number };

/** One line below a step. `lane`: whose line it is; without one it is the store's or everybody's. */
export type StoryLine = {
  readonly mark: Mark;
  readonly lane: AttemptName | undefined;
  readonly text: string;
  /** Lanes that end on this line. */
  readonly ends: readonly AttemptName[];
};

/** Events come in groups that end with a look at the store; what was written is told before where the attempt then stood. */
export function linesOf(
  events: readonly Event[],
  before: Observation | undefined,
  broken: BrokenAt | undefined,
): { lines: readonly StoryLine[]; observation: Observation | undefined } {
  const lines: StoryLine[] = [];
  let observation = before;
  let group: Event[] = [];
  for (const event of events) {
    group.push(event);
    if (event.kind !== "observed") continue;
    lines.push(...groupLines(group, observation, event.observation), ...brokenLine(group, broken));
    observation = event.observation;
    group = [];
  }
  return {
    lines: [...lines, ...groupLines(group, observation, undefined), ...brokenLine(group, broken)],
    observation,
  };
}

function brokenLine(group: readonly Event[], broken: BrokenAt | undefined): readonly StoryLine[] {
  if (broken === undefined || !holds(group, broken)) return [];
  return [line("broken", undefined, `✗ ${broken.promise} is broken here`)];
}

function groupLines(
  group: readonly Event[],
  before: Observation | undefined,
  after: Observation | undefined,
): readonly StoryLine[] {
  const mover = group.flatMap(moverOf).at(-1);
  const settles = group.findIndex(({ kind }) => settling.has(kind));
  const cut = settles < 0 ? group.length : settles;
  const release = group.flatMap((event) => (event.kind === "ended" ? [event.atRelease] : []))[0];
  const settled = release ?? after ?? before;
  const changes = settled === undefined ? [] : storeChanges(before, settled);
  const later = after === undefined ? [] : storeChanges(settled, after);
  const moved = group.slice(0, cut);
  const begun = moved.findIndex(({ kind }) => kind === "submitted") + 1;
  const onTheWay = moved.slice(begun);
  const behind = (write: Write) =>
    onTheWay.filter((event) => firesBehind(event) === write).flatMap(eventLines);
  const written = (kinds: readonly StoreChange["kind"][]) =>
    changes.filter(({ kind }) => kinds.includes(kind)).map(({ kind, text }) => changeLine(kind, mover, text));
  return [
    ...moved.slice(0, begun).flatMap(eventLines),
    ...written(["step_written"]),
    ...behind("nothing"),
    ...written(["request_written"]),
    ...behind("request"),
    ...written(["effect_written", "use_written", "reservation_written"]),
    ...behind("effect"),
    ...written(["receipt_written", "escalation_written", "decision_written", "policy_changed", "wrong"]),
    ...behind("receipt"),
    ...group.slice(cut).flatMap(eventLines),
    ...later.map(({ kind, text }) => changeLine(kind, mover, lateness(kind, release !== undefined) + text)),
  ];
}

type Write = "nothing" | "request" | "effect" | "receipt";

/** The write that had happened when a fault fired; the two are seen only together, at the next look at the store. */
function firesBehind(event: Event): Write {
  if (event.kind !== "fault_fired") return "nothing";
  if (event.at === "after_receipt") return "receipt";
  if (event.at === "after_request") return "request";
  return behindEffect.has(event.at) ? "effect" : "nothing";
}

const behindEffect: ReadonlySet<string> = new Set([
  "after_commit",
  "after_business",
  "output_check",
  "output",
  "before_receipt",
  "receipt",
]);

/** A row that was not there when the call settled; what else changed needs no such word. */
function lateness(kind: StoreChange["kind"], released: boolean): string {
  return released && kind !== "policy_changed" && kind !== "wrong" ? "only after the end: " : "";
}

const settling: ReadonlySet<Event["kind"]> = new Set([
  "cancel_too_late",
  "parked",
  "ended",
  "blocked",
  "decided",
  "crashed",
]);

function changeLine(kind: StoreChange["kind"], mover: AttemptName | undefined, text: string): StoryLine {
  switch (kind) {
    case "effect_written":
      return line("commit", mover, `COMMIT POINT  ${text}`);
    case "receipt_written":
      return line("receipt", mover, text);
    case "step_written":
    case "request_written":
    case "use_written":
    case "reservation_written":
    case "escalation_written":
    case "decision_written":
      return line("consent", mover, text);
    case "policy_changed":
      return line("policy", undefined, text);
    case "wrong":
      return line("wrong", mover, mover === undefined ? `✗ ${text}` : text);
  }
}

function moverOf(event: Event): readonly AttemptName[] {
  if (event.kind === "crashed") return event.advancing.kind === "attempt" ? [event.advancing.attempt] : [];
  return "attempt" in event ? [event.attempt] : [];
}

function eventLines(event: Event): readonly StoryLine[] {
  if (event.kind === "crashed") return [crashLine(event)];
  if (event.kind === "submitted") return [line("begun", event.attempt, `${event.attempt} is submitted`)];
  const text = eventWords(event);
  if (text === undefined) return [];
  const lane = "attempt" in event ? event.attempt : undefined;
  return [{ mark: markOf(event), lane, text, ends: event.kind === "ended" ? [event.attempt] : [] }];
}

function crashLine(event: Event & { kind: "crashed" }): StoryLine {
  const { advancing, lost, lostDecisions = [] } = event;
  const where = advancing.kind === "idle" ? "" : `${killedAt(advancing)}; `;
  const nobody = lost.length + lostDecisions.length === 0;
  const attempts = lost.length === 0 ? "" : `, lost: ${lost.join(", ")}`;
  const decisions = lostDecisions.length === 0 ? "" : `, never answered: ${lostDecisions.join(", ")}`;
  const what = nobody ? ", nothing was in flight" : `${attempts}${decisions}`;
  const lane = advancing.kind === "attempt" ? advancing.attempt : undefined;
  return { mark: "crash", lane, text: `${where}the executor is down${what}`, ends: lost };
}

type Advancing = Extract<Event, { kind: "crashed" }>["advancing"];

/** On the way of a decision nobody's lane is there to show whose it was. */
function killedAt(advancing: Exclude<Advancing, { kind: "idle" }>): string {
  return advancing.kind === "attempt"
    ? `killed at ${advancing.at}`
    : `${advancing.decision} is killed at ${advancing.at}`;
}

function markOf(event: Event): Mark {
  switch (event.kind) {
    case "parked":
    case "blocked":
      return event.kind;
    case "fault_fired":
      return "fault";
    case "cancel_requested":
    case "cancel_delivered":
    case "cancel_too_late":
      return "cancel";
    case "ended":
      return `ended_${outcomeTone(event.outcome)}`;
    case "late":
      return "wrong";
    case "restarted":
      return event.result === "up" ? "note" : "wrong";
    default:
      return "note";
  }
}

/** Whether these events are those in which the promise broke. */
export function holds(events: readonly Event[], broken: BrokenAt | undefined): boolean {
  return broken !== undefined && events.some(({ position }) => position === broken.position);
}

export function line(mark: Mark, lane: AttemptName | undefined, text: string): StoryLine {
  return { mark, lane, text, ends: [] };
}
