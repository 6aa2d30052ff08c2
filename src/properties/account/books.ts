import assert from "node:assert/strict";
import { unreachable } from "../../model/unreachable.js";
import type {
  AttemptName,
  Checkpoint,
  Decision,
  DecisionAnswer,
  DecisionName,
  EffectRow,
  Event,
  Fault,
  Grant,
  Observation,
  Policy,
  PolicySetting,
  Profile,
} from "../../model/vocabulary.js";
import type { Account, Attempt } from "../account.js";
import {
  type ConsentBooks,
  callText,
  enterDecision,
  grantText,
  observeConsent,
  openConsentBooks,
  runGate,
  somethingWaits,
} from "./consent.js";
import { openRulesBooks, type RulesBooks, rulesDue } from "./rules.js";
import { effectChanges, effectPlace, receiptChanges } from "./store-change.js";

type Draft<T> = { -readonly [P in keyof T]: T[P] };
type DraftAttempt = Draft<Attempt> & { fired: Fault[]; added: EffectRow[] };

/** An account that is being kept: what it shows, and what has gathered since the latest observation. */
export type Books = Draft<Omit<Account, "requested" | "consent" | "rules">> & {
  attempts: DraftAttempt[];
  byName: Map<AttemptName, DraftAttempt>;
  byDelivery: Map<string, DraftAttempt>;
  requested: Map<string, Map<string, number>>;
  canaries: Set<string>;
  consent: ConsentBooks;
  rules: RulesBooks;
  /** Decisions that are held, by name. */
  held: Map<DecisionName, Decision>;
  mover: { readonly kind: "nobody" } | { readonly kind: "attempt"; readonly attempt: DraftAttempt };
  settled: DraftAttempt[];
  settings: PolicySetting[];
  largestRevision: number;
  beginning: "assumed" | "observed";
};

/** The books of a run that starts on an empty store under this policy. */
export function openBooks(
  profile: Profile,
  tool: string,
  setting: PolicySetting,
  capabilities: readonly Grant[],
): Books {
  const policy: Policy =
    setting.kind === "remove"
      ? { kind: "missing" }
      : { kind: "present", revision: 1, maxCopies: setting.maxCopies };
  const empty: Observation = { effects: [], receipts: [], policy, writeLock: "not_probed" };
  return {
    profile,
    tool,
    attempts: [],
    byName: new Map(),
    byDelivery: new Map(),
    requested: new Map(),
    canaries: new Set(),
    consent: openConsentBooks(capabilities),
    rules: openRulesBooks(),
    held: new Map(),
    observation: empty,
    change: {
      before: empty,
      now: empty,
      effects: effectChanges(empty.effects, empty.effects),
      receipts: receiptChanges(empty.receipts, empty.receipts),
      mover: { kind: "nobody" },
      settled: [],
      settings: [],
      largestRevision: 0,
    },
    faults: "possible",
    executor: "up",
    position: -1,
    mover: { kind: "nobody" },
    settled: [],
    settings: [],
    largestRevision: revisionOf(policy),
    beginning: "assumed",
  };
}

/** Brings the books up to date with the next event. */
export function enter(books: Books, event: Event): void {
  books.position = event.position;
  switch (event.kind) {
    case "submitted":
      enterSubmitted(books, event);
      break;
    case "advanced":
    case "expired":
      setOff(books, submitted(books.byName, event.attempt));
      break;
    case "parked":
      park(submitted(books.byName, event.attempt), event);
      break;
    case "blocked":
      submitted(books.byName, event.attempt).standing = { kind: "blocked", on: event.on };
      break;
    case "fault_fired":
      submitted(books.byName, event.attempt).fired.push(event.fault);
      break;
    case "cancel_requested":
      requestCancel(submitted(books.byName, event.attempt));
      break;
    case "cancel_delivered":
      deliverCancel(submitted(books.byName, event.attempt), event.at);
      break;
    case "ended":
      end(books, event);
      break;
    case "policy_set":
      books.settings.push(event.setting);
      break;
    case "crashed":
      crash(books, event);
      break;
    case "restarted":
      books.executor = event.result === "up" ? "up" : "failed_to_restart";
      break;
    case "epilogue":
      books.faults = "gone";
      break;
    case "observed":
      observe(books, event.observation);
      break;
    case "decision_held":
      books.held.set(event.decision, event);
      break;
    case "decided":
      books.held.delete(event.decision);
      decide(books, event, event.answer);
      break;
    case "clock_set":
      books.consent.clock = event.now;
      break;
    case "capability_set":
      if (event.held) books.consent.capabilities.add(grantText(event.capability));
      else books.consent.capabilities.delete(grantText(event.capability));
      break;
    case "round_tripped":
      if (!event.tampered && event.answer === "refused" && somethingWaits(books.consent))
        books.consent.refusedRoundTrips++;
      break;
    case "said":
      books.rules.texts.push(event.text);
      break;
    case "rules_set":
      // What has a mistake must not be taken, whatever the executor says.
      if (event.flaw === "none") books.rules.setting = event.to;
      break;
    case "driven":
    case "reconciled":
    case "ledger_damaged":
    case "gated":
      break;
    case "cancel_too_late":
    case "armed":
    case "disarmed":
    case "skipped":
    case "logged":
    case "late":
      break;
    default:
      unreachable(event);
  }
}

/** The attempt of that name among those submitted; throws if there is none. */
export function submitted<A extends Attempt>(attempts: ReadonlyMap<AttemptName, A>, name: AttemptName): A {
  const attempt = attempts.get(name);
  assert(attempt !== undefined, `the history names ${name}, which was never submitted`);
  return attempt;
}

function decide(books: Books, decision: Decision, answer: DecisionAnswer): void {
  enterDecision(books.consent, { decision, answer }, books.observation.policy, books.profile);
}

type Told<K extends Event["kind"]> = Extract<Event, { kind: K }>;

function enterSubmitted(books: Books, told: Told<"submitted">): void {
  const attempt: DraftAttempt = {
    name: told.attempt,
    delivery: told.delivery,
    context: told.context,
    request: told.request,
    contract: told.contract,
    canaries: told.canaries,
    purpose: books.faults === "gone" ? "recovery" : "generated",
    policyAtSubmission: books.observation.policy,
    gateAtSubmission: runGate(books.consent, told.context),
    usedAtSubmission: books.consent.uses.has(callText(told.context)),
    capableAtSubmission: isCapable(books.consent, told, books.tool),
    rulesDue: rulesDue(books.rules, {
      contract: told.contract,
      tenant: told.context.tenant,
      faults: told.faults,
      policy: books.observation.policy,
      observation: books.observation,
    }),
    standing: { kind: "moving" },
    lastStop: { kind: "none" },
    departedWith: { kind: "none" },
    cancel: { kind: "none" },
    fired: [],
    added: [],
  };
  assert(!books.byName.has(told.attempt), `${told.attempt} is submitted twice`);
  books.attempts.push(attempt);
  if (books.profile.layers.includes("rules") && attempt.rulesDue.verdict !== "not_reached") {
    books.rules.calls.push({ turn: books.rules.texts.length, attempt });
  }
  books.byName.set(told.attempt, attempt);
  books.byDelivery.set(told.delivery, attempt);
  books.mover = { kind: "attempt", attempt };
  // An empty text occurs everywhere and plants nothing.
  for (const canary of told.canaries) if (canary !== "") books.canaries.add(canary);
  if (told.contract.kind === "invalid") return;
  const { tenant, runId, callId, dispatch } = told.context;
  const tool = dispatch?.tool ?? books.tool;
  const place = effectPlace({ tenant, runId, callId, tool, key: told.contract.key });
  const digests = books.requested.get(place) ?? new Map<string, number>();
  books.requested.set(place, digests.set(told.contract.digest, told.contract.weight));
}

/** Whether the principal of a call holds what it takes, as far as the tool's contract says what it takes. */
function isCapable(
  { capabilities }: ConsentBooks,
  { context, contract }: Pick<Told<"submitted">, "context" | "contract">,
  onlyTool: string,
): boolean {
  if (contract.kind === "invalid" || contract.tool === undefined) return true;
  const { principal, tenant, dispatch } = context;
  const tool = dispatch?.tool ?? onlyTool;
  return capabilities.has(grantText({ principal, tenant, tool, resource: contract.tool.resource }));
}

/** An attempt leaves the place where it stood; a cancel that waited for it there takes hold. */
function setOff(books: Books, attempt: DraftAttempt): void {
  books.mover = { kind: "attempt", attempt };
  if (attempt.lastStop.kind === "checkpoint") attempt.departedWith = attempt.lastStop.snapshotRevision;
  if (attempt.cancel.kind === "pending") attempt.cancel = { kind: "took_hold", at: attempt.cancel.at };
  attempt.standing = { kind: "moving" };
}

function park(attempt: DraftAttempt, told: Told<"parked">): void {
  attempt.lastStop = { kind: "checkpoint", at: told.at, snapshotRevision: told.snapshotRevision };
  attempt.standing = { kind: "parked", at: told.at };
}

function requestCancel(attempt: DraftAttempt): void {
  const { standing } = attempt;
  attempt.cancel = standing.kind === "parked" ? { kind: "pending", at: standing.at } : { kind: "requested" };
}

/** Where it was delivered first is where it had to take hold. */
function deliverCancel(attempt: DraftAttempt, at: Checkpoint): void {
  if (attempt.cancel.kind !== "took_hold") attempt.cancel = { kind: "took_hold", at };
}

function end(books: Books, told: Told<"ended">): void {
  const attempt = submitted(books.byName, told.attempt);
  const { outcome, atRelease, position } = told;
  attempt.standing = { kind: "ended", outcome, atRelease, position };
  books.settled.push(attempt);
}

function crash(books: Books, told: Told<"crashed">): void {
  books.executor = "down";
  const { advancing } = told;
  const struck = advancing.kind === "decision" ? books.held.get(advancing.decision) : undefined;
  if (struck !== undefined) decide(books, struck, { kind: "unknown" });
  for (const name of told.lostDecisions ?? []) books.held.delete(name);
  if (advancing.kind === "attempt") setOff(books, submitted(books.byName, advancing.attempt));
  for (const name of told.lost) {
    const attempt = submitted(books.byName, name);
    const moved = advancing.kind === "attempt" && advancing.attempt === name;
    attempt.standing = { kind: "lost", at: moved ? advancing.at : "rest" };
    books.settled.push(attempt);
  }
}

function observe(books: Books, now: Observation): void {
  const { mover } = books;
  // The read before anything moved is where the history begins; it changes nothing.
  const begins = books.beginning === "assumed" && mover.kind === "nobody" && books.settings.length === 0;
  const before = begins ? now : books.observation;
  if (begins) books.largestRevision = revisionOf(now.policy);
  books.beginning = "observed";
  const effects = effectChanges(before.effects, now.effects);
  if (mover.kind === "attempt") mover.attempt.added.push(...effects.added);
  books.change = {
    before,
    now,
    effects,
    receipts: receiptChanges(before.receipts, now.receipts),
    mover,
    settled: books.settled,
    settings: books.settings,
    largestRevision: books.largestRevision,
  };
  observeConsent(books.consent, now.consent);
  for (const row of books.change.receipts.added)
    if (row.status === "accepted") books.consent.accepted.add(callText(row));
  books.observation = now;
  books.largestRevision = Math.max(books.largestRevision, revisionOf(now.policy));
  books.mover = { kind: "nobody" };
  books.settled = [];
  books.settings = [];
}

function revisionOf(policy: Policy): number {
  return policy.kind === "present" ? policy.revision : 0;
}
