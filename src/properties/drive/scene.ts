import { contractFor, type ToolContract } from "../../contract/tool.js";
import type {
  AttemptName,
  Context,
  Decision,
  DecisionName,
  DriverFault,
  Event,
  Happening,
  Json,
  Observation,
  Outcome,
} from "../../model/vocabulary.js";
import type { Port, Progress } from "../../sut/port.js";
import { asksSomebody } from "../account/outcomes.js";
import type { Budget } from "../budget.js";

/** What became of an action: carried out, or not applicable where the executor stands. */
export type Done = "performed" | "skipped";

/** An attempt as the harness knows it. */
export type Track = {
  readonly request: string;
  readonly context: Context;
  state: "parked" | "blocked" | "ended" | "lost";
  cancel: "none" | "requested" | "delivered";
  /** It ended because somebody has to be asked first. */
  asks?: boolean;
  /** A fault was planned for it or fired at it, so that it may have left a transaction open. */
  wasFaulted: boolean;
};

/** One run under way: where its attempts stand and what has been recorded. */
export type Scene = {
  readonly port: Port;
  readonly contract: ToolContract;
  readonly budget: Budget;
  readonly attempts: Map<AttemptName, Track>;
  armed: readonly DriverFault[];
  executor: "up" | "down";
  /** Decisions that were made, and those of them that are held. */
  readonly decisions: Map<DecisionName, { readonly decision: Decision; state: "held" | "over" }>;
  /** Of the harness. */
  clock: number;
  /** Deliveries of attempts that an error struck right before their reservation was settled. */
  readonly unsettled: Set<string>;
  /** What the second observer read last. */
  latest: Observation | undefined;
  readonly record: (happening: Happening) => void;
  readonly skip: (reason: string) => Done;
  /** Records what the second observer reads now. */
  readonly readStore: (probeLock: boolean) => Promise<void>;
  /** Records what the port reports while `move` goes on, only once it is known how the move ended. */
  readonly holdingReports: <Answer>(
    move: () => Promise<Answer>,
  ) => Promise<readonly [Answer, readonly Happening[]]>;
};

export function createScene(
  { port, contract, budget }: Pick<Scene, "port" | "contract" | "budget">,
  append: (happening: Happening) => void,
): Scene & { readonly report: (happening: Happening) => void } {
  const attempts = new Map<AttemptName, Track>();
  let held: Happening[] | undefined;
  const note = (attempt: AttemptName, change: (track: Track) => void): void => {
    const track = attempts.get(attempt);
    if (track !== undefined) change(track);
  };
  const scene: Scene & { readonly report: (happening: Happening) => void } = {
    port,
    contract,
    budget,
    attempts,
    armed: [],
    executor: "up",
    decisions: new Map(),
    clock: 0,
    unsettled: new Set(),
    latest: undefined,
    record: append,
    skip: (reason) => {
      append({ kind: "skipped", reason });
      return "skipped";
    },
    readStore: async (probeLock) => {
      const reading = port.observe({ probeLock });
      const observation =
        reading instanceof Promise ? await budget.within("observe", () => reading) : reading;
      scene.latest = observation;
      append({ kind: "observed", observation });
    },
    holdingReports: async (move) => {
      const reports: Happening[] = [];
      held = reports;
      try {
        return [await move(), reports];
      } finally {
        held = undefined;
      }
    },
    report: (happening) => {
      if (happening.kind === "cancel_delivered") {
        note(happening.attempt, (track) => {
          track.cancel = "delivered";
        });
      }
      if (happening.kind === "fault_fired") {
        note(happening.attempt, (track) => {
          track.wasFaulted = true;
        });
        if (happening.at === "before_settle") scene.unsettled.add(`d-${happening.attempt}`);
      }
      if (held === undefined) append(happening);
      else held.push(happening);
    },
  };
  return scene;
}

/** Records where an attempt stands after a move, and what the store holds then. */
export async function arrive(
  scene: Scene,
  attempt: AttemptName,
  track: Track,
  progress: Progress,
): Promise<void> {
  switch (progress.kind) {
    case "parked":
      track.state = "parked";
      scene.record({ kind: "parked", attempt, at: progress.at, snapshotRevision: progress.snapshotRevision });
      return scene.readStore(false);
    case "blocked":
      track.state = "blocked";
      scene.record({ kind: "blocked", attempt, on: progress.on });
      return scene.readStore(false);
    case "returned": {
      track.state = "ended";
      if (track.cancel === "requested") scene.record({ kind: "cancel_too_late", attempt });
      const { outcome, atRelease } = progress;
      track.asks = outcome.kind === "completed" && asksSomebody(outcome);
      const releasedIs = judgeReleased(contractFor(scene.contract, track.context), outcome, track.request);
      scene.record({ kind: "ended", attempt, outcome, releasedIs, atRelease });
      return scene.readStore(track.wasFaulted || endedBadly(outcome));
    }
  }
}

function judgeReleased(
  contract: ToolContract,
  outcome: Outcome,
  request: string,
): Extract<Event, { kind: "ended" }>["releasedIs"] {
  if (outcome.kind !== "completed" || outcome.released.kind === "nothing") return "nothing";
  const { value } = outcome.released;
  return isAcceptable(contract, outcome, value, request) ? "acceptable" : "unacceptable";
}

/** A reduced value and a question are held against what the tool says of these. */
function isAcceptable(
  contract: ToolContract,
  { status, code }: Extract<Outcome, { kind: "completed" }>,
  value: Json,
  request: string,
): boolean {
  if (status === "clarification_needed") return contract.acceptsQuestion?.(value) === true;
  if (status === "accepted" && code === "partial") return contract.acceptsPart?.(value, request) === true;
  return contract.accepts(value, request);
}

/** Where a lock that stayed behind is to be looked for. */
function endedBadly(outcome: Outcome): boolean {
  return outcome.kind !== "completed" || outcome.status === "error";
}

/** The attempt, if it stands so that it can move; otherwise why it cannot. */
export function movable(scene: Scene, attempt: AttemptName, state: "parked" | "blocked"): Track | string {
  if (scene.executor === "down") return isDown;
  const track = scene.attempts.get(attempt);
  if (track === undefined) return `${attempt} was never submitted`;
  return track.state === state ? track : `${attempt} is ${track.state}`;
}

export const isDown = "the executor is down";
