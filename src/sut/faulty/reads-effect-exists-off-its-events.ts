import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: what this attempt did is taken for what the store holds. */
export const readsEffectExistsOffItsEvents: KnownBug = {
  name: "reads-effect-exists-off-its-events",
  says: "reports effectExists from the attempt's own events instead of the store",
  caughtBy: ["receipt-tells-truth"],
  witness: [submit("a1", request.river), submit("a2", request.forest)],
  variant: {
    stages: () => ({
      receiptRow: (passage, status, code, environment) => {
        const { events } = passage;
        const wrote = events.includes("effect_committed") || events.includes("effect_reused");
        return { ...sound.receiptRow(passage, status, code, environment), effectExists: wrote ? 1 : 0 };
      },
    }),
  },
};
