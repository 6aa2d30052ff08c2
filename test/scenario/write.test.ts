import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadScenario } from "../../src/scenario/load.js";
import { formatMistake } from "../../src/scenario/scenario.js";
import { writeScenario } from "../../src/scenario/write.js";
import { scenarioContent } from "./arbitrary.js";

describe("writeScenario", () => {
  it("writes what loads to the same scenario", () => {
    fc.assert(
      fc.property(scenarioContent, (content) => {
        const loaded = loadScenario(writeScenario(content), "written.yaml");
        if (loaded.kind === "mistakes") {
          throw new Error(loaded.mistakes.map(formatMistake).join("\n") + writeScenario(content));
        }
        const { lines, ...reloaded } = loaded.scenario;
        expect(reloaded).toEqual(content);
        expect(lines).toHaveLength(content.actions.length);
      }),
      { numRuns: 100 },
    );
  });
});
