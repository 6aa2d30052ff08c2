import { contractFor } from "../../contract/tool.js";
import type { AttemptName, DecisionName, RequestRow } from "../../model/vocabulary.js";
import { isLeftToReconciling } from "../account/rules.js";
import { expire, finish, submit } from "./attempts.js";
import { decide, settle } from "./consent.js";
import { reconcile } from "./rules.js";
import type { Scene, Track } from "./scene.js";
import { restart } from "./surroundings.js";

/**
 * Faults off, executor up, every decision and attempt driven to its end, then one more attempt of each intention; where
 * that has to wait for an approval, it is granted and the attempt repeated.
 */
export async function driveEpilogue(scene: Scene): Promise<void> {
  scene.armed = [];
  await scene.budget.within("clearFaults", () => scene.port.clearFaults());
  scene.record({ kind: "epilogue" });
  if (scene.executor === "down") await restart(scene);
  // One that does not come up again has been recorded as such; there is nothing to drive.
  if (isStillDown(scene)) return;
  for (const [name, { state }] of scene.decisions) if (state === "held") await settle(scene, name);
  for (const [attempt, track] of scene.attempts) await driveToEnd(scene, attempt, track);
  if (needsReconciling(scene)) await reconcile(scene);
  for (const track of intentions(scene)) await recover(scene, track);
}

function isStillDown({ executor }: Scene): boolean {
  return executor === "down";
}

function needsReconciling({ latest, unsettled }: Scene): boolean {
  const rows = latest?.reservations ?? [];
  return rows.some(({ state, delivery }) => isLeftToReconciling(state, unsettled.has(delivery)));
}

async function driveToEnd(scene: Scene, attempt: AttemptName, track: Track): Promise<void> {
  try {
    if (track.state === "blocked") await expire(scene, attempt);
    if (track.state === "parked") await finish(scene, attempt);
  } catch (error) {
    // With faults gone and the store answering, an attempt that does not end has broken a promise, not the harness.
    track.state = "blocked";
    const on = error instanceof Error ? error.message : String(error);
    scene.record({ kind: "blocked", attempt, on });
    await scene.readStore(false);
  }
}

/** The last valid request of each intention: of each key, or of each call where calls are bound to their arguments. */
function intentions(scene: Scene): readonly Track[] {
  const { attempts, contract, port } = scene;
  const byCall = port.profile.abilities.includes("approvals");
  const latest = new Map<string, Track>();
  for (const track of attempts.values()) {
    const { context, request } = track;
    const facts = contractFor(contract, context).interpret(request);
    if (facts.kind === "invalid") continue;
    if (!byCall) latest.set(`${context.tenant}\n${facts.key}`, track);
    else if (fitsItsCall(scene, track, facts.digest)) latest.set(callText(context), track);
  }
  const stepOf = ({ context }: Track): number => context.dispatch?.step ?? 0;
  return [...latest.values()].sort((one, other) => stepOf(one) - stepOf(other));
}

/** Whether a request is what its call is bound to, as far as it is bound. */
function fitsItsCall({ latest }: Scene, { context }: Track, digest: string): boolean {
  const isIts = (row: { tenant: string; runId: string; callId: string }): boolean =>
    callText(row) === callText(context);
  const bound = latest?.consent?.requests.find(isIts) ?? latest?.consent?.uses.find(isIts);
  return bound === undefined || (bound.digest === digest && bound.tool === context.dispatch?.tool);
}

function callText({ tenant, runId, callId }: { tenant: string; runId: string; callId: string }): string {
  return `${tenant}\n${runId}\n${callId}`;
}

/** An attempt more than it takes to be asked again, granted, and let through. */
const mostAttempts = 4;

/** Tries a call once more: can it still end as it should? */
async function recover(scene: Scene, { request, context }: Track): Promise<void> {
  for (let tries = 0; tries < mostAttempts; tries++) {
    const next = 1 + Math.max(0, ...[...scene.attempts.keys()].map((name) => Number(name.slice(1))));
    const attempt: AttemptName = `a${next}`;
    await submit(scene, { attempt, request, context, faults: [] });
    const track = scene.attempts.get(attempt);
    if (track !== undefined) await driveToEnd(scene, attempt, track);
    if (track?.asks !== true || !(await isGranted(scene, context))) return;
  }
}

/** Grants the latest request of a call, as somebody entitled would; false if there is none to be granted. */
async function isGranted(scene: Scene, context: Track["context"]): Promise<boolean> {
  const consent = scene.latest?.consent;
  const request: RequestRow | undefined = consent?.requests.findLast(
    (row) => callText(row) === callText(context),
  );
  if (request === undefined) return false;
  const { number } = request;
  const isOpen = !consent?.decisions.some((row) => row.request === number);
  if (!isOpen) return true;
  const next = 1 + Math.max(0, ...[...scene.decisions.keys()].map((name) => Number(name.slice(1))));
  const decision: DecisionName = `d${next}`;
  await decide(scene, { kind: "approve", decision, request: number, flaw: "none", pace: "at_once" });
  return true;
}
