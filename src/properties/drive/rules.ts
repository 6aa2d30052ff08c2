import type { RuleFlaw, RuleSetting, TraceFlaw } from "../../model/vocabulary.js";
import type { RuledPort } from "../../sut/port.js";
import { type Done, isDown, type Scene } from "./scene.js";

const noRules = "the executor has no rules";

export async function say(scene: Scene, text: string): Promise<Done> {
  const ruled = ruledPort(scene);
  if (typeof ruled === "string") return scene.skip(ruled);
  await scene.budget.within("say", () => ruled.say(text));
  scene.record({ kind: "said", text });
  await scene.readStore(false);
  return "performed";
}

export async function changeRules(scene: Scene, to: RuleSetting, flaw: RuleFlaw): Promise<Done> {
  const ruled = ruledPort(scene);
  if (typeof ruled === "string") return scene.skip(ruled);
  const answer = await scene.budget.within("setRules", () => ruled.setRules(to, flaw));
  scene.record({ kind: "rules_set", to, flaw, answer });
  await scene.readStore(false);
  return "performed";
}

export async function reconcile(scene: Scene): Promise<Done> {
  const ruled = ruledPort(scene);
  if (typeof ruled === "string") return scene.skip(ruled);
  await scene.budget.within("reconcile", () => ruled.reconcile());
  scene.record({ kind: "reconciled" });
  await scene.readStore(false);
  return "performed";
}

export async function damageLedger(scene: Scene): Promise<Done> {
  const ruled = ruledPort(scene);
  if (typeof ruled === "string") return scene.skip(ruled);
  await scene.budget.within("damageLedger", () => ruled.damageLedger());
  scene.record({ kind: "ledger_damaged" });
  await scene.readStore(false);
  return "performed";
}

/** Both exits are asked about the same calls; what the gate says is evidence like everything else. */
export async function gate(scene: Scene, flaw: TraceFlaw): Promise<Done> {
  const ruled = ruledPort(scene);
  if (typeof ruled === "string") return scene.skip(ruled);
  const verdicts = await scene.budget.within("gate", () => ruled.gate(flaw));
  scene.record({ kind: "gated", flaw, verdicts });
  await scene.readStore(false);
  return "performed";
}

function ruledPort({ executor, port }: Scene): RuledPort | string {
  if (executor === "down") return isDown;
  return port.ruled ?? noRules;
}
