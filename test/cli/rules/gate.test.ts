import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProgram } from "../program.js";
import { plainTrace, refund, refundRules } from "./rule-files.js";

const clean = plainTrace({ user: "please refund A1", calls: [refund("A1")] });
/** Turn 1 asks for the status; the refund of turn 2 is on line 3, in column 29, after `{"user":"so?","tool_calls":[`. */
const incident = plainTrace({ user: "status of A1?" }, { user: "so?", calls: [refund("A1")] });

function opened(traces: Readonly<Record<string, string>>, rules = refundRules) {
  const program = openProgram();
  program.write("rules/refunds.yaml", rules);
  for (const [name, text] of Object.entries(traces)) program.write(`traces/${name}`, text);
  return program;
}

describe("rules gate", () => {
  it("is green where every rule holds", async () => {
    const { code, out } = await opened({ "a.json": clean }).call("rules gate");
    expect(code).toBe(0);
    expect(out).toContain("✓ every enforced rule holds\n  1 trace, 1 call: 0 violations, 0 undecided");
  });

  it("is red on a call after the turn with the word, at the line and column of the call", async () => {
    const { code, out } = await opened({ "a.json": incident }).call("rules gate");
    expect(code).toBe(1);
    expect(incident.split("\n")[2]?.indexOf('{"name"')).toBe(28);
    expect(out).toContain(
      "✗ refund-safety  violation  critical\n  traces/a.json:3:29  trace 1  turn 2\n  tool 'refund_order' is forbidden by rule 'refund-safety'",
    );
  });

  it("says so in Chinese when it is asked to", async () => {
    const { code, out } = await opened({ "a.json": incident }).call("rules gate --lang zh");
    expect(code).toBe(1);
    expect(out).toContain("规则「refund-safety」禁止调用工具「refund_order」");
    expect(out).toContain("✗ 有规则被违反\n  1 个会话，1 次调用：1 条违规");
  });

  it("is undecided where evidence lacks, however many other traces hold", async () => {
    const unnamed = plainTrace({ user: "please", calls: [{ arguments: { order_id: "A1" } }] });
    const { code, out, err } = await opened({ "a.json": clean, "b.json": unnamed }).call("rules gate");
    expect(code).toBe(3);
    expect(out).toContain("? refund-once  undecided  warning\n  traces/b.json:2:");
    expect(err).toContain("warning: traces/b.json:2:");
  });

  it("tells of hindsight and fails nothing by it", async () => {
    const late = plainTrace({ user: "please", calls: [refund("A1")] }, { user: "what is its status?" });
    const { code, out } = await opened({ "a.json": late }).call("rules gate");
    expect(code).toBe(0);
    expect(out).toContain("! refund-safety  hindsight");
    expect(out).toContain("1 in hindsight");
  });

  it("notes what is not enforced, and says nothing of it when quiet", async () => {
    const program = opened({ "a.json": incident });
    const loud = await program.call("rules gate --enforce-severity warning");
    expect([loud.code, loud.out.includes("· refund-safety  note")]).toEqual([0, true]);
    const quiet = await program.call("rules gate --enforce-severity warning --quiet");
    expect([quiet.code, quiet.out.includes("note  "), quiet.err]).toEqual([0, false, ""]);
  });

  it.each([
    [
      "no rule is for CI",
      refundRules.replaceAll("then:", "where: { ci: false }\nthen:"),
      clean,
      "no rule is enforced",
    ],
    [
      "no severity is enforced",
      "rule: a\nseverity: info\nthen: { forbid_tool: x }\n",
      clean,
      "no rule is enforced",
    ],
    ["no trace has a call", refundRules, plainTrace({ user: "hi" }), "no trace has a call"],
  ])("is no success where %s", async (_, rules, trace, message) => {
    const { code, out } = await opened({ "a.json": trace }, rules).call("rules gate");
    expect(code).toBe(3);
    expect(out).toContain(`? nothing was judged: ${message}`);
  });

  it("judges what is owed in a trace without calls", async () => {
    const owed = "rule: asks\nthen: { require_tool: get_order }\n";
    const { code, out } = await opened({ "a.json": plainTrace({ user: "hi" }) }, owed).call("rules gate");
    expect(code).toBe(1);
    expect(out).toContain("tool 'get_order' was never called");
  });

  it.each([
    ["a folder without traces", {}, "rules gate", "this folder has no *.json, *.jsonl or *.ndjson file"],
    ["broken JSON", { "a.json": '{"turns": [' }, "rules gate", "traces/a.json:1:"],
    [
      "another format",
      { "a.json": clean },
      "rules gate --format anthropic",
      "traces/a.json:1:1: this file is not in",
    ],
    ["no format", { "a.json": clean }, "rules gate --format antropic", 'did you mean "anthropic"?'],
    ["no language", { "a.json": clean }, "rules gate --lang zn", 'there is no language "zn"'],
    ["no reporter", { "a.json": clean }, "rules gate --reporter sarf", 'did you mean "sarif"?'],
  ])("refuses %s", async (_, traces, line, message) => {
    const program = opened({ ...traces });
    program.write("traces/readme.txt", "");
    const { code, out, err } = await program.call(line);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });

  it("hands each reporter its own text, and stdout to one alone", async () => {
    const program = opened({ "a.json": incident });
    const { code, out } = await program.call(
      "rules gate --reporter sarif --reporter json:out/g.json --reporter markdown:g.md --reporter junit:g.xml",
    );
    expect(code).toBe(1);
    expect(JSON.parse(out).version).toBe("2.1.0");
    const read = (name: string) => readFileSync(join(program.folder, name), "utf8");
    expect(JSON.parse(read("out/g.json"))).toMatchObject({
      format: "commitpoint-rules-gate",
      verdict: "violated",
      summary: { traces: 1, calls: 1, violations: 1, inconclusive: 0, hindsight: 0, notes: 0 },
      findings: [{ rule: "refund-safety", code: "forbidden_tool", turn: 2, at: { line: 3, column: 29 } }],
    });
    expect(read("g.md")).toContain("| violation | refund-safety | critical | traces/a.json:3:29 | 2 |");
    expect(read("g.xml")).toContain('<testcase name="refund-once" classname="traces/a.json trace 1"/>');
    expect(read("g.xml")).toContain('<failure message="tool &apos;refund_order&apos; is forbidden');
  });
});

describe("the baseline of rules gate", () => {
  it("is not adopted while it is missing, which is said", async () => {
    const { code, out, err } = await opened({ "a.json": incident }).call("rules gate --baseline known.json");
    expect(code).toBe(1);
    expect(out).toContain("baseline known.json: not adopted yet, so every violation counts");
    expect(err).toContain("no baseline known.json yet");
  });

  it("is the JSON report of an earlier gate, and puts up with as many violations as that had", async () => {
    const program = opened({ "a.json": incident });
    expect((await program.call("rules gate --reporter json:known.json")).code).toBe(1);
    const same = await program.call("rules gate --baseline known.json --reporter junit:g.xml");
    expect(same.code).toBe(0);
    expect(same.out).toContain("✓ rules are violated, no more often than the baseline puts up with");
    expect(readFileSync(join(program.folder, "g.xml"), "utf8")).toContain(
      'failures="0" errors="0" skipped="1"',
    );
    program.write("traces/b.json", incident);
    const more = await program.call("rules gate --baseline known.json");
    expect(more.code).toBe(1);
    expect(more.out).toContain("baseline known.json: 1 violation; now 2");
  });

  it("takes the flat shape, and says when it can be lowered", async () => {
    const program = opened({ "a.json": incident });
    program.write("known.json", '{"violations": 5}');
    const { code, err } = await program.call("rules gate --baseline known.json");
    expect(code).toBe(0);
    expect(err).toContain("fewer violations than the baseline");
  });

  it("does not make a success of what is undecided", async () => {
    const unnamed = plainTrace({ user: "please", calls: [{ arguments: { order_id: "A1" } }] });
    const program = opened({ "a.json": incident, "b.json": unnamed });
    program.write("known.json", '{"violations": 1}');
    expect((await program.call("rules gate --baseline known.json")).code).toBe(3);
  });

  it.each([
    ["{", "known.json:1:"],
    ['{\n  "summary": {}\n}', "known.json:2:14"],
    ['{"violations": -1}', "known.json:1:16"],
    ["", "known.json:1:1"],
  ])("that is broken fails with its place: %j", async (text, place) => {
    const program = opened({ "a.json": clean });
    program.write("known.json", text);
    const { code, out, err } = await program.call("rules gate --baseline known.json");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("error: the baseline is broken: ");
    expect(err).toContain(`  at   ${place}`);
  });

  it("that is a folder fails too", async () => {
    const { code, err } = await opened({ "a.json": clean }).call("rules gate --baseline rules");
    expect(code).toBe(2);
    expect(err).toContain("at   --baseline rules");
  });
});
