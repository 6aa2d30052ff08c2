import { validated } from "../../guarded/passage.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, decide, note, retry, submit } from "./guarded-steps.js";

/** The mistake: the key that would hide a second execution is missing, and nothing takes its place. */
export const spendsNoApprovalOfAKeylessCall: GuardedBug = {
  name: "spends-no-approval-of-a-keyless-call",
  says: "writes no use of a call whose tool has no key, so that every resume executes again",
  caughtBy: ["approve-once-executes-once"],
  witness: [
    submit("a1", "notify_oncall", note),
    advance("a1"),
    decide("approve", "d1"),
    retry("a2", "a1"),
    advance("a2"),
    retry("a3", "a1"),
    advance("a3"),
  ],
  variant: {
    stages: () => ({
      recordUse: (passage, environment) => {
        const { tool, args } = validated(passage);
        if (tool.key(args) !== "") sound.recordUse(passage, environment);
      },
    }),
  },
};
