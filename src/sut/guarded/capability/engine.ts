import type { Grant } from "../../../model/vocabulary.js";
import type { LayerDecision } from "../layer-decision.js";

/** Decides by the rows that were read in this very moment; see `decide`. */
export type CapabilityEngine = (
  asked: Grant,
  rows: readonly unknown[],
  correlationId: string,
) => LayerDecision;

let loading: Promise<CapabilityEngine> | undefined;

/** Questions that are remembered at most; each with everything that its answer depends on. */
const mostRemembered = 4096;

/** The engine with the standard policies, loaded once in a process, since that takes longer than a thousand calls. */
export function loadCapabilityEngine(): Promise<CapabilityEngine> {
  loading ??= load();
  return loading;
}

async function load(): Promise<CapabilityEngine> {
  const [{ decide }, { loadPolicies }, { standardPolicies }] = await Promise.all([
    import("./decide.js"),
    import("./load-policies.js"),
    import("./policies.js"),
  ]);
  const policies = loadPolicies(standardPolicies);
  const remembered = new Map<string, LayerDecision>();
  return (asked, rows, correlationId) => {
    const question = JSON.stringify([asked, rows]);
    const known = remembered.get(question);
    if (known !== undefined) return { ...known, correlationId };
    const decision = decide(policies, asked, rows, correlationId);
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(question, decision);
    return decision;
  };
}
