import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { finish, retryWith, ticketGranted } from "./guarded-steps.js";

/** The mistake: leave to do a thing is taken for leave to show all that comes of it. */
export const releasesTheHiddenPart: GuardedBug = {
  name: "releases-the-hidden-part",
  says: "releases the whole value of an approved call where a part of it ought to be hidden",
  caughtBy: ["checked-every-time"],
  witness: [
    ...ticketGranted,
    retryWith("a2", "a1", { kind: "spoilt_output", as: "personal", tries: 1 }),
    finish("a2"),
  ],
  variant: {
    stages: () => ({
      settleOutput: (passage, value, disposition) => {
        const shown = disposition.kind === "partial" && passage.matched !== undefined;
        return sound.settleOutput(passage, value, shown ? { ...disposition, value } : disposition);
      },
    }),
  },
};
