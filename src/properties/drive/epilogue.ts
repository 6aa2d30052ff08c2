import type { AttemptName } from "../../model/vocabulary.js";
import { expire, finish, submit } from "./attempts.js";
import type { Scene, Track } from "./scene.js";
import { restart } from "./surroundings.js";

/** Faults off, executor up, every attempt driven to its end, then one more attempt of each intention. */
export async function driveEpilogue(scene: Scene): Promise<void> {
  scene.armed = [];
  await scene.budget.within("clearFaults", () => scene.port.clearFaults());
  scene.record({ kind: "epilogue" });
  if (scene.executor === "down") await restart(scene);
  // One that does not come up again has been recorded as such; there is nothing to drive.
  if (isStillDown(scene)) return;
  for (const [attempt, track] of scene.attempts) await driveToEnd(scene, attempt, track);
  await recover(scene);
}

function isStillDown({ executor }: Scene): boolean {
  return executor === "down";
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

/** The last valid request of each intention, tried once more: can it still end as it should? */
async function recover(scene: Scene): Promise<void> {
  const { attempts, contract } = scene;
  const latest = new Map<string, Track>();
  for (const track of attempts.values()) {
    const facts = contract.interpret(track.request);
    if (facts.kind === "valid") latest.set(`${track.context.tenant}\n${facts.key}`, track);
  }
  let next = Math.max(0, ...[...attempts.keys()].map((name) => Number(name.slice(1))));
  for (const { request, context } of latest.values()) {
    const attempt: AttemptName = `a${++next}`;
    await submit(scene, { attempt, request, context, faults: [] });
    const track = attempts.get(attempt);
    if (track !== undefined) await driveToEnd(scene, attempt, track);
  }
}
