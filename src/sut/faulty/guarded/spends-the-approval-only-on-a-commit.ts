import { columnsOf } from "../../guarded/consent/rows.js";
import { callOf, validated } from "../../guarded/passage.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, decide, draftGranted, finish, retry, river, submit } from "./guarded-steps.js";

/** The mistake: a no before its release is still recorded, and then ignored. */
export const spendsTheApprovalOnlyOnACommit: GuardedBug = {
  name: "spends-the-approval-only-on-a-commit",
  says: "writes no use of a call that meets the effect of another whose approval was spent on it",
  caughtBy: ["denied-stays-denied"],
  witness: [
    ...draftGranted,
    retry("a2", "a1"),
    finish("a2"),
    submit("a3", "draft", river),
    advance("a3"),
    decide("approve", "d2", 2),
    retry("a4", "a3"),
    advance("a4"),
    decide("deny", "d3", 2),
    advance("a4"),
  ],
  variant: {
    stages: () => ({
      recordReuse: (passage, environment) => {
        const { tool, args } = validated(passage);
        const { tenant } = callOf(passage);
        const key = tool.key(args);
        const effect = columnsOf(environment.store.row("readEffect", { tenant, tool: tool.name, key }));
        const owner = { tenant, runId: String(effect("runId")), callId: String(effect("callId")) };
        if (environment.store.row("readRequests", owner) === undefined)
          sound.recordReuse(passage, environment);
      },
    }),
  },
};
