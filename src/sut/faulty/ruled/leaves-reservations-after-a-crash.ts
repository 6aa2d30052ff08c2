import type { Entry } from "../../../model/vocabulary.js";
import { ruledStages as sound } from "../../ruled/stages.js";
import { request } from "../witness-steps.js";
import type { RuledBug } from "./ruled-bug.js";
import { once } from "./ruled-steps.js";

const entry: Entry = {
  kind: "submit",
  attempt: "a1",
  request: request.river,
  context: { tenant: "t1", runId: "r1", callId: "c-a1", principal: "p1" },
  faults: [],
};

/** The mistake: whoever reserved a key is trusted to come back for it, also across a crash. */
export const leavesReservationsAfterACrash: RuledBug = {
  name: "leaves-reservations-after-a-crash",
  says: "settles no reservation of a process that is gone",
  caughtBy: ["always-recoverable"],
  witness: [once, { kind: "crash", where: { kind: "entering", entry, at: "after_reserve" } }],
  variant: {
    stages: () => {
      const begun = new Set<string>();
      return {
        enter: (call) => {
          begun.add(call.delivery);
          return sound.enter(call);
        },
        isReconciled: ({ delivery }) => begun.has(delivery),
      };
    },
  },
};
