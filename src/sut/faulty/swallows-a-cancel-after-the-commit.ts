import { expectedOutput } from "../ledger/guards.js";
import { validated } from "../ledger/passage.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { advance, cancel, request, submit } from "./witness-steps.js";

/** The mistake: the work is done, so the abort that interrupts the rest is caught and success reported. */
export const swallowsACancelAfterTheCommit: KnownBug = {
  name: "swallows-a-cancel-after-the-commit",
  says: "swallows a cancel that arrives after the commit and returns accepted",
  caughtBy: ["cancel-is-not-success"],
  witness: [submit("a1", request.river), advance("a1"), cancel("a1")],
  variant: {
    stages: () => ({
      classify: (passage, error) => {
        const ending = sound.classify(passage, error);
        if (ending.kind === "finished" || !passage.events.includes("effect_committed")) return ending;
        const released = expectedOutput(validated(passage));
        return { kind: "finished", status: "accepted", code: "ok", released };
      },
    }),
  },
};
