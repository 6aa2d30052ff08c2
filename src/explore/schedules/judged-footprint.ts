import type { AttemptName, EffectRow, Event, Observation } from "../../model/vocabulary.js";
import {
  effectChanges,
  effectPlace,
  isUntouched,
  receiptChanges,
} from "../../properties/account/store-change.js";
import { allOf, type Footprint, type Place, rowOf } from "../../sut/footprint.js";

/** Follows one execution: takes the events of each step in turn and answers what judging them depends on. */
export type JudgedFootprint = (fresh: readonly Event[]) => Footprint;

/**
 * What the promises look at beside the step itself: a commit is held against the policy of that moment, and a receipt
 * against the effect of its key, whether or not the executor read them. So two steps that are the same to the executor
 * in either order may break a promise in one order only. Of a sound executor this adds no dependence that its store
 * does not show. Left out is which requests had been submitted by then, as no executor acts on one that it has not seen.
 */
export function judgedFootprint(tool: string): JudgedFootprint {
  const memory: Memory = { tool, effectOf: new Map(), beforeBusiness: new Set(), observation: undefined };
  return (fresh) => {
    const cancelled = new Set<AttemptName>();
    for (const event of fresh) if (event.kind === "cancel_delivered") cancelled.add(event.attempt);
    const places = fresh.map((event) => placesOf(event, memory, cancelled));
    return {
      kind: "known",
      reads: places.flatMap(({ reads = [] }) => reads),
      writes: places.flatMap(({ writes = [] }) => writes),
    };
  };
}

type Memory = {
  readonly tool: string;
  readonly effectOf: Map<AttemptName, string>;
  readonly beforeBusiness: Set<AttemptName>;
  observation: Observation | undefined;
};

type Places = { readonly reads?: readonly Place[]; readonly writes?: readonly Place[] };

const seenEffects = "#seen effects";
const policy = allOf("#seen policy");
const receipts = allOf("#seen receipts");
const transaction = allOf("#transaction");

function placesOf(event: Event, memory: Memory, cancelled: ReadonlySet<AttemptName>): Places {
  switch (event.kind) {
    case "submitted":
      if (event.contract.kind === "invalid") return {};
      memory.effectOf.set(
        event.attempt,
        effectPlace({
          ...event.context,
          tool: event.context.dispatch?.tool ?? memory.tool,
          key: event.contract.key,
        }),
      );
      return { reads: [policy] };
    case "parked":
      if (event.at === "before_business") memory.beforeBusiness.add(event.attempt);
      return {};
    case "advanced":
      // One whose cancel takes hold there does not come to the point at which policy and key decide.
      if (!memory.beforeBusiness.delete(event.attempt) || cancelled.has(event.attempt)) return {};
      return {
        reads: [...ownEffect(event.attempt, memory), ...(hasEffect(event.attempt, memory) ? [] : [policy])],
      };
    case "ended":
      return { reads: ownEffect(event.attempt, memory), writes: [receipts] };
    case "policy_set":
      return { writes: [policy] };
    case "observed": {
      const before = memory.observation ?? event.observation;
      memory.observation = event.observation;
      return placesOfChange(before, event.observation);
    }
    default:
      return {};
  }
}

function ownEffect(attempt: AttemptName, { effectOf }: Memory): readonly Place[] {
  const place = effectOf.get(attempt);
  return place === undefined ? [] : [rowOf(seenEffects, place)];
}

/** Whether its key is taken already: such an attempt reuses or is refused under any policy. */
function hasEffect(attempt: AttemptName, { effectOf, observation }: Memory): boolean {
  const own = effectOf.get(attempt);
  return observation?.effects.some((row) => nameOfEffect(row) === own) ?? false;
}

function placesOfChange(before: Observation, now: Observation): Places {
  const { added, changed, removed } = effectChanges(before.effects, now.effects);
  const effects = [...added, ...changed.map((row) => row.now), ...removed].map((row) =>
    rowOf(seenEffects, nameOfEffect(row)),
  );
  const receiptsTouched = !isUntouched(receiptChanges(before.receipts, now.receipts));
  return {
    reads: [
      ...(effects.length > 0 ? [policy] : []),
      ...(now.writeLock === "not_probed" ? [] : [transaction]),
    ],
    writes: [...effects, ...(receiptsTouched ? [receipts] : [])],
  };
}

function nameOfEffect(row: EffectRow): string {
  return effectPlace(row);
}
