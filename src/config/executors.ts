import { draftContract } from "../contract/draft.js";
import { guardedContract } from "../contract/guarded/toolbox.js";
import type { ToolContract } from "../contract/tool.js";
import type { Profile } from "../model/vocabulary.js";
import { faultyExecutors } from "../sut/faulty/faulty-executors.js";
import { faultyGuardedExecutors } from "../sut/faulty/guarded/faulty-guarded-executors.js";
import { faultyRuledExecutors } from "../sut/faulty/ruled/faulty-ruled-executors.js";
import { guardedProfile, openGuardedPort } from "../sut/guarded/system.js";
import { ledgerProfile, openLedgerPort } from "../sut/ledger/system.js";
import type { Port } from "../sut/port.js";
import { openRuledPort, ruledProfile } from "../sut/ruled/system.js";
import type { CommitpointConfig } from "./define-config.js";
import { nearest } from "./nearest.js";

/** An executor that can be put under test: what its tool promises, what it claims, and how to open it. */
export type ExecutorEntry = {
  readonly name: string;
  readonly contract: ToolContract;
  /** Opens it on a directory of its own; `budgetMs` bounds every wait of the port that comes back. */
  readonly open: (options: { directory: string; budgetMs: number }) => Promise<Port>;
  readonly profile: Profile;
};

/** Executors that come with commitpoint: the sound ones, and the same with one known bug each. */
export const builtInExecutors: readonly ExecutorEntry[] = [
  ledgerEntry("ledger", openLedgerPort),
  guardedEntry("guarded", openGuardedPort),
  ruledEntry("ruled", openRuledPort),
  ...faultyExecutors.map(({ name, open }) => ledgerEntry(name, open)),
  ...faultyGuardedExecutors.map(({ name, open }) => guardedEntry(name, open)),
  ...faultyRuledExecutors.map(({ name, open }) => ruledEntry(name, open)),
];

function guardedEntry(
  name: string,
  open: (options: { directory: string; budgetMs: number }) => Port,
): ExecutorEntry {
  return { name, contract: guardedContract, open: async (options) => open(options), profile: guardedProfile };
}

function ruledEntry(
  name: string,
  open: (options: { directory: string; budgetMs: number }) => Port,
): ExecutorEntry {
  return { name, contract: draftContract, open: async (options) => open(options), profile: ruledProfile };
}

function ledgerEntry(
  name: string,
  open: (options: { directory: string; budgetMs: number }) => Port,
): ExecutorEntry {
  return { name, contract: draftContract, open: async (options) => open(options), profile: ledgerProfile };
}

/** The executor of that name, built in or from the configuration; otherwise the nearest name there is. */
export function resolveExecutor(
  name: string,
  config: CommitpointConfig | undefined,
):
  | { readonly kind: "found"; readonly executor: ExecutorEntry }
  | { readonly kind: "unknown"; readonly nearest: string | undefined } {
  const all = [...configuredExecutors(config), ...builtInExecutors];
  const executor = all.find((entry) => entry.name === name);
  if (executor !== undefined) return { kind: "found", executor };
  return {
    kind: "unknown",
    nearest: nearest(
      name,
      all.map((entry) => entry.name),
    ),
  };
}

/** Executors that the configuration names, in its order. */
export function configuredExecutors(config: CommitpointConfig | undefined): readonly ExecutorEntry[] {
  return Object.entries(config?.executors ?? {}).map(([name, entry]) => ({
    name,
    contract: entry.contract,
    open: entry.open,
    profile: entry.profile,
  }));
}
