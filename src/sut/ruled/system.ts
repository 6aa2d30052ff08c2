import Database from "better-sqlite3";
import type { Profile } from "../../model/vocabulary.js";
import { type InProcessSystem, inProcessPort } from "../in-process.js";
import { ledgerCall, ledgerProfile, outcomeOf } from "../ledger/system.js";
import type { Port } from "../port.js";
import { sqliteProcess } from "../sqlite-process.js";
import { openRuledObserver } from "./observer.js";
import { ruleTexts } from "./rule-texts.js";
import { createRuled, type Ruled } from "./ruled.js";
import { damageSql, ruledTables } from "./sql.js";
import { type RuledStages, ruledStages } from "./stages.js";
import { openStore, type StatementName, type Store } from "./store.js";

export const ruledProfile: Profile = {
  name: "ruled",
  layers: ["validate", "check", "rules", "reserve", "execute", "output", "receipt"],
  checkpoints: ledgerProfile.checkpoints,
  crashPoints: [
    "after_reserve",
    "inside_transaction",
    "after_commit",
    "before_settle",
    "before_receipt",
    "after_receipt",
  ],
  faults: ledgerProfile.faults,
  abilities: [...ledgerProfile.abilities, "reconcile", "rules", "reservations"],
};

/** How an executor differs from the sound one. */
export type RuledVariant = {
  /** Called at every start of the executor's process, so that what it remembers dies with it. */
  readonly stages?: () => Partial<RuledStages>;
};

export type RuledOptions = {
  readonly directory: string;
  readonly budgetMs: number;
  readonly variant?: RuledVariant;
};

/** The built-in ruled executor, or a variant of it, behind the port; its files live in `directory`, which must exist. */
export function openRuledPort({ directory, budgetMs, variant = {} }: RuledOptions): Port {
  return inProcessPort(ruledSystem(directory, variant), budgetMs);
}

function ruledSystem(directory: string, variant: RuledVariant): InProcessSystem {
  let initial: number | "none" = "none";
  const process = sqliteProcess<StatementName, Store, Ruled>(directory, {
    name: "ruled",
    emptied: ruledTables,
    openObserver: openRuledObserver,
    openStore,
    start: (store, draw) => {
      store.initialise(initial);
      let now = 0;
      const clock = (): number => {
        draw("#clock");
        return ++now;
      };
      return createRuled(store, { ...ruledStages, ...variant.stages?.() }, clock);
    },
  });
  return {
    ...process,
    profile: ruledProfile,
    begin: ({ policy }) => {
      initial = policy.kind === "limit" ? policy.maxCopies : "none";
      process.begin();
    },
    call: (submission, hooks, signal) => process.running().run(ledgerCall(submission, hooks, signal)),
    outcomeOf,
    setPolicy: (setting) => process.running().setPolicy(setting),
    ruled: {
      say: (text) => process.running().say(text),
      setRules: (to, flaw) => process.running().setRules(ruleTexts(to, flaw)),
      reconcile: () => process.running().reconcile(),
      damageLedger: () => damage(process.file()),
      gate: (flaw) => process.running().gate(flaw),
    },
  };
}

/** Through a connection of the harness's own, so that the executor has done nothing. */
function damage(file: string): void {
  const connection = new Database(file, { timeout: 0 });
  try {
    connection.exec(damageSql);
  } finally {
    connection.close();
  }
}
