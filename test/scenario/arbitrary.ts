import fc from "fast-check";
import type { ScenarioContent } from "../../src/scenario/scenario.js";
import { actionsIn, anyText, attemptsOf, decisionsOf, setting, someText } from "./arbitrary-actions.js";
import { expectation } from "./arbitrary-expectation.js";

/** Everything the format can say. */
export const scenarioContent: fc.Arbitrary<ScenarioContent> = fc
  .constantFrom("ledger", "guarded")
  .chain((profile) => actionsIn(profile).map((actions) => ({ profile, actions })))
  .chain(({ profile, actions }) =>
    fc.record(
      {
        name: someText,
        profile: fc.constant(profile),
        executor: fc.oneof(fc.constantFrom("ledger", "guarded"), someText),
        about: anyText,
        source: anyText,
        notes: anyText,
        policy: setting,
        actions: fc.constant(actions),
        expect: expectation({ attempts: attemptsOf(actions), decisions: decisionsOf(actions) }),
        found: fc.record({ seed: fc.integer(), path: fc.string(), version: fc.string(), date: fc.string() }),
      },
      { requiredKeys: ["name", "profile", "executor", "about", "source", "policy", "actions", "expect"] },
    ),
  );
