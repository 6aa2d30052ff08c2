import { ruledStages as sound } from "../../ruled/stages.js";
import { finish, request, submit } from "../witness-steps.js";
import type { RuledBug } from "./ruled-bug.js";
import { once } from "./ruled-steps.js";

/** The mistake: an error is taken to prove that nothing happened. */
export const releasesAReservationAfterAFailureAfterTheEffect: RuledBug = {
  name: "releases-a-reservation-after-a-failure-after-the-effect",
  says: "gives the key back after every error, also one that came after the commit",
  caughtBy: ["reservation-is-exclusive"],
  witness: [once, submit("a1", request.river, { kind: "throw_at", at: "after_commit" }), finish("a1")],
  variant: {
    stages: () => ({
      settledAs: (passage, execution) => {
        const as = sound.settledAs(passage, execution);
        return as === "unknown" ? "removed" : as;
      },
    }),
  },
};
