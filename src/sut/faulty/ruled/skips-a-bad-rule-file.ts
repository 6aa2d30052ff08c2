import { ruledStages as sound } from "../../ruled/stages.js";
import type { RuledBug } from "./ruled-bug.js";
import { changeRules } from "./ruled-steps.js";

/** The mistake: a rule that was skipped looks like one that passed. */
export const skipsABadRuleFile: RuledBug = {
  name: "skips-a-bad-rule-file",
  says: "takes the rule files that it can read and leaves out the others",
  caughtBy: ["gate-equals-guard"],
  witness: [changeRules([], "broken_file")],
  variant: {
    stages: () => ({
      readRules: (files) => {
        const sane = files.map((file) => sound.readRules([file]));
        return { kind: "loaded", rules: sane.flatMap((one) => (one.kind === "loaded" ? one.rules : [])) };
      },
    }),
  },
};
