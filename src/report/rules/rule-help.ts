import { rulesList } from "../../rules/load/rules-list.js";
import type { Assertion, KeyTemplate, Rule } from "../../rules/rule.js";

/** What a rule wants, for readers of a report who do not have the rule file at hand. `short` is one line. */
export function ruleHelp(rule: Rule): {
  readonly short: string;
  readonly full: string;
  readonly markdown: string;
} {
  const claims = rule.then.map(claimText);
  const condition = rulesList([rule], []).rows[0]?.when ?? "always";
  const when = condition.charAt(0).toUpperCase() + condition.slice(1);
  const place = `${rule.at.file}:${rule.at.line}:${rule.at.column}`;
  const full = [
    ...(rule.description === "" ? [] : [rule.description]),
    `${when}: ${claims.join("; ")}.`,
    `The rule is at ${place}; the guard enforces it ${rule.where.runtime ? "too" : "not, only the gate does"}.`,
  ].join(" ");
  const markdown = [
    ...(rule.description === "" ? [] : [escaped(rule.description), ""]),
    `${escaped(when)}:`,
    "",
    ...claims.map((claim) => `- ${escaped(claim)}`),
    "",
    escaped(`The rule is at ${place}.`),
  ].join("\n");
  const [firstLine = ""] = rule.description.split("\n");
  return { short: firstLine.trim() === "" ? claims.join("; ") : firstLine.trim(), full, markdown };
}

function claimText(assertion: Assertion): string {
  switch (assertion.kind) {
    case "forbid_tool":
      return `no call of ${assertion.tools.join(", ")}`;
    case "allow_tool":
      return `no call but of ${assertion.tools.join(", ")}`;
    case "require_tool":
      return `a call of each of ${assertion.tools.join(", ")} before the conversation ends`;
    case "max_tool_calls":
      return `at most ${assertion.most} calls in a conversation`;
    case "idempotent":
      return `at most one call of ${assertion.tool} for each ${keyText(assertion.key)}`;
    case "memory_persistence":
      return `what the user said by turn ${assertion.saidBy} is said in turn ${assertion.stillAt}: ${assertion.fact.join(" or ")}`;
  }
}

function keyText({ parts }: KeyTemplate): string {
  return parts.map((part) => (part.kind === "text" ? part.text : `<${part.name}>`)).join("");
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, (mark) => `\\${mark}`);
}
