/**
 * A process of its own that charges order A1. Arguments: kind of store, ledger, file of effects, and either how many
 * charges at once or the point at which it kills itself. Waits for a line on stdin; says what became of its charges.
 */
import { once } from "node:events";
import { createGuard } from "../../../src/rules/guard/guard.js";
import type { SyncReservationStore } from "../../../src/rules/guard/reservation-store.js";
import { charge, chargeAtOnce, chargeOnce } from "./charges.js";
import { isFileKind, openFileStore } from "./file-kinds.js";

const [kind = "", ledger = "", effects = "", times = "1", dieAt = "never"] = process.argv.slice(2);
if (!isFileKind(kind)) throw new Error(`no such store: ${kind}`);

const guard = createGuard({ rules: [chargeOnce], store: dying(openFileStore[kind](ledger)) });
process.stdout.write("ready\n");
await once(process.stdin, "data");
const ends = await chargeAtOnce(guard, Number(times), async () => {
  dieIf("before_effect");
  const value = await charge(effects);
  dieIf("after_effect");
  return value;
});
process.stdout.write(`${JSON.stringify(ends)}\n`);
process.exit(0);

function dying(store: SyncReservationStore): SyncReservationStore {
  return {
    ...store,
    reserve: (key, holder) => {
      dieIf("before_reserve");
      const answer = store.reserve(key, holder);
      dieIf("after_reserve");
      return answer;
    },
    settle: (key, holder, state) => {
      store.settle(key, holder, state);
      dieIf("after_settle");
    },
  };
}

function dieIf(point: string): void {
  if (point === dieAt) {
    process.kill(process.pid, "SIGKILL");
    // The signal may take a moment, in which nothing else must happen.
    for (;;);
  }
}
