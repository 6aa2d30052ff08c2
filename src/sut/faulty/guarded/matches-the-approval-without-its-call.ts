import { parseRequest } from "../../guarded/consent/rows.js";
import { validated } from "../../guarded/passage.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, submit, ticket, ticketGranted } from "./guarded-steps.js";

/** The mistake: whoever asks for the same thing again is let through by the grant of another. */
export const matchesTheApprovalWithoutItsCall: GuardedBug = {
  name: "matches-the-approval-without-its-call",
  says: "looks for a grant of the same tool and arguments, whichever call it was given for",
  caughtBy: ["approval-binds"],
  witness: [...ticketGranted, submit("a2", "create_ticket", ticket), advance("a2")],
  variant: {
    stages: () => ({
      requestFor: (passage, environment) => {
        const { tool } = validated(passage);
        const alike = environment.store
          .rows("readAllRequests")
          .map(parseRequest)
          .filter(
            ({ tool: name, digest, tenant }) =>
              name === tool.name && digest === passage.digest && tenant === passage.call.context.tenant,
          );
        return (
          alike.findLast((request) => sound.isGranted(request, environment)) ??
          sound.requestFor(passage, environment)
        );
      },
    }),
  },
};
