import { describe, expect, it } from "vitest";
import { draftContract } from "../../src/contract/draft.js";

const { interpret, accepts, canaries } = draftContract;

/** `printf '%s' '{"copies":2,"job":"JOB-001","topic":"river"}' | sha256sum`, the canonical text written by hand. */
const digest = "579593f5b09d816f01d47a933f404ddda518c372c26a538519582dbf9f956691";

const request = '{"job":"JOB-001","topic":"river","copies":2}';
const withJob = (job: string): string => `{"job":${job},"topic":"river","copies":2}`;
const withTopic = (topic: string): string => `{"job":"JOB-001","topic":${topic},"copies":2}`;
const withCopies = (copies: string): string => `{"job":"JOB-001","topic":"river","copies":${copies}}`;
const withExtra = (extra: string): string => `{"job":"JOB-001","topic":"river","copies":2,${extra}}`;

describe("the draft contract", () => {
  it("names a tool that writes", () => {
    expect(draftContract.name).toBe("draft");
    expect(draftContract.effect).toBe("write");
  });

  it.each([
    ["as it is", request],
    ["in another order", '{"copies":2,"job":"JOB-001","topic":"river"}'],
    ["with white space", ' {\n"topic" : "river",\t"copies": 2, "job": "JOB-001" }\r\n'],
    ["with 2.0", withCopies("2.0")],
    ["with 2e0", withCopies("2e0")],
    ["with 20e-1", withCopies("20e-1")],
    ["with escapes", withJob('"\\u004aOB-001"')],
    // Of a name given twice the last value counts.
    ["with a name given twice", '{"job":"JOB-009","topic":"river","copies":2,"job":"JOB-001"}'],
  ])("reads one meaning from a request %s", (_, text) => {
    expect(interpret(text)).toEqual({ kind: "valid", key: "JOB-001", digest, weight: 2 });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])("allows %i copies, which is the weight", (copies) => {
    expect(interpret(withCopies(String(copies)))).toMatchObject({
      kind: "valid",
      key: "JOB-001",
      weight: copies,
    });
  });

  it.each(["JOB-000", "JOB-999", "JOB-042"])("allows the job %s, which is the key", (job) => {
    expect(interpret(withJob(`"${job}"`))).toMatchObject({ kind: "valid", key: job, weight: 2 });
  });

  it("tells topics, copies and jobs apart by the digest", () => {
    const texts = [request, withTopic('"forest"'), withCopies("3"), withJob('"JOB-002"')];
    const digests = texts.map((text) => {
      const facts = interpret(text);
      return facts.kind === "valid" ? facts.digest : "";
    });
    expect(new Set(digests).size).toBe(texts.length);
    for (const one of digests) expect(one).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    // Not an object of exactly the three fields.
    ["", "shape"],
    ["{", "shape"],
    ["JOB-001", "shape"],
    [`\ufeff${request}`, "shape"],
    [`${request}${request}`, "shape"],
    ["null", "shape"],
    ["1", "shape"],
    [JSON.stringify(request), "shape"],
    ["[]", "shape"],
    [`[${request}]`, "shape"],
    ['["JOB-001","river",2]', "shape"],
    ["{}", "shape"],
    ['{"topic":"river","copies":2}', "shape"],
    ['{"job":"JOB-001","copies":2}', "shape"],
    ['{"job":"JOB-001","topic":"river"}', "shape"],
    ['{"Job":"JOB-001","topic":"river","copies":2}', "shape"],
    ['{"__proto__":"JOB-001","topic":"river","copies":2}', "shape"],
    ['{"__proto__":{"job":"JOB-001"},"topic":"river","copies":2}', "shape"],
    [withExtra('"skip_checks":true'), "shape"],
    [withExtra('"user_role":"admin"'), "shape"],
    [withExtra('"tenant":"t2"'), "shape"],
    [withExtra('"__proto__":{}'), "shape"],
    [withExtra('"constructor":null'), "shape"],
    [withExtra('"toString":1'), "shape"],
    // A job that is not `JOB-` and three ASCII digits, and nothing else.
    [withJob("null"), "job"],
    [withJob("1"), "job"],
    [withJob('["JOB-001"]'), "job"],
    [withJob('{"job":"JOB-001"}'), "job"],
    [withJob('""'), "job"],
    [withJob('"JOB-01"'), "job"],
    [withJob('"JOB-0011"'), "job"],
    [withJob('"JOB-001\\n"'), "job"],
    [withJob('"\\nJOB-001"'), "job"],
    [withJob('"JOB-001\\u0000"'), "job"],
    [withJob('"JOB-001\\r"'), "job"],
    [withJob('"JOB-001\\u2028"'), "job"],
    [withJob('" JOB-001"'), "job"],
    [withJob('"job-001"'), "job"],
    [withJob('"JOB-0０1"'), "job"],
    [withJob('"JOB-٠٠١"'), "job"],
    [withJob('"JOB-00\\ud800"'), "job"],
    [withJob('"XJOB-001"'), "job"],
    [withJob('"../report"'), "job"],
    [withJob("[".repeat(5000) + "]".repeat(5000)), "job"],
    // A topic that is neither river nor forest.
    [withTopic("null"), "topic"],
    [withTopic("true"), "topic"],
    [withTopic('"lake"'), "topic"],
    [withTopic('"River"'), "topic"],
    [withTopic('"river "'), "topic"],
    [withTopic('"forest\\n"'), "topic"],
    [withTopic('["river"]'), "topic"],
    [withTopic('"constructor"'), "topic"],
    [withTopic('"0"'), "topic"],
    [withTopic("0"), "topic"],
    [withTopic('""'), "topic"],
    // A count that is no integer from 1 to 9.
    [withCopies("0"), "copies"],
    [withCopies("-0"), "copies"],
    [withCopies("-1"), "copies"],
    [withCopies("10"), "copies"],
    [withCopies("2.5"), "copies"],
    [withCopies("0.9999999999999999"), "copies"],
    [withCopies("9.000000000000002"), "copies"],
    [withCopies("1e400"), "copies"],
    [withCopies("true"), "copies"],
    [withCopies("false"), "copies"],
    [withCopies('"2"'), "copies"],
    [withCopies("null"), "copies"],
    [withCopies("[2]"), "copies"],
    [withCopies("{}"), "copies"],
    ['{"job":"JOB-001","topic":"river","copies":2,"copies":10}', "copies"],
    // Of several mistakes the first in the order shape, job, topic, copies counts.
    ['{"job":1,"topic":1,"copies":true,"x":1}', "shape"],
    ['{"copies":true,"topic":1,"job":1}', "job"],
    ['{"copies":true,"topic":1,"job":"JOB-001"}', "topic"],
  ])("refuses %s by %s", (text, code) => {
    expect(interpret(text)).toEqual({ kind: "invalid", code });
  });

  it("reads text nested a hundred thousand deep", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(interpret(deep)).toEqual({ kind: "invalid", code: "shape" });
    expect(canaries(deep)).toEqual([]);
    expect(accepts(null, deep)).toBe(false);
    expect(draftContract.requests.simpler(deep)).toContain('{"job":"JOB-001","topic":"river","copies":1}');
    expect(draftContract.requests.simpler(withExtra(`"x":${deep}`))).toContain("{}");
  });
});

describe("a draft's output", () => {
  const output = { job: "JOB-001", text: "river / copies=2" };

  it("is acceptable as the job and the text of this request, in either order", () => {
    expect(accepts(output, request)).toBe(true);
    expect(accepts({ text: "river / copies=2", job: "JOB-001" }, withCopies("2.0"))).toBe(true);
    expect(
      accepts({ job: "JOB-001", text: "forest / copies=9" }, '{"job":"JOB-001","topic":"forest","copies":9}'),
    ).toBe(true);
  });

  it.each([
    null,
    "river / copies=2",
    [],
    [output],
    {},
    { job: "JOB-001" },
    { text: "river / copies=2" },
    { ...output, extra: null },
    { ...output, job: "JOB-002" },
    { ...output, text: "river / copies=3" },
    { ...output, text: "forest / copies=2" },
    { ...output, text: "SYNTHETIC-BAD-OUTPUT" },
    { ...output, text: ["river / copies=2"] },
    { Job: "JOB-001", text: "river / copies=2" },
  ])("is not acceptable as %j", (wrong) => {
    expect(accepts(wrong, request)).toBe(false);
  });

  it("does not exist for a refused request", () => {
    expect(accepts({ job: "JOB-0011", text: "river / copies=2" }, withJob('"JOB-0011"'))).toBe(false);
  });
});

describe("a draft's canaries", () => {
  it("are the body's text of a valid request, never its key", () => {
    expect(canaries('{"copies":3,"topic":"forest","job":"JOB-007"}')).toEqual(["forest / copies=3"]);
  });

  it("are the planted texts of a refused request, wherever they stand", () => {
    expect(canaries(withTopic('"CANARY-1"'))).toEqual(["CANARY-1"]);
    expect(canaries(withExtra('"note":["x","a CANARY-2 b"],"CANARY-3":{"deep":{"er":"CANARY-4"}}'))).toEqual([
      "a CANARY-2 b",
      "CANARY-3",
      "CANARY-4",
    ]);
    expect(canaries('"CANARY-5"')).toEqual(["CANARY-5"]);
  });

  it("are the planted words of a text that is not JSON", () => {
    expect(canaries('{"job":"CANARY-6","topic":river CANARY-7')).toEqual(["CANARY-6", "CANARY-7"]);
  });

  it("are none where nothing is planted", () => {
    expect(canaries(withJob('"JOB-0011"'))).toEqual([]);
    expect(canaries("not JSON at all")).toEqual([]);
  });
});
