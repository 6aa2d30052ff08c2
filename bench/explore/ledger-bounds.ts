import { draftContract } from "../../src/contract/draft.js";
import { remembered } from "../../src/contract/remembered.js";
import { type Bounded, boundedWorkload } from "../../src/explore/pipeline/bounded.js";
import type { FaultKind } from "../../src/model/vocabulary.js";
import { faultKinds } from "../../src/model/vocabulary.js";
import { ledgerProfile } from "../../src/sut/ledger/system.js";

/** The ledger machine within bounds given as `attempts/keys/policy changes/crashes` and kinds of fault: `2/2/2/1 busy`. */
export function ledgerBounded(size: string): Bounded {
  const [numbers = "", ...names] = size.split(/[ ,]/);
  const [attempts = 0, keys = 0, policyChanges = 0, crashes = 0] = numbers.split("/").map(Number);
  const faults = names.map((name): FaultKind => {
    const kind = faultKinds.find((known) => known === name);
    if (kind === undefined) throw new Error(`there is no kind of fault ${JSON.stringify(name)}`);
    return kind;
  });
  return boundedWorkload(
    { profile: ledgerProfile, contract: remembered(draftContract), policy: { kind: "limit", maxCopies: 3 } },
    { attempts, keys, policyChanges, crashes, faults, arms: 1, faultyAttempts: 1 },
  );
}
