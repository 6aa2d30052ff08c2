import type { Code, PolicySetting, TraceFlaw } from "../../model/vocabulary.js";
import type { Call, Result } from "../ledger/ledger.js";
import { stages as ledgerStages } from "../ledger/stages.js";
import { openConversation } from "./conversation.js";
import { outcomeOfCall } from "./passage.js";
import type { RuleText } from "./rows.js";
import type { RuledEnvironment, RuledStages } from "./stages.js";
import { type StepStore, writeAlone } from "./store.js";

export type Ruled = {
  /** Runs one attempt; settles as the ledger's does. */
  readonly run: (call: Call) => Promise<Result>;
  readonly setPolicy: (setting: PolicySetting) => void;
  readonly say: (text: string) => void;
  /** Takes all of the files, or refuses them and changes nothing. */
  readonly setRules: (files: readonly RuleText[]) => "taken" | "refused";
  readonly reconcile: () => void;
  readonly gate: (flaw: TraceFlaw) => readonly Code[];
};

/** A ledger with rules and reservations over an open store. What a crash left behind is settled before anything else. */
export function createRuled(store: StepStore, stages: RuledStages, clock: () => number): Ruled {
  const environment: RuledEnvironment = {
    store,
    stages,
    ledger: { store, clock, stages: ledgerStages },
    conversation: openConversation({ store, stages }),
    underWay: new Set(),
    unwritten: new Map(),
  };
  stages.reconcile(environment);
  return {
    run: (call) => run(call, environment),
    setPolicy: (setting) => ledgerStages.setPolicy(setting, environment.ledger),
    say: (text) => {
      writeEnded(environment);
      stages.say(text, environment);
    },
    setRules: (files) => {
      writeEnded(environment);
      return stages.setRules(files, environment);
    },
    reconcile: () => {
      writeEnded(environment);
      stages.reconcile(environment);
    },
    gate: (flaw) => {
      writeEnded(environment);
      return stages.judgeTrace(flaw, environment);
    },
  };
}

async function run(call: Call, environment: RuledEnvironment): Promise<Result> {
  const { stages, ledger, underWay, unwritten } = environment;
  const passage = stages.enter(call);
  writeEnded(environment);
  underWay.add(call.delivery);
  const ending = await stages.pass(passage, environment);
  if (passage.callNumber !== undefined) unwritten.set(passage.callNumber, outcomeOfCall(passage, ending));
  writeEnded(environment);
  try {
    return await ledger.stages.conclude(passage, ending, ledger);
  } finally {
    underWay.delete(call.delivery);
    writeEnded(environment);
  }
}

/**
 * Writes down what is known to have become of calls, before their receipts if the store takes it, and otherwise at the
 * next occasion. Until then, and for ever if the process dies before, a call may have happened.
 */
function writeEnded({ store, unwritten }: RuledEnvironment): void {
  try {
    for (const [number, outcome] of unwritten) {
      writeAlone(store, "endCall", { number, outcome });
      unwritten.delete(number);
    }
  } catch {
    return;
  }
}
