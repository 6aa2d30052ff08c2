import type { Action, AttemptName, Event, Observation } from "../model/vocabulary.js";
import { type BrokenAt, holds, line, linesOf, type StoryLine } from "./story-lines.js";
import { actionWords, faultWords, plannedFaults } from "./words.js";

/** One action, or the epilogue, and all that came of it. */
export type StoryStep = {
  /** Index in the action list; its length for the epilogue. */
  readonly action: number;
  readonly title: string;
  readonly kind: "action" | "epilogue";
  readonly lane: AttemptName | undefined;
  /** What the action itself puts on its attempt's lane. */
  readonly mark: "begun" | "cancel" | "none";
  readonly lines: readonly StoryLine[];
  readonly failing: boolean;
};

/** The steps of an action list with what its history says of each; `failing` is the one in which the promise broke. */
export function storyOf(
  actions: readonly Action[],
  history: readonly Event[],
  broken: BrokenAt | undefined,
): readonly StoryStep[] {
  const byAction = eventsByAction(history);
  const steps: StoryStep[] = [];
  let before: Observation | undefined;
  for (let index = 0; index <= actions.length; index += 1) {
    const events = byAction.get(index) ?? [];
    const action = actions[index];
    if (events.length === 0) continue;
    const told = linesOf(events, before, broken);
    before = told.observation;
    const epilogue = action === undefined;
    steps.push({
      action: index,
      kind: epilogue ? "epilogue" : "action",
      title: epilogue ? epilogueTitle : actionWords(action),
      lane: epilogue ? undefined : laneOf(action),
      mark: stepMark(events),
      lines: epilogue ? untilBroken(told.lines) : [...planLines(action), ...told.lines.filter(isNews)],
      failing: holds(events, broken),
    });
  }
  return steps;
}

function eventsByAction(history: readonly Event[]): ReadonlyMap<number, readonly Event[]> {
  const groups = new Map<number, Event[]>();
  for (const event of history) {
    const group = groups.get(event.action);
    if (group === undefined) groups.set(event.action, [event]);
    else group.push(event);
  }
  return groups;
}

const epilogueTitle = "epilogue: faults are gone, everything is driven to its end";

/** The title of a step has said already that its attempt is submitted. */
function isNews({ mark }: StoryLine): boolean {
  return mark !== "begun";
}

/** How the epilogue goes on after the failure is of no interest; of an action all is told. */
function untilBroken(lines: readonly StoryLine[]): readonly StoryLine[] {
  const at = lines.findIndex(({ mark }) => mark === "broken");
  return at < 0 || at === lines.length - 1
    ? lines
    : [...lines.slice(0, at + 1), line("note", undefined, "and so on to its end")];
}

function stepMark(events: readonly Event[]): StoryStep["mark"] {
  if (events.some(({ kind }) => kind === "submitted")) return "begun";
  return events.some(({ kind }) => kind === "cancel_requested") ? "cancel" : "none";
}

function planLines(action: Action | undefined): readonly StoryLine[] {
  const faults = action === undefined ? [] : plannedFaults(action);
  if (action === undefined || faults.length === 0) return [];
  return [line("plan", laneOf(action), `planned faults: ${faults.map(faultWords).join(", ")}`)];
}

function laneOf(action: Action): AttemptName | undefined {
  if ("attempt" in action) return action.attempt;
  if (action.kind !== "crash") return undefined;
  if (action.where.kind === "at") return action.where.attempt;
  return action.where.kind === "entering" ? action.where.entry.attempt : undefined;
}
