import type { Action, AttemptName, Context, Fault } from "../../model/vocabulary.js";
import { badOutputText } from "../../sut/fault-kinds.js";
import { arrive, type Done, isDown, movable, type Scene, type Track } from "./scene.js";

/** An executor that takes more moves than this to end one attempt is stuck. */
const mostMovesToEnd = 20;

export async function submit(
  scene: Scene,
  {
    attempt,
    request,
    context,
    faults,
  }: {
    readonly attempt: AttemptName;
    readonly request: string;
    readonly context: Context;
    readonly faults: readonly Fault[];
  },
): Promise<Done> {
  const { port, contract, attempts } = scene;
  if (scene.executor === "down") return scene.skip(isDown);
  if (attempts.has(attempt)) return scene.skip(`${attempt} was submitted before`);
  const track: Track = { request, context, state: "parked", cancel: "none", wasFaulted: faults.length > 0 };
  attempts.set(attempt, track);
  const delivery = `d-${attempt}`;
  const planted = faults.some(({ kind }) => kind === "bad_output") ? [badOutputText] : [];
  scene.record({
    kind: "submitted",
    ...{ attempt, delivery, request, context, faults },
    contract: contract.interpret(request),
    canaries: [...contract.canaries(request), ...planted],
  });
  const submission = { attempt, delivery, request, context, faults };
  await arrive(scene, attempt, track, await scene.budget.within("submit", () => port.submit(submission)));
  return "performed";
}

/** A new attempt after an earlier one: of the same call, or of a new call for the same intent. */
export async function submitAgain(
  scene: Scene,
  action: Extract<Action, { kind: "retry" | "retry_changed" | "resubmit_new_key" }>,
): Promise<Done> {
  const { attempt, of, faults } = action;
  const first = scene.attempts.get(of);
  if (first === undefined) return scene.skip(`${of} was never submitted`);
  const request = action.kind === "retry" ? first.request : action.request;
  const isNewCall = action.kind === "resubmit_new_key";
  const context = isNewCall ? { ...first.context, callId: `c-${attempt}` } : first.context;
  return submit(scene, { attempt, request, context, faults });
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
