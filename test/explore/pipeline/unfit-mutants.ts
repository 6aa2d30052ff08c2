import type { World } from "../../../src/model/world.js";
import { altered, type Mutant, misled, standsAt, withMover, withOtherDigest, withWorld } from "./mutant.js";

/** Machines whose bug shows in something that a state does not say of the past; that it shows is what must not be lost. */
export const blurred: readonly Mutant[] = [
  altered(
    "writes the digest of what another asked for",
    { attempts: 2, requests: [0, 1] },
    ["effect-has-request"],
    withOtherDigest,
  ),
  altered(
    "writes a receipt again when a cancel is asked for",
    { attempts: 2, requests: [0] },
    ["nothing-after-the-end", "one-receipt-per-attempt"],
    (moved, before, action) => {
      const again = before.receipts
        .slice(0, 1)
        .map((receipt) => ({ ...receipt, number: before.receipts.length + 1 }));
      return action.kind === "cancel"
        ? withWorld(moved, { receipts: [...before.receipts, ...again] })
        : moved;
    },
  ),
  altered(
    "writes a receipt once more, without its key, when a cancel is asked for",
    { attempts: 2, requests: [0] },
    ["receipt-tells-truth"],
    (moved, before, action) => {
      const number = before.receipts.length + 1;
      const again = before.receipts
        .slice(0, 1)
        .map((receipt) => ({ ...receipt, number, key: noKey, events: [] }));
      return action.kind === "cancel"
        ? withWorld(moved, { receipts: [...before.receipts, ...again] })
        : moved;
    },
  ),
  altered(
    "commits again what it finds committed",
    { attempts: 2, requests: [0], policyChanges: 1 },
    ["one-effect-per-key"],
    (moved, before) => {
      const isReuse = moved.transitions.some((name) => name.includes("effect_reused"));
      return isReuse ? withWorld(moved, { effects: [...before.effects, ...before.effects] }) : moved;
    },
  ),
];

/** Machines that leave something behind which a state has no room for, and what is said of it. */
export const misfits: readonly (Mutant & { readonly message: string })[] = [
  {
    ...misled("forgets a cancel before execute", {}, [], (world, action) =>
      withMover(world, action, (attempt) =>
        standsAt(attempt, "before_business") ? { ...attempt, cancel: "none" } : attempt,
      ),
    ),
    message: "after advance, a promise can ask more about an attempt that waits than its state holds",
  },
  {
    ...altered("reuses a revision", { policyChanges: 1 }, [], (moved, before, action) => {
      const { policy } = moved.world;
      if (action.kind !== "change_policy" || policy.kind === "missing") return moved;
      return withWorld(moved, {
        policy: { ...policy, revision: before.revision },
        revision: before.revision,
      });
    }),
    message: "change_policy changes what is not its own to change",
  },
  {
    ...altered("writes a digest of its own making", {}, [], (moved) =>
      withWorld(moved, {
        effects: moved.world.effects.map((effect) => ({ ...effect, digest: "none of them" })),
      }),
    ),
    message: "the world holds a digest that is not in the bounds",
  },
  {
    ...altered("cancels everyone", { attempts: 2, requests: [0] }, [], (moved, _, action) =>
      action.kind === "cancel" ? { ...moved, world: everyoneCancelled(moved.world) } : moved,
    ),
    message: "after cancel, a promise can ask more about an attempt that waits than its state holds",
  },
  {
    ...altered("tells its events out of order", {}, [], (moved) => ({
      ...moved,
      world: backwards(moved.world),
    })),
    message: "stage events out of order",
  },
];

function everyoneCancelled(world: World): World {
  return { ...world, attempts: world.attempts.map((attempt) => ({ ...attempt, cancel: "requested" })) };
}

function backwards(world: World): World {
  const attempts = world.attempts.map((attempt) => ({ ...attempt, events: attempt.events.toReversed() }));
  return { ...world, attempts };
}

const noKey = { kind: "none" } as const;
