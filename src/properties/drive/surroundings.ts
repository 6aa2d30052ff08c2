import type { AttemptName, CrashWhere, DriverFault, PolicySetting } from "../../model/vocabulary.js";
import { sameDriverFault, stageOf } from "../../sut/fault-kinds.js";
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

/** A crash at a point that the attempt does not pass is a plain advance. */
export async function crash(scene: Scene, where: CrashWhere): Promise<Done> {
  if (scene.executor === "down") return scene.skip(isDown);
  const advancing = where.kind === "at" ? movable(scene, where.attempt, "parked") : undefined;
  if (typeof advancing === "string") return scene.skip(advancing);
  const [crashed, reports] = await scene.holdingReports(() =>
    scene.budget.within("crash", () => scene.port.crash(where)),
  );
  if (crashed.kind === "missed" && where.kind === "at" && advancing !== undefined) {
    scene.record({ kind: "advanced", attempt: where.attempt });
    for (const reported of reports) scene.record(reported);
    await arrive(scene, where.attempt, advancing, crashed.progress);
    return "performed";
  }
  for (const reported of reports) scene.record(reported);
  scene.executor = "down";
  scene.record({
    kind: "crashed",
    advancing:
      where.kind === "at" ? { kind: "attempt", attempt: where.attempt, at: where.at } : { kind: "idle" },
    lost: loseInFlight(scene),
  });
  await scene.readStore(true);
  return "performed";
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
