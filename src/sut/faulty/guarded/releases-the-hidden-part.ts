import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { finish, permitted, river, submit } from "./guarded-steps.js";

/** The mistake: the reduced value is judged, and another one is released. */
export const releasesTheHiddenPart: GuardedBug = {
  name: "releases-the-hidden-part",
  says: "releases the whole value where a part of it ought to be hidden",
  caughtBy: ["checked-every-time"],
  witness: [
    submit("a1", "draft", river, {
      ...permitted,
      faults: [{ kind: "spoilt_output", as: "personal", tries: 1 }],
    }),
    finish("a1"),
  ],
  variant: {
    stages: () => ({
      settleOutput: (passage, value, disposition) =>
        sound.settleOutput(
          passage,
          value,
          disposition.kind === "partial" ? { ...disposition, value } : disposition,
        ),
    }),
  },
};
