import type { Result } from "../ledger/ledger.js";
import type { Ending, Passage } from "../ledger/passage.js";
import { type Environment, stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: the caller should not have to wait for the audit, so the receipt is written behind its back. */
export const releasesBeforeWritingTheReceipt: KnownBug = {
  name: "releases-before-writing-the-receipt",
  says: "releases the result first and writes the receipt a turn later",
  caughtBy: ["receipt-before-release"],
  witness: [submit("a1", request.river)],
  variant: {
    stages: () => ({
      conclude: (passage, ending, environment) => {
        if (ending.kind === "cancelled") return sound.conclude(passage, ending, environment);
        process.nextTick(() => writeUnheard(passage, ending, environment));
        return promised(passage, ending, environment);
      },
    }),
  },
};

function writeUnheard(passage: Passage, ending: Ending, environment: Environment): void {
  try {
    sound.conclude(passage, ending, environment);
  } catch {
    // The caller has its answer already.
  }
}

/** The result with the number that the receipt is expected to get. */
function promised(
  passage: Passage,
  { status, code, released }: Extract<Ending, { kind: "finished" }>,
  environment: Environment,
): Result {
  const { effectExists } = sound.receiptRow(passage, status, code, environment);
  const counted = environment.store.row({ sql: "SELECT count(*) AS receipts FROM receipts" });
  return {
    receipt: receiptsIn(counted) + 1,
    status,
    code,
    events: [...passage.events],
    effectExists: effectExists === 1,
    released,
  };
}

function receiptsIn(row: unknown): number {
  const isCount = typeof row === "object" && row !== null && "receipts" in row;
  return isCount ? Number(row.receipts) : 0;
}
