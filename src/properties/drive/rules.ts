import type { Happening, RuleFlaw, RuleSetting, TraceFlaw } from "../../model/vocabulary.js";
import type { RuledPort } from "../../sut/port.js";
import { type Done, isDown, type Scene } from "./scene.js";

export function say(scene: Scene, text: string): Promise<Done> {
  return ruledMove(scene, "say", async (ruled) => {
    await ruled.say(text);
    return { kind: "said", text };
  });
}

export function changeRules(scene: Scene, to: RuleSetting, flaw: RuleFlaw): Promise<Done> {
  return ruledMove(scene, "setRules", async (ruled) => {
    const answer = await ruled.setRules(to, flaw);
    return { kind: "rules_set", to, flaw, answer };
  });
}

export function reconcile(scene: Scene): Promise<Done> {
  return ruledMove(scene, "reconcile", async (ruled) => {
    await ruled.reconcile();
    return { kind: "reconciled" };
  });
}

export function damageLedger(scene: Scene): Promise<Done> {
  return ruledMove(scene, "damageLedger", async (ruled) => {
    await ruled.damageLedger();
    return { kind: "ledger_damaged" };
  });
}

/** Both exits are asked about the same calls; what the gate says is evidence like everything else. */
export function gate(scene: Scene, flaw: TraceFlaw): Promise<Done> {
  return ruledMove(scene, "gate", async (ruled) => {
    const verdicts = await ruled.gate(flaw);
    return { kind: "gated", flaw, verdicts };
  });
}

/** Records what a move came to, and what the store holds then. */
async function ruledMove(
  scene: Scene,
  name: keyof RuledPort,
  move: (ruled: RuledPort) => Promise<Happening>,
): Promise<Done> {
  const { ruled } = scene.port;
  if (scene.executor === "down") return scene.skip(isDown);
  if (ruled === undefined) return scene.skip("the executor has no rules");
  scene.record(await scene.budget.within(name, () => move(ruled)));
  await scene.readStore(false);
  return "performed";
}
