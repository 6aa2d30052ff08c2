import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RuleDecision } from "../../../src/rules/decision.js";
import { gate } from "../../../src/rules/gate.js";
import type { Rule } from "../../../src/rules/rule.js";
import { ruleSet } from "../../../src/rules/rule-set.js";
import { beginSession } from "../../../src/rules/session.js";
import type { Trace } from "../../../src/rules/trace.js";
import { someRules, someTrace } from "./generate.js";
import { expectedDecision, plainDecision } from "./plain-decision.js";
import { expectedFindings, plainFindings } from "./plain-findings.js";
import { type Answered, cutAfter, replay } from "./replay.js";
import { drawing, patience } from "./rule-pairs.js";
import { type Reading, wholeTrace } from "./whole-trace.js";

const enforced = ["critical", "warning"] as const;
const atGate: Reading = { exit: "ci", severities: enforced };
const atGuard: Reading = { exit: "runtime", severities: enforced };

describe("gate equals guard", patience, () => {
  it("decides every call as the third evaluator does, at both exits", () => {
    let mattering = 0;
    forEveryPair((rules, trace) => {
      const { calls } = wholeTrace(rules, trace, atGate);
      expect(decisionsAtGate(rules, trace)).toEqual(calls.map(expectedDecision));
      const { calls: guarded } = wholeTrace(rules, trace, atGuard);
      expect(replay(rules, trace, atGuard).map(plain)).toEqual(guarded.map(expectedDecision));
      if (calls.some((call) => [...call.refused, ...call.doubted, ...call.hindsight].length > 0))
        mattering += 1;
    });
    const pairs = drawing.numRuns;
    console.log(`${mattering} of ${pairs} pairs have a violation, a doubt or hindsight`);
    // Nine of ten traces have a call, four on average, and rules over three tools leave few of them in peace; a third of
    // the pairs may, since rules are off, at the other exit or not enforced. The seed is fixed, so that chance has no say.
    if (pairs >= 1000) expect(mattering).toBeGreaterThan(0.6 * pairs);
  });

  it("decides each call at the gate as a session does that has seen no more than the calls before it", () => {
    forEveryPair((drawn, trace) => {
      const rules = drawn.map((rule) => ({ ...rule, where: { ci: true, runtime: true } }));
      decisionsAtGate(rules, trace).forEach((decision, call) => {
        const prefix = cutAfter(trace, call);
        expect(decisionsAtGate(rules, prefix).at(-1)).toEqual(decision);
        expect(replay(rules, prefix, atGuard).map(plain).at(-1)).toEqual(decision);
      });
    });
  });

  it("refuses at the gate whatever a rule of both exits refuses at the guard", () => {
    forEveryPair((drawn, trace) => {
      const rules = drawn.map((rule) => ({ ...rule, where: { ci: true, runtime: rule.where.runtime } }));
      const refusedAtGate = decisionsAtGate(rules, trace).map(({ refused }) => refused);
      replay(rules, trace, atGuard).forEach((answered, call) => {
        expect(refusedAtGate[call]).toEqual(expect.arrayContaining([...plain(answered).refused]));
      });
    });
  });

  it("gives the verdict and code that it would give if rules of one template kept their keys apart", () => {
    const outcome = ({ verdict, code }: ReturnType<typeof plainDecision>) => `${verdict} ${code}`;
    forEveryPair((rules, trace) => {
      const { calls } = wholeTrace(rules, trace, { ...atGate, keys: "apart" });
      expect(decisionsAtGate(rules, trace).map(outcome)).toEqual(calls.map(expectedDecision).map(outcome));
    });
  });

  it("tells of a duplicate what became of the earlier call, and of several that one was done", () => {
    forEveryPair((rules, trace) => {
      const atExit = {
        gate: gate(rules, [trace], { severities: enforced }).judged.flatMap(({ decisions }) => decisions),
        guard: replay(rules, trace, atGuard).map(({ decision }) => decision),
      };
      expect(atExit.gate.map(duplicatesTold)).toEqual(duplicatesRead(rules, trace, atGate));
      expect(atExit.guard.map(duplicatesTold)).toEqual(duplicatesRead(rules, trace, atGuard));
    });
  });
});

describe("the gate's findings and verdict", patience, () => {
  it("are those of the third evaluator", () => {
    forEveryPair((rules, trace) => {
      const report = gate(rules, [trace], { severities: enforced });
      const expected = expectedFindings(rules, trace, enforced);
      expect(plainFindings(report)).toEqual(expected);
      const kinds = new Set(expected.map((line) => line.split(" ")[1]));
      const unless = kinds.has("inconclusive") ? "inconclusive" : "holds";
      expect(report.verdict).toBe(kinds.has("violation") ? "violated" : unless);
    });
  });
});

describe("the guard without history", patience, () => {
  it("allows no call that it refuses with the whole history", () => {
    forEveryPair((rules, trace) => {
      for (const answered of replay(rules, trace, atGuard)) {
        if (answered.decision.verdict !== "block") continue;
        expect(withoutHistory(rules, answered, [answered.user]).verdict).not.toBe("allow");
        expect(withoutHistory(rules, answered, []).verdict).not.toBe("allow");
      }
    });
  });

  it("refuses no call that it would not refuse with the whole history", () => {
    forEveryPair((rules, trace) => {
      for (const answered of replay(rules, trace, atGuard)) {
        if (answered.decision.verdict === "block") continue;
        expect(withoutHistory(rules, answered, [answered.user]).verdict).not.toBe("block");
      }
    });
  });

  it("allows a call of a tool that no rule at its exit could refuse in any history", () => {
    forEveryPair((drawn, trace) => {
      // Those that may refuse a tool without naming it are left out.
      const rules = drawn.filter(({ then }) =>
        then.every(({ kind }) => kind !== "allow_tool" && kind !== "max_tool_calls"),
      );
      for (const answered of replay(rules, trace, atGuard)) {
        if (answered.call.tool !== "log_visit") continue;
        expect(withoutHistory(rules, answered, [answered.user]).verdict).toBe("allow");
      }
    });
  });
});

function forEveryPair(check: (rules: readonly Rule[], trace: Trace) => void): void {
  fc.assert(fc.property(someRules, someTrace, check), drawing);
}

function plain({ decision }: Answered): ReturnType<typeof plainDecision> {
  return plainDecision(decision);
}

function decisionsAtGate(rules: readonly Rule[], trace: Trace): readonly ReturnType<typeof plainDecision>[] {
  const { judged } = gate(rules, [trace], { severities: enforced });
  return judged.flatMap(({ decisions }) => decisions.map(plainDecision));
}

/** For each rule that calls it a duplicate, what it says of the earlier call. */
function duplicatesTold(decision: RuleDecision): Readonly<Record<string, unknown>> {
  const refused = decision.verdict === "block" ? [decision.first, ...decision.alsoViolated] : [];
  const duplicates = refused.filter(({ code }) => code === "duplicate_transaction");
  return Object.fromEntries(duplicates.map(({ rule, detail }) => [rule, detail.outcome]));
}

function duplicatesRead(rules: readonly Rule[], trace: Trace, reading: Reading) {
  return wholeTrace(rules, trace, reading).calls.map(({ earlier }) =>
    Object.fromEntries([
      ...earlier.map(({ rule, outcome }) => [rule, outcome]),
      // Later entries win: one that is known to have happened is what counts.
      ...earlier.filter(({ outcome }) => outcome === "done").map(({ rule, outcome }) => [rule, outcome]),
    ]),
  );
}

function withoutHistory(rules: readonly Rule[], { call, ledger }: Answered, said: readonly string[]) {
  const session = beginSession(ruleSet(rules, atGuard), "unknown");
  for (const text of said) session.user(text);
  return session.decide(call, (key) => ledger.get(key) ?? "free");
}
