import type { Finding } from "../../rules/finding.js";
import { chinese } from "../../rules/wording/chinese.js";
import { english } from "../../rules/wording/english.js";
import type { Wording } from "../../rules/wording/wording.js";
import { counted, grouped } from "../text.js";
import type { Baseline, GateResult, GateVerdict } from "./gate-result.js";

/** Languages that people can read reports about rules in. */
export const languages = ["en", "zh"] as const;
export type Language = (typeof languages)[number];

/** What reports about rules say in one language, around the sentences of `wording`. */
export type Labels = {
  readonly wording: Wording;
  readonly title: string;
  /** Of the table: kind, rule, severity, place, turn, sentence. */
  readonly columns: readonly string[];
  readonly kinds: Readonly<Record<Finding["kind"], string>>;
  readonly turn: (number: number) => string;
  readonly trace: (name: string) => string;
  readonly verdict: (verdict: GateVerdict) => string;
  readonly counts: (counts: GateResult["report"]["counts"]) => string;
  /** Empty where no baseline was asked for. */
  readonly baseline: (baseline: Baseline, violations: number) => string;
  readonly decisions: Readonly<Record<"allow" | "block" | "inconclusive", string>>;
  readonly also: string;
  /** For a tool that no rule names: the tools that rules guard, and the one that was perhaps meant. */
  readonly guarded: (tools: readonly string[], meant: string | undefined) => string;
};

const en: Labels = {
  wording: english,
  title: "Rules gate",
  columns: ["kind", "rule", "severity", "place", "turn", "finding"],
  kinds: { violation: "violation", inconclusive: "undecided", hindsight: "hindsight", note: "note" },
  turn: (number) => `turn ${number}`,
  trace: (name) => `trace ${name}`,
  verdict: (verdict) => {
    switch (verdict.kind) {
      case "holds":
        return "every enforced rule holds";
      case "violated":
        return "rules are violated";
      case "within_baseline":
        return "rules are violated, no more often than the baseline puts up with";
      case "inconclusive":
        return "undecided: the traces lack evidence";
      case "nothing_judged":
        return verdict.because === "no_rule"
          ? "nothing was judged: no rule is enforced here"
          : "nothing was judged: no trace has a call";
    }
  },
  counts: ({ traces, calls, violations, inconclusive, hindsight, notes }) =>
    [
      `${counted(traces, "trace")}, ${counted(calls, "call")}:`,
      `${counted(violations, "violation")}, ${grouped(inconclusive)} undecided,`,
      `${grouped(hindsight)} in hindsight, ${counted(notes, "note")}`,
    ].join(" "),
  baseline: (baseline, violations) => {
    switch (baseline.kind) {
      case "none":
        return "";
      case "not_adopted":
        return `baseline ${baseline.file}: not adopted yet, so every violation counts`;
      case "adopted":
        return `baseline ${baseline.file}: ${counted(baseline.violations, "violation")}; now ${grouped(violations)}`;
    }
  },
  decisions: { allow: "ALLOW", block: "BLOCK", inconclusive: "UNDECIDED" },
  also: "also",
  guarded: (tools, meant) =>
    `${tools.length === 0 ? "no tool is guarded" : `guarded tools: ${tools.join(", ")}`}${
      meant === undefined ? "" : `; did you mean ${meant}?`
    }`,
};

const zh: Labels = {
  wording: chinese,
  title: "规则门禁",
  columns: ["类别", "规则", "级别", "位置", "轮次", "说明"],
  kinds: { violation: "违规", inconclusive: "无法判定", hindsight: "事后看", note: "提示" },
  turn: (number) => `第 ${number} 轮`,
  trace: (name) => `会话 ${name}`,
  verdict: (verdict) => {
    switch (verdict.kind) {
      case "holds":
        return "所有强制执行的规则均通过";
      case "violated":
        return "有规则被违反";
      case "within_baseline":
        return "有规则被违反，但未超过基线";
      case "inconclusive":
        return "无法判定：记录中缺少证据";
      case "nothing_judged":
        return verdict.because === "no_rule"
          ? "什么都没有检查：这里没有强制执行的规则"
          : "什么都没有检查：记录中没有任何调用";
    }
  },
  counts: ({ traces, calls, violations, inconclusive, hindsight, notes }) =>
    `${traces} 个会话，${calls} 次调用：${violations} 条违规，${inconclusive} 条无法判定，${hindsight} 条事后看，${notes} 条提示`,
  baseline: (baseline, violations) => {
    switch (baseline.kind) {
      case "none":
        return "";
      case "not_adopted":
        return `基线 ${baseline.file}：尚未采用，每条违规都算`;
      case "adopted":
        return `基线 ${baseline.file}：${baseline.violations} 条违规；现在 ${violations} 条`;
    }
  },
  decisions: { allow: "放行", block: "拦截", inconclusive: "无法判定" },
  also: "同时",
  guarded: (tools, meant) =>
    `${tools.length === 0 ? "没有受保护的工具" : `受保护的工具：${tools.join("、")}`}${
      meant === undefined ? "" : `；是否指 ${meant}？`
    }`,
};

export const labels: Readonly<Record<Language, Labels>> = { en, zh };
