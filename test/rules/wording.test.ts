import { describe, expect, it } from "vitest";
import { type Doubt, missingEvidence, type Violation, violationCodes } from "../../src/rules/decision.js";
import { type Finding, obligationCodes, obligationDoubts } from "../../src/rules/finding.js";
import { chinese } from "../../src/rules/wording/chinese.js";
import { english } from "../../src/rules/wording/english.js";

const forbidden: Violation = {
  code: "forbidden_tool",
  rule: "refund-safety",
  severity: "critical",
  detail: { tool: "refund_order" },
};
const unnamed: Doubt = { because: "unnamed_call", rule: "r", severity: "critical", detail: { tool: null } };
const codes = [...violationCodes, ...missingEvidence, ...obligationCodes, ...obligationDoubts];
const detail = {
  tool: "refund_order",
  template: "",
  key: "A1001",
  outcome: "done",
  calls: 21,
  most: 20,
  allowed: ["get_order", "get_refund"],
  argument: "order_id",
  fact: ["no nuts"],
  saidBy: 2,
  stillAt: 20,
};

function finding(kind: Finding["kind"], code: Finding["code"], change: Partial<Finding> = {}): Finding {
  const at = { file: "t.json", line: 1, column: 1, endLine: 1, endColumn: 2 };
  const trace = { file: "t.json", name: "1" };
  return { kind, code, rule: "my-rule", severity: "info", trace, turn: 1, tool: "t", at, detail, ...change };
}

describe("the English wording", () => {
  it("says of a forbidden tool what logs are searched by", () => {
    const reason = "tool 'refund_order' is forbidden by rule 'refund-safety'";
    expect(english.violation(forbidden)).toBe(reason);
    const block = {
      verdict: "block",
      code: "forbidden_tool",
      first: forbidden,
      alsoViolated: [],
      doubts: [],
    } as const;
    expect(english.decision(block)).toBe(reason);
  });

  it.each(codes)("is one line of ASCII for %s, names the rule and leaves no gap", (code) => {
    const text = english.finding(finding("violation", code));
    expect(text).toMatch(/^[\x20-\x7e]+$/);
    expect(text).toContain("'my-rule'");
    expect(text).not.toMatch(/undefined|null|\.$/);
  });

  it("tells a transaction that was made from one that may have been", () => {
    const text = (outcome: string) =>
      english.violation({ ...forbidden, code: "duplicate_transaction", detail: { ...detail, outcome } });
    expect(text("done")).toContain("has already run with key 'A1001'");
    expect(text("unknown")).toContain("may already have run with key 'A1001'");
  });

  it("says what numbers and lists a reason has", () => {
    expect(english.finding(finding("violation", "too_many_calls"))).toContain("call 21 of the conversation");
    expect(english.finding(finding("violation", "tool_not_allowed"))).toContain("get_order, get_refund");
    expect(english.finding(finding("violation", "forgotten"))).toContain("turn 20");
  });

  it("tells the kinds of findings apart", () => {
    const kinds = ["violation", "inconclusive", "hindsight", "note"] as const;
    const texts = kinds.map((kind) => english.finding(finding(kind, "forbidden_tool")));
    expect(new Set(texts).size).toBe(4);
    expect(texts[3]).toContain("severity info");
  });

  it("calls an undecided call undecided, and a tool that no rule names not safe", () => {
    const undecided = {
      verdict: "inconclusive",
      code: "unnamed_call",
      first: unnamed,
      alsoInDoubt: [],
    } as const;
    expect(english.decision(undecided)).toBe(`undecided: ${english.doubt(unnamed)}`);
    const allowed = (hint: "none" | "no_rule_names_this_tool") =>
      english.decision({ verdict: "allow", code: "allowed", hint });
    expect(allowed("none")).toBe("allowed");
    expect(allowed("no_rule_names_this_tool")).toContain("no proof");
  });

  it("lets no name forge a line or turn its direction", () => {
    const forged = { ...forbidden, detail: { tool: "x\n2026 allowed\u001b[2K\u202e" } };
    expect(english.violation(forged)).toBe(
      "tool 'x\\u000a2026 allowed\\u001b[2K\\u202e' is forbidden by rule 'refund-safety'",
    );
  });
});

describe("the Chinese wording", () => {
  it.each(codes)("has a sentence of its own for %s that names the rule", (code) => {
    const text = chinese.finding(finding("violation", code));
    expect(text).toMatch(/\p{Script=Han}/u);
    expect(text).toContain("「my-rule」");
    expect(text).not.toMatch(/undefined|null|。$/);
    const others = codes.filter((other) => other !== code);
    expect(others.map((other) => chinese.finding(finding("violation", other)))).not.toContain(text);
  });

  it("says decisions and kinds of findings", () => {
    expect(chinese.violation(forbidden)).toBe("规则「refund-safety」禁止调用工具「refund_order」");
    expect(chinese.decision({ verdict: "allow", code: "allowed", hint: "none" })).toBe("放行");
    expect(chinese.finding(finding("hindsight", "forbidden_tool"))).toMatch(/^事后看：/);
    expect(chinese.doubt(unnamed)).toContain("读不到工具名");
  });
});
