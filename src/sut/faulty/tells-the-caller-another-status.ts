import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: the interface knows success and error alone, so every refusal is folded into an error. */
export const tellsTheCallerAnotherStatus: KnownBug = {
  name: "tells-the-caller-another-status",
  says: "tells the caller error where the receipt names a refusal",
  caughtBy: ["outcome-tells-truth"],
  witness: [submit("a1", request.tooMany)],
  variant: {
    stages: () => ({
      conclude: async (passage, ending, environment) => {
        const result = await sound.conclude(passage, ending, environment);
        return result.status === "accepted" ? result : { ...result, status: "error" };
      },
    }),
  },
};
