import { validated } from "../../guarded/passage.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, note, submit } from "./guarded-steps.js";

/** The mistake: a class that is not on the list is taken for harmless. */
export const asksForWritesOnly: GuardedBug = {
  name: "asks-for-writes-only",
  says: "lets every call run that is not a write, so that an external call is made without anybody having been asked",
  caughtBy: ["approval-binds"],
  witness: [submit("a1", "notify_oncall", note), advance("a1")],
  variant: {
    stages: () => ({
      needsApproval: (passage, policy) =>
        validated(passage).tool.effect === "write" && sound.needsApproval(passage, policy),
    }),
  },
};
