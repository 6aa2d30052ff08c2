import { defineConfig } from "vitest/config";

export default defineConfig({
  // Examples import the package by its name, as their readers will; the tests run them on the source.
  resolve: { alias: { commitpoint: new URL("src/index.ts", import.meta.url).pathname } },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: { provider: "v8", include: ["src/**"], reporter: ["text-summary", "json-summary"] },
  },
});
