import { decisionOn } from "../../model/decision.js";
import type { Action, Decision, DecisionName, Grant } from "../../model/vocabulary.js";
import type { DecisionProgress, GuardedPort } from "../../sut/port.js";
import { submitAgain } from "./attempts.js";
import { type Done, isDown, type Scene } from "./scene.js";

const noConsent = "the executor takes no decisions";

/** An approver decides on a request, by what the second observer reads of it. */
export async function decide(
  scene: Scene,
  action: Extract<Action, { kind: "approve" | "deny" | "revoke" }>,
): Promise<Done> {
  const guarded = guardedPort(scene);
  if (typeof guarded === "string") return scene.skip(guarded);
  if (scene.decisions.has(action.decision)) return scene.skip(`${action.decision} was made before`);
  const row = scene.latest?.consent?.requests.find(({ number }) => number === action.request);
  const decision = decisionOn(action, row ?? "none");
  scene.decisions.set(action.decision, { decision, state: "over" });
  const progress = await scene.budget.within("decide", () => guarded.decide(decision, action.pace));
  return answered(scene, decision, progress);
}

/** A held decision goes on to its answer. */
export async function settle(scene: Scene, name: DecisionName): Promise<Done> {
  const guarded = guardedPort(scene);
  if (typeof guarded === "string") return scene.skip(guarded);
  const track = scene.decisions.get(name);
  if (track?.state !== "held") return scene.skip(`${name} is not held`);
  const progress = await scene.budget.within("settle", () => guarded.settle(name));
  return answered(scene, track.decision, progress);
}

/** Records where a decision stands after it moved. */
export async function answered(scene: Scene, decision: Decision, progress: DecisionProgress): Promise<Done> {
  const track = scene.decisions.get(decision.decision);
  if (track !== undefined) track.state = progress.kind === "held" ? "held" : "over";
  scene.record(
    progress.kind === "held"
      ? { kind: "decision_held", ...decision }
      : { kind: "decided", ...decision, answer: progress.answer },
  );
  await scene.readStore(false);
  return "performed";
}

export async function advanceClock(scene: Scene, by: number): Promise<Done> {
  const guarded = guardedPort(scene);
  if (typeof guarded === "string") return scene.skip(guarded);
  scene.clock += by;
  const now = scene.clock;
  await scene.budget.within("setClock", () => guarded.setClock(now));
  scene.record({ kind: "clock_set", now });
  await scene.readStore(false);
  return "performed";
}

export async function setCapability(scene: Scene, capability: Grant, held: boolean): Promise<Done> {
  const guarded = guardedPort(scene);
  if (typeof guarded === "string") return scene.skip(guarded);
  await scene.budget.within("setCapability", () => guarded.setCapability(capability, held));
  scene.record({ kind: "capability_set", capability, held });
  await scene.readStore(false);
  return "performed";
}

export async function roundTrip(scene: Scene, tampered: boolean): Promise<Done> {
  const guarded = guardedPort(scene);
  if (typeof guarded === "string") return scene.skip(guarded);
  const answer = await scene.budget.within("roundTrip", () => guarded.roundTrip(tampered));
  scene.record({ kind: "round_tripped", tampered, answer });
  await scene.readStore(false);
  return "performed";
}

/** The executor's driver looks at an attempt that is over; if it repeats the call, that is a further attempt. */
export async function drive(
  scene: Scene,
  { attempt, of }: Extract<Action, { kind: "drive" }>,
): Promise<Done> {
  const guarded = guardedPort(scene);
  if (typeof guarded === "string") return scene.skip(guarded);
  const track = scene.attempts.get(of);
  if (track?.state !== "ended" && track?.state !== "lost") return scene.skip(`${of} is not over`);
  if (scene.attempts.has(attempt)) return scene.skip(`${attempt} was submitted before`);
  const answer = await scene.budget.within("drive", () => guarded.drive(of));
  scene.record({ kind: "driven", of, answer });
  if (answer === "repeats") return submitAgain(scene, { kind: "retry", attempt, of, faults: [] });
  await scene.readStore(false);
  return "performed";
}

function guardedPort({ port, executor }: Scene): GuardedPort | string {
  return executor === "down" ? isDown : (port.guarded ?? noConsent);
}
