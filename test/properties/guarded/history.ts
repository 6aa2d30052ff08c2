import type {
  AttemptName,
  Checkpoint,
  Consent,
  Event,
  Happening,
  Observation,
  Policy,
  Profile,
  RequestRow,
} from "../../../src/model/vocabulary.js";
import { createJudge } from "../../../src/properties/judge.js";
import { type PromiseId, promiseIds, type RunVerdict } from "../../../src/properties/verdict.js";
import { guarded, held, type Intent, page, type Saying, three } from "../../model/guarded/fixture.js";
import {
  accepted,
  advanced,
  decided,
  decisionRow,
  type End,
  effectRow,
  ended as endedAtRest,
  genuine,
  layers,
  observed,
  parked,
  receiptRow,
  requestRow,
  stepRow,
  submitted,
  useRow,
  waiting,
} from "../../model/guarded/history.js";
import { happened } from "../history.js";

/**
 * Guarded histories written by hand, on the words of test/model/guarded/history.ts. In the plain story c-a1 wants to
 * page: a1 asks with request 1, d1 grants it, a2 pages. The store is read after every action.
 */

/** What the judge says of a history, for these promises alone. */
export function verdictOn(
  history: readonly Event[],
  promises: readonly PromiseId[],
  profile: Profile = guarded,
): RunVerdict {
  const judge = createJudge(profile, { policy: three, tool: "toolbox", promises, capabilities: held });
  for (const event of history) judge.add(event);
  judge.finish();
  return judge.verdict();
}

/** The violation of one promise, judged alone: the position of the event that shows it, and what it says. */
export function breach(promise: PromiseId, ...history: Telling): Told {
  const events = happened(...history);
  const { violations } = verdictOn(events, [promise]);
  const [violation] = violations;
  if (violation === undefined) return "nothing";
  const { sentence, expected, seen, position } = violation;
  return { at: position, sentence, expected, seen };
}

export type Told =
  | "nothing"
  | { readonly at: number; readonly sentence: string; readonly expected: string; readonly seen: string };
export type Telling = readonly (Happening | readonly Happening[])[];

/** Whether the situation that a promise guards occurred. */
export function occurs(promise: PromiseId, ...history: Telling): boolean {
  return verdictOn(happened(...history), [promise]).occurred.includes(promise);
}

/** Promises over the evidence that a history breaks; none for what a sound executor may do. */
export function broken(...history: Telling): readonly PromiseId[] {
  return verdictOn(
    happened(...history),
    promiseIds.filter((id) => id !== "matches-the-machine"),
  ).violations.map(({ promise }) => promise);
}

/** The position of the last event of a telling. */
export function lastOf(...history: Telling): number {
  return history.flat().length - 1;
}

/** A store as it is read: what is durable of consent, effects, receipts and policy. */
export type Stored = Partial<Consent> & Partial<Omit<Observation, "consent">>;

export function read(stored: Stored = {}): Extract<Happening, { kind: "observed" }> {
  const { steps, requests, decisions, uses, escalations, ...others } = stored;
  return observed(
    {
      steps: steps ?? [],
      requests: requests ?? [],
      decisions: decisions ?? [],
      uses: uses ?? [],
      escalations: escalations ?? [],
    },
    others,
  );
}

/** An attempt ends; the store is as given in that moment and after it. */
export function endsWith(
  attempt: AttemptName,
  number: number,
  end: End,
  stored: Stored,
): readonly Happening[] {
  const event = endedAtRest(attempt, number, end);
  const after = read(stored);
  return event.kind === "ended" ? [{ ...event, atRelease: after.observation }, after] : [];
}

/** An attempt is submitted and stands at its first stop; the store is as given. */
export function starts(
  attempt: AttemptName,
  at: Checkpoint,
  stored: Stored,
  intent: Intent = page,
  saying: Saying = {},
): readonly Happening[] {
  return [submitted(attempt, intent, saying), parked(attempt, at), read(stored)];
}

export function moves(attempt: AttemptName, at: Checkpoint, stored: Stored): readonly Happening[] {
  return [advanced(attempt), parked(attempt, at), read(stored)];
}

/** An attempt that never stops on its way is submitted and ends. */
export function endsAtOnce(
  attempt: AttemptName,
  number: number,
  end: End,
  stored: Stored,
  intent: Intent = page,
  saying: Saying = {},
): readonly Happening[] {
  return [submitted(attempt, intent, saying), ...endsWith(attempt, number, end, stored)];
}

export const sameCall: Saying = { callId: "c-a1" };

/** Request 1 once more, with another number and what else is told. */
export function requested(number: number, parts: Partial<RequestRow> = {}): RequestRow {
  return { ...requestRow, number, ...parts };
}

export function policyAt(revision: number): Policy {
  return { kind: "present", revision, maxCopies: 3, approval: "not_required" };
}

const begun: Stored = { steps: [stepRow] };
export const asked: Stored = { ...begun, requests: [requestRow], receipts: [receiptRow(1, "a1", waiting)] };
export const granted: Stored = { ...asked, decisions: [decisionRow] };
export const spent: Stored = { ...granted, uses: [useRow], effects: [effectRow] };
export const paged: Stored = {
  ...spent,
  receipts: [receiptRow(1, "a1", waiting), receiptRow(2, "a2", accepted)],
};

/** a1 asks and waits; events 0 to 6. */
export const asks: readonly Happening[] = [
  read(),
  ...starts("a1", "before_request", begun),
  advanced("a1"),
  ...endsWith("a1", 1, waiting, asked),
];
/** Request 1 is granted; events 7 and 8. */
export const grants: readonly Happening[] = [...asks, decided(genuine("d1")), read(granted)];
/** a2 stands before its business; events 9 to 11. */
export const resumes: readonly Happening[] = [
  ...grants,
  ...starts("a2", "before_business", granted, page, sameCall),
];
/** a2 has paged; events 12 to 14. */
export const executes: readonly Happening[] = [...resumes, ...moves("a2", "after_business", spent)];
/** a2 was accepted with receipt 2; events 15 to 20. */
export const pages: readonly Happening[] = [
  ...executes,
  ...moves("a2", "output_check", spent),
  advanced("a2"),
  ...endsWith("a2", 2, accepted, paged),
];

/** Request 1 was denied after it was asked, or after it was granted. */
export const deniedRow = { ...decisionRow, verdict: "deny" } as const;
export const denied: Stored = { ...asked, decisions: [deniedRow] };
export const denies: readonly Happening[] = [...asks, decided(genuine("d1", "deny")), read(denied)];

export const refused: End = {
  status: "approval_refused",
  code: "denied",
  events: ["arguments_valid", "input_allowed", "capability_granted"],
  layers: layers("allow", "allow", "allow", "block"),
};
