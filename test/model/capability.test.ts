import { describe, expect, it } from "vitest";
import { type Asked, decideCapability } from "../../src/model/capability.js";
import type { CapabilityPart, Grant } from "../../src/model/vocabulary.js";

const anna: Grant = { principal: "anna", tenant: "t1", tool: "draft", resource: "JOB-001" };
const bert: Grant = { principal: "bert", tenant: "t2", tool: "notify", resource: "room" };

type Row = readonly [title: string, asked: Asked, held: readonly Grant[]];

const allowed: readonly Row[] = [
  ["the very grant", anna, [anna]],
  ["the very grant among those of others", anna, [bert, anna]],
  ["a grant held twice", anna, [anna, anna]],
  ["names that only look like patterns", { ...anna, resource: "*" }, [{ ...anna, resource: "*" }]],
];

/** The code is the first part, in the order principal, tenant, tool, resource, that no grant fits any more. */
const refused: readonly (readonly [...Row, code: CapabilityPart])[] = [
  ["nothing held", anna, [], "principal"],
  ["only a stranger's grant", anna, [bert], "principal"],
  ["a stranger's grant that fits in all else", anna, [{ ...anna, principal: "bert" }], "principal"],
  ["another tenant", anna, [{ ...anna, tenant: "t2" }], "tenant"],
  ["another tool", anna, [{ ...anna, tool: "notify" }], "tool"],
  ["another resource", anna, [{ ...anna, resource: "JOB-002" }], "resource"],
  ["another tenant and another resource", anna, [{ ...anna, tenant: "t2", resource: "x" }], "tenant"],
  // Each part is held by some grant, but no single grant holds them together.
  [
    "a tool held in another tenant, beside another tool in this one",
    anna,
    [
      { ...anna, tenant: "t2" },
      { ...anna, tool: "notify" },
    ],
    "tool",
  ],
  [
    "a resource held for another tool, beside another resource for this one",
    anna,
    [
      { ...anna, tool: "notify" },
      { ...anna, resource: "JOB-002" },
    ],
    "resource",
  ],
  ["a tenant that only a stranger has", anna, [{ ...anna, tenant: "t2" }, bert], "tenant"],
  ["a prefix", anna, [{ ...anna, resource: "JOB-0" }], "resource"],
  ["a star", anna, [{ ...anna, resource: "*" }], "resource"],
  ["another case", anna, [{ ...anna, tool: "Draft" }], "tool"],
  ["a trailing space", anna, [{ ...anna, tenant: "t1 " }], "tenant"],
  ["a Unicode twin", { ...anna, principal: "\u00e9" }, [{ ...anna, principal: "e\u0301" }], "principal"],
];

describe("the capability decision", () => {
  it.each(allowed)("allows %s", (_, asked, held) => {
    expect(decideCapability(asked, held)).toEqual({ action: "allow" });
  });

  it.each(refused)("refuses %s", (_, asked, held, code) => {
    expect(decideCapability(asked, held)).toEqual({ action: "block", code });
  });

  it.each(["principal", "tenant", "tool", "resource"] as const)("refuses when %s cannot be told", (part) => {
    const { [part]: told, ...rest } = anna;
    expect(told).toBe(anna[part]);
    expect(decideCapability(rest, [anna])).toEqual({ action: "block", code: part });
    expect(decideCapability({ ...anna, [part]: undefined }, [anna])).toEqual({ action: "block", code: part });
  });

  // A grant of nothing would otherwise be held by everyone who forgot to say who they are.
  it.each(["", "\ud800", "a\udc00"])("takes a grant that bears %j, which names nothing, for none", (name) => {
    const grant = { ...anna, resource: name };
    expect(decideCapability(grant, [grant])).toEqual({ action: "block", code: "principal" });
    expect(decideCapability(grant, [grant, anna])).toEqual({ action: "block", code: "resource" });
    expect(decideCapability(anna, [grant, anna])).toEqual({ action: "allow" });
  });

  it("takes a whole surrogate pair for a name", () => {
    const grant = { ...anna, resource: "\u{1f600}" };
    expect(decideCapability(grant, [grant])).toEqual({ action: "allow" });
  });
});
