import type { KnownBug } from "./known-bug.js";
import { matchingJobs } from "./lenient-fields.js";
import { draft, submit } from "./witness-steps.js";

/** The mistake: "three digits" was written as a lower bound. */
export const acceptsFourDigitJob: KnownBug = {
  name: "accepts-four-digit-job",
  says: "accepts a job with more than three digits",
  caughtBy: ["matches-the-machine"],
  witness: [submit("a1", draft("JOB-0011", "river", 2))],
  variant: { stages: () => ({ checkArguments: matchingJobs(/^JOB-[0-9]{3,}$/) }) },
};
