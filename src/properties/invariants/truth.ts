import { type ReceiptRow, type StageEvent, type Status, stageEvents } from "../../model/vocabulary.js";
import { addedItsEffect, effectsOf, receiptsOf } from "../account/rows.js";
import { type Account, type Attempt, attemptOf } from "../account.js";
import { type Always, broken, type Finding, nothing, on } from "./invariant.js";
import { effectKeys, eventsText, outcomeText, receiptNumbers } from "./wording.js";

export const receiptTellsTruth: Always = {
  id: "receipt-tells-truth",
  kind: "always",
  needs: ["second_observer", "receipts", "delivery_ids", "stage_events"],
  occurred: [on("observed", (_, { change }) => change.receipts.added.length > 0)],
  check: [
    on("observed", (_, account) => account.change.receipts.added.flatMap((row) => firstLie(row, account))),
  ],
};

/** The first of what is wrong in a receipt: a later lie usually follows from an earlier one. */
function firstLie(row: ReceiptRow, account: Account): readonly Finding[] {
  const attempt = account.byDelivery.get(row.delivery);
  if (attempt === undefined) {
    return broken(
      `Receipt ${row.number} belongs to no attempt.`,
      "the delivery of a submitted attempt",
      `delivery ${row.delivery}`,
    );
  }
  const evidence: ReceiptEvidence = { row, attempt, account };
  const lie = truths.find(({ holds }) => !holds(evidence));
  if (lie === undefined) return nothing;
  return broken(
    `Receipt ${row.number} does not tell what ${attempt.name} did.`,
    lie.expected(evidence),
    lie.seen(evidence),
  );
}

type ReceiptEvidence = { readonly row: ReceiptRow; readonly attempt: Attempt; readonly account: Account };

type Truth = {
  readonly holds: (evidence: ReceiptEvidence) => boolean;
  readonly expected: (evidence: ReceiptEvidence) => string;
  readonly seen: (evidence: ReceiptEvidence) => string;
};

const seenEvents = ({ row }: ReceiptEvidence): string => `${row.status} with ${eventsText(row.events)}`;

const truths: readonly Truth[] = [
  {
    holds: ({ row, attempt }) => callText(row) === callText({ ...attempt.context }),
    expected: ({ attempt }) => `call ${callText(attempt.context)}`,
    seen: ({ row }) => `call ${callText(row)}`,
  },
  {
    // One that was stopped before its arguments were looked at has no key to tell.
    holds: ({ row, attempt }) => keyOf(row) === dueKey(attempt) || wasStoppedInRun(row),
    expected: ({ attempt }) => dueKey(attempt),
    seen: ({ row }) => keyOf(row),
  },
  {
    holds: ({ row, attempt }) =>
      (row.events.includes("arguments_valid") && !isKeyless(attempt)) === (row.key.kind === "key"),
    expected: () => "a key if and only if arguments_valid is among the events",
    seen: ({ row }) => `${keyOf(row)} with ${eventsText(row.events)}`,
  },
  {
    holds: ({ row }) => eventsText(once(row.events)) === eventsText(inOrder(row.events)),
    expected: ({ row }) => `each once and in order: ${eventsText(inOrder(row.events))}`,
    seen: ({ row }) => eventsText(row.events),
  },
  {
    holds: ({ row }) => !(row.events.includes("effect_committed") && row.events.includes("effect_reused")),
    expected: () => "effect_committed or effect_reused, not both",
    seen: seenEvents,
  },
  {
    holds: ({ row, attempt, account }) =>
      row.events.includes("effect_committed") === addedItsEffect(attempt, account),
    expected: ({ attempt, account }) =>
      addedItsEffect(attempt, account)
        ? "effect_committed, as its effect appeared while it moved"
        : "no effect_committed, as no effect of its key appeared while it moved",
    seen: seenEvents,
  },
  {
    holds: ({ row, attempt, account }) =>
      !row.events.includes("effect_reused") || isPresent(attempt, account, "before"),
    expected: () => "no effect_reused, as its key had no effect",
    seen: seenEvents,
  },
  {
    holds: ({ row, account }) =>
      row.status !== "accepted" || passages(account).includes(eventsText(row.events.filter(isAlways))),
    expected: ({ account }) => `accepted with ${passages(account).join(" or ")}`,
    seen: seenEvents,
  },
  {
    holds: ({ row }) => !row.events.some((event) => impossible[row.status].includes(event)),
    expected: ({ row }) => `${row.status} without any of ${impossible[row.status].join(", ")}`,
    seen: seenEvents,
  },
  {
    holds: ({ row, attempt, account }) => !row.effectExists || isPresent(attempt, account, "now"),
    expected: () => "effectExists false, as its key has no effect",
    seen: () => "effectExists true",
  },
  {
    // Nobody but this attempt moved, and its receipt comes after whatever it commits.
    holds: ({ row, attempt, account }) =>
      row.effectExists ||
      wasStoppedInRun(row) ||
      !(isPresent(attempt, account, "before") || addedItsEffect(attempt, account)),
    expected: () => "effectExists true, as its key had an effect by then",
    seen: () => "effectExists false",
  },
];

function callText(of: { readonly tenant: string; readonly runId: string; readonly callId: string }): string {
  return `${of.tenant}/${of.runId}/${of.callId}`;
}

function keyOf({ key }: ReceiptRow): string {
  return key.kind === "key" ? `key ${key.key}` : "no key";
}

function dueKey({ contract }: Attempt): string {
  return contract.kind === "valid" && contract.key !== "" ? `key ${contract.key}` : "no key";
}

/** A value may be made anew more than once. */
function once(events: readonly StageEvent[]): readonly StageEvent[] {
  return events.filter((event, index) => event !== "output_regenerated" || events.indexOf(event) === index);
}

/** Its run did not let it move, or failed to write down that it does: its arguments were never looked at. */
function wasStoppedInRun({ status, code }: ReceiptRow): boolean {
  return status === "blocked" || code === "after_step";
}

function isKeyless({ contract }: Attempt): boolean {
  return contract.kind === "valid" && contract.key === "";
}

function inOrder(events: readonly StageEvent[]): readonly StageEvent[] {
  return stageEvents.filter((event) => events.includes(event));
}

function isPresent(attempt: Attempt, account: Account, when: "before" | "now"): boolean {
  return effectsOf(attempt, account, account.change[when]).length > 0;
}

/** Whether every accepted attempt says it: approvals are not always needed, and values seldom made anew. */
function isAlways(event: StageEvent): boolean {
  return event !== "approval_matched" && event !== "output_regenerated" && event !== "key_reserved";
}

/** The events of an accepted attempt: one list for an effect of its own, one for an effect it found, one for a read. */
function passages({ profile }: Account): readonly string[] {
  const passed = (...how: readonly StageEvent[]): readonly StageEvent[] => {
    const ofLayer: { readonly [layer: string]: readonly StageEvent[] } = {
      validate: ["arguments_valid"],
      check: ["input_allowed"],
      capability: ["capability_granted"],
      rules: ["rules_passed"],
      execute: ["business_started", ...how],
      output: ["output_started", "output_allowed"],
    };
    return profile.layers.flatMap((layer) => ofLayer[layer] ?? []);
  };
  const reads = profile.layers.includes("approval") ? [eventsText(passed())] : [];
  return [eventsText(passed("effect_committed")), eventsText(passed("effect_reused")), ...reads];
}

const afterExecute = ["effect_committed", "effect_reused", "output_started", "output_allowed"] as const;

/** Events that an attempt of that status cannot have reached. */
const impossible: { readonly [S in Status]: readonly StageEvent[] } = {
  accepted: [],
  input_rejected: ["input_allowed", "business_started", ...afterExecute],
  permission_denied: afterExecute,
  blocked: ["rules_passed", "approval_matched", "key_reserved", "business_started", ...afterExecute],
  waiting_for_approval: ["approval_matched", "business_started", ...afterExecute],
  approval_refused: afterExecute,
  clarification_needed: ["output_allowed"],
  escalated: ["output_allowed"],
  output_rejected: ["output_allowed"],
  key_conflict: afterExecute,
  policy_changed: afterExecute,
  error: ["output_allowed"],
  cancelled: ["output_allowed"],
};

export const outcomeTellsTruth: Always = {
  id: "outcome-tells-truth",
  kind: "always",
  needs: ["second_observer", "receipts", "delivery_ids"],
  occurred: [
    on("ended", ({ outcome }) => outcome.kind !== "unknown" && outcome.kind !== "audit_unavailable"),
  ],
  check: [
    on("ended", ({ attempt: name, outcome, atRelease }, account) => {
      // Without a receipt of its own there is nothing to compare with; other promises ask for the receipt.
      const row = receiptsOf(attemptOf(account, name), atRelease).at(0);
      if (row === undefined) return nothing;
      const written = tellingOf(row);
      if (outcome.kind === "cancelled" && row.status !== "cancelled") {
        return broken(`${name} told its caller something else than its receipt says.`, written, "cancelled");
      }
      if (outcome.kind !== "completed") return nothing;
      const told = tellingOf({ ...outcome, number: outcome.receiptNumber });
      if (told === written) return nothing;
      return broken(`${name} told its caller something else than its receipt says.`, written, told);
    }),
    on("observed", (_, { change }) => change.settled.flatMap(effectDespiteProof)),
  ],
};

function tellingOf(of: Pick<ReceiptRow, "number" | "status" | "code" | "effectExists" | "events">): string {
  return `receipt ${of.number}: ${of.status}/${of.code}, effectExists ${of.effectExists}, ${eventsText(of.events)}`;
}

function effectDespiteProof(attempt: Attempt): readonly Finding[] {
  if (!saysNothingHappened(attempt) || attempt.added.length === 0) return nothing;
  return broken(
    `${attempt.name} told its caller that nothing happened, but it had added an effect.`,
    "no effect",
    effectKeys(attempt.added),
  );
}

function saysNothingHappened({ standing }: Attempt): boolean {
  if (standing.kind !== "ended") return false;
  return standing.outcome.kind === "refused" || standing.outcome.kind === "failed";
}

export const unknownIsNotFailed: Always = {
  id: "unknown-is-not-failed",
  kind: "always",
  needs: ["second_observer"],
  occurred: [on("ended", ({ outcome }) => outcome.kind === "unknown")],
  check: [
    on("observed", (_, { change }) =>
      change.settled.flatMap((attempt) => {
        const { standing } = attempt;
        if (standing.kind !== "ended" || !saysNothingHappened(attempt)) return nothing;
        const receipts = receiptsOf(attempt, change.now);
        if (attempt.added.length === 0 && receipts.length === 0) return nothing;
        return broken(
          `${attempt.name} left something behind, so its caller cannot be told that it ${standing.outcome.kind}.`,
          "outcome unknown",
          `${outcomeText(standing.outcome)} with ${effectKeys(attempt.added)} and ${receiptNumbers(receipts)}`,
        );
      }),
    ),
  ],
};
