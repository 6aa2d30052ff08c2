import type { Clause, Policy } from "@cedar-policy/cedar-wasm/nodejs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideCapability } from "../../../src/model/capability.js";
import { type CapabilityPart, capabilityParts, type Grant } from "../../../src/model/vocabulary.js";
import { decide } from "../../../src/sut/guarded/capability/decide.js";
import { loadPolicies } from "../../../src/sut/guarded/capability/load-policies.js";
import { type Policies, standardPolicies } from "../../../src/sut/guarded/capability/policies.js";

/** Names that text pasted into a policy, a reference or a pattern would turn into something else; many are near twins. */
const loadableNames = [
  ...["a", "A", "a ", "*", "draft", "__proto__", "constructor", "\u00e9", "e\u0301", "\u6771\u4eac"],
  ...['"', '\\"', "\\u{41}", 'User::"x"', 'Principal::"a"', "?principal"],
  ...["x".repeat(2_000), `${"x".repeat(2_000)}y`],
];
/**
 * Names that no loaded policy bears, but a grant or a request may. The replacement character stands beside the halves
 * that a conversion to UTF-8 would turn into it.
 */
const otherNames = ["", "a\nb", "\u0000", "\u{1f600}", "dr\u0430ft", "\ufffd", "\ud800", "\udfff", "a\ud800"];
const names = [...loadableNames, ...otherNames];

/** A policy set, and which grants it lets count: by construction each set only narrows what grants give. */
type Family = {
  readonly name: string;
  readonly policies: Policies;
  readonly counts: (grant: Grant) => boolean;
};

const entityTypes = { principal: "Principal", tenant: "Tenant", tool: "Tool", resource: "Resource" } as const;

const condition = (part: CapabilityPart, id: string): Clause => ({
  kind: "when",
  body: {
    "==": {
      left:
        part === "principal" || part === "resource"
          ? { Var: part }
          : { ".": { left: { Var: "context" }, attr: part } },
      right: { Value: { __entity: { type: entityTypes[part], id } } },
    },
  },
});

const policy = (effect: "permit" | "forbid", part: CapabilityPart, id: string): Policy => ({
  effect,
  principal: { op: "All" },
  action: { op: "All" },
  resource: { op: "All" },
  conditions: [condition(part, id)],
});

const numbered = (policies: readonly Policy[]): Policies =>
  Object.fromEntries(policies.map((each, index) => [`operator.${index}`, each]));

/** Permits that do not look at grants at all: that no grant is exceeded is left to the guards. */
const permits = (part: "tool" | "tenant", ids: readonly string[]): Family => ({
  name: `permits by ${part}`,
  policies: numbered(ids.map((id) => policy("permit", part, id))),
  counts: (grant) => ids.includes(grant[part]),
});

const forbids = (part: CapabilityPart, ids: readonly string[]): Family => ({
  name: `forbids by ${part}`,
  policies: { ...standardPolicies, ...numbered(ids.map((id) => policy("forbid", part, id))) },
  counts: (grant) => !ids.includes(grant[part]),
});

const standard: Family = { name: "standard", policies: standardPolicies, counts: () => true };

type Row = Grant & { readonly held: 0 | 1 };

type Case = {
  readonly family: Family;
  readonly asked: Grant;
  readonly rows: readonly Row[];
};

/** Few names in one case, so that they meet; a request differs from a row in at most one part, or is free. */
const cases: fc.Arbitrary<Case> = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 4 })
  .chain((few) => {
    const name = fc.constantFrom(...few);
    const grant = fc.record({ principal: name, tenant: name, tool: name, resource: name });
    const row = fc.record({ grant, held: fc.constantFrom(1, 1, 1, 0) });
    const rows = fc.uniqueArray(row, { maxLength: 6, selector: (each) => JSON.stringify(each.grant) });
    const loadable = few.filter((each) => loadableNames.includes(each));
    const ids = fc.subarray(loadable);
    const family = fc.oneof(
      fc.constant(standard),
      fc.tuple(fc.constantFrom("tool", "tenant"), ids).map(([part, some]) => permits(part, some)),
      fc.tuple(fc.constantFrom(...capabilityParts), ids).map(([part, some]) => forbids(part, some)),
    );
    const twist = fc.oneof(
      fc.constant({}),
      fc.constantFrom(...capabilityParts).chain((part) => name.map((id) => ({ [part]: id }))),
    );
    return fc
      .tuple(family, rows, grant, fc.nat(), twist, fc.boolean())
      .map(([chosen, some, free, index, change, near]): Case => {
        const base = some[index % Math.max(some.length, 1)]?.grant;
        return {
          family: chosen,
          asked: near && base !== undefined ? { ...base, ...change } : free,
          rows: some.map((each) => ({ ...each.grant, held: each.held === 1 ? 1 : 0 })),
        };
      });
  });

/**
 * What the engine has to say by the reference: the refusal of the grants alone comes first and has its part as reason;
 * what only the policies take away is `policy`.
 */
const expected = ({ family, asked, rows }: Case): { readonly action: string; readonly reason: string } => {
  const held = rows.filter((row) => row.held === 1);
  const byGrants = decideCapability(asked, held);
  if (byGrants.action === "block") return { action: "block", reason: byGrants.code };
  const action = decideCapability(asked, held.filter(family.counts)).action;
  return { action, reason: action === "allow" ? "held" : "policy" };
};

describe("reference and engine", () => {
  it("decide alike, with the same reason, for generated names, grants, requests and policies", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(cases, (each) => {
        const { action, reason } = decide(loadPolicies(each.family.policies), each.asked, each.rows, "c");
        expect({ action, reason }).toEqual(expected(each));
        for (const key of [reason, each.family.name]) seen.set(key, (seen.get(key) ?? 0) + 1);
      }),
      { seed: 1, numRuns: 1_000 },
    );
    // An agreement that never met one of these would say nothing about it.
    const met = ["held", "policy", ...capabilityParts, "standard", "permits by tool", "permits by tenant"];
    for (const key of [...met, ...capabilityParts.map((part) => `forbids by ${part}`)]) {
      expect(seen.get(key) ?? 0, key).toBeGreaterThan(20);
    }
    expect(seen.get("no_verdict")).toBeUndefined();
  });

  it("decide alike for every request and every pair of grants over two names a part", () => {
    const ids = ["a", "b"];
    const all = ids.flatMap((principal) =>
      ids.flatMap((tenant) =>
        ids.flatMap((tool) => ids.map((resource): Grant => ({ principal, tenant, tool, resource }))),
      ),
    );
    const pairs = all.flatMap((left, index) => all.slice(index).map((right) => [left, right]));
    const policies = loadPolicies(standardPolicies);
    let count = 0;
    const began = performance.now();
    for (const pair of pairs) {
      const rows = pair.map((grant): Row => ({ ...grant, held: 1 }));
      for (const asked of all) {
        const { action, reason } = decide(policies, asked, rows, "c");
        expect({ action, reason }).toEqual(expected({ family: standard, asked, rows }));
        count += 1;
      }
    }
    // 16 single grants and 120 pairs, each held against 16 requests.
    expect(count).toBe(2_176);
    const perSecond = Math.round(count / ((performance.now() - began) / 1_000));
    console.info(`capability decisions per second, with the comparison: ${perSecond}`);
  });
});
