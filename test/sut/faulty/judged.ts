import type { Event } from "../../../src/model/vocabulary.js";
import { createJudge } from "../../../src/properties/judge.js";
import type { PromiseId } from "../../../src/properties/verdict.js";
import { ledgerProfile } from "../../../src/sut/ledger/system.js";

/** The promises that the judge finds broken in a history of a ledger that starts with a limit of 3. */
export function judged(history: readonly Event[]): readonly PromiseId[] {
  const judge = createJudge(ledgerProfile, { policy: { kind: "limit", maxCopies: 3 }, tool: "draft" });
  for (const event of history) judge.add(event);
  judge.finish();
  return judge.verdict().violations.map(({ promise }) => promise);
}
