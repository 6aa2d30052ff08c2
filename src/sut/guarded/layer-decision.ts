import type { GuardLayer, LayerResults } from "../../model/vocabulary.js";

/** What one layer answered, with a result of its own; only `allow` lets a call go on. */
export type LayerDecision = {
  readonly action: "allow" | "ask" | "escalate" | "block";
  readonly reason: string;
  readonly policyId: string;
  /** Ids of what decided; never a text out of the request. */
  readonly evidence: readonly string[];
  readonly correlationId: string;
};

/** The layers that were asked so far; the latest answer of each. */
export type Layers = Map<GuardLayer, LayerDecision>;

/** The answers as a receipt's reader compares them. */
export function resultsOf(layers: Layers): LayerResults {
  const action = (layer: GuardLayer) => layers.get(layer)?.action ?? "not_reached";
  return {
    schema: action("schema"),
    business: action("business"),
    capability: action("capability"),
    approval: action("approval"),
  };
}
