import { describe, expect, it } from "vitest";
import type { Code, Observation, RuleSetting, Status } from "../../../../src/model/vocabulary.js";
import { atMost, forbidden, once, others, rule } from "../../../model/ruled/fixture.js";
import { changedRequest, effect, ended, epilogue, observed, store, submitted } from "../../history.js";
import {
  begins,
  breach,
  lastOf,
  occurs,
  outcome,
  passage,
  refuses,
  row,
  rulesSet,
  said,
  type Telling,
} from "../history.js";

const promise = "always-recoverable";

/** With every fault gone a9 tries JOB-001 once more, on a store like this, and ends. */
function recovery(
  before: Telling,
  now: Partial<Observation>,
  code: Code,
  status: Status = "blocked",
): Telling {
  const at = store({ reservations: [], ...now });
  const end = outcome("a9", status, code, passage.refused);
  return [begins, ...before, observed(at), epilogue, submitted("a9"), ended("a9", end, at), observed(at)];
}

const effects = [effect()];
const reservations = [row("done")];
const keyed = [rulesSet([once])];

function stuck(telling: Telling, seen: string, holds = "no effect") {
  return {
    // The store is read once more behind the end.
    at: lastOf(...telling) - 1,
    sentence: "a9, a retry with every fault gone, ended in no way that the policy or its key justifies.",
    expected: "accepted, or a refusal that policy or key justifies",
    seen: `a9 ended completed ${seen}, under policy revision 1 with max_copies 3, with ${holds}`,
  };
}

describe("always-recoverable, of a duplicate", () => {
  it("is justified by the effect that it would repeat", () => {
    const telling = recovery(keyed, { effects, reservations }, "duplicate_transaction");
    expect(breach(promise, ...telling)).toBe("nothing");
    expect(occurs(promise, ...telling)).toBe(true);
  });

  it.each(["reserved", "done", "unknown"] as const)(
    "is stuck where a key is %s and has no effect",
    (state) => {
      const telling = recovery(keyed, { reservations: [row(state)] }, "duplicate_transaction");
      expect(breach(promise, ...telling)).toEqual(stuck(telling, "blocked/duplicate_transaction"));
    },
  );

  it.each([
    ["key", "effect of JOB-002 of t1", [effect({ key: "JOB-002" })]],
    ["tenant", "effect of JOB-001 of t2", [effect({ tenant: "t2" })]],
  ] as const)("is stuck on the effect of another %s", (_, shown, elsewhere) => {
    const telling = recovery(keyed, { effects: elsewhere, reservations }, "duplicate_transaction");
    expect(breach(promise, ...telling)).toEqual(stuck(telling, "blocked/duplicate_transaction", shown));
  });

  it("is justified by an effect of other arguments under its key", () => {
    const bound = [effect({ digest: changedRequest.kind === "valid" ? changedRequest.digest : "" })];
    const telling = recovery(keyed, { effects: bound, reservations }, "duplicate_transaction");
    expect(breach(promise, ...telling)).toBe("nothing");
  });

  it.each<[string, Telling, Partial<Observation>]>([
    ["no rule is about keys", [], { effects, reservations }],
    ["the rule is not active", [rulesSet([rule(once.claim, { saidAny: ["x"] })])], { effects, reservations }],
    ["the key is not reserved", keyed, { effects }],
  ])("is stuck where %s, whatever effect there is", (_, before, now) => {
    const telling = recovery(before, now, "duplicate_transaction");
    expect(breach(promise, ...telling)).toEqual(
      stuck(telling, "blocked/duplicate_transaction", "effect of JOB-001 of t1"),
    );
  });
});

describe("always-recoverable, of a refusal by a rule", () => {
  const whenSaid: RuleSetting = [rule(forbidden.claim, { saidAny: ["order"] })];
  const calledBefore = [rulesSet([forbidden]), refuses("a1", "forbidden_tool"), rulesSet([atMost(1)])];

  it.each<[Code, string, Telling]>([
    ["forbidden_tool", "that forbids", [rulesSet([forbidden])]],
    ["forbidden_tool", "whose word was said", [rulesSet(whenSaid), said("My Order")]],
    ["tool_not_allowed", "that is a closed list", [rulesSet([others])]],
    ["too_many_calls", "whose budget is spent", calledBefore],
  ])("justifies %s by a rule %s", (code, _, before) => {
    expect(breach(promise, ...recovery(before, {}, code))).toBe("nothing");
  });

  it.each<[Code, string, Telling]>([
    ["forbidden_tool", "no rule", []],
    ["forbidden_tool", "a rule that was taken away", [rulesSet([forbidden]), rulesSet([])]],
    ["forbidden_tool", "a rule whose word was not said", [rulesSet(whenSaid), said("hello")]],
    ["forbidden_tool", "a rule that says something else", [rulesSet([others])]],
    ["tool_not_allowed", "a rule that says something else", [rulesSet([forbidden])]],
    ["too_many_calls", "a budget that holds", [rulesSet([atMost(1)])]],
  ])("takes %s under %s for stuck", (code, _, before) => {
    const telling = recovery(before, {}, code);
    expect(breach(promise, ...telling)).toEqual(stuck(telling, `blocked/${code}`));
  });

  it("takes a ledger that still cannot be read for stuck: reconciling was there to settle it", () => {
    const telling = recovery(keyed, { reservations: [row("unreadable")] }, "ledger_unreadable", "error");
    expect(breach(promise, ...telling)).toEqual(stuck(telling, "error/ledger_unreadable"));
  });

  it("does not let a rule justify what another stage says", () => {
    const telling = recovery([rulesSet([forbidden])], {}, "forbidden_tool", "error");
    expect(breach(promise, ...telling)).toEqual(stuck(telling, "error/forbidden_tool"));
  });
});
