import { describe, expect, it } from "vitest";
import { createGuard } from "../../../src/rules/guard/guard.js";
import type { GuardOptions } from "../../../src/rules/guard/guarding.js";
import { memoryStore } from "../../../src/rules/guard/memory-store.js";
import { allowOnly, atMost, forbid, intent, needed, once, remember, rule } from "../rule-fixture.js";

const never = rule("never", [forbid("x")]);
const list = rule("list", [allowOnly("x")]);

function warnings(rules: GuardOptions["rules"], options: Partial<GuardOptions> = {}): readonly string[] {
  return createGuard({ rules, store: memoryStore(), ...options }).warnings.map(
    ({ code, about }) => `${about.kind === "rule" ? about.rule : about.kind}: ${code}`,
  );
}

describe("the warnings of a guard", () => {
  it("are none for rules that it enforces wholly", () => {
    expect(warnings([never, list])).toEqual([]);
  });

  it("name what it cannot judge by a single call", () => {
    const blind = rule("blind", [needed("x"), remember(["nuts"], 1, 2)]);
    expect(warnings([blind])).toEqual(["blind: runtime_blind", "blind: runtime_blind"]);
  });

  it("name rules with a condition, above all those that hide an idempotency", () => {
    const hidden = rule("hidden", [once("x", `\${id}`)], intent("status"));
    expect([...warnings([hidden])].sort()).toEqual([
      "hidden: idempotent_under_when",
      "hidden: needs_history",
    ]);
  });

  it("name limits, which only sessions count", () => {
    expect(warnings([rule("few", [atMost(3)])])).toEqual(["few: counts_in_sessions"]);
  });

  it("say of a rule whose severity this guard does not enforce no more than that", () => {
    const info = rule("info", [forbid("x")], { severity: "info", ...intent("status") });
    expect(warnings([info])).toEqual(["info: not_enforced"]);
    expect(warnings([info], { enforceSeverity: ["info"] })).toEqual(["info: needs_history"]);
    expect(
      warnings([rule("mild", [forbid("x")], { severity: "warning" })], { enforceSeverity: ["critical"] }),
    ).toEqual(["mild: not_enforced"]);
  });

  it("say nothing of rules for CI alone", () => {
    const where = { ci: true, runtime: false };
    expect(warnings([rule("ci", [needed("x")], { where })])).toEqual([]);
  });

  it("name each option that weakens it, the closed lists only where there are some", () => {
    expect(warnings([never], { releaseOnThrow: true })).toEqual(["options: release_on_throw"]);
    expect(warnings([never], { onInconclusive: "allow" })).toEqual(["options: inconclusive_allowed"]);
    expect(warnings([list], { enforceAllowList: false })).toEqual(["options: allow_list_off"]);
    expect(warnings([never], { enforceAllowList: false })).toEqual([]);
  });
});
