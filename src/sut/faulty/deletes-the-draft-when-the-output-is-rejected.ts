import { Refusal } from "../ledger/refusals.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { removeEffect } from "./remove-effect.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: the check comes after the commit, and is still taken for a check that decides on the commit. */
export const deletesTheDraftWhenTheOutputIsRejected: KnownBug = {
  name: "deletes-the-draft-when-the-output-is-rejected",
  says: "deletes the committed draft when its output is rejected",
  caughtBy: ["commit-survives"],
  witness: [submit("a1", request.river, { kind: "bad_output" }), finish("a1")],
  variant: {
    stages: () => ({
      output: async (passage, value, environment) => {
        try {
          await sound.output(passage, value, environment);
        } catch (error) {
          if (error instanceof Refusal) removeEffect(environment.store, passage);
          throw error;
        }
      },
    }),
  },
};
