import type {
  AttemptName,
  Event,
  Happening,
  Observation,
  Outcome,
  Policy,
  ReceiptRow,
} from "../../../src/model/vocabulary.js";

/** What a witness must show over its faulty executor and must not show over the sound one. */
export type WrongFact = {
  readonly bug: string;
  /** Why this is wrong, or what would be right. */
  readonly because: string;
  readonly shows: (history: readonly Event[]) => boolean;
};

type Ended = Extract<Happening, { kind: "ended" }>;

export function ended(history: readonly Event[], attempt: AttemptName): Ended | undefined {
  return history.find((event): event is Event & Ended => event.kind === "ended" && event.attempt === attempt);
}

export function completed(
  history: readonly Event[],
  attempt: AttemptName,
): Extract<Outcome, { kind: "completed" }> | undefined {
  const outcome = ended(history, attempt)?.outcome;
  return outcome?.kind === "completed" ? outcome : undefined;
}

/** The text of the draft that the caller of this attempt was given. */
export function releasedText(history: readonly Event[], attempt: AttemptName): string | undefined {
  const released = completed(history, attempt)?.released;
  return released?.kind === "value" ? JSON.stringify(released.value) : undefined;
}

export function errorText(history: readonly Event[], attempt: AttemptName): string {
  const outcome = ended(history, attempt)?.outcome;
  return outcome === undefined || outcome.kind === "completed" ? "" : outcome.errorText;
}

export function observations(history: readonly Event[]): readonly Observation[] {
  return history.flatMap((event) => (event.kind === "observed" ? [event.observation] : []));
}

/** The store at the end of the history. */
export function lastStore(history: readonly Event[]): Observation {
  const last = observations(history).at(-1);
  if (last === undefined) throw new Error("nothing was observed");
  return last;
}

/** The store right after an attempt has ended: before anything later could have changed it. */
export function storeAfter(history: readonly Event[], attempt: AttemptName): Observation {
  const end = history.findIndex((event) => event.kind === "ended" && event.attempt === attempt);
  const after = observations(history.slice(end + 1))[0];
  if (end < 0 || after === undefined) throw new Error(`${attempt} has not ended`);
  return after;
}

/** The store as last read before an attempt ended. */
export function storeBefore(history: readonly Event[], attempt: AttemptName): Observation {
  return lastStore(
    history.slice(
      0,
      history.findIndex((event) => event.kind === "ended" && event.attempt === attempt),
    ),
  );
}

export function receiptsOf({ receipts }: Observation, attempt: AttemptName): readonly ReceiptRow[] {
  return receipts.filter(({ delivery }) => delivery === `d-${attempt}`);
}

export function keysOf({ effects }: Observation): readonly string[] {
  return effects.map(({ key }) => key);
}

export function wasCancelled(history: readonly Event[], attempt: AttemptName): boolean {
  return history.some((event) => event.kind === "cancel_delivered" && event.attempt === attempt);
}

export function isPolicy(policy: Policy, revision: number, maxCopies: number): boolean {
  return policy.kind === "present" && policy.revision === revision && policy.maxCopies === maxCopies;
}
