import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { retry, takeCapability, ticketGranted } from "./guarded-steps.js";

/** The mistake: a grant is taken to stand for every other layer. */
export const letsAGrantOutweighAMissingRight: GuardedBug = {
  name: "lets-a-grant-outweigh-a-missing-right",
  says: "goes on where one layer allows, although another refuses",
  caughtBy: ["layers-do-not-average"],
  witness: [...ticketGranted, takeCapability("create_ticket", "tickets"), retry("a2", "a1")],
  variant: {
    stages: () => ({
      passCapability: async (passage, environment) => {
        const request = environment.stages.requestFor(passage, environment);
        const isGranted = request !== undefined && environment.stages.isGranted(request, environment);
        if (!isGranted) await sound.passCapability(passage, environment);
      },
    }),
  },
};
