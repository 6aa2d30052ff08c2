import { finished } from "../ledger/passage.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: a lock that could not be had is taken to prove that someone is changing the policy. */
export const reportsBusyAsAPolicyChange: KnownBug = {
  name: "reports-busy-as-a-policy-change",
  says: "reports a store that is busy as a policy that was changed",
  caughtBy: ["matches-the-machine"],
  witness: [submit("a1", request.river, { kind: "busy", stage: "execute" }), finish("a1")],
  variant: {
    stages: () => ({
      classify: (passage, error) => {
        const ending = sound.classify(passage, error);
        const isBusy = ending.kind === "finished" && ending.code === "busy";
        return isBusy ? finished("policy_changed", "policy_changed") : ending;
      },
    }),
  },
};
