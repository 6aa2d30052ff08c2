import type { KnownBug } from "./known-bug.js";
import { matchingJobs } from "./lenient-fields.js";
import { draft, submit } from "./witness-steps.js";

/** The mistake: the pattern was taken over from an engine whose `$` also matches before a final newline. */
export const acceptsTrailingNewline: KnownBug = {
  name: "accepts-trailing-newline",
  says: "accepts a job with a newline behind it",
  caughtBy: ["matches-the-machine"],
  witness: [submit("a1", draft("JOB-001\n", "river", 2))],
  variant: { stages: () => ({ checkArguments: matchingJobs(/^JOB-[0-9]{3}\n?$/) }) },
};
