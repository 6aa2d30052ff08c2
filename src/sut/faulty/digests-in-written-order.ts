import { createHash } from "node:crypto";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: JSON.stringify keeps the order in which the agent happened to write the fields. */
export const digestsInWrittenOrder: KnownBug = {
  name: "digests-in-written-order",
  says: "computes a digest that depends on the order of the properties",
  caughtBy: ["effect-has-request"],
  witness: [submit("a1", request.river)],
  variant: {
    stages: () => ({
      digest: (_args, passage) => {
        const asWritten = JSON.stringify(JSON.parse(passage.call.request));
        return createHash("sha256").update(asWritten).digest("hex");
      },
    }),
  },
};
