import type { Grant } from "../../../model/vocabulary.js";
import { readAnswer } from "../../ledger/guards.js";
import { Refusal } from "../../ledger/refusals.js";
import type { LayerDecision } from "../layer-decision.js";
import { note, type Passage, validated } from "../passage.js";
import type { Environment } from "../stages.js";

/** Refuses unless the engine allows it now; whatever is not readably `allow` is a refusal. */
export async function passCapability(passage: Passage, environment: Environment): Promise<void> {
  const { stages: step } = environment;
  const { hooks } = passage.call;
  const decision = await readAnswer(
    () => hooks.ask("capability", () => step.capability(passage, environment)),
    hooks.patience("capability"),
    isDecision,
    () => note(passage, "capability", "block", "no_verdict"),
  );
  follow(passage, decision);
}

/** Looked up once more in the transaction: a right that was taken since the check is gone. */
export function capabilityAtCommit(passage: Passage, environment: Environment): void {
  follow(passage, environment.stages.capability(passage, environment));
}

/** What the engine says of who acts, for which tenant, with which tool, on what; all of it from the context. */
export function capability(passage: Passage, { store, capabilities }: Environment): LayerDecision {
  const { tool, args } = validated(passage);
  const { principal, tenant } = passage.call.context;
  const asked = { principal, tenant, tool: tool.name, resource: tool.resource(args) };
  return capabilities(asked, store.rows("readCapabilities", { principal }), passage.call.delivery);
}

export function setCapability(capability: Grant, held: boolean, { store }: Environment): void {
  store.run("putCapability", { ...capability, held: held ? 1 : 0 });
}

/** A right that is missing can be asked for: that is a refusal which a human gets to see. */
function follow(passage: Passage, decision: LayerDecision): void {
  if (decision.action === "allow") {
    passage.layers.set("capability", decision);
    return;
  }
  const action = decision.reason === "no_verdict" ? "block" : "escalate";
  passage.layers.set("capability", { ...decision, action });
  throw new Refusal("permission_denied", "capability");
}

function isDecision(value: unknown): value is LayerDecision {
  return (
    typeof value === "object" &&
    value !== null &&
    "action" in value &&
    (value.action === "allow" || value.action === "block" || value.action === "escalate") &&
    "reason" in value &&
    typeof value.reason === "string"
  );
}
