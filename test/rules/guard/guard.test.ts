// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys
import { describe, expect, it } from "vitest";
import { createGuard } from "../../../src/rules/guard/guard.js";
import type { GuardOptions } from "../../../src/rules/guard/guarding.js";
import { memoryStore } from "../../../src/rules/guard/memory-store.js";
import { ToolBlocked } from "../../../src/rules/guard/tool-blocked.js";
import type { Rule } from "../../../src/rules/rule.js";
import { allowOnly, atMost, forbid, fromTurn, intent, once, rule } from "../rule-fixture.js";
import { howBlocked } from "./charges.js";

const refundSafety = rule("refund-safety", [forbid("refund_order")], intent("物流", "订单", "status"));
const refundOnce = rule("payment-idempotency", [once("refund_order", "${order_id}")]);

function guardOf(rules: readonly Rule[], options: Partial<GuardOptions> = {}) {
  return createGuard({ rules, store: memoryStore(), ...options });
}

async function blocked(run: Promise<unknown>): Promise<ToolBlocked> {
  const error = await run.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(error instanceof ToolBlocked)) throw new Error(`not blocked: ${error}`);
  return error;
}

const neverRuns = () => {
  throw new Error("the tool ran");
};

describe("the guard", () => {
  it("throws ToolBlocked with code, reason, rule and detail before the tool runs", async () => {
    const session = guardOf([refundSafety]).session();
    session.user("我的订单到哪了");
    const error = await blocked(session.execute("refund_order", { order_id: "A1001" }, neverRuns));
    // The sentence and the detail are those of the article.
    expect(error.message).toBe("tool 'refund_order' is forbidden by rule 'refund-safety'");
    expect(error.reason).toBe(error.message);
    expect([error.code, error.rule, error.detail]).toEqual([
      "forbidden_tool",
      "refund-safety",
      { tool: "refund_order" },
    ]);
    expect(error.alsoViolated).toEqual([]);
  });

  it("gives the most important of several violations and the rest beside it", async () => {
    const session = guardOf([refundSafety, refundOnce]).session();
    await session.execute("refund_order", { order_id: "A1" }, () => "refunded");
    session.user("status?");
    const error = await blocked(session.execute("refund_order", { order_id: "A1" }, neverRuns));
    expect(error.code).toBe("duplicate_transaction");
    expect(error.detail).toMatchObject({ key: "A1", outcome: "done" });
    expect(error.alsoViolated.map(({ code, rule: name }) => [code, name])).toEqual([
      ["forbidden_tool", "refund-safety"],
    ]);
  });

  it("returns what the tool returns, also where no rule names it, and says so", async () => {
    const guard = guardOf([refundSafety]);
    expect(await guard.execute("get_weather", {}, async () => 21, { history: [] })).toBe(21);
    expect((await guard.check("get_weather", {}, { history: [] })).decision).toMatchObject({
      verdict: "allow",
      hint: "no_rule_names_this_tool",
    });
  });

  it("only asks with check: nothing is counted, kept or reserved", async () => {
    const store = memoryStore();
    const session = guardOf([refundOnce, rule("few", [atMost(1)])], { store }).session();
    for (let time = 0; time < 3; time += 1) {
      const answer = await session.check("refund_order", { order_id: "A1" });
      expect([answer.allowed, answer.code]).toEqual([true, "allowed"]);
    }
    expect(store.open()).toEqual([]);
    await session.execute("refund_order", { order_id: "A1" }, () => "refunded");
    const answer = await session.check("refund_order", { order_id: "A1" });
    expect([answer.allowed, answer.code]).toEqual([false, "duplicate_transaction"]);
  });
});

describe("the article's bypass in two turns", () => {
  const [first, second] = ["我想查订单物流", "算了，帮我查下天气"];

  it("is blocked in a session", async () => {
    const session = guardOf([refundSafety]).session();
    session.user(first);
    session.user(second);
    expect((await blocked(session.execute("refund_order", {}, neverRuns))).code).toBe("forbidden_tool");
  });

  it("is blocked where the history is given", async () => {
    const guard = guardOf([refundSafety]);
    const context = { user: second, history: [first] };
    expect((await blocked(guard.execute("refund_order", {}, neverRuns, context))).code).toBe(
      "forbidden_tool",
    );
    expect((await guard.check("refund_order", {}, context)).warnings).toEqual([]);
  });

  it("is inconclusive with a warning where it is not, and does not run", async () => {
    const guard = guardOf([refundSafety]);
    const answer = await guard.check("refund_order", {}, { user: second });
    expect([answer.allowed, answer.code]).toEqual([false, "no_history"]);
    expect(answer.warnings.map(({ code }) => code)).toEqual(["no_history"]);
    expect((await blocked(guard.execute("refund_order", {}, neverRuns, { user: second }))).code).toBe(
      "no_history",
    );
  });

  it("runs without history only where inconclusive calls are let through", async () => {
    const guard = guardOf([refundSafety], { onInconclusive: "allow" });
    const answer = await guard.check("refund_order", {}, { user: second });
    expect([answer.allowed, answer.decision.verdict]).toEqual([true, "inconclusive"]);
    expect(await guard.execute("refund_order", {}, () => "refunded", { user: second })).toBe("refunded");
    // What is known to be refused stays refused.
    expect((await blocked(guard.execute("refund_order", {}, neverRuns, { user: first }))).code).toBe(
      "forbidden_tool",
    );
  });

  it("does not matter to rules without a condition: they warn of nothing", async () => {
    const guard = guardOf([refundOnce, rule("never", [forbid("drop_table")])]);
    const answer = await guard.check("refund_order", { order_id: "A1" });
    expect([answer.allowed, answer.warnings]).toEqual([true, []]);
    expect((await guard.check("drop_table", {})).code).toBe("forbidden_tool");
  });
});

describe("a session of the guard", () => {
  it("counts refused and executed calls against max_tool_calls", async () => {
    const session = guardOf([rule("few", [atMost(2)]), rule("never", [forbid("drop_table")])]).session();
    await blocked(session.execute("drop_table", {}, neverRuns));
    await session.execute("get_order", {}, () => "order");
    expect((await blocked(session.execute("get_order", {}, neverRuns))).code).toBe("too_many_calls");
  });

  it("lets no more calls through at the same moment than one after the other", async () => {
    // Each of them waits for the ledger between its question and its decision.
    const session = guardOf([refundOnce, rule("few", [atMost(2)])]).session();
    const ends = await Promise.all(
      ["A1", "A2", "A3", "A4", "A5"].map((order_id) =>
        session.execute("refund_order", { order_id }, async () => "ran").catch(howBlocked),
      ),
    );
    expect(ends).toEqual(["ran", "ran", "too_many_calls", "too_many_calls", "too_many_calls"]);
  });

  it("runs calls side by side once they are decided", async () => {
    const session = guardOf([refundOnce]).session();
    // The first can only end after the second began.
    let go = (): void => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    const first = session.execute("refund_order", { order_id: "A1" }, () => gone);
    const second = session.execute("refund_order", { order_id: "A2" }, go);
    await Promise.all([first, second]);
  });

  it("goes on after a store that failed", async () => {
    const store = memoryStore();
    let fails = true;
    const read = (key: string) => {
      if (fails) throw new Error("the ledger is away");
      return store.read(key);
    };
    const session = guardOf([refundOnce], { store: { ...store, read } }).session();
    const refund = () => session.execute("refund_order", { order_id: "A1" }, () => "refunded");
    await expect(refund()).rejects.toThrow("the ledger is away");
    fails = false;
    expect(await refund()).toBe("refunded");
  });

  it("keeps the key of a rule that a turn switches on while the ledger is asked", async () => {
    const store = memoryStore();
    const session = createGuard({
      rules: [refundOnce, rule("one-a-day", [once("refund_order", "${day}")], intent("status"))],
      store: {
        ...store,
        read: (key) => {
          session.user("status?");
          return store.read(key);
        },
      },
    }).session();
    await session.execute("refund_order", { order_id: "A1", day: "Monday" }, () => "refunded");
    expect(store.read(JSON.stringify(["refund_order", "${day}", ["Monday"]]))).toBe("done");
  });

  it("blocks in turn 9 what a range of the first turn switched on", async () => {
    const session = guardOf([rule("start", [forbid("x")], fromTurn(1, 1))]).session();
    for (let turn = 1; turn <= 9; turn += 1) session.user("on");
    expect((await blocked(session.execute("x", {}, neverRuns))).code).toBe("forbidden_tool");
  });
});

describe("a single call", () => {
  it("is judged with as many earlier calls as it is told of", async () => {
    const guard = guardOf([rule("few", [atMost(2)])]);
    const codes = async (context: object) => {
      const { code, warnings } = await guard.check("get_order", {}, context);
      return [code, ...warnings.map((warning) => warning.code)];
    };
    expect(await codes({ history: [], earlierCalls: 1 })).toEqual(["allowed"]);
    expect(await codes({ history: [], earlierCalls: 2 })).toEqual(["too_many_calls"]);
    expect(await codes({ history: [] })).toEqual(["allowed", "calls_not_counted"]);
    expect(await codes({})).toEqual(["no_history", "no_history"]);
  });
});

describe("the arguments of a call", () => {
  const codeOf = async (args: Parameters<ReturnType<typeof guardOf>["check"]>[1]) =>
    (await guardOf([refundOnce]).check("refund_order", args)).code;

  it("may be the JSON text that a model wrote, which is no evidence where it is malformed", async () => {
    expect(await codeOf('{"order_id": "A1"}')).toBe("allowed");
    expect(await codeOf('{"order_id": "A1"')).toBe("malformed_arguments");
    expect(await codeOf("[]")).toBe("malformed_arguments");
    expect(await codeOf(undefined)).toBe("no_arguments");
    expect(await codeOf({})).toBe("no_key");
  });

  it("count as they were when the call was made", async () => {
    const store = memoryStore();
    const args = { order_id: "A1" };
    const running = guardOf([refundOnce], { store }).execute("refund_order", args, () => "refunded");
    args.order_id = "A2";
    await running;
    expect(store.read(JSON.stringify(["refund_order", "${order_id}", ["A1"]]))).toBe("done");
  });

  it("do not help a call without a name", async () => {
    expect((await guardOf([refundOnce]).check(" ", { order_id: "A1" })).code).toBe("unnamed_call");
  });
});

describe("the options of a guard", () => {
  const listed = rule("list", [allowOnly("get_order")]);
  const code = async (rules: readonly Rule[], options: Partial<GuardOptions>) =>
    (await guardOf(rules, options).check("refund_order", {}, { history: [] })).code;

  it("switch the closed lists off", async () => {
    expect(await code([listed], {})).toBe("tool_not_allowed");
    expect(await code([listed], { enforceAllowList: false })).toBe("allowed");
  });

  it("say which severities are enforced: by default critical and warning", async () => {
    const never = (severity: Rule["severity"]) => rule(severity, [forbid("refund_order")], { severity });
    expect(await code([never("critical")], {})).toBe("forbidden_tool");
    expect(await code([never("warning")], {})).toBe("forbidden_tool");
    expect(await code([never("info")], {})).toBe("allowed");
    expect(await code([never("info")], { enforceSeverity: ["info"] })).toBe("forbidden_tool");
    expect(await code([never("warning")], { enforceSeverity: ["critical"] })).toBe("allowed");
  });

  it("leave out what only CI enforces", async () => {
    const where = { ci: true, runtime: false };
    expect(await code([rule("ci", [forbid("refund_order")], { where })], {})).toBe("allowed");
  });
});
