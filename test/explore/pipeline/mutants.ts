import type { StageEvent } from "../../../src/model/vocabulary.js";
import type { Receipt, World } from "../../../src/model/world.js";
import {
  advanced,
  altered,
  effectOf,
  endsAs,
  type Mutant,
  misled,
  standsAt,
  withMover,
  withNewReceipt,
  withOtherDigest,
  withOutcome,
  withWorld,
} from "./mutant.js";

const ofThePolicy: readonly Mutant[] = [
  misled(
    "takes a new snapshot without the check",
    { policyChanges: 1 },
    ["no-stale-commit"],
    (world, action) =>
      withMover(world, action, (attempt) =>
        standsAt(attempt, "before_business") && world.policy.kind === "present"
          ? { ...attempt, snapshot: { kind: "seen", revision: world.policy.revision } }
          : attempt,
      ),
  ),
  misled("commits on the snapshot alone", { policyChanges: 1 }, ["no-stale-commit"], (world, action) => {
    if (action.kind !== "advance") return world;
    const abilities = world.profile.abilities.filter((ability) => ability !== "recheck_at_commit");
    return { ...world, profile: { ...world.profile, abilities } };
  }),
  altered(
    "reuses a revision after a removal",
    { policyChanges: 2, requests: [0] },
    ["revision-only-grows"],
    (moved, before, action) => {
      const { policy } = moved.world;
      if (action.kind !== "change_policy" || policy.kind === "missing" || before.policy.kind === "present") {
        return moved;
      }
      return withWorld(moved, {
        policy: { ...policy, revision: before.revision },
        revision: before.revision,
      });
    },
  ),
  altered(
    "recreates the policy at a restart",
    { policyChanges: 1, crashes: 1, requests: [0] },
    ["revision-only-grows"],
    (moved, before, action) =>
      action.kind === "restart" && before.policy.kind === "missing"
        ? withWorld(moved, {
            policy: { kind: "present", revision: before.revision + 1, maxCopies: 3 },
            revision: before.revision + 1,
          })
        : moved,
  ),
];

const ofReceipts: readonly Mutant[] = [
  altered(
    "releases without a receipt",
    {},
    ["receipt-before-release", "one-receipt-per-attempt"],
    (moved, before) => (endsAs(moved, "accepted") ? withWorld(moved, { receipts: before.receipts }) : moved),
  ),
  altered("writes two receipts", {}, ["one-receipt-per-attempt"], (moved, before) =>
    withNewReceipt(moved, before, (receipt) => [receipt, { ...receipt, number: receipt.number + 1 }]),
  ),
  altered(
    "changes a receipt of the past",
    { attempts: 2, requests: [0] },
    ["one-receipt-per-attempt", "nothing-after-the-end"],
    (moved, before) => {
      const [first] = before.receipts;
      if (first === undefined || moved.world.receipts.length === before.receipts.length) return moved;
      return withWorld(moved, { receipts: moved.world.receipts.with(0, { ...first, code: "rewritten" }) });
    },
  ),
  altered(
    "removes a receipt of the past",
    { attempts: 2, requests: [0], crashes: 1 },
    ["one-receipt-per-attempt"],
    (moved, _, action) => (action.kind === "restart" ? withWorld(moved, { receipts: [] }) : moved),
  ),
  altered("writes a wrong effectExists", {}, ["receipt-tells-truth"], (moved, before) =>
    withNewReceipt(moved, before, (receipt) => [{ ...receipt, effectExists: !receipt.effectExists }]),
  ),
  altered("tells another status than it wrote", {}, ["outcome-tells-truth"], (moved, before) =>
    withNewReceipt(moved, before, (receipt) =>
      receipt.status === "input_rejected" ? [{ ...receipt, status: "error" }] : [receipt],
    ),
  ),
  altered(
    "hides an audit failure",
    { faults: ["receipt_ignored"], requests: [0] },
    ["audit-failure-is-loud", "receipt-before-release"],
    (moved) =>
      withOutcome(moved, (outcome) =>
        outcome.kind !== "audit_unavailable"
          ? outcome
          : {
              kind: "completed",
              receiptNumber: 1,
              status: "accepted",
              code: "ok",
              events: outcome.events,
              effectExists: true,
              released: "acceptable",
            },
      ),
  ),
  altered(
    "writes the request into the receipt",
    {},
    ["receipts-hold-no-payload"],
    (moved, before, action, bounded) => {
      const request = advanced(before, action)?.request ?? "";
      const [planted = "nothing"] = bounded.contract.canaries(request);
      return withNewReceipt(moved, before, (receipt) => [{ ...receipt, code: planted }]);
    },
  ),
  altered(
    "writes a receipt of nobody when a cancel is asked for",
    { attempts: 2, requests: [0] },
    ["nothing-after-the-end", "receipt-tells-truth"],
    (moved, before, action) =>
      action.kind === "cancel"
        ? withWorld(moved, { receipts: [...before.receipts, receiptOfNobody(before)] })
        : moved,
  ),
];

const ofEffects: readonly Mutant[] = [
  altered(
    "removes the effect when the output is rejected",
    { faults: ["bad_output"] },
    ["commit-survives"],
    (moved) => (endsAs(moved, "output_rejected") ? withWorld(moved, { effects: [] }) : moved),
  ),
  altered(
    "removes the effect of another key",
    { attempts: 2, keys: 2, requests: [0, 2] },
    ["commit-survives"],
    (moved, before) => {
      const added = moved.world.effects.length > before.effects.length;
      return added ? withWorld(moved, { effects: moved.world.effects.slice(-1) }) : moved;
    },
  ),
  altered("forgets effects in a crash", { crashes: 1 }, ["commit-survives"], (moved, _, action) =>
    action.kind === "crash" ? withWorld(moved, { effects: [] }) : moved,
  ),
  altered("writes the digest of other arguments", {}, ["effect-has-request"], withOtherDigest),
  misled(
    "replays on a key conflict",
    { attempts: 2, requests: [0, 1] },
    ["key-binds-arguments"],
    (world, action) =>
      withMover(world, action, (attempt) => {
        const { facts } = attempt;
        const bound = world.effects.find((effect) => facts.kind === "valid" && effect.key === facts.key);
        if (!standsAt(attempt, "before_business") || facts.kind === "invalid" || bound === undefined)
          return attempt;
        return { ...attempt, facts: { ...facts, digest: bound.digest } };
      }),
  ),
  altered(
    "replaces the row on a key conflict",
    { attempts: 2, requests: [0, 1] },
    ["one-effect-per-key", "key-binds-arguments"],
    (moved, before, action, bounded) => {
      const mover = advanced(before, action);
      if (!endsAs(moved, "key_conflict") || mover === undefined) return moved;
      return withWorld(moved, { effects: [effectOf(bounded, mover.request, before)] });
    },
  ),
  altered(
    "adds a second effect on a reuse",
    { attempts: 2, requests: [0] },
    ["one-effect-per-key"],
    (moved, before, action, bounded) => {
      const isReuse = moved.transitions.some((name) => name.includes("effect_reused"));
      const mover = advanced(before, action);
      if (!isReuse || mover === undefined) return moved;
      return withWorld(moved, { effects: [...before.effects, effectOf(bounded, mover.request, before)] });
    },
  ),
  altered(
    "commits what the check refused",
    { policyChanges: 1 },
    ["refused-leaves-nothing"],
    (moved, before, action, bounded) => {
      if (action.kind !== "submit" || !endsAs(moved, "input_rejected")) return moved;
      if (bounded.contract.interpret(action.request).kind === "invalid") return moved;
      return withWorld(moved, { effects: [...before.effects, effectOf(bounded, action.request, before)] });
    },
  ),
  altered(
    "keeps the effect of a transaction that failed",
    { faults: ["effect_ignored"], requests: [0] },
    ["rollback-is-complete"],
    (moved, before, action, bounded) => {
      const mover = advanced(before, action);
      if (!endsAs(moved, "error") || mover === undefined) return moved;
      return withWorld(moved, { effects: [effectOf(bounded, mover.request, before)] });
    },
  ),
];

const ofEndings: readonly Mutant[] = [
  misled("accepts an attempt cancelled at its last stop", {}, ["cancel-is-not-success"], (world, action) =>
    withMover(world, action, (attempt) =>
      standsAt(attempt, "output_check") ? { ...attempt, cancel: "none" } : attempt,
    ),
  ),
  misled(
    "passes an output check that throws",
    { faults: ["checker_throws"], requests: [0] },
    ["fail-closed"],
    (world, action) =>
      withMover(world, action, (attempt) =>
        standsAt(attempt, "output_check") ? { ...attempt, faults: [] } : attempt,
      ),
  ),
  altered("accepts without a check of the output", {}, ["checked-every-time"], (moved, before) => {
    if (!endsAs(moved, "accepted")) return moved;
    const events: readonly StageEvent[] = [
      "arguments_valid",
      "input_allowed",
      "business_started",
      "effect_committed",
    ];
    return withNewReceipt(
      withOutcome(moved, (outcome) => (outcome.kind === "completed" ? { ...outcome, events } : outcome)),
      before,
      (receipt) => [{ ...receipt, events }],
    );
  }),
];

/** Machines whose dropped search must find what the whole histories show. */
export const mutants: readonly Mutant[] = [...ofThePolicy, ...ofReceipts, ...ofEffects, ...ofEndings];

function receiptOfNobody({ receipts }: World): Receipt {
  return {
    number: receipts.length + 1,
    attempt: "a77",
    tenant: "t1",
    runId: "r1",
    callId: "c-a1",
    key: { kind: "none" },
    status: "error",
    code: "late",
    effectExists: false,
    events: [],
  };
}
