import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draftContract } from "../../src/contract/draft.js";
import { readRequestText } from "../../src/contract/request-text.js";
import type { Facts } from "../../src/model/vocabulary.js";

const { interpret, requests } = draftContract;
const runs = { numRuns: 300, seed: 20_260_103 };
const picks = fc.nat(1 << 16);
const anyRequest = fc.oneof(
  fc.tuple(fc.nat(5), picks).map(([key, variant]) => requests.valid(key, variant)),
  picks.map(requests.invalid),
  fc.json(),
  fc.string(),
);

const valid = (request: string): Extract<Facts, { kind: "valid" }> => {
  const facts = interpret(request);
  if (facts.kind === "invalid") throw new Error(`${request} is refused by ${facts.code}`);
  return facts;
};

const fields = (request: string): Record<string, unknown> => JSON.parse(request);
const many = Array.from({ length: 4000 }, (_, pick) => pick);

describe("valid drafts", () => {
  it("are valid, and on the key asked for", () => {
    fc.assert(
      fc.property(fc.nat(998), picks, (key, variant) => {
        const expected = `JOB-${String(key + 1).padStart(3, "0")}`;
        expect(valid(requests.valid(key, variant)).key).toBe(expected);
      }),
      runs,
    );
  });

  it("begin with the plainest", () => {
    expect(requests.valid(0, 0)).toBe('{"job":"JOB-001","topic":"river","copies":1}');
    expect(requests.valid(1, 0)).toBe('{"job":"JOB-002","topic":"river","copies":1}');
  });

  it("come in every topic, count, order of fields and spelling; most hold the limit of 3", () => {
    const texts = many.map((variant) => requests.valid(0, variant));
    const seen = (of: (request: string) => string): readonly string[] => [...new Set(texts.map(of))].sort();
    const meaning = seen((text) => `${fields(text).topic} ${fields(text).copies}`);
    expect(meaning).toEqual(
      ["forest", "river"].flatMap((topic) =>
        [1, 2, 3, 4, 5, 6, 7, 8, 9].map((copies) => `${topic} ${copies}`),
      ),
    );
    expect(seen((text) => Object.keys(fields(text)).join())).toHaveLength(6);
    expect(seen((text) => /[0-9]\.0/.exec(text)?.[0] ?? "none").length).toBeGreaterThan(3);
    expect(seen((text) => /[0-9]e0/.exec(text)?.[0] ?? "none").length).toBeGreaterThan(3);
    expect(seen((text) => String(/\s/.test(text)))).toEqual(["false", "true"]);
    const over = texts.filter((text) => valid(text).weight > 3).length / texts.length;
    expect(over).toBeGreaterThan(0.1);
    expect(over).toBeLessThan(0.2);
  });

  it("are read alike in every order of their fields", () => {
    fc.assert(
      fc.property(fc.nat(5), picks, picks, (key, variant, shuffle) => {
        const request = requests.valid(key, variant);
        const entries = Object.entries(fields(request));
        const first = entries.splice(shuffle % 3, 1);
        const reordered = [...first, ...(shuffle % 2 === 0 ? entries : entries.reverse())];
        expect(interpret(JSON.stringify(Object.fromEntries(reordered)))).toEqual(interpret(request));
      }),
      runs,
    );
  });

  it("are the same text for the same numbers, and total over any number", () => {
    expect(requests.valid(2, 77)).toBe(requests.valid(2, 77));
    for (const odd of [-1, 2.7, Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      valid(requests.valid(odd, odd));
      valid(requests.changed(requests.valid(0, 0), odd));
      valid(requests.rekeyed(requests.valid(0, 0), odd));
      expect(interpret(requests.invalid(odd)).kind).toBe("invalid");
    }
    expect(requests.valid(-1, -3)).toBe(requests.valid(1, 3));
  });
});

describe("invalid drafts", () => {
  it("are refused, by every code", () => {
    const codes = many.map((pick) => {
      const facts = interpret(requests.invalid(pick));
      return facts.kind === "invalid" ? facts.code : `valid: ${requests.invalid(pick)}`;
    });
    expect([...new Set(codes)].sort()).toEqual(["copies", "job", "shape", "topic"]);
  });

  it("plant a canary only in what is wrong, and name their pick", () => {
    const planted = many.filter((pick) => requests.invalid(pick).includes("CANARY"));
    expect(planted.length).toBeGreaterThan(many.length / 20);
    for (const pick of planted) {
      const found = draftContract.canaries(requests.invalid(pick));
      expect(found.some((text) => text.includes(`CANARY-${pick}`))).toBe(true);
    }
  });

  const job = "JOB-001";
  it.each([
    // What executors are known to let through, each about once in sixteen picks.
    ["a boolean for a count", { job, topic: "river", copies: true }],
    ["a text for a count", { job, topic: "river", copies: "2" }],
    ["a field that would skip checks", { job, topic: "river", copies: 1, skip_checks: true }],
    ["a field that would say who acts", { job, topic: "river", copies: 1, user_role: "admin" }],
    ["a digit too many", { job: "JOB-0011", topic: "river", copies: 1 }],
    ["a newline behind the job", { job: "JOB-001\n", topic: "river", copies: 1 }],
    ["full-width digits", { job: "JOB-００１", topic: "river", copies: 1 }],
    ["the prototype's name", JSON.parse('{"job":"JOB-001","topic":"river","copies":1,"__proto__":{}}')],
    ["a lower-case job", { job: "job-001", topic: "river", copies: 1 }],
    ["a path", { job: "../report", topic: "river", copies: 1 }],
    ["an unknown topic", { job, topic: "lake", copies: 1 }],
    ["a list of topics", { job, topic: ["river"], copies: 1 }],
    ["no copies", { job, topic: "river", copies: 0 }],
    ["too many copies", { job, topic: "river", copies: 10 }],
    ["part of a copy", { job, topic: "river", copies: 2.5 }],
    ["no value", { job: null, topic: "river", copies: 1 }],
    ["a list around it", [{ job, topic: "river", copies: 1 }]],
    ["nothing", {}],
    ["a lone surrogate", { job: "JOB-00\ud800", topic: "river", copies: 1 }],
    ["a field missing", { job, topic: "river" }],
  ])("include one with %s", (_, expected) => {
    const same = (pick: number): boolean => {
      const text = readRequestText(requests.invalid(pick));
      return text.kind === "json" && JSON.stringify(text.value) === JSON.stringify(expected);
    };
    expect(many.some(same)).toBe(true);
  });

  it("include texts that are not JSON", () => {
    expect(many.some((pick) => readRequestText(requests.invalid(pick)).kind === "not_json")).toBe(true);
  });
});

describe("a changed draft", () => {
  it("has the same key and another digest", () => {
    fc.assert(
      fc.property(fc.nat(998), picks, picks, (key, variant, pick) => {
        const before = valid(requests.valid(key, variant));
        const after = valid(requests.changed(requests.valid(key, variant), pick));
        expect(after.key).toBe(before.key);
        expect(after.digest).not.toBe(before.digest);
      }),
      runs,
    );
  });

  it("differs in the topic, in the copies or in both, mostly within the limit", () => {
    const texts = many.map((pick) => requests.changed('{"job":"JOB-002","topic":"river","copies":2}', pick));
    expect(texts.slice(0, 5)).toEqual([
      '{"job":"JOB-002","topic":"river","copies":1}',
      '{"job":"JOB-002","topic":"forest","copies":1}',
      '{"job":"JOB-002","topic":"forest","copies":2}',
      '{"job":"JOB-002","topic":"river","copies":3}',
      '{"job":"JOB-002","topic":"forest","copies":3}',
    ]);
    expect(new Set(texts).size).toBe(17);
  });

  it("is a valid one also of a refused request, on its key if it has one", () => {
    expect(valid(requests.changed('{"job":"JOB-005","topic":"lake","copies":1}', 0)).key).toBe("JOB-005");
    expect(valid(requests.changed("null", 0)).key).toBe("JOB-001");
  });
});

describe("a rekeyed draft", () => {
  it("differs in its key alone", () => {
    fc.assert(
      fc.property(fc.nat(998), picks, fc.nat(2000), (key, variant, other) => {
        const before = requests.valid(key, variant);
        const after = requests.rekeyed(before, other);
        expect(valid(after).key).not.toBe(valid(before).key);
        expect({ ...fields(after), job: "" }).toEqual({ ...fields(before), job: "" });
      }),
      runs,
    );
  });

  it("has the key asked for, or the next if it has that already", () => {
    const request = '{"job":"JOB-002","topic":"forest","copies":7}';
    expect(requests.rekeyed(request, 4)).toBe('{"job":"JOB-005","topic":"forest","copies":7}');
    expect(requests.rekeyed(request, 1)).toBe('{"job":"JOB-003","topic":"forest","copies":7}');
    expect(requests.rekeyed('{"job":"JOB-999","topic":"river","copies":1}', 998)).toBe(
      '{"job":"JOB-001","topic":"river","copies":1}',
    );
  });
});

describe("a simpler draft", () => {
  it("is the plainest first, then one with one field simpler", () => {
    expect(requests.simpler('{"job":"JOB-003","topic":"forest","copies":5}')).toEqual([
      '{"job":"JOB-001","topic":"river","copies":1}',
      '{"job":"JOB-001","topic":"forest","copies":5}',
      '{"job":"JOB-002","topic":"forest","copies":5}',
      '{"job":"JOB-003","topic":"river","copies":5}',
      '{"job":"JOB-003","topic":"forest","copies":1}',
      '{"job":"JOB-003","topic":"forest","copies":4}',
    ]);
    expect(requests.simpler('{"job":"JOB-001","topic":"river","copies":2}')).toEqual([
      '{"job":"JOB-001","topic":"river","copies":1}',
    ]);
  });

  it("is the plainly spelled one of an odd spelling", () => {
    const plainest = '{"job":"JOB-001","topic":"river","copies":1}';
    expect(requests.simpler('{"copies":1.0,"topic":"river","job":"JOB-001"}')).toEqual([plainest]);
    expect(requests.simpler(plainest)).toEqual([]);
  });

  it("is, of a refused one, the nearest valid one, then one refused alike with less in it", () => {
    expect(requests.simpler('{"job":"JOB-002","topic":"river","copies":1,"skip_checks":true}')).toEqual([
      '{"job":"JOB-002","topic":"river","copies":1}',
      "{}",
      // The field goes (then the request is valid, which came first), or holds something shorter.
      '{"job":"JOB-002","topic":"river","copies":1,"skip_checks":1}',
      '{"job":"JOB-002","topic":"river","copies":1,"skip_checks":""}',
      '{"job":"JOB-002","topic":"river","copies":1,"skip_checks":"x"}',
      '{"job":"JOB-001","topic":"river","copies":1,"skip_checks":true}',
    ]);
    expect(requests.simpler('{"job":"JOB-0011","topic":"forest","copies":1}')).toEqual([
      '{"job":"JOB-001","topic":"forest","copies":1}',
      '{"job":1,"topic":"forest","copies":1}',
      '{"job":"","topic":"forest","copies":1}',
      '{"job":"x","topic":"forest","copies":1}',
      '{"job":"JOB-0011","topic":"river","copies":1}',
    ]);
    expect(requests.simpler('{"job":"JOB-001","topic":"river","copies":1,"a":1,"b":1}')).toEqual([
      '{"job":"JOB-001","topic":"river","copies":1}',
      "{}",
      '{"job":"JOB-001","topic":"river","copies":1,"a":1}',
      '{"job":"JOB-001","topic":"river","copies":1,"b":1}',
    ]);
    // A job is right only as the job, a topic as the topic: elsewhere they are as good as any wrong value.
    expect(requests.simpler('{"job":"river","topic":"JOB-001","copies":1}')).toEqual([
      '{"job":"JOB-001","topic":"river","copies":1}',
      // The topic's text is the longer one, so that replacing it saves more.
      '{"job":"river","topic":1,"copies":1}',
      '{"job":"river","topic":"","copies":1}',
      '{"job":"river","topic":"x","copies":1}',
      '{"job":1,"topic":"JOB-001","copies":1}',
      '{"job":"","topic":"JOB-001","copies":1}',
      '{"job":"x","topic":"JOB-001","copies":1}',
    ]);
    expect(requests.simpler("no JSON")).toEqual(['{"job":"JOB-001","topic":"river","copies":1}', "", "{"]);
    expect(requests.simpler('[ "deep" ]')).toEqual([
      '{"job":"JOB-001","topic":"river","copies":1}',
      "[]",
      "null",
      '["deep"]',
    ]);
  });

  it("is never of another code, unless it is valid", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const before = interpret(request);
        for (const simpler of requests.simpler(request)) {
          const after = interpret(simpler);
          if (after.kind === "invalid") expect(after).toEqual(before);
        }
      }),
      runs,
    );
  });

  it("ends: no chain of steps is endless, and none leads back", () => {
    // Depth of the longest chain; it would not return from a circle.
    const depth = (request: string, above: ReadonlySet<string>): void => {
      expect(above.has(request)).toBe(false);
      const path = new Set([...above, request]);
      expect(path.size).toBeLessThan(80);
      const steps = requests.simpler(request);
      // The longest chains go through the least simple step.
      for (const next of [steps[0], steps.at(-1)]) if (next !== undefined) depth(next, path);
    };
    fc.assert(
      fc.property(anyRequest, (request) => depth(request, new Set())),
      { ...runs, numRuns: 60 },
    );
  });
});
