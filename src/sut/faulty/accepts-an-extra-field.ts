import type { KnownBug } from "./known-bug.js";
import { mending } from "./lenient-fields.js";
import { submit } from "./witness-steps.js";

/** The mistake: the known fields are picked out first, and what is left over is never looked at. */
export const acceptsAnExtraField: KnownBug = {
  name: "accepts-an-extra-field",
  says: "accepts a request with a field that the tool does not have",
  caughtBy: ["matches-the-machine"],
  witness: [submit("a1", '{"job":"JOB-001","topic":"river","copies":2,"skip_checks":true}')],
  variant: {
    stages: () => ({
      checkArguments: mending((fields) => {
        const known = Object.entries(fields).filter(([name]) => ["job", "topic", "copies"].includes(name));
        return Object.fromEntries(known);
      }),
    }),
  },
};
