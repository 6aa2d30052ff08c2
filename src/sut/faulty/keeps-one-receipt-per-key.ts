import { ledgerSchema } from "../ledger/store.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: the receipt is modelled as the state of a key, not as the record of an attempt. */
export const keepsOneReceiptPerKey: KnownBug = {
  name: "keeps-one-receipt-per-key",
  says: "keeps one receipt per key and updates it in place",
  caughtBy: ["one-receipt-per-attempt"],
  witness: [submit("a1", request.river)],
  variant: {
    schema: `${ledgerSchema}
      CREATE UNIQUE INDEX IF NOT EXISTS one_receipt_per_key ON receipts (tenant, key);`,
    sql: {
      insertReceipt: `INSERT INTO receipts
          (delivery, tenant, run_id, call_id, key, status, code, effect_exists, events, recorded_at)
        VALUES (@delivery, @tenant, @runId, @callId, @key, @status, @code, @effectExists, @events, @recordedAt)
        ON CONFLICT (tenant, key) DO UPDATE SET
          delivery = excluded.delivery, run_id = excluded.run_id, call_id = excluded.call_id,
          status = excluded.status, code = excluded.code, effect_exists = excluded.effect_exists,
          events = excluded.events, recorded_at = excluded.recorded_at`,
    },
  },
};
