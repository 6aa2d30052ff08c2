import { describe, expect, it } from "vitest";
import { unreachable } from "../../src/model/unreachable.js";

function handle(word: { readonly kind: "one" } | { readonly kind: "other" }): string {
  switch (word.kind) {
    case "one":
    case "other":
      return "handled";
    default:
      return unreachable(word);
  }
}

describe("what no switch handles", () => {
  it("is shown in the error, for only text from outside the types gets there", () => {
    expect(handle({ kind: "one" })).toBe("handled");
    expect(() => handle(JSON.parse('{"kind":"stray"}'))).toThrow('unreachable: {"kind":"stray"}');
  });
});
