import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { spaceSize } from "../../../src/explore/schedules/space-size.js";
import { writersOfOne } from "./classic-programs.js";
import { fixed, read, toyProgram } from "./toy-programs.js";

describe("the estimated size of the space", () => {
  it("is exact where every walk branches alike", async () => {
    // 4 x 3 x 2 x 1 along every walk.
    const size = await spaceSize(writersOfOne(4), { ...unlimited, seed: 1, walks: 10 });
    expect(size).toEqual({ schedules: 24, standardError: 0, walks: 10 });
  });

  it("is right in the mean where walks differ", async () => {
    const program = toyProgram([fixed(read("x"), read("x")), fixed(read("x"), read("x"))]);
    const size = await spaceSize(program, { ...unlimited, seed: 1, walks: 400 });
    // Six schedules. A walk has the product 4 (one thread runs to its end first) or 8, with equal chances: a
    // standard deviation of 2, over 400 walks an error of 0.1.
    expect(size.standardError).toBeCloseTo(0.1, 2);
    expect(Math.abs(size.schedules - 6)).toBeLessThan(0.4);
  });

  it("has no error to tell from one walk", async () => {
    const size = await spaceSize(writersOfOne(3), { ...unlimited, executions: 1, seed: 1, walks: 10 });
    expect(size).toEqual({ schedules: 6, standardError: undefined, walks: 1 });
  });
});
