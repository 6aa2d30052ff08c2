import { request, submit } from "../witness-steps.js";
import type { RuledBug } from "./ruled-bug.js";
import { changeRules, rule } from "./ruled-steps.js";

/** The mistake: a closed list fails the build and stops nothing. */
export const ignoresTheAllowListAtRuntime: RuledBug = {
  name: "ignores-the-allow-list-at-runtime",
  says: "lets the guard pass calls of tools that a closed list does not name",
  caughtBy: ["gate-equals-guard"],
  witness: [changeRules([rule("allow_others")]), submit("a1", request.river)],
  variant: {
    stages: () => ({
      guarding: (rules) => rules.filter(({ then }) => !then.some(({ kind }) => kind === "allow_tool")),
    }),
  },
};
