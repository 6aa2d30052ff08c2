import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: what was stored was checked when it was made, so a reused value needs no check of its own. */
export const skipsTheOutputCheckOnReuse: KnownBug = {
  name: "skips-the-output-check-on-reuse",
  says: "skips the output check of an attempt that reuses an effect",
  caughtBy: ["checked-every-time"],
  witness: [
    submit("a1", request.river),
    submit("a2", request.river, { kind: "bad_output" }),
    finish("a1"),
    finish("a2"),
  ],
  variant: {
    stages: () => ({
      output: async (passage, value, environment) => {
        if (passage.events.includes("effect_reused")) return;
        await sound.output(passage, value, environment);
      },
    }),
  },
};
