import { asking, fail, goOn, type Passage, say, settle, type Turn } from "../passage.js";

/** Holds the request against the policy of this moment and remembers which one that was. */
export function check(passage: Passage): Turn {
  const { facts } = passage.attempt;
  const { policy } = passage.world;
  if (facts.kind === "invalid") return fail(passage, "unforeseen");
  // The policy is read before the checker is asked: without one there is nothing to ask.
  if (policy.kind === "missing") return settle(passage, "input_rejected", "missing_policy");
  return asking(passage, "check", () => {
    if (facts.weight > policy.maxCopies) return settle(passage, "input_rejected", "batch_limit");
    const allowed = say(passage, "input_allowed");
    const snapshot = { kind: "seen", revision: policy.revision } as const;
    return goOn({ ...allowed, attempt: { ...allowed.attempt, snapshot } });
  });
}
