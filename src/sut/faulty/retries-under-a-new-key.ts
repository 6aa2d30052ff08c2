import { digestOf } from "../ledger/arguments.js";
import { validated } from "../ledger/passage.js";
import { Refusal } from "../ledger/refusals.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: the first key may be spoilt after an error, so the work is tried again under another. */
export const retriesUnderANewKey: KnownBug = {
  name: "retries-under-a-new-key",
  says: "retries by itself under a new key after an error",
  caughtBy: ["effect-has-request"],
  witness: [submit("a1", request.river, { kind: "throw_at", at: "after_commit" }), finish("a1")],
  variant: {
    stages: () => ({
      execute: (passage, environment) => {
        try {
          return sound.execute(passage, environment);
        } catch (error) {
          if (error instanceof Refusal) throw error;
          const args = { ...validated(passage), job: spareJob(validated(passage).job) };
          return sound.execute({ ...passage, args, digest: digestOf(args) }, environment);
        }
      },
    }),
  },
};

/** 500 further on: far from what anybody asks for. */
function spareJob(job: string): string {
  const number = (Number(job.slice("JOB-".length)) + 500) % 1000;
  return `JOB-${String(number).padStart(3, "0")}`;
}
