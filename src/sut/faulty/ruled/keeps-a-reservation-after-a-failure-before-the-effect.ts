import { ruledStages as sound } from "../../ruled/stages.js";
import { request, submit } from "../witness-steps.js";
import type { RuledBug } from "./ruled-bug.js";
import { once } from "./ruled-steps.js";

/** The mistake: only a call that went well settles what it reserved. */
export const keepsAReservationAfterAFailureBeforeTheEffect: RuledBug = {
  name: "keeps-a-reservation-after-a-failure-before-the-effect",
  says: "leaves the key reserved where it is proven that nothing happened",
  caughtBy: ["always-recoverable"],
  witness: [once, submit("a1", request.river, { kind: "throw_at", at: "after_reserve" })],
  variant: {
    stages: () => ({
      putSettled: (row, as, environment) => {
        if (as !== "removed") sound.putSettled(row, as, environment);
      },
    }),
  },
};
