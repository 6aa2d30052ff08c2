import type { KnownBug } from "./known-bug.js";
import { matchingJobs } from "./lenient-fields.js";
import { draft, submit } from "./witness-steps.js";

/** The mistake: a digit is whatever Unicode calls one. */
export const acceptsFullWidthDigits: KnownBug = {
  name: "accepts-full-width-digits",
  says: "accepts a job with digits that are not ASCII, such as full-width ones",
  caughtBy: ["matches-the-machine"],
  witness: [submit("a1", draft("JOB-００１", "river", 2))],
  variant: { stages: () => ({ checkArguments: matchingJobs(/^JOB-\p{Nd}{3}$/u) }) },
};
