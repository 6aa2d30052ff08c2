import type {
  AttemptName,
  CrashWhere,
  DecisionName,
  DriverFault,
  Happening,
  PolicySetting,
} from "../../model/vocabulary.js";
import { sameDriverFault, stageOf } from "../../sut/fault-kinds.js";
import type { Crashed } from "../../sut/port.js";
import { enter, submitted } from "./attempts.js";
import { answered } from "./consent.js";
import { arrive, type Done, isDown, movable, type Scene } from "./scene.js";

export async function changePolicy(scene: Scene, to: PolicySetting): Promise<Done> {
  if (scene.executor === "down") return scene.skip(isDown);
  await scene.budget.within("setPolicy", () => scene.port.setPolicy(to));
  scene.record({ kind: "policy_set", setting: to });
  await scene.readStore(false);
  return "performed";
}

export async function arm(scene: Scene, fault: DriverFault): Promise<Done> {
  if (scene.executor === "down") return scene.skip(isDown);
  if (scene.armed.some((other) => stageOf(other) === stageOf(fault))) {
    return scene.skip(`a fault of ${stageOf(fault)} is armed already`);
  }
  scene.armed = [...scene.armed, fault];
  await scene.budget.within("arm", () => scene.port.arm(fault));
  scene.record({ kind: "armed", fault });
  await scene.readStore(false);
  return "performed";
}

export async function disarm(scene: Scene, fault: DriverFault): Promise<Done> {
  const left = scene.armed.filter((other) => !sameDriverFault(other, fault));
  if (scene.executor === "down") return scene.skip(isDown);
  if (left.length === scene.armed.length) return scene.skip(`${fault.kind} is not armed`);
  scene.armed = left;
  await scene.budget.within("disarm", () => scene.port.disarm(fault));
  scene.record({ kind: "disarmed", fault });
  await scene.readStore(false);
  return "performed";
}

/** A crash at a point that is not passed is a plain move. */
export async function crash(scene: Scene, where: CrashWhere): Promise<Done> {
  if (scene.executor === "down") return scene.skip(isDown);
  switch (where.kind) {
    case "parked": {
      const [, reports] = await crashed(scene, () => scene.port.crash(where));
      return fall(scene, reports, { kind: "idle" });
    }
    case "at":
      return crashAdvancing(scene, where);
    case "entering":
      return crashEntering(scene, where);
    case "deciding":
      return crashDeciding(scene, where);
  }
}

type Advancing = Extract<Happening, { kind: "crashed" }>["advancing"];
type Where<Kind extends CrashWhere["kind"]> = Extract<CrashWhere, { kind: Kind }>;

function crashed(
  scene: Scene,
  strike: () => Promise<Crashed>,
): Promise<readonly [Crashed, readonly Happening[]]> {
  return scene.holdingReports(() => scene.budget.within("crash", strike));
}

async function crashAdvancing(scene: Scene, where: Where<"at">): Promise<Done> {
  const { attempt, at } = where;
  const track = movable(scene, attempt, "parked");
  if (typeof track === "string") return scene.skip(track);
  const [struck, reports] = await crashed(scene, () => scene.port.crash(where));
  if (struck.kind !== "missed") return fall(scene, reports, { kind: "attempt", attempt, at });
  scene.record({ kind: "advanced", attempt });
  for (const reported of reports) scene.record(reported);
  await arrive(scene, attempt, track, struck.progress);
  return "performed";
}

async function crashEntering(scene: Scene, { entry, at }: Where<"entering">): Promise<Done> {
  const submission = submitted(scene, entry);
  if (typeof submission === "string") return scene.skip(submission);
  const entered = enter(scene, submission);
  if (entered.kind === "not") return scene.skip(entered.reason);
  const { attempt } = entry;
  const [struck, reports] = await crashed(scene, () =>
    scene.port.crash({ kind: "entering", submission: entered.submission, at }),
  );
  if (struck.kind !== "missed") return fall(scene, reports, { kind: "attempt", attempt, at });
  for (const reported of reports) scene.record(reported);
  await arrive(scene, attempt, entered.track, struck.progress);
  return "performed";
}

async function crashDeciding(scene: Scene, { decision, at }: Where<"deciding">): Promise<Done> {
  const track = scene.decisions.get(decision);
  if (track?.state !== "held") return scene.skip(`${decision} is not held`);
  const [struck, reports] = await crashed(scene, () => scene.port.crash({ kind: "deciding", decision, at }));
  if (struck.kind === "missed_deciding") return answered(scene, track.decision, struck.progress);
  return fall(scene, reports, { kind: "decision", decision, at });
}

/** Records that the executor is down, and what it took along. */
async function fall(scene: Scene, reports: readonly Happening[], advancing: Advancing): Promise<Done> {
  for (const reported of reports) scene.record(reported);
  scene.executor = "down";
  const lostDecisions = loseHeld(scene);
  const lost = loseInFlight(scene);
  scene.record({
    kind: "crashed",
    advancing,
    lost,
    ...(lostDecisions.length === 0 ? {} : { lostDecisions }),
  });
  await scene.readStore(true);
  return "performed";
}

function loseHeld({ decisions }: Scene): readonly DecisionName[] {
  const held = [...decisions].filter(([, { state }]) => state === "held");
  for (const [, track] of held) track.state = "over";
  return held.map(([name]) => name);
}

function loseInFlight({ attempts }: Scene): readonly AttemptName[] {
  const lost = [...attempts].filter(([, { state }]) => state === "parked" || state === "blocked");
  for (const [, track] of lost) track.state = "lost";
  return lost.map(([name]) => name);
}

export async function restart(scene: Scene): Promise<Done> {
  if (scene.executor === "up") return scene.skip("the executor is up");
  const result = await scene.budget.within("restart", () => scene.port.restart());
  scene.executor = result === "up" ? "up" : "down";
  scene.record({ kind: "restarted", result });
  await scene.readStore(true);
  return "performed";
}
