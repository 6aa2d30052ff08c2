import { describe, expect, it } from "vitest";
import { canonicalDigest } from "../../src/contract/digest.js";

/*
 * Vectors made with coreutils, of the canonical text written out by hand:
 *   printf '%s' '{"copies":2,"job":"JOB-001","topic":"river"}' | sha256sum
 *   printf '%s' '{"a":[1,true,null],"é":"\n"}' | sha256sum       (the \n is a backslash and an n)
 */
const draft = "579593f5b09d816f01d47a933f404ddda518c372c26a538519582dbf9f956691";
const nested = "faf9d9bb0c2e287aa359dc9982be06abdd579f4f835571f7b8513fe1d1e643d8";

describe("the canonical digest", () => {
  it("is the SHA-256 of the canonical text", () => {
    expect(canonicalDigest({ copies: 2, job: "JOB-001", topic: "river" })).toBe(draft);
    expect(canonicalDigest({ é: "\n", a: [1, true, null] })).toBe(nested);
  });

  it("is the same in whatever order the properties stand, and however a number is spelled", () => {
    expect(canonicalDigest(JSON.parse('{"topic":"river", "copies":2.0, "job":"JOB-001"}'))).toBe(draft);
    expect(canonicalDigest(JSON.parse('{"job":"JOB-001","copies":20e-1,"topic":"\\u0072iver"}'))).toBe(draft);
  });

  it("differs when an element's place, a type or an own `__proto__` differs", () => {
    const digests = [
      '{"a":[1,2]}',
      '{"a":[2,1]}',
      '{"a":["1",2]}',
      '{"a":[1,2],"__proto__":1}',
      '{"a":[1,[2]]}',
    ];
    expect(new Set(digests.map((text) => canonicalDigest(JSON.parse(text)))).size).toBe(digests.length);
  });

  it("does not exist for a lone surrogate, which has no UTF-8", () => {
    expect(() => canonicalDigest({ topic: "\ud800" })).toThrow();
  });
});
