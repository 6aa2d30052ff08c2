import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, changePolicy, crash, permitted, restart, river, submit } from "./guarded-steps.js";

/** The mistake: the requirement is kept beside the policy, in memory. */
export const losesTheGateAtRestart: GuardedBug = {
  name: "loses-the-gate-at-restart",
  says: "forgets at a restart that the policy asks for approvals",
  caughtBy: ["approval-binds"],
  witness: [changePolicy("required"), crash, restart, submit("a1", "draft", river, permitted), advance("a1")],
  variant: {
    stages: () => {
      let approval = "not_required";
      return {
        setPolicy: (setting, environment) => {
          sound.setPolicy(setting, environment);
          approval = setting.kind === "limit" ? (setting.approval ?? "not_required") : "not_required";
        },
        policy: (store) => {
          const policy = sound.policy(store);
          return policy === undefined ? undefined : { ...policy, approval };
        },
      };
    },
  },
};
