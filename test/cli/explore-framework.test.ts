import { describe, expect, it } from "vitest";
import { openProgram } from "./program.js";

describe("explore of an arrangement of a framework's checks", () => {
  it("names each promise, and for a broken one the shortest way; 1 since one is broken", async () => {
    const program = openProgram();
    const { code, out } = await program.call("explore --profile input-beside");
    expect(code).toBe(1);
    // The input's verdict may come when the tool has run: the default that the timing lab describes.
    expect(out).toMatch(
      /a tripped input leaves no effect\n.*the user sends an input to be refused\n[^✗]*the input guardrail trips[^✗]*commits its effect/,
    );
    expect(out).toContain("0 hold, 3 violated, 8 without their situation.");
    expect(program.asked.explorations).toEqual([]);
  });

  it("is 0 where everything holds whose situation occurs", async () => {
    const { code, out } = await openProgram().call("explore --profile approval-of-the-arguments");
    expect(code).toBe(0);
    expect(out).toContain("3 hold, 0 violated, 8 without their situation.");
  });

  it("is a table of all arrangements under the profile's own name", async () => {
    const { code, out } = await openProgram().call("explore --profile agent-framework");
    expect(code).toBe(1);
    expect(out).toContain("every-check");
    expect(out).toContain("holds in every interleaving");
  });

  it("tells reporters the same", async () => {
    const { out } = await openProgram().call("explore --profile hosted-tool --reporter json");
    expect(JSON.parse(out)).toMatchObject({ arrangements: [{ arrangement: "hosted-tool" }] });
    const junit = await openProgram().call("explore --profile hosted-tool --reporter junit");
    expect(junit.out).toContain('<testsuite name="hosted-tool" tests="11" failures="4"');
  });

  it("refuses a profile that there is not, with the nearest", async () => {
    const { code, err } = await openProgram().call("explore --profile input-besides");
    expect(code).toBe(2);
    expect(err).toContain('did you mean "input-beside"?');
  });
});
