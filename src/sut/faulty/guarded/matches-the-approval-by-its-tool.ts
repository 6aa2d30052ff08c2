import { parseRequest } from "../../guarded/consent/rows.js";
import { validated } from "../../guarded/passage.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, submit, ticket, ticketGranted } from "./guarded-steps.js";

/** The mistake: the record is found by the name of the tool alone. */
export const matchesTheApprovalByItsTool: GuardedBug = {
  name: "matches-the-approval-by-its-tool",
  says: "looks for any grant of the same tool, whatever call and arguments it was given for",
  caughtBy: ["approval-binds"],
  witness: [
    ...ticketGranted,
    submit("a2", "create_ticket", { ...ticket, incident: "INC-002" }),
    advance("a2"),
  ],
  variant: {
    stages: () => ({
      requestFor: (passage, environment) => {
        const { tool } = validated(passage);
        const alike = environment.store
          .rows("readAllRequests")
          .map(parseRequest)
          .filter((request) => request.tool === tool.name && request.tenant === passage.call.context.tenant);
        return (
          alike.findLast((request) => sound.isGranted(request, environment)) ??
          sound.requestFor(passage, environment)
        );
      },
    }),
  },
};
