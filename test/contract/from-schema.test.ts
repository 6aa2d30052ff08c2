import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draftContract } from "../../src/contract/draft.js";
import { contractFromSchema, type ToolDefinition } from "../../src/contract/from-schema.js";
import type { JsonObject } from "../../src/contract/request-text.js";
import type { Facts } from "../../src/model/vocabulary.js";

const runs = { numRuns: 200, seed: 20_260_104 };
const picks = fc.nat(1 << 16);
const many = Array.from({ length: 600 }, (_, pick) => pick);

const refundSchema = {
  type: "object",
  required: ["order", "amount", "currency"],
  additionalProperties: false,
  properties: {
    order: { type: "string", pattern: "^R-[0-9]{2}$" },
    amount: { type: "integer", minimum: 1, maximum: 50 },
    currency: { enum: ["EUR", "USD"] },
    reason: { type: "string", maxLength: 12 },
  },
} as const;

const refund = {
  name: "refund",
  effect: "external",
  schema: refundSchema,
  key: ({ order }: JsonObject) => String(order),
  weight: ({ amount }: JsonObject) => Number(amount),
  accepts: (output: unknown, { order }: JsonObject) => output === `refunded ${order}`,
  examples: [{ order: "R-01", amount: 5, currency: "EUR" }],
} as const satisfies ToolDefinition;

const contract = contractFromSchema(refund);
const first = '{"order":"R-01","amount":5,"currency":"EUR"}';

const valid = (request: string, tool = contract): Extract<Facts, { kind: "valid" }> => {
  const facts = tool.interpret(request);
  if (facts.kind === "invalid") throw new Error(`${request} is refused by ${facts.code}`);
  return facts;
};
const fields = (request: string): Record<string, unknown> => JSON.parse(request);

describe("a contract from a schema", () => {
  it("has the tool's name, effect, key, weight and canonical digest", () => {
    expect([contract.name, contract.effect]).toEqual(["refund", "external"]);
    // printf '%s' '{"amount":5,"currency":"EUR","order":"R-01"}' | sha256sum
    const digest = "1ff37573f6e671723c6c7d2d7996792aec9c46524a78edacff03974f7fc38c5a";
    expect(contract.interpret(first)).toEqual({ kind: "valid", key: "R-01", digest, weight: 5 });
    expect(contract.interpret('{"currency":"EUR", "amount":5.0, "order":"R-01"}')).toEqual(
      contract.interpret(first),
    );
  });

  it.each([
    ["", "shape"],
    ["null", "shape"],
    [`[${first}]`, "shape"],
    [JSON.stringify(first), "shape"],
    ["{}", "shape"],
    ['{"order":"R-01","amount":5}', "shape"],
    ['{"order":"R-01","amount":5,"currency":"EUR","tenant":"t2"}', "shape"],
    ['{"order":"R-01","amount":5,"currency":"EUR","__proto__":{}}', "shape"],
    ['{"order":"R-01","amount":5,"currency":"EUR","constructor":1}', "shape"],
    // A wrong whole is named before a wrong field; of wrong fields the schema's first.
    ['{"order":1,"amount":5,"currency":"EUR","x":1}', "shape"],
    ['{"currency":"CHF","amount":true,"order":"R-01"}', "amount"],
    ['{"order":"R-011","amount":5,"currency":"EUR"}', "order"],
    ['{"order":"R-01\\n","amount":5,"currency":"EUR"}', "order"],
    ['{"order":"R-01","amount":51,"currency":"EUR"}', "amount"],
    ['{"order":"R-01","amount":"5","currency":"EUR"}', "amount"],
    ['{"order":"R-01","amount":true,"currency":"EUR"}', "amount"],
    ['{"order":"R-01","amount":5,"currency":["EUR"]}', "currency"],
    ['{"order":"R-01","amount":5,"currency":"EUR","reason":"much too long"}', "reason"],
    // No canonical form, so no digest that anyone could store.
    ['{"order":"R-01","amount":5,"currency":"EUR","reason":"\\ud800"}', "shape"],
  ])("refuses %s by %s", (request, code) => {
    expect(contract.interpret(request)).toEqual({ kind: "invalid", code });
  });

  it("names a wrong field whose name holds a slash or a tilde", () => {
    const odd = contractFromSchema({
      ...refund,
      weight: () => 1,
      schema: { type: "object", properties: { "a/b~c": { type: "number" } } },
      examples: [{ order: "R-01" }],
    });
    expect(odd.interpret('{"a/b~c":"x"}')).toEqual({ kind: "invalid", code: "a/b~c" });
  });

  it("takes no inherited name for a field that is there", () => {
    const odd = contractFromSchema({
      ...refund,
      weight: () => 1,
      schema: { type: "object", required: ["toString"] },
      examples: [{ toString: "mine" }],
    });
    expect(odd.interpret("{}")).toEqual({ kind: "invalid", code: "shape" });
  });

  it("accepts what the tool accepts, and nothing for a refused request", () => {
    expect(contract.accepts("refunded R-01", first)).toBe(true);
    expect(contract.accepts("refunded R-02", first)).toBe(false);
    expect(contract.accepts("refunded R-011", '{"order":"R-011","amount":5,"currency":"EUR"}')).toBe(false);
  });

  it("weighs 1, and has no canaries for a valid request, unless told otherwise", () => {
    const { weight: _, ...rest } = refund;
    const plain = contractFromSchema(rest);
    expect(valid(first, plain).weight).toBe(1);
    expect(plain.canaries(first)).toEqual([]);
    const told = contractFromSchema({ ...rest, canaries: ({ currency }) => [`${currency} secret`] });
    expect(told.canaries(first)).toEqual(["EUR secret"]);
    expect(told.canaries('{"order":"CANARY-9"}')).toEqual(["CANARY-9"]);
  });

  it("works with what the rules of a function make of a request", () => {
    const trimming = contractFromSchema({
      name: "note",
      effect: "write",
      validate: ({ text }) =>
        typeof text === "string" && text.length < 9
          ? { kind: "valid", arguments: { text: text.trim() } }
          : { kind: "invalid", code: "text" },
      key: ({ text }) => `note ${text}`,
      accepts: (output, { text }) => output === text,
      examples: [{ text: "n1" }],
    });
    expect(trimming.interpret('{"text":" n1 "}')).toEqual(trimming.interpret('{"text":"n1"}'));
    expect(valid('{"text":" n1 "}', trimming).key).toBe("note n1");
    expect(trimming.accepts("n1", '{"text":" n1 "}')).toBe(true);
    expect(trimming.interpret('{"text":"too long for it"}')).toEqual({ kind: "invalid", code: "text" });
    expect(trimming.interpret("[1]")).toEqual({ kind: "invalid", code: "shape" });
  });
});

describe("a definition that contradicts itself", () => {
  it.each([
    [
      "rules that allow a request without a weight",
      { ...refund, schema: { type: "object" } },
      'expected the weight of {"order":"R-01","currency":"EUR"} to be a number, saw NaN',
    ],
    ["no example", { ...refund, examples: [] }, 'tool "refund": expected at least one example'],
    [
      "an example that is refused",
      { ...refund, examples: [refund.examples[0], { ...refund.examples[0], amount: 0 }] },
      'example 2 is refused by "amount": {"order":"R-01","amount":0,"currency":"EUR"}',
    ],
    [
      "no key",
      { ...refund, key: ({ id }) => JSON.parse(JSON.stringify(id ?? null)) },
      `expected the key of ${first} to be a text, saw null`,
    ],
    [
      "a weight that is none",
      { ...refund, weight: () => Number.POSITIVE_INFINITY },
      `expected the weight of ${first} to be a number, saw Infinity`,
    ],
    [
      "a weight in letters",
      { ...refund, weight: () => JSON.parse('"5"') },
      `expected the weight of ${first} to be a number, saw "5"`,
    ],
    [
      "a schema that is none",
      { ...refund, schema: { type: "wrong" } },
      "expected a JSON Schema 2020-12 that compiles",
    ],
    [
      "a keyword that checks nothing",
      { ...refund, schema: { minimun: 1 } },
      'strict mode: unknown keyword: "minimun"',
    ],
    [
      "a format that checks nothing",
      { ...refund, schema: { properties: { order: { format: "x" } } } },
      'unknown format "x"',
    ],
  ] satisfies [string, ToolDefinition, string][])("is refused for %s", (_, definition, message) => {
    expect(() => contractFromSchema(definition)).toThrow(message);
    expect(() => contractFromSchema(definition)).toThrow(
      expect.objectContaining({ name: "ContractMistake" }),
    );
  });
});

describe("requests derived from one example", () => {
  const { requests } = contract;

  it("begin with the example", () => {
    expect(requests.valid(0, 0)).toBe(first);
  });

  it("are valid, on at least three keys, each with several variants in several orders", () => {
    for (const key of [0, 1, 2]) {
      const texts = many.map((variant) => requests.valid(key, variant));
      expect(new Set(texts.map((text) => valid(text).key)).size).toBe(1);
      expect(new Set(texts.map((text) => valid(text).digest)).size).toBeGreaterThan(2);
      expect(new Set(texts.map((text) => Object.keys(fields(text)).join())).size).toBe(3);
    }
    expect([0, 1, 2].map((key) => valid(requests.valid(key, 0)).key)).toEqual(["R-01", "R-02", "R-03"]);
  });

  it("are refused where they should be, for every reason", () => {
    const codes = many.map((pick) => {
      const facts = contract.interpret(requests.invalid(pick));
      return facts.kind === "invalid" ? facts.code : `valid: ${requests.invalid(pick)}`;
    });
    expect([...new Set(codes)].sort()).toEqual(["amount", "currency", "order", "shape"]);
  });

  it.each([
    ["a field missing", { amount: 5, currency: "EUR" }],
    ["a field too many", { order: "R-01", amount: 5, currency: "EUR", user_role: "admin" }],
    ["the prototype's name", JSON.parse('{"order":"R-01","amount":5,"currency":"EUR","__proto__":{}}')],
    ["a boolean for a number", { order: "R-01", amount: true, currency: "EUR" }],
    ["a text for a number", { order: "R-01", amount: "5", currency: "EUR" }],
    ["part of a number", { order: "R-01", amount: 5.5, currency: "EUR" }],
    ["the first number past the upper bound", { order: "R-01", amount: 51, currency: "EUR" }],
    ["the first number past the lower bound", { order: "R-01", amount: 0, currency: "EUR" }],
    ["a digit too many", { order: "R-011", amount: 5, currency: "EUR" }],
    ["a newline behind", { order: "R-01\n", amount: 5, currency: "EUR" }],
    ["full-width digits", { order: "R-０１", amount: 5, currency: "EUR" }],
    ["another case", { order: "r-01", amount: 5, currency: "EUR" }],
    ["a path", { order: "../R-01", amount: 5, currency: "EUR" }],
    ["a list for a text", { order: "R-01", amount: 5, currency: ["EUR"] }],
    ["no value", { order: null, amount: 5, currency: "EUR" }],
    ["a list around it", [{ order: "R-01", amount: 5, currency: "EUR" }]],
    ["a text around it", first],
    ["nothing", {}],
  ])("include a refused one with %s", (_, expected) => {
    expect(many.map(requests.invalid)).toContain(JSON.stringify(expected));
  });

  it("never refuse by accident: what the rules allow is not among the invalid ones", () => {
    const lax = contractFromSchema({ ...refund, weight: () => 1, schema: { type: "object" } });
    const texts = new Set(many.map(lax.requests.invalid));
    expect([...texts].filter((text) => text.startsWith("{") && text.endsWith("}"))).toEqual([
      '{"order":"R-01","amount":5,"currency":"EUR",}',
      '{"order":"R-02","amount":5,"currency":"EUR",}',
      '{"order":"R-03","amount":5,"currency":"EUR",}',
    ]);
  });

  it("plant canaries with a number of their own", () => {
    const planted = [...new Set(many.map(requests.invalid))].flatMap(contract.canaries);
    expect(planted.length).toBeGreaterThan(3);
    expect(new Set(planted).size).toBe(planted.length);
    for (const text of planted) expect(text).toMatch(/^CANARY-[0-9]+$/);
  });

  it("change the digest and not the key", () => {
    fc.assert(
      fc.property(fc.nat(5), picks, picks, (key, variant, pick) => {
        const before = requests.valid(key, variant);
        const after = requests.changed(before, pick);
        expect(valid(after).key).toBe(valid(before).key);
        expect(valid(after).digest).not.toBe(valid(before).digest);
      }),
      runs,
    );
  });

  it("change a request whose key is in no example", () => {
    const after = requests.changed('{"order":"R-77","amount":9,"currency":"USD"}', 0);
    expect(valid(after).key).toBe("R-77");
    expect(fields(after)).not.toEqual({ order: "R-77", amount: 9, currency: "USD" });
  });

  it("change the key and nothing else", () => {
    fc.assert(
      fc.property(fc.nat(5), picks, fc.nat(9), (key, variant, other) => {
        const before = requests.valid(key, variant);
        const after = requests.rekeyed(before, other);
        expect(valid(after).key).not.toBe(valid(before).key);
        expect({ ...fields(after), order: "" }).toEqual({ ...fields(before), order: "" });
      }),
      runs,
    );
    expect(requests.rekeyed(first, 2)).toBe('{"order":"R-03","amount":5,"currency":"EUR"}');
    expect(requests.rekeyed(first, 0)).toBe('{"order":"R-02","amount":5,"currency":"EUR"}');
  });

  it("take the first example for a refused request", () => {
    expect(requests.rekeyed("null", 0)).toBe('{"order":"R-02","amount":5,"currency":"EUR"}');
    expect(valid(requests.changed("null", 0)).key).toBe("R-01");
  });

  it("are the same text for the same number, and total over any number", () => {
    expect(contractFromSchema(refund).requests.invalid(17)).toBe(requests.invalid(17));
    for (const odd of [-3, 1.5, Number.NaN, Number.NEGATIVE_INFINITY]) {
      valid(requests.valid(odd, odd));
      valid(requests.changed(first, odd));
      valid(requests.rekeyed(first, odd));
      expect(contract.interpret(requests.invalid(odd)).kind).toBe("invalid");
    }
  });
});

describe("requests of a tool with little to vary", () => {
  it("stay as they are where there is no other key, and no other request on a key", () => {
    const only = contractFromSchema({
      ...refund,
      schema: {
        type: "object",
        required: ["order"],
        properties: { order: { const: "R" } },
        additionalProperties: false,
      },
      weight: () => 1,
      examples: [{ order: "R" }],
    });
    expect(only.requests.rekeyed('{"order":"R"}', 1)).toBe('{"order":"R"}');
    expect(only.requests.changed('{"order":"R"}', 1)).toBe('{"order":"R"}');
    expect(only.requests.valid(2, 5)).toBe('{"order":"R"}');
    expect(only.requests.simpler('{"order":"R"}')).toEqual([]);
  });

  it("are whole examples where a key takes more than one field", () => {
    const { schema: _, ...rest } = refund;
    const composite = contractFromSchema({
      ...rest,
      validate: (args) =>
        args.left === args.right ? { kind: "valid", arguments: args } : { kind: "invalid", code: "unequal" },
      key: ({ left }) => `key ${left}`,
      weight: () => 1,
      examples: [
        { left: "x", right: "x", n: 1 },
        { left: "y", right: "y", n: 2 },
      ],
    });
    expect(composite.requests.rekeyed('{"left":"x","right":"x","n":7}', 1)).toBe(
      '{"left":"y","right":"y","n":2}',
    );
  });

  it("vary and go wrong also within nested objects, lists and booleans", () => {
    const nested = contractFromSchema({
      ...refund,
      schema: {
        type: "object",
        required: ["order", "urgent", "lines"],
        properties: {
          order: {
            type: "object",
            required: ["id"],
            properties: { id: { type: "string", pattern: "^R-[0-9]{2}$" } },
          },
          urgent: { type: "boolean" },
          lines: { type: "array", items: { type: "integer" }, minItems: 1, maxItems: 3 },
        },
      },
      key: ({ order }) => JSON.stringify(order),
      weight: () => 1,
      examples: [{ order: { id: "R-09" }, urgent: true, lines: [1, 2] }],
    });
    expect(valid(nested.requests.valid(1, 0), nested).key).toBe('{"id":"R-10"}');
    const changed = many.map((pick) => nested.requests.changed(nested.requests.valid(0, 0), pick));
    expect(changed).toContain('{"order":{"id":"R-09"},"urgent":false,"lines":[1,2]}');
    const invalid = many.map(nested.requests.invalid);
    expect(invalid).toContain('{"order":{"id":"R-091"},"urgent":true,"lines":[1,2]}');
    expect(invalid).toContain('{"order":{"id":"R-09"},"urgent":"true","lines":[1,2]}');
    expect(invalid).toContain('{"order":{"id":"R-09"},"urgent":1,"lines":[1,2]}');
    expect(invalid).toContain('{"order":{"id":"R-09"},"urgent":true,"lines":[]}');
    expect(invalid).toContain('{"order":{"id":"R-09"},"urgent":true,"lines":[1,2,1,2]}');
    expect(invalid).toContain('{"order":{"id":"R-09"},"urgent":true,"lines":1}');
    expect(nested.requests.simpler('{"order":{"id":"R-09"},"urgent":true,"lines":[3,4]}')).toEqual([
      '{"order":{"id":"R-09"},"urgent":true,"lines":[3]}',
      '{"order":{"id":"R-09"},"urgent":true,"lines":[1,2]}',
    ]);
  });
});

describe("a simpler request of a foreign tool", () => {
  const { simpler } = contract.requests;

  it("is shorter, or as long and earlier, or loses an odd spelling", () => {
    expect(simpler('{"amount":40,"currency":"USD","order":"R-07","reason":"ab"}')).toEqual([
      // Simplest first: by length, then by code units. The reason's field goes, or is emptied, or halved.
      '{"order":"R-01","amount":5,"currency":"EUR"}',
      '{"order":"R-07","amount":40,"currency":"USD"}',
      '{"order":"R-07","amount":40,"currency":"USD","reason":""}',
      '{"order":"R-07","amount":1,"currency":"USD","reason":"ab"}',
      '{"order":"R-07","amount":40,"currency":"USD","reason":"a"}',
      '{"order":"R-07","amount":5,"currency":"USD","reason":"ab"}',
      '{"order":"R-01","amount":40,"currency":"USD","reason":"ab"}',
      '{"order":"R-07","amount":20,"currency":"USD","reason":"ab"}',
      '{"order":"R-07","amount":39,"currency":"USD","reason":"ab"}',
      '{"order":"R-07","amount":40,"currency":"EUR","reason":"ab"}',
      '{"order":"R-07","amount":40,"currency":"USD","reason":"ab"}',
    ]);
    expect(simpler('{"currency":"EUR","order":"R-01","amount":1}')).toEqual([
      '{"order":"R-01","amount":1,"currency":"EUR"}',
    ]);
    expect(simpler('{"order":"R-01","amount":1,"currency":"EUR"}')).toEqual([]);
  });

  it("is, of a refused one, the first example, then one refused alike with less in it", () => {
    expect(simpler('{"order":"R-02","amount":true,"currency":"EUR"}')).toEqual([
      first,
      '{"order":"R-02","amount":"","currency":"EUR"}',
      '{"order":"R-02","amount":"x","currency":"EUR"}',
      '{"order":"R-01","amount":true,"currency":"EUR"}',
    ]);
    expect(simpler('{"order":"R-01","amount":5,"currency":"EUR","skip_checks":true}')).toEqual([
      first,
      "{}",
      '{"order":"R-01","amount":5,"currency":"EUR","skip_checks":1}',
      '{"order":"R-01","amount":5,"currency":"EUR","skip_checks":""}',
      '{"order":"R-01","amount":5,"currency":"EUR","skip_checks":"x"}',
    ]);
    expect(simpler("{]")).toEqual([first, "", "{"]);
    expect(simpler("[ 1 ]")).toEqual([first, "[]", "[1]", "null"]);
  });

  it("ends: no chain of steps leads back", () => {
    const requests = fc.oneof(
      fc.tuple(fc.nat(5), picks).map(([key, variant]) => contract.requests.valid(key, variant)),
      picks.map(contract.requests.invalid),
      fc.json(),
    );
    const follow = (request: string, above: ReadonlySet<string>): void => {
      expect(above.has(request)).toBe(false);
      const steps = contract.requests.simpler(request);
      const path = new Set([...above, request]);
      expect(path.size).toBeLessThan(120);
      const last = steps.at(-1);
      if (last !== undefined) follow(last, path);
    };
    fc.assert(
      fc.property(requests, (request) => follow(request, new Set())),
      { ...runs, numRuns: 60 },
    );
  });
});

describe("a contract from a schema beside one in plain conditions", () => {
  it("agrees on every request that either generates", () => {
    const derived = contractFromSchema({
      name: "draft",
      effect: "write",
      schema: {
        type: "object",
        required: ["job", "topic", "copies"],
        additionalProperties: false,
        properties: {
          job: { type: "string", pattern: "^JOB-[0-9]{3}$" },
          topic: { enum: ["river", "forest"] },
          copies: { type: "integer", minimum: 1, maximum: 9 },
        },
      },
      key: ({ job }) => String(job),
      weight: ({ copies }) => Number(copies),
      accepts: (output, args) => draftContract.accepts(output, JSON.stringify(args)),
      examples: [{ job: "JOB-001", topic: "river", copies: 1 }],
    });
    const texts = [derived, draftContract].flatMap(({ requests }) =>
      many.flatMap((pick) => [requests.valid(pick % 5, pick), requests.invalid(pick)]),
    );
    for (const text of texts)
      expect([text, derived.interpret(text)]).toEqual([text, draftContract.interpret(text)]);
  });
});
