import { draftContract } from "../../../src/contract/draft.js";
import { type Bounded, type Bounds, boundedWorkload } from "../../../src/explore/pipeline/bounded.js";
import type { PolicySetting } from "../../../src/model/vocabulary.js";
import { ledgerProfile } from "../../../src/sut/ledger/system.js";

type Small = Partial<Bounds> & {
  readonly policy?: PolicySetting;
  /** Requests by their place in the full list (light and heavy of each key, then the invalid one); all if absent. */
  readonly requests?: readonly number[];
};

/** The ledger within small bounds: one attempt on one key and nothing else, unless told otherwise. */
export function smallBounds({ requests, policy, ...bounds }: Small = {}): Bounded {
  const whole = boundedWorkload(
    { profile: ledgerProfile, contract: draftContract, policy: policy ?? { kind: "limit", maxCopies: 3 } },
    {
      attempts: 1,
      keys: 1,
      policyChanges: 0,
      crashes: 0,
      faults: [],
      arms: 1,
      faultyAttempts: 1,
      ...bounds,
    },
  );
  if (requests === undefined) return whole;
  const kept = requests.flatMap((place) => whole.requests[place] ?? []);
  return {
    ...whole,
    requests: kept,
    workload: { ...whole.workload, requests: kept.map(({ text }) => text) },
  };
}
