import type { Command } from "commander";
import type { Verb } from "../verb.js";
import { addRulesCheck } from "./check.js";
import { addRulesExport } from "./export.js";
import { addRulesGate } from "./gate.js";
import { addRulesGuard } from "./guard.js";
import { addRulesInit } from "./init.js";
import { addRulesLearn } from "./learn.js";
import { addRulesList } from "./list.js";

/** `rules`: one rule set, which a gate holds recorded traces against and a guard asks before the next call. */
export function addRules(program: Command, verb: Verb): void {
  const rules = program
    .command("rules")
    .description(
      "one rule set for the calls of an agent: a gate for recorded traces, a guard for the next call",
    )
    .addHelpText("after", help);
  const verbs = [
    ...[addRulesInit, addRulesList, addRulesCheck, addRulesGate, addRulesGuard, addRulesLearn],
    addRulesExport,
  ];
  for (const add of verbs) add(rules, verb);
}

const help = `
Exit codes of gate and guard: 0 the rules hold, the call is allowed; 1 violated, blocked; 2 wrong use, rules, traces
or baseline; 3 undecided or nothing judged.`;
