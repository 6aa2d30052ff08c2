import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { permitted, river, submit, takeCapability } from "./guarded-steps.js";

/** The mistake: every failure is taken for one that may pass. */
export const retriesARefusal: GuardedBug = {
  name: "retries-a-refusal",
  says: "tries a call again that was refused for want of a right",
  caughtBy: ["recovery-by-kind"],
  witness: [
    takeCapability("draft", "drafts"),
    submit("a1", "draft", river, permitted),
    { kind: "drive", attempt: "a2", of: "a1" },
  ],
  variant: {
    stages: () => ({
      drive: (call, environment) => {
        const { receipt } = environment.stages.driverFacts(call, environment);
        const isDenied = receipt.kind === "written" && receipt.status === "permission_denied";
        return isDenied ? "repeats" : sound.drive(call, environment);
      },
    }),
  },
};
