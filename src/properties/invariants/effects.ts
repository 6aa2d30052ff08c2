import type { Checkpoint, EffectRow, Observation, StageEvent } from "../../model/vocabulary.js";
import { eventsOf, isAccepted, isReleased } from "../account/outcomes.js";
import { addedItsEffect, effectsOf } from "../account/rows.js";
import { effectPlace } from "../account/store-change.js";
import { type Account, type Attempt, attemptOf } from "../account.js";
import { type Always, broken, type Finding, nothing, on } from "./invariant.js";
import { effectKeys, effectText, outcomeText, whileMoving } from "./wording.js";

function placeOf(row: EffectRow): string {
  return effectPlace(row);
}

function atPlace(place: string, { effects }: Observation): readonly EffectRow[] {
  return effects.filter((row) => placeOf(row) === place);
}

export const oneEffectPerKey: Always = {
  id: "one-effect-per-key",
  kind: "always",
  needs: ["second_observer"],
  occurred: [on("observed", (_, account) => metAnEffect(account))],
  check: [
    on("observed", (_, { change }) => [
      ...change.effects.added.flatMap((row) => {
        const rows = atPlace(placeOf(row), change.now);
        // A tool without a key may do as much as it is called; how often a call may, other promises say.
        if (rows.length === 1 || row.key === "") return nothing;
        return broken(
          `${whileMoving(change)}, a second effect of ${row.key} of ${row.tenant} appeared.`,
          "at most one effect of a key",
          rows.map(effectText).join("; "),
        );
      }),
      ...change.effects.changed.flatMap(({ before, now }) => {
        if (before.digest === now.digest && before.body === now.body) return nothing;
        return broken(
          `${whileMoving(change)}, the effect of ${now.key} of ${now.tenant} was changed.`,
          effectText(before),
          effectText(now),
        );
      }),
    ]),
  ],
};

/** An attempt went through execute, or ended, while its key already had an effect that is not its own. */
function metAnEffect(account: Account): boolean {
  const { mover, before, settled } = account.change;
  if (mover.kind === "nobody") return false;
  const { attempt } = mover;
  const found = effectsOf(attempt, account, before).length > 0 && !addedItsEffect(attempt, account);
  return found && (isPastExecute(attempt) || settled.includes(attempt));
}

function isPastExecute({ lastStop }: Attempt): boolean {
  return lastStop.kind === "checkpoint" && passedExecute(lastStop.at);
}

export const effectHasRequest: Always = {
  id: "effect-has-request",
  kind: "always",
  needs: ["second_observer", "effect_digest"],
  occurred: [on("observed", (_, { change }) => change.effects.added.length > 0)],
  check: [
    on("observed", (_, account) => {
      const { added, changed } = account.change.effects;
      const written = [...added, ...changed.map(({ now }) => now)];
      return written.flatMap((row) => {
        const digests = account.requested.get(placeOf(row));
        if (digests?.has(row.digest)) return nothing;
        const expected =
          digests === undefined
            ? `a valid request of ${row.tenant} for ${row.tool} with key ${row.key}`
            : `digest ${[...digests.keys()].join(" or ")}`;
        return broken(
          `${whileMoving(account.change)}, an effect appeared that no submitted request asks for.`,
          expected,
          `${row.tool} ${effectText(row)}`,
        );
      });
    }),
  ],
};

export const commitSurvives: Always = {
  id: "commit-survives",
  kind: "always",
  needs: ["second_observer"],
  occurred: [on("observed", (_, account) => hadToOutlive(account))],
  check: [
    on("observed", (_, account) => {
      const { change } = account;
      const gone = change.effects.removed.filter((row) => atPlace(placeOf(row), change.now).length === 0);
      return [
        ...gone.flatMap((row) =>
          broken(
            `${whileMoving(change)}, the committed effect of ${row.key} of ${row.tenant} disappeared.`,
            effectText(row),
            effectKeys(change.now.effects),
          ),
        ),
        ...claimants(account).flatMap((attempt) => missingCommit(attempt, account)),
      ];
    }),
  ],
};

/** An effect was there when an attempt ended other than accepted, or when attempts were lost. */
function hadToOutlive(account: Account): boolean {
  const { settled, now } = account.change;
  return settled.some(({ standing, added }) => {
    if (standing.kind !== "ended") return now.effects.length > 0;
    return !isAccepted(standing.outcome) && added.length > 0;
  });
}

/** Attempts of which it was just told that they committed. */
function claimants({ change, byDelivery }: Account): readonly Attempt[] {
  const told = change.settled.filter(
    ({ standing }) => standing.kind === "ended" && eventsOf(standing.outcome).includes("effect_committed"),
  );
  const written = change.receipts.added.flatMap(({ events, delivery }) => {
    const owner = byDelivery.get(delivery);
    return owner !== undefined && events.includes("effect_committed") ? [owner] : [];
  });
  return [...new Set([...told, ...written])];
}

function missingCommit(attempt: Attempt, account: Account): readonly Finding[] {
  const { now } = account.change;
  if (attempt.contract.kind === "invalid" || effectsOf(attempt, account, now).length > 0) return nothing;
  return broken(
    `${attempt.name} is said to have committed ${attempt.contract.key}, but its effect is not there.`,
    `effect of ${attempt.contract.key} of ${attempt.context.tenant}`,
    effectKeys(now.effects),
  );
}

export const keyBindsArguments: Always = {
  id: "key-binds-arguments",
  kind: "always",
  needs: ["second_observer", "effect_digest"],
  occurred: [
    on(
      "ended",
      ({ attempt, outcome }, account) =>
        outcome.kind === "completed" &&
        outcome.status === "key_conflict" &&
        otherArguments(attemptOf(account, attempt), account).length > 0,
    ),
  ],
  check: [
    on("parked", ({ attempt, at }, account) =>
      passedExecute(at)
        ? conflict(attemptOf(account, attempt), account, `parked at ${at}, past execute`)
        : nothing,
    ),
    on("ended", ({ attempt, outcome }, account) => {
      const passed = eventsOf(outcome).some((event) => executed.includes(event));
      if (!passed && !isReleased(outcome)) return nothing;
      return conflict(attemptOf(account, attempt), account, outcomeText(outcome));
    }),
    on("observed", (_, { change }) => {
      const written = [...change.effects.added, ...change.effects.changed.map(({ now }) => now)];
      return written.flatMap((row) => {
        const bound = atPlace(placeOf(row), change.before).find(({ digest }) => digest !== row.digest);
        if (bound === undefined) return nothing;
        return broken(
          `${whileMoving(change)}, ${row.key} of ${row.tenant} was executed again with other arguments.`,
          effectText(bound),
          effectText(row),
        );
      });
    }),
  ],
};

const executed: readonly StageEvent[] = ["effect_committed", "effect_reused"];

function passedExecute(at: Checkpoint): boolean {
  return at === "after_business" || at === "output_check";
}

function conflict(attempt: Attempt, account: Account, seen: string): readonly Finding[] {
  return otherArguments(attempt, account).flatMap((row) =>
    broken(
      `${attempt.name} went on although ${row.key} of ${row.tenant} is bound to other arguments.`,
      `key_conflict with digest ${row.digest}`,
      seen,
    ),
  );
}

/** Effects of the attempt's key that were there before it moved, with another digest. */
function otherArguments(attempt: Attempt, account: Account): readonly EffectRow[] {
  const { contract } = attempt;
  if (contract.kind === "invalid" || contract.key === "" || addedItsEffect(attempt, account)) return nothing;
  return effectsOf(attempt, account, account.observation).filter(({ digest }) => digest !== contract.digest);
}
