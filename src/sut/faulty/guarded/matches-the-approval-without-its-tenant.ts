import { parseRequest } from "../../guarded/consent/rows.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, submit, ticket, ticketGranted } from "./guarded-steps.js";

/** The mistake: run and call ids of two tenants may be the same. */
export const matchesTheApprovalWithoutItsTenant: GuardedBug = {
  name: "matches-the-approval-without-its-tenant",
  says: "looks for the grant of a call by run and call id, in whatever tenant",
  caughtBy: ["approval-binds"],
  witness: [
    ...ticketGranted,
    submit("a2", "create_ticket", ticket, { call: "c-a1", tenant: "t2" }),
    advance("a2"),
  ],
  variant: {
    stages: () => ({
      requestFor: (passage, environment) => {
        const { runId, callId } = passage.call.context;
        const alike = environment.store
          .rows("readAllRequests")
          .map(parseRequest)
          .filter((request) => request.runId === runId && request.callId === callId);
        return (
          alike.findLast((request) => sound.isGranted(request, environment)) ??
          sound.requestFor(passage, environment)
        );
      },
    }),
  },
};
