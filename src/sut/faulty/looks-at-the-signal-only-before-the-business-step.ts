import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { advance, cancel, request, submit } from "./witness-steps.js";

/** The mistake: the signal is asked once, before the expensive step; later stops are waits and nothing else. */
export const looksAtTheSignalOnlyBeforeTheBusinessStep: KnownBug = {
  name: "looks-at-the-signal-only-before-the-business-step",
  says: "looks at the abort signal before the business step and never again",
  caughtBy: ["cancel-is-not-success", "matches-the-machine"],
  witness: [submit("a1", request.river), advance("a1"), cancel("a1")],
  variant: {
    stages: () => ({
      stop: async (passage, at, environment) => {
        if (at === "before_business") return sound.stop(passage, at, environment);
        passage.place = at;
        await passage.call.hooks.checkpoint(at);
      },
    }),
  },
};
