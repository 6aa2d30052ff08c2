import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { removeEffect } from "./remove-effect.js";
import { advance, cancel, request, submit } from "./witness-steps.js";

/** The mistake: a cancelled call shall leave nothing, so what it has committed is taken back. */
export const deletesTheDraftWhenCancelledAfterTheCommit: KnownBug = {
  name: "deletes-the-draft-when-cancelled-after-the-commit",
  says: "deletes the committed draft when the attempt is cancelled after the commit",
  caughtBy: ["commit-survives"],
  witness: [submit("a1", request.river), advance("a1"), cancel("a1")],
  variant: {
    stages: () => ({
      conclude: (passage, ending, environment) => {
        const committed = passage.events.includes("effect_committed");
        if (ending.kind === "cancelled" && committed) removeEffect(environment.store, passage);
        return sound.conclude(passage, ending, environment);
      },
    }),
  },
};
