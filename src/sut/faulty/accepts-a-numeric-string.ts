import type { KnownBug } from "./known-bug.js";
import { mending } from "./lenient-fields.js";
import { submit } from "./witness-steps.js";

/** The mistake: types are coerced before they are checked, as for values from a form. */
export const acceptsANumericString: KnownBug = {
  name: "accepts-a-numeric-string",
  says: "accepts a string of digits as a number of copies",
  caughtBy: ["matches-the-machine"],
  witness: [submit("a1", '{"job":"JOB-001","topic":"river","copies":"2"}')],
  variant: {
    stages: () => ({
      checkArguments: mending((fields) => {
        const isNumeric = typeof fields.copies === "string" && /^[0-9]+$/.test(fields.copies);
        return isNumeric ? { ...fields, copies: Number(fields.copies) } : fields;
      }),
    }),
  },
};
