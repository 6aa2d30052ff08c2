import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { permitted, river, submit } from "./guarded-steps.js";

function fieldsOf(request: string): { readonly [name: string]: unknown } {
  try {
    const fields: unknown = JSON.parse(request);
    return typeof fields === "object" && fields !== null && !Array.isArray(fields) ? { ...fields } : {};
  } catch {
    return {};
  }
}

/** The mistake: fields that claim a role or a tenant are taken out and believed, instead of refused. */
export const takesTheRoleFromTheArguments: GuardedBug = {
  name: "takes-the-role-from-the-arguments",
  says: "reads who acts out of the request, and lets a request through for that",
  caughtBy: ["identity-from-context"],
  witness: [submit("a1", "draft", { ...river, user_role: "admin" }, permitted)],
  variant: {
    stages: () => ({
      validate: (passage, environment) => {
        const { user_role: _, tenant: __, ...request } = fieldsOf(passage.call.request);
        const call = { ...passage.call, request: JSON.stringify(request) };
        const own = { ...passage, call };
        const args = sound.validate(own, environment);
        passage.tool = own.tool;
        return args;
      },
    }),
  },
};
