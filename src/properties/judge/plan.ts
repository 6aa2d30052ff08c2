import type { Event, Profile } from "../../model/vocabulary.js";
import { type Eventually, type Finding, type Look, lacks, type Need } from "../invariants/invariant.js";
import { invariants } from "../invariants.js";
import { type PromiseId, promiseIds } from "../verdict.js";

type Watch<R> = { readonly id: PromiseId; readonly look: Look<R> };

/** Which promises are judged, and which of them look when. */
export type Plan = {
  readonly checked: readonly PromiseId[];
  readonly lacking: readonly { readonly promise: PromiseId; readonly lacks: readonly Need[] }[];
  readonly occurredAt: ReadonlyMap<Event["kind"], readonly Watch<boolean>[]>;
  readonly checkedAt: ReadonlyMap<Event["kind"], readonly Watch<readonly Finding[]>[]>;
  readonly inTheEnd: readonly Eventually[];
};

/**
 * Which promises are judged for a profile, in the order of `promiseIds`; what the profile cannot answer is lacking.
 * A campaign asks the same for every run: the same profile and the same list of wanted promises are planned once.
 */
export function planPromises(profile: Profile, wanted: readonly PromiseId[]): Plan {
  const ofProfile = plans.get(profile) ?? new WeakMap<readonly PromiseId[], Plan>();
  const plan = ofProfile.get(wanted) ?? makePlan(profile, wanted);
  plans.set(profile, ofProfile.set(wanted, plan));
  return plan;
}

const plans = new WeakMap<Profile, WeakMap<readonly PromiseId[], Plan>>();

function makePlan(profile: Profile, wanted: readonly PromiseId[]): Plan {
  const checked: PromiseId[] = [];
  const lacking: { readonly promise: PromiseId; readonly lacks: readonly Need[] }[] = [];
  const occurredAt = new Map<Event["kind"], Watch<boolean>[]>();
  const checkedAt = new Map<Event["kind"], Watch<readonly Finding[]>[]>();
  const inTheEnd: Eventually[] = [];
  for (const id of promiseIds.filter((known) => wanted.includes(known))) {
    if (id === "matches-the-machine") {
      checked.push(id);
      continue;
    }
    const invariant = invariants[id];
    const missing = lacks(invariant.needs, profile);
    if (missing.length > 0) {
      lacking.push({ promise: id, lacks: missing });
      continue;
    }
    checked.push(id);
    if (invariant.kind === "eventually") {
      inTheEnd.push(invariant);
      continue;
    }
    for (const look of invariant.occurred) post(occurredAt, { id, look });
    for (const look of invariant.check) post(checkedAt, { id, look });
  }
  return { checked, lacking, occurredAt, checkedAt, inTheEnd };
}

function post<R>(board: Map<Event["kind"], Watch<R>[]>, watch: Watch<R>): void {
  const posted = board.get(watch.look.on);
  if (posted === undefined) board.set(watch.look.on, [watch]);
  else posted.push(watch);
}
