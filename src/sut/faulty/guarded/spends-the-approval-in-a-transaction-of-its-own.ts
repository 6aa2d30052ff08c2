import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, crashAt, decide, note, restart, retry, submit } from "./guarded-steps.js";

/** The mistake: a crash between the two commits leaves the approval unspent. */
export const spendsTheApprovalInATransactionOfItsOwn: GuardedBug = {
  name: "spends-the-approval-in-a-transaction-of-its-own",
  says: "writes the use of a call only after its effect was committed",
  caughtBy: ["approve-once-executes-once"],
  witness: [
    submit("a1", "notify_oncall", note),
    advance("a1"),
    decide("approve", "d1"),
    retry("a2", "a1"),
    crashAt("a2", "after_commit"),
    restart,
    retry("a3", "a1"),
    advance("a3"),
  ],
  variant: {
    stages: () => ({
      recordUse: () => {},
      commit: (passage, environment) => {
        sound.commit(passage, environment);
        const { store } = environment;
        store.run("begin");
        sound.recordUse(passage, environment);
        store.run("commit");
      },
      recordReuse: sound.recordUse,
    }),
  },
};
