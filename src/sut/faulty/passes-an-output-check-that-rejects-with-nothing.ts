import type { Passage } from "../ledger/passage.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: whether the checker failed is asked of the error's truth, and an error can be undefined. */
export const passesAnOutputCheckThatRejectsWithNothing: KnownBug = {
  name: "passes-an-output-check-that-rejects-with-nothing",
  says: "counts an output check that rejects with a falsy value as passed",
  caughtBy: ["fail-closed"],
  witness: [submit("a1", request.river, { kind: "checker_rejects_falsy", stage: "output" }), finish("a1")],
  variant: {
    stages: () => ({
      output: (passage, value, environment) => sound.output(askingTruth(passage), value, environment),
    }),
  },
};

function askingTruth(passage: Passage): Passage {
  const { guards } = passage.call;
  const output: typeof guards.output = async (value, args) => {
    let verdict: unknown = { action: "allow" };
    let failure: unknown;
    try {
      verdict = await guards.output(value, args);
    } catch (error) {
      failure = error;
    }
    if (failure) throw failure;
    return verdict;
  };
  return { ...passage, call: { ...passage.call, guards: { ...guards, output } } };
}
