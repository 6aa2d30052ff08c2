import type { StageEvent } from "../../model/vocabulary.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: the list is reused to save allocations, which is right only while attempts do not overlap. */
export const sharesOneEventsList: KnownBug = {
  name: "shares-one-events-list",
  says: "lets two attempts in flight write to one list of events",
  caughtBy: ["receipt-tells-truth"],
  witness: [submit("a1", request.river), submit("a2", request.otherKey)],
  variant: {
    stages: () => {
      const events: StageEvent[] = [];
      return {
        enter: (call) => {
          events.length = 0;
          return { ...sound.enter(call), events };
        },
      };
    },
  },
};
