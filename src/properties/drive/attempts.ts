import { contractFor } from "../../contract/tool.js";
import type { Action, AttemptName, Context, Fault } from "../../model/vocabulary.js";
import { plantedTexts } from "../../sut/fault-kinds.js";
import type { Submission } from "../../sut/port.js";
import { arrive, type Done, isDown, movable, type Scene, type Track } from "./scene.js";

/** An executor that takes more moves than this to end one attempt is stuck. */
const mostMovesToEnd = 20;

export async function submit(scene: Scene, entering: Entering): Promise<Done> {
  const { attempt } = entering;
  const entered = enter(scene, entering);
  if (entered.kind === "not") return scene.skip(entered.reason);
  const { track, submission } = entered;
  const progress = await scene.budget.within("submit", () => scene.port.submit(submission));
  await arrive(scene, attempt, track, progress);
  return "performed";
}

type Entering = {
  readonly attempt: AttemptName;
  readonly request: string;
  readonly context: Context;
  readonly faults: readonly Fault[];
};

/** Records a submission and begins to track its attempt; the port has yet to be told. */
export function enter(
  scene: Scene,
  { attempt, request, context, faults }: Entering,
):
  | { readonly kind: "entered"; readonly track: Track; readonly submission: Submission }
  | { readonly kind: "not"; readonly reason: string } {
  const { attempts } = scene;
  const contract = contractFor(scene.contract, context);
  if (scene.executor === "down") return { kind: "not", reason: isDown };
  if (attempts.has(attempt)) return { kind: "not", reason: `${attempt} was submitted before` };
  const track: Track = { request, context, state: "parked", cancel: "none", wasFaulted: faults.length > 0 };
  attempts.set(attempt, track);
  const submission = { attempt, delivery: `d-${attempt}`, request, context, faults };
  scene.record({
    kind: "submitted",
    ...submission,
    contract: contract.interpret(request),
    canaries: [...contract.canaries(request), ...faults.flatMap(plantedTexts)],
  });
  return { kind: "entered", track, submission };
}

/** A new attempt after an earlier one: of the same call, or of a new call for the same intent. */
export async function submitAgain(
  scene: Scene,
  action: Extract<Action, { kind: "retry" | "retry_changed" | "resubmit_new_key" }>,
): Promise<Done> {
  const submission = submitted(scene, action);
  return typeof submission === "string" ? scene.skip(submission) : submit(scene, submission);
}

/** What an action submits; why it cannot, if it names an attempt that there is not. */
export function submitted(
  scene: Scene,
  action: Extract<Action, { kind: "submit" | "retry" | "retry_changed" | "resubmit_new_key" }>,
): Entering | string {
  if (action.kind === "submit") return action;
  const { attempt, of, faults } = action;
  const first = scene.attempts.get(of);
  if (first === undefined) return `${of} was never submitted`;
  const request = action.kind === "retry" ? first.request : action.request;
  const isNewCall = action.kind === "resubmit_new_key";
  const context = isNewCall ? { ...first.context, callId: `c-${attempt}` } : first.context;
  return { attempt, request, context, faults };
}

export async function advance(scene: Scene, attempt: AttemptName): Promise<Done> {
  const track = movable(scene, attempt, "parked");
  if (typeof track === "string") return scene.skip(track);
  scene.record({ kind: "advanced", attempt });
  const { budget, port } = scene;
  await arrive(scene, attempt, track, await budget.within("advance", () => port.advance(attempt)));
  return "performed";
}

/** Advances until the attempt has ended or waits for something outside. */
export async function finish(scene: Scene, attempt: AttemptName): Promise<Done> {
  const first = await advance(scene, attempt);
  if (first === "skipped") return first;
  for (let moves = 1; scene.attempts.get(attempt)?.state === "parked"; moves++) {
    if (moves > mostMovesToEnd) throw new Error(`${attempt} has not ended after ${mostMovesToEnd} moves`);
    await advance(scene, attempt);
  }
  return "performed";
}

export async function cancel(scene: Scene, attempt: AttemptName): Promise<Done> {
  const track = scene.attempts.get(attempt);
  if (scene.executor === "down") return scene.skip(isDown);
  if (track === undefined) return scene.skip(`${attempt} was never submitted`);
  if (track.state === "ended" || track.state === "lost") return scene.skip(`${attempt} is ${track.state}`);
  if (track.cancel !== "none") return scene.skip(`${attempt} is being cancelled already`);
  track.cancel = "requested";
  scene.record({ kind: "cancel_requested", attempt });
  await scene.budget.within("cancel", () => scene.port.cancel(attempt));
  await scene.readStore(false);
  return "performed";
}

/** Ends the wait for a checker that does not answer. */
export async function expire(scene: Scene, attempt: AttemptName): Promise<Done> {
  const track = movable(scene, attempt, "blocked");
  if (typeof track === "string") return scene.skip(track);
  scene.record({ kind: "expired", attempt });
  const { budget, port } = scene;
  await arrive(scene, attempt, track, await budget.within("expire", () => port.expire(attempt)));
  return "performed";
}
