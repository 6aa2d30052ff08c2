import { parseRequest } from "../../guarded/consent/rows.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, decide, note, retry, submit, ticketAsked } from "./guarded-steps.js";

/** The mistake: a grant is taken for an answer to whatever the run waits for. */
export const takesAGrantForWhateverWaits: GuardedBug = {
  name: "takes-a-grant-for-whatever-waits",
  says: "lets a waiting call through by a grant that was given to another",
  caughtBy: ["approval-binds"],
  witness: [
    ...ticketAsked,
    submit("a2", "notify_oncall", note),
    advance("a2"),
    decide("approve", "d1", 2),
    retry("a3", "a1"),
    advance("a3"),
  ],
  variant: {
    stages: () => ({
      requestFor: (passage, environment) => {
        const own = sound.requestFor(passage, environment);
        if (own === undefined || sound.isGranted(own, environment)) return own;
        const others = environment.store.rows("readAllRequests").map(parseRequest);
        return others.findLast((request) => sound.isGranted(request, environment)) ?? own;
      },
    }),
  },
};
