import type { LedgerKey } from "../ledger-key.js";
import type { Eventually } from "./eventually.js";
import type { Ward } from "./execution.js";
import { ask, type Work } from "./work.js";

/** What the effects tell of the call that holds a key. */
export type EffectSeen = "happened" | "did_not_happen" | "unknown";

/** The keys that were open, by what became of them. */
export type Reconciled = {
  readonly happened: readonly LedgerKey[];
  readonly didNotHappen: readonly LedgerKey[];
  readonly unknown: readonly LedgerKey[];
  /** Not asked about: their calls run at this moment in this process. */
  readonly running: readonly LedgerKey[];
};

/** Settles every open key as its effect tells; what stays unknown goes on refusing. */
export function* reconciling(
  { store, running }: Ward,
  look: (key: LedgerKey) => Eventually<EffectSeen>,
): Work<Reconciled> {
  const happened: LedgerKey[] = [];
  const didNotHappen: LedgerKey[] = [];
  const unknown: LedgerKey[] = [];
  const alive: LedgerKey[] = [];
  for (const { key, holder } of yield* ask(() => store.open())) {
    if (running.has(holder)) {
      alive.push(key);
      continue;
    }
    const seen = yield* ask(() => look(key));
    switch (seen) {
      case "happened":
        yield* ask(() => store.settle(key, holder, "done"));
        happened.push(key);
        break;
      case "did_not_happen":
        yield* ask(() => store.release(key, holder));
        didNotHappen.push(key);
        break;
      case "unknown":
        unknown.push(key);
        break;
    }
  }
  return { happened, didNotHappen, unknown, running: alive };
}
