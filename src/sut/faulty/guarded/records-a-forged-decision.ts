import { parseRequest } from "../../guarded/consent/rows.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { decide, ticketAsked } from "./guarded-steps.js";

/** The mistake: there is only one thing that can be meant, it believes. */
export const recordsAForgedDecision: GuardedBug = {
  name: "records-a-forged-decision",
  says: "takes a decision that names no request for one on the latest",
  caughtBy: ["decision-tells-truth", "approval-binds"],
  witness: [...ticketAsked, decide("approve", "d1", 1, "request")],
  variant: {
    stages: () => ({
      record: (decision, environment) => {
        const requests = environment.store.rows("readAllRequests").map(parseRequest);
        const named = requests.find(({ number }) => number === decision.request) ?? requests.at(-1);
        const request = named?.number ?? decision.request;
        return sound.record({ ...decision, request }, environment);
      },
    }),
  },
};
