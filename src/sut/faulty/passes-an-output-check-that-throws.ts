import type { Passage } from "../ledger/passage.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: a checker that breaks must not break the service, so its error is caught and counts as no objection. */
export const passesAnOutputCheckThatThrows: KnownBug = {
  name: "passes-an-output-check-that-throws",
  says: "counts an output check that throws as passed",
  caughtBy: ["fail-closed"],
  witness: [submit("a1", request.river, { kind: "checker_throws", stage: "output" }), finish("a1")],
  variant: {
    stages: () => ({
      output: (passage, value, environment) => sound.output(forgiving(passage), value, environment),
    }),
  },
};

function forgiving(passage: Passage): Passage {
  const { guards } = passage.call;
  const output: typeof guards.output = (value, args) => {
    try {
      return guards.output(value, args);
    } catch {
      return { action: "allow" };
    }
  };
  return { ...passage, call: { ...passage.call, guards: { ...guards, output } } };
}
