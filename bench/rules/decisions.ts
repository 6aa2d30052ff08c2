import type { Grant } from "../../src/model/vocabulary.js";
import { createSyncGuard, type SyncGuardSession } from "../../src/rules/guard/guard.js";
import { memoryStore } from "../../src/rules/guard/memory-store.js";
import type { ToolArguments } from "../../src/rules/guard/tool-arguments.js";
import { ToolBlocked } from "../../src/rules/guard/tool-blocked.js";
import { decide } from "../../src/sut/guarded/capability/decide.js";
import { loadPolicies } from "../../src/sut/guarded/capability/load-policies.js";
import { standardPolicies } from "../../src/sut/guarded/capability/policies.js";
import { benchCall, benchRules, benchText, type Crowding } from "./rule-workload.js";

/** Takes so many decisions; returns their number. */
export type Decisions = (many: number) => number;

const turnsBefore = 30;
const callsBefore = 1000;
const callsInTurn = 5;

/** `check` only asks; `execute` also reserves, runs a tool that does nothing, and settles. */
export type Asking = "check" | "execute";

/**
 * The real guard with its store in memory, in a conversation that is some way on. With `messages` the user says
 * something before every fifth call.
 */
export function guardDecisions(
  rules: number,
  crowding: Crowding,
  asking: Asking,
  messages: "none" | "every fifth call" = "none",
): Decisions {
  const session = createSyncGuard({ rules: benchRules(rules, crowding), store: memoryStore() }).session();
  for (let turn = 1; turn <= turnsBefore; turn += 1) session.user(benchText(turn));
  for (let number = 0; number < callsBefore; number += 1) execute(session, ...asked(number, crowding));
  let number = callsBefore;
  return (many) => {
    for (const end = number + many; number < end; number += 1) {
      if (messages !== "none" && number % callsInTurn === 0) session.user(benchText(number));
      const [tool, given] = asked(number, crowding);
      if (asking === "check") session.check(tool, given);
      else execute(session, tool, given);
    }
    return many;
  };
}

function asked(number: number, crowding: Crowding): readonly [tool: string, given: ToolArguments] {
  const { tool, order } = benchCall(number, crowding);
  return [tool, order];
}

function execute(session: SyncGuardSession, tool: string, given: ToolArguments): void {
  try {
    session.execute(tool, given, () => undefined);
  } catch (error) {
    if (!(error instanceof ToolBlocked)) throw error;
  }
}

/** One principal that holds two grants; policies and schema are parsed beforehand and no answer is remembered. */
export function cedarDecisions(): Decisions {
  const policies = loadPolicies(standardPolicies);
  const held: Grant = { principal: "agent", tenant: "t1", tool: "tool_1", resource: "A1" };
  const rows = [
    { ...held, held: 1 },
    { ...held, tool: "tool_2", held: 1 },
  ];
  return (many) => {
    for (let number = 0; number < many; number += 1) {
      const { action } = decide(policies, held, rows, "c1");
      if (action !== "allow") throw new Error(`the engine should allow what is held, it says ${action}`);
    }
    return many;
  };
}
