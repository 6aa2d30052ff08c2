import { guardedSql } from "../../guarded/sql.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, permitted, river, submit } from "./guarded-steps.js";

/** The mistake: two attempts of one call with different arguments both pass the check before either commits. */
export const bindsACallNotAgainInTheTransaction: GuardedBug = {
  name: "binds-a-call-not-again-in-the-transaction",
  says: "compares tool and arguments of a call at the check and not again at the commit",
  caughtBy: ["approve-once-executes-once"],
  witness: [
    submit("a1", "draft", river, permitted),
    submit("a2", "draft", { ...river, job: "JOB-002" }, { ...permitted, call: "c-a1" }),
    advance("a1"),
    advance("a2"),
  ],
  variant: {
    sql: { insertUse: guardedSql.insertUse.replace("INSERT INTO", "INSERT OR IGNORE INTO") },
    stages: () => ({
      mismatchAtCommit: () => undefined,
      useAtCommit: (passage, environment) => {
        const use = sound.useAtCommit(passage, environment);
        return use?.digest === passage.digest ? use : undefined;
      },
    }),
  },
};
