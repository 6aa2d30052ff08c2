import type { KnownBug } from "./known-bug.js";
import { mending } from "./lenient-fields.js";
import { submit } from "./witness-steps.js";

/** The mistake: a language in which true is 1 lets a boolean through wherever a number is asked for. */
export const acceptsTrueAsACount: KnownBug = {
  name: "accepts-true-as-a-count",
  says: "accepts true as a number of copies",
  caughtBy: ["matches-the-machine"],
  witness: [submit("a1", '{"job":"JOB-001","topic":"river","copies":true}')],
  variant: {
    stages: () => ({
      checkArguments: mending((fields) => (fields.copies === true ? { ...fields, copies: 1 } : fields)),
    }),
  },
};
