import type { LayerAction, LayerResults } from "./vocabulary.js";
import type { Traveller, Verdict } from "./world.js";

/** What each layer came to in an attempt that ends like this; a layer that was not asked has no result. */
export function layerResults({ events, approved }: Traveller, verdict: Verdict): LayerResults {
  const { status, code } = verdict;
  const said = (event: Traveller["events"][number]): boolean => events.includes(event);
  const isSilent = status === "error" && code === "no_verdict";
  const schema: LayerAction = said("arguments_valid")
    ? "allow"
    : status === "input_rejected"
      ? "block"
      : "not_reached";
  const business: LayerAction = said("input_allowed")
    ? "allow"
    : said("arguments_valid")
      ? "block"
      : "not_reached";
  return {
    schema,
    business,
    capability: capabilityResult(),
    approval: approvalResult(),
  };

  function capabilityResult(): LayerAction {
    if (status === "permission_denied") return "escalate";
    if (said("capability_granted")) return "allow";
    return said("input_allowed") && isSilent ? "block" : "not_reached";
  }

  function approvalResult(): LayerAction {
    if (status === "approval_refused") return "block";
    if (status === "waiting_for_approval") return "ask";
    if (approved !== undefined) return "allow";
    if (!said("capability_granted")) return "not_reached";
    return isSilent || status === "policy_changed" ? "block" : "not_reached";
  }
}
