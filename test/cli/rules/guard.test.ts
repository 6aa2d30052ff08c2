import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openProgram } from "../program.js";
import { refundRules } from "./rule-files.js";

function opened(rules = refundRules) {
  const program = openProgram();
  program.write("rules/refunds.yaml", rules);
  return program;
}

const refundA1 = "rules guard --tool refund_order --arg order_id=A1";
// biome-ignore lint/suspicious/noTemplateCurlyInString: a key template is spelled so
const key = '["refund_order","${order_id}",["A1"]]';

describe("rules guard", () => {
  it.each([
    ["this turn", "--user status --no-earlier-turns"],
    ["an earlier turn", "--user well --history status"],
    ["the earliest of several turns", "--user well --history status --history hm"],
  ])("blocks by a word of %s", async (_, turns) => {
    const { code, out, err } = await opened().call(`${refundA1} ${turns}`);
    expect(code).toBe(1);
    expect(out).toBe("BLOCK  forbidden_tool\n  tool 'refund_order' is forbidden by rule 'refund-safety'\n");
    expect(err).not.toContain("warning: ");
  });

  it("allows where all turns are known and no rule refuses, and says that it only asked", async () => {
    const { code, out, err } = await opened().call(`${refundA1} --user please --no-earlier-turns`);
    expect([code, out]).toEqual([0, "ALLOW  allowed\n  allowed\n"]);
    expect(err).toContain("nothing was written: this only asked");
  });

  it("never simply allows where earlier turns could forbid, and says what to give", async () => {
    const { code, out, err } = await opened().call(`${refundA1} --user well`);
    expect(code).toBe(3);
    expect(out).toContain("UNDECIDED  no_history");
    expect(err).toContain(
      "warning: the earlier turns are not known, and rules depend on them; give each with --history",
    );
  });

  it("answers in Chinese, but for codes and warnings", async () => {
    const { out } = await opened().call(`${refundA1} --user status --no-earlier-turns --lang zh`);
    expect(out).toBe("拦截  forbidden_tool\n  规则「refund-safety」禁止调用工具「refund_order」\n");
  });

  it.each([
    ["no arguments", "rules guard --tool refund_order --no-earlier-turns", "no_arguments"],
    ["another argument", "rules guard --tool refund_order --no-earlier-turns --arg id=1", "no_key"],
    [
      "broken arguments",
      "rules guard --tool refund_order --no-earlier-turns --args {",
      "malformed_arguments",
    ],
  ])("is undecided about %s", async (_, line, code) => {
    const told = await opened().call(line);
    expect([told.code, told.out.split("\n")[0]]).toEqual([3, `UNDECIDED  ${code}`]);
  });

  it("lists the guarded tools for one that no rule names, with the nearest", async () => {
    const { code, out } = await opened().call("rules guard --tool refund_oder --no-earlier-turns");
    expect(code).toBe(0);
    expect(out).toContain("no rule names this tool, which is no proof that the call is safe");
    expect(out).toContain("guarded tools: refund_order; did you mean refund_order?");
  });

  it("counts the calls that it is told of", async () => {
    const program = opened("rule: few\nthen: { max_tool_calls: 2 }\n");
    const ask = (more: string) => program.call(`rules guard --tool any --no-earlier-turns ${more}`);
    expect((await ask("--earlier-calls 1")).code).toBe(0);
    const third = await ask("--earlier-calls 2");
    expect([third.code, third.out]).toEqual([1, expect.stringContaining("BLOCK  too_many_calls")]);
    const uncounted = await ask("");
    expect([uncounted.code, uncounted.err]).toEqual([0, expect.stringContaining("give --earlier-calls")]);
  });

  it("writes pure JSON, with English sentences", async () => {
    const { code, out } = await opened().call(`${refundA1} --history status --lang zh --reporter json`);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      format: "commitpoint-rules-guard",
      verdict: "block",
      code: "forbidden_tool",
      sentence: "tool 'refund_order' is forbidden by rule 'refund-safety'",
      first: { rule: "refund-safety", severity: "critical", detail: { tool: "refund_order" } },
      recorded: [],
      guardedTools: ["refund_order"],
    });
  });

  it("lets through what its severity does not enforce", async () => {
    const { code } = await opened().call(`${refundA1} --history status --enforce-severity warning`);
    expect(code).toBe(0);
  });

  it.each([
    ["--arg order_id", 'expected name=value, got "order_id"'],
    ["--arg a=1 --arg a=2", "the argument a is given twice"],
    ["--arg a=1 --args {}", "--arg and --args both say what the arguments are"],
    ["--history status --no-earlier-turns", "--no-earlier-turns says that there are none"],
    ["--earlier-calls -1", "expected a whole number from 0"],
    ["--record", "--record has nowhere to write to: without --store the ledger ends with this command"],
    ["--store sqlite:", 'expected a path after "sqlite:"'],
    ["--lang fr", 'there is no language "fr"'],
    ["--reporter jsn", 'did you mean "json"?'],
  ])("refuses %s", async (more, message) => {
    const { code, out, err } = await opened().call(`rules guard --tool refund_order ${more}`);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });
});

describe.each([
  ["a file", "ledger.json"],
  ["a file named as one", "file:ledger.json"],
  ["SQLite", "sqlite:ledger.db"],
])("the store of rules guard, %s,", (_, store) => {
  const asked = `${refundA1} --no-earlier-turns --store ${store}`;

  it("is neither created nor changed by a question", async () => {
    const program = opened();
    expect((await program.call(asked)).code).toBe(0);
    expect(readdirSync(program.folder)).toEqual(["rules"]);
    await program.call(`${asked} --record`);
    const file = join(program.folder, store.replace(/^.*:/, ""));
    const before = readFileSync(file);
    const other = asked.replace("A1", "B2");
    expect((await program.call(other)).code).toBe(0);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("keeps a recorded call, which the next question and the next record meet", async () => {
    const program = opened();
    const first = await program.call(`${asked} --record --reporter json`);
    expect([first.code, JSON.parse(first.out).recorded]).toEqual([0, [key]]);
    expect(first.err).toContain(`written to ${store} as done: ${key}`);
    for (const again of [asked, `${asked} --record`]) {
      const { code, out } = await program.call(again);
      expect([code, out.split("\n")[0]]).toEqual([1, "BLOCK  duplicate_transaction"]);
    }
    // A number gives the same key as its text.
    expect((await program.call(asked.replace("A1", '"A1"'))).code).toBe(1);
    expect((await program.call(asked.replace("A1", "A2"))).code).toBe(0);
  });

  it("takes nothing of a refused call", async () => {
    const program = opened();
    const refused = await program.call(`${refundA1} --history status --store ${store} --record`);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("nothing was written: the call"),
    ]);
    expect((await program.call(`${asked} --record`)).code).toBe(0);
  });

  it("is told of as unwritten where no idempotent rule is about the call", async () => {
    const { code, err } = await opened().call(
      `rules guard --tool get_order --no-earlier-turns --store ${store} --record`,
    );
    expect(code).toBe(0);
    expect(err).toContain("nothing was written: no idempotent rule that is active here is about this call");
  });

  it.each(["", " --record"])("is never taken for empty when it is broken%s", async (more) => {
    const program = opened();
    const file = program.write(
      store.replace(/^.*:/, ""),
      "no ledger at all, but long enough to be something",
    );
    const { code, out, err } = await program.call(asked + more);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("It is not taken for an empty one");
    expect(err).toContain(`at   --store ${store}`);
    expect(readFileSync(file, "utf8")).toMatch(/^no ledger/);
  });
});

describe("a database of others under rules guard", () => {
  it("gets no table by a question", async () => {
    const program = opened();
    const file = join(program.folder, "app.db");
    const own = new Database(file);
    own.exec("CREATE TABLE orders (id TEXT)");
    own.close();
    expect((await program.call(`${refundA1} --no-earlier-turns --store sqlite:app.db`)).code).toBe(0);
    const read = new Database(file, { readonly: true });
    const tables = read.prepare("SELECT name FROM sqlite_master").pluck().all();
    read.close();
    expect(tables).toEqual(["orders"]);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });
});
