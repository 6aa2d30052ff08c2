import { callText, isLive, latestRequest } from "../account/consent.js";
import { eventsOf } from "../account/outcomes.js";
import { receiptsOf } from "../account/rows.js";
import { type Account, type Attempt, attemptOf } from "../account.js";
import { type Always, broken, type Finding, nothing, on } from "./invariant.js";
import { eventsText, outcomeText } from "./wording.js";

export const pauseConsumesNothing: Always = {
  id: "pause-consumes-nothing",
  kind: "always",
  needs: ["second_observer", "runs"],
  occurred: [
    on("submitted", ({ attempt }, account) => attemptOf(account, attempt).gateAtSubmission === "waiting"),
  ],
  check: [
    on("parked", ({ attempt, at }, account) => overtook(attemptOf(account, attempt), `parked at ${at}`)),
    on("ended", ({ attempt, outcome }, account) =>
      eventsOf(outcome).includes("arguments_valid")
        ? overtook(attemptOf(account, attempt), outcomeText(outcome))
        : nothing,
    ),
    on("observed", (_, { consent, change }) => {
      const { mover } = change;
      if (mover.kind === "nobody" || consent.change.steps.length === 0) return nothing;
      return overtook(mover.attempt, `step ${mover.attempt.context.dispatch?.step} was begun`);
    }),
  ],
};

function overtook({ name, gateAtSubmission }: Attempt, seen: string): readonly Finding[] {
  if (gateAtSubmission !== "waiting" && gateAtSubmission !== "ended") return nothing;
  const why = gateAtSubmission === "waiting" ? "an earlier step still waits" : "the run has ended with a no";
  return broken(`${name} moved although ${why}.`, "blocked", seen);
}

export const recoveryByKind: Always = {
  id: "recovery-by-kind",
  kind: "always",
  needs: ["driver", "second_observer", "receipts", "delivery_ids"],
  occurred: [on("driven", () => true)],
  check: [
    on("driven", ({ of, answer }, account) => {
      const attempt = attemptOf(account, of);
      const why = whyToRest(attempt, account);
      if (answer === "rests" || why === undefined) return nothing;
      return broken(
        `The driver repeats the call of ${of}, which it must leave alone.`,
        `no repetition, as ${why}`,
        answer,
      );
    }),
  ],
};

/** A call that failed without a trace may be tried again so often. */
const mostTries = 2;

/** Why the call of an attempt must not be repeated; undefined if it may. */
function whyToRest(attempt: Attempt, account: Account): string | undefined {
  const { contract } = attempt;
  const isIdempotent = contract.kind === "valid" && (contract.tool?.effect === "read" || contract.key !== "");
  const [receipt] = receiptsOf(attempt, account.observation);
  if (receipt === undefined) {
    return isIdempotent ? undefined : "nobody knows what became of it and it cannot be asked about";
  }
  const { status, code, effectExists, events } = receipt;
  if (status === "policy_changed" || status === "error") {
    const tries = account.observation.receipts.filter(
      (row) =>
        callText(row) === callText(attempt.context) &&
        (row.status === "policy_changed" || row.status === "error"),
    ).length;
    if (tries > mostTries) return `it was tried ${tries} times`;
    const met = effectExists || events.includes("effect_committed") || events.includes("effect_reused");
    return status === "error" && met && !isIdempotent ? "its effect is there and has no key" : undefined;
  }
  const isAsked =
    status === "waiting_for_approval" ||
    (status === "approval_refused" && (code === "expired" || code === "policy_changed"));
  if (!isAsked) return `it ended ${status}/${code}`;
  const request = latestRequest(account.consent, attempt.context);
  const isGranted =
    request !== undefined &&
    account.consent.granted.has(request.number) &&
    isLive(account.consent, request, account.observation.policy);
  return isGranted ? undefined : "nobody has granted it";
}

/** How often a value may be made anew. */
const mostRegenerations = 2;

export const repairIsBounded: Always = {
  id: "repair-is-bounded",
  kind: "always",
  needs: ["stage_events", "runs"],
  occurred: [
    on("ended", ({ outcome }) => eventsOf(outcome).includes("output_regenerated")),
    on("submitted", ({ context }) => (context.dispatch?.replaces ?? "none") !== "none"),
  ],
  check: [
    on("ended", ({ attempt, outcome }, account) => {
      const events = eventsOf(outcome);
      const regenerated = events.filter((event) => event === "output_regenerated").length;
      return [
        ...(regenerated <= mostRegenerations
          ? nothing
          : broken(
              `${attempt} made its value anew too often.`,
              `output_regenerated at most ${mostRegenerations} times`,
              eventsText(events),
            )),
        ...(events.includes("arguments_valid")
          ? repairedTooOften(attemptOf(account, attempt), outcomeText(outcome))
          : nothing),
      ];
    }),
    on("parked", ({ attempt, at }, account) =>
      repairedTooOften(attemptOf(account, attempt), `parked at ${at}`),
    ),
  ],
};

function repairedTooOften({ name, gateAtSubmission }: Attempt, seen: string): readonly Finding[] {
  if (gateAtSubmission !== "repair_limit") return nothing;
  return broken(`${name} repairs a call that was repaired twice before.`, "blocked", seen);
}
