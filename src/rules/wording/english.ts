import { type Wording, wording } from "./wording.js";

/** Stable sentences in ASCII, apart from the names and values that rules and calls bring; logs may be searched by them. */
export const english: Wording = wording({
  reasons: {
    duplicate_transaction: ({ rule, of }) =>
      of("outcome") === "done"
        ? `tool '${of("tool")}' has already run with key '${of("key")}', and rule '${rule}' allows it once`
        : `tool '${of("tool")}' may already have run with key '${of("key")}', and rule '${rule}' allows it once`,
    forbidden_tool: ({ rule, of }) => `tool '${of("tool")}' is forbidden by rule '${rule}'`,
    tool_not_allowed: ({ rule, of }) =>
      `tool '${of("tool")}' is not among the tools allowed by rule '${rule}': ${of("allowed")}`,
    too_many_calls: ({ rule, of }) =>
      `call ${of("calls")} of the conversation is more than the ${of("most")} allowed by rule '${rule}'`,
    missing_tool: ({ rule, of }) => `tool '${of("tool")}' was never called, as required by rule '${rule}'`,
    forgotten: ({ rule, of }) =>
      `turn ${of("stillAt")} says none of the spellings (${of("fact")}) to be remembered by rule '${rule}'`,
    no_history: ({ rule }) => `earlier turns or calls are not known, so rule '${rule}' cannot be decided`,
    unnamed_call: ({ rule }) => `a call has no readable tool name, so rule '${rule}' cannot be decided`,
    no_arguments: ({ rule, of }) =>
      `the arguments of tool '${of("tool")}' are not known, so rule '${rule}' cannot be decided`,
    malformed_arguments: ({ rule, of }) =>
      `the arguments of tool '${of("tool")}' are no JSON object, so rule '${rule}' cannot be decided`,
    no_key: ({ rule, of }) =>
      `argument '${of("argument")}' of tool '${of("tool")}' is no text, number or truth value, so rule '${rule}' cannot be decided`,
    unread_call_before: ({ rule, of }) =>
      `an earlier call may have been tool '${of("tool")}' with key '${of("key")}' and could not be read, so rule '${rule}' cannot be decided`,
    fact_never_said: ({ rule, of }) =>
      `the user says none of the spellings (${of("fact")}) by turn ${of("saidBy")}, so rule '${rule}' cannot be decided`,
    nothing_said: ({ rule, of }) =>
      `the agent says nothing in turn ${of("stillAt")}, so rule '${rule}' cannot be decided`,
  },
  findings: {
    violation: (reason) => reason,
    inconclusive: (reason) => `undecided: ${reason}`,
    hindsight: (reason) => `in hindsight: ${reason} (the rule switched on only after this call)`,
    note: (reason, { severity }) => `not enforced, severity ${severity}: ${reason}`,
  },
  allowed: {
    none: "allowed",
    no_rule_names_this_tool: "allowed; no rule names this tool, which is no proof that the call is safe",
  },
  undecided: (reason) => `undecided: ${reason}`,
  comma: ", ",
});
