import { type Wording, wording } from "./wording.js";

/** For people only: the codes and the English sentences are what programs and logs go by. */
export const chinese: Wording = wording({
  reasons: {
    duplicate_transaction: ({ rule, of }) =>
      of("outcome") === "done"
        ? `工具「${of("tool")}」已用键「${of("key")}」执行过一次，规则「${rule}」只允许一次`
        : `工具「${of("tool")}」可能已用键「${of("key")}」执行过，结果未知，规则「${rule}」只允许一次`,
    forbidden_tool: ({ rule, of }) => `规则「${rule}」禁止调用工具「${of("tool")}」`,
    tool_not_allowed: ({ rule, of }) =>
      `工具「${of("tool")}」不在规则「${rule}」允许的名单内：${of("allowed")}`,
    too_many_calls: ({ rule, of }) =>
      `这是会话中的第 ${of("calls")} 次调用，规则「${rule}」最多允许 ${of("most")} 次`,
    missing_tool: ({ rule, of }) => `规则「${rule}」要求调用工具「${of("tool")}」，但始终没有调用`,
    forgotten: ({ rule, of }) =>
      `第 ${of("stillAt")} 轮没有再说出规则「${rule}」要求记住的内容：${of("fact")}`,
    no_history: ({ rule }) => `不知道此前的轮次或调用，规则「${rule}」无法判定`,
    unnamed_call: ({ rule }) => `有一次调用读不到工具名，规则「${rule}」无法判定`,
    no_arguments: ({ rule, of }) => `不知道工具「${of("tool")}」的参数，规则「${rule}」无法判定`,
    malformed_arguments: ({ rule, of }) =>
      `工具「${of("tool")}」的参数不是 JSON 对象，规则「${rule}」无法判定`,
    no_key: ({ rule, of }) =>
      `工具「${of("tool")}」的参数「${of("argument")}」不是文本、数字或布尔值，规则「${rule}」无法判定`,
    unread_call_before: ({ rule, of }) =>
      `此前有一次读不出的调用，可能就是键为「${of("key")}」的工具「${of("tool")}」，规则「${rule}」无法判定`,
    fact_never_said: ({ rule, of }) =>
      `用户到第 ${of("saidBy")} 轮为止没有说过：${of("fact")}，规则「${rule}」无法判定`,
    nothing_said: ({ rule, of }) => `第 ${of("stillAt")} 轮助手没有说话，规则「${rule}」无法判定`,
  },
  findings: {
    violation: (reason) => reason,
    inconclusive: (reason) => `无法判定：${reason}`,
    hindsight: (reason) => `事后看：${reason}（该规则在这次调用之后才生效）`,
    note: (reason, { severity }) => `仅提示（级别 ${severity} 不强制执行）：${reason}`,
  },
  allowed: {
    none: "放行",
    no_rule_names_this_tool: "放行；没有规则提到这个工具，这不等于已确认安全",
  },
  undecided: (reason) => `无法判定：${reason}`,
  comma: "、",
});
