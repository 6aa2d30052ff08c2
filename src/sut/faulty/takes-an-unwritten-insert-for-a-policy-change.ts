import { Refusal } from "../ledger/refusals.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: a conditional insert that changed no row is taken to have failed its condition; nobody looks. */
export const takesAnUnwrittenInsertForAPolicyChange: KnownBug = {
  name: "takes-an-unwritten-insert-for-a-policy-change",
  says: "takes an insert that wrote nothing for a change of the policy",
  caughtBy: ["matches-the-machine"],
  witness: [submit("a1", request.river, { kind: "effect_ignored" }), finish("a1")],
  variant: {
    stages: () => ({
      notWritten: () => new Refusal("policy_changed", "policy_changed"),
    }),
  },
};
