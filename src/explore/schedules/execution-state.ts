import type { AttemptName, Event, Observation } from "../../model/vocabulary.js";

/** How far an attempt has come. */
export type Standing = "not_begun" | "parked" | "blocked" | "over";

/** Where an execution stands, by what its history says. */
export type ExecutionState = {
  /** Takes what is new, and answers as text what of it the step itself showed. */
  readonly take: (fresh: readonly Event[]) => string;
  readonly standingOf: (attempt: AttemptName) => Standing;
  readonly executor: () => "up" | "down";
  /** The state as text: the store, and of each attempt where it stands and what it has shown. */
  readonly text: () => string;
};

export function executionState(): ExecutionState {
  const standings = new Map<AttemptName, Standing>();
  const told = new Map<AttemptName, string[]>();
  let executor: "up" | "down" = "up";
  let observation: Observation | undefined;
  return {
    take: (fresh) => {
      const seen: string[] = [];
      for (const event of fresh) {
        if (event.kind === "observed") {
          observation = event.observation;
          continue;
        }
        if (event.kind === "restarted") executor = event.result === "up" ? "up" : "down";
        if (event.kind === "crashed") executor = "down";
        const text = toldAlone(event);
        seen.push(text);
        if ("attempt" in event) listOf(told, event.attempt).push(text);
        standAs(standings, event);
      }
      return seen.join("\n");
    },
    standingOf: (attempt) => standings.get(attempt) ?? "not_begun",
    executor: () => executor,
    text: () => {
      // The harness looks for a lock only where one may have stayed behind; that it looked is no part of the state.
      const writeLock = observation?.writeLock === "held" ? "held" : "free";
      // An attempt says nothing of a crash that took it: its standing does.
      const attempts = [...told]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([attempt, texts]) => [attempt, standings.get(attempt), texts]);
      return JSON.stringify([executor, { ...observation, writeLock }, attempts]);
    },
  };
}

function listOf(lists: Map<AttemptName, string[]>, attempt: AttemptName): string[] {
  const known = lists.get(attempt);
  if (known !== undefined) return known;
  const fresh: string[] = [];
  lists.set(attempt, fresh);
  return fresh;
}

function standAs(standings: Map<AttemptName, Standing>, event: Event): void {
  switch (event.kind) {
    case "parked":
    case "blocked":
      standings.set(event.attempt, event.kind);
      break;
    case "ended":
      standings.set(event.attempt, "over");
      break;
    case "crashed":
      for (const attempt of event.lost) standings.set(attempt, "over");
      break;
    default:
  }
}

/** What an event says of its own step: not when it happened, nor what the store holds of others by then. */
function toldAlone(event: Event): string {
  const { position: _, action: __, ...told } = event;
  return JSON.stringify(told.kind === "ended" ? { ...told, atRelease: "left out" } : told);
}
