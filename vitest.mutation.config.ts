import { defineConfig } from "vitest/config";

/** The tests whose promises the mutated files keep: quick ones, since each mutant runs those that reach it. */
export default defineConfig({
  test: {
    include: [
      "test/model/**/*.test.ts",
      "test/properties/invariants/*.test.ts",
      "test/properties/{account,invariants,judge,minimise*}.test.ts",
    ],
    testTimeout: 60_000,
  },
});
