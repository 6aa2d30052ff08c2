import { parseUse } from "../../guarded/consent/rows.js";
import { callOf } from "../../guarded/passage.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, decide, note, submit } from "./guarded-steps.js";

/** The mistake: two tools that take the same arguments have one digest, and it alone is compared. */
export const matchesTheApprovalWithoutItsTool: GuardedBug = {
  name: "matches-the-approval-without-its-tool",
  says: "compares the arguments of a resumed call and not its tool",
  caughtBy: ["approval-binds"],
  witness: [
    submit("a1", "notify_oncall", note),
    advance("a1"),
    decide("approve", "d1"),
    submit("a2", "page_oncall", note, { call: "c-a1" }),
    advance("a2"),
  ],
  variant: {
    stages: () => ({
      mismatch: (passage, environment) => {
        const first = environment.store.row("readRequests", callOf(passage));
        const other = sound.mismatch(passage, environment);
        if (other !== "tool_mismatch" || first === undefined) return other;
        return parseUse(first).digest === passage.digest ? undefined : "digest_mismatch";
      },
    }),
  },
};
