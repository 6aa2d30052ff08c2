import { callOf, type Passage } from "../../guarded/passage.js";
import { guardedSql } from "../../guarded/sql.js";
import { type Environment, type GuardedStages, guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, finish, permitted, river, submit } from "./guarded-steps.js";

function boundByRequest(passage: Passage, environment: Environment): ReturnType<GuardedStages["mismatch"]> {
  const isAsked = environment.store.row("readRequests", callOf(passage)) !== undefined;
  return isAsked ? sound.mismatch(passage, environment) : undefined;
}

/** The mistake: a call that ran without an approval is bound to nothing, and runs again with other arguments. */
export const bindsACallOnlyWhenAsked: GuardedBug = {
  name: "binds-a-call-only-when-asked",
  says: "binds a call to its arguments only where somebody was asked about it",
  caughtBy: ["approve-once-executes-once"],
  witness: [
    submit("a1", "draft", river, permitted),
    finish("a1"),
    submit("a2", "draft", { ...river, job: "JOB-002" }, { ...permitted, call: "c-a1" }),
    advance("a2"),
  ],
  variant: {
    // What the call was used for before is looked at nowhere.
    sql: { insertUse: guardedSql.insertUse.replace("INSERT INTO", "INSERT OR IGNORE INTO") },
    stages: () => ({ mismatch: boundByRequest, useOf: () => undefined }),
  },
};
