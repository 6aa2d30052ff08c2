import { request, submit } from "../witness-steps.js";
import type { RuledBug } from "./ruled-bug.js";
import { changeRules, rule } from "./ruled-steps.js";

/** The mistake: a duplicate is looked for only where the conversation is about what the other rules are about. */
export const checksIdempotencyUnderACondition: RuledBug = {
  name: "checks-idempotency-under-a-condition",
  says: "looks for duplicates only in conversations in which a trigger word of some rule has been said",
  caughtBy: ["reservation-is-exclusive"],
  witness: [changeRules([rule("idempotent"), rule("forbid", "weather")]), submit("a1", request.river)],
  variant: {
    stages: () => ({
      guarding: (rules) => {
        const words = rules.flatMap(({ when }) => when.intentAny);
        return rules.map((one) => {
          const isConditional = one.when.intentAny.length > 0 || one.when.turnRange !== undefined;
          const isKeyed = one.then.some(({ kind }) => kind === "idempotent");
          return isKeyed && !isConditional ? { ...one, when: { ...one.when, intentAny: words } } : one;
        });
      },
    }),
  },
};
