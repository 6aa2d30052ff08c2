import type { Action, Code, RuleClaim, RuleWord } from "../model/vocabulary.js";
import { clipped, counted, printable } from "./text.js";

type RulesAction = Extract<Action, { kind: "say" | "change_rules" | "reconcile" | "damage_ledger" | "gate" }>;

/** What is done about rules, the conversation and reservations: `the user says "status"`, `rules: r1 allows one transaction a key`. */
export function rulesActionWords(action: RulesAction): string {
  switch (action.kind) {
    case "say":
      return `the user says "${printable(action.text)}"`;
    case "change_rules": {
      const rules = action.to.map(ruleWords).join("; ");
      return `rules: ${rules === "" ? "none" : printable(rules)}${action.flaw === "none" ? "" : `  (${flawWords[action.flaw]})`}`;
    }
    case "reconcile":
      return "reconcile what nobody will settle";
    case "damage_ledger":
      return "damage the ledger of reservations";
    case "gate":
      return `the gate reads the trace${action.flaw === "none" ? "" : ", its last call "}${traceFlawWords[action.flaw]}`;
  }
}

/** What the gate says, call by call. */
export function gatedWords(verdicts: readonly Code[]): string {
  return `the gate says ${verdicts.length === 0 ? "nothing: no call" : clipped(verdicts.join(", "), 200)}`;
}

function ruleWords({ name, saidAny, fromTurn, claim }: RuleWord): string {
  const conditions = [
    ...(saidAny.length === 0 ? [] : [`once ${saidAny.map((word) => `"${word}"`).join(" or ")} was said`]),
    ...(fromTurn === 0 ? [] : [`from turn ${fromTurn}`]),
  ];
  return [`${name} ${claimWords(claim)}`, ...conditions].join(" ");
}

function claimWords(claim: RuleClaim): string {
  switch (claim.kind) {
    case "idempotent":
      return "allows one transaction a key";
    case "forbid":
      return "forbids the tool";
    case "allow_others":
      return "allows other tools only";
    case "budget":
      return `allows ${counted(claim.most, "call")}`;
  }
}

const flawWords = {
  unknown_key: "a condition's key is misspelt",
  broken_file: "one file is no YAML",
} as const;

const traceFlawWords = {
  none: "",
  unnamed_call: "without a name",
  no_arguments: "without arguments",
} as const;
