import assert from "node:assert/strict";
import type {
  Ability,
  Checkpoint,
  CrashPoint,
  Event,
  FaultKind,
  Profile,
  Stage,
} from "../../model/vocabulary.js";
import type { Account } from "../account.js";
import type { PromiseId } from "../verdict.js";

/** What a profile must claim before a promise can be asked about it: an ability, a layer, a checkpoint, or a kind of fault. */
export type Need = Ability | `layer ${Stage}` | `checkpoint ${Checkpoint}` | `fault of the ${FaultGroup}`;
export type FaultGroup = "transaction" | "receipt" | "checker";

/** What a look at the evidence finds. `undecided`: evidence that the promise needs is missing. */
export type Finding =
  | { readonly kind: "broken"; readonly sentence: string; readonly expected: string; readonly seen: string }
  | { readonly kind: "undecided"; readonly reason: string };

type Kind = Event["kind"];
type EventOf<K extends Kind> = Extract<Event, { kind: K }>;

/** A look at the evidence right after an event of one kind; the account already holds that event. */
export type Look<R> = { readonly on: Kind; readonly at: (event: Event, account: Account) => R };

/** Looks whenever an event of this kind happens. */
export function on<K extends Kind, R>(kind: K, look: (event: EventOf<K>, account: Account) => R): Look<R> {
  return {
    on: kind,
    at: (event, account) => {
      assert(isOf(event, kind));
      return look(event, account);
    },
  };
}

function isOf<K extends Kind>(event: Event, kind: K): event is EventOf<K> {
  return event.kind === kind;
}

/** Must hold after every event. */
export type Always = {
  readonly id: PromiseId;
  readonly kind: "always";
  readonly needs: readonly Need[];
  /** Whether the situation that the promise guards occurred. */
  readonly occurred: readonly Look<boolean>[];
  readonly check: readonly Look<readonly Finding[]>[];
};

/** Must hold once faults are gone and everything was driven to its end. */
export type Eventually = {
  readonly id: PromiseId;
  readonly kind: "eventually";
  readonly needs: readonly Need[];
  readonly occurred: (account: Account) => boolean;
  /** `position` is that of the event that shows it. */
  readonly check: (account: Account) => readonly (Finding & { readonly position: number })[];
};

/** A promise over the evidence alone: the machine has no say in it. */
export type Invariant = Always | Eventually;

export const nothing: readonly never[] = [];

export function broken(sentence: string, expected: string, seen: string): readonly Finding[] {
  return [{ kind: "broken", sentence, expected, seen }];
}

/** What of `needs` the profile does not claim. */
export function lacks(needs: readonly Need[], profile: Profile): readonly Need[] {
  const claimed = new Set<Need>(profile.abilities);
  for (const layer of profile.layers) claimed.add(`layer ${layer}`);
  for (const checkpoint of profile.checkpoints) claimed.add(`checkpoint ${checkpoint}`);
  for (const group of faultGroups) if (canFail(profile, group)) claimed.add(`fault of the ${group.name}`);
  return needs.filter((need) => !claimed.has(need));
}

/** Any one fault of a group, or a throw at its crash point, is enough to bring the situation about. */
const faultGroups = [
  {
    name: "transaction",
    kinds: ["effect_ignored", "busy", "commit_refused", "disk_full", "read_only"],
    throwAt: "inside_transaction",
  },
  {
    name: "receipt",
    kinds: ["receipt_ignored", "receipt_aborted", "busy", "commit_refused", "disk_full", "read_only"],
    throwAt: "before_receipt",
  },
  {
    name: "checker",
    kinds: ["checker_throws", "checker_rejects_falsy", "checker_hangs", "checker_garbled"],
    throwAt: "nowhere",
  },
] as const satisfies readonly {
  readonly name: FaultGroup;
  readonly kinds: readonly FaultKind[];
  readonly throwAt: CrashPoint | "nowhere";
}[];

function canFail(profile: Profile, group: (typeof faultGroups)[number]): boolean {
  const throws =
    profile.faults.includes("throw_at") && profile.crashPoints.some((point) => point === group.throwAt);
  return throws || group.kinds.some((kind) => profile.faults.includes(kind));
}
