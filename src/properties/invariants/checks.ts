import {
  type AttemptName,
  type CheckerStage,
  type Fault,
  type ReceiptRow,
  type RequestRow,
  type StageEvent,
  stageEvents,
} from "../../model/vocabulary.js";
import { eventsOf, isAccepted } from "../account/outcomes.js";
import type { Mover } from "../account/store-change.js";
import { type Attempt, attemptOf } from "../account.js";
import { type Always, broken, type Finding, nothing, on } from "./invariant.js";
import { effectKeys, eventsText, outcomeText, receiptText } from "./wording.js";

export const checkedEveryTime: Always = {
  id: "checked-every-time",
  kind: "always",
  needs: ["stage_events", "layer output"],
  occurred: [on("ended", ({ outcome }) => isAccepted(outcome))],
  check: [
    on("ended", ({ attempt, outcome, releasedIs }) => {
      if (releasedIs === "unacceptable" || (isAccepted(outcome) && releasedIs === "nothing")) {
        return broken(
          `${attempt} did not release what its output check must have passed.`,
          "a value that the contract accepts for this request",
          `${outcomeText(outcome)}, released ${releasedIs === "nothing" ? "nothing" : "an unacceptable value"}`,
        );
      }
      const missing = checkEvents.filter((event) => !eventsOf(outcome).includes(event));
      if (!isAccepted(outcome) || missing.length === 0) return nothing;
      return broken(
        `${attempt} was accepted without an output check of its own.`,
        eventsText(checkEvents),
        eventsText(eventsOf(outcome)),
      );
    }),
  ],
};

const checkEvents: readonly StageEvent[] = ["output_started", "output_allowed"];

export const failClosed: Always = {
  id: "fail-closed",
  kind: "always",
  needs: ["fault_reports", "second_observer", "fault of the checker"],
  occurred: [on("fault_fired", ({ fault }) => silencedStage(fault) !== "none")],
  check: [
    on("parked", ({ attempt, at }, account) =>
      silencedStages(attemptOf(account, attempt)).flatMap((stage) =>
        wentOn(attempt, stage, `parked at ${at}`),
      ),
    ),
    on("ended", ({ attempt, outcome, releasedIs }, account) => {
      const released = releasedIs === "nothing" ? "nothing" : "a value";
      const seen = `${outcomeText(outcome)}, ${eventsText(eventsOf(outcome))}, released ${released}`;
      const passed = isAccepted(outcome) || released === "a value";
      const stages = silencedStages(attemptOf(account, attempt));
      const saysNoVerdict = outcome.kind === "completed" && outcome.code === "no_verdict";
      if (stages.length === 0 && saysNoVerdict && passed) return wentOn(attempt, "own", seen);
      return stages
        .filter((stage) => passed || isAfter(stage, eventsOf(outcome)))
        .flatMap((stage) => wentOn(attempt, stage, seen));
    }),
    on("observed", (_, { change, byDelivery, consent }) => [
      ...committedUnchecked(change.mover),
      ...askedUnchecked(change.mover, consent.change.requests),
      ...change.receipts.added.flatMap((row) => writtenUnchecked(row, byDelivery.get(row.delivery))),
    ]),
  ],
};

function wentOn(attempt: AttemptName, stage: CheckerStage | "own", seen: string): readonly Finding[] {
  return broken(
    `${attempt} went on although its ${stage} check gave no verdict.`,
    stage === "output" || stage === "own"
      ? "nothing released, no later stage"
      : "nothing released, no later stage, no effect",
    seen,
  );
}

/** The checks of this attempt that were kept from giving a verdict. */
function silencedStages({ fired }: Attempt): readonly CheckerStage[] {
  return fired.map(silencedStage).filter((stage) => stage !== "none");
}

function silencedStage(fault: Fault): CheckerStage | "none" {
  switch (fault.kind) {
    case "checker_throws":
    case "checker_rejects_falsy":
    case "checker_hangs":
    case "checker_garbled":
      return fault.stage;
    default:
      return "none";
  }
}

const laterEvents: { readonly [S in CheckerStage]: readonly StageEvent[] } = {
  check: stageEvents.slice(stageEvents.indexOf("input_allowed")),
  capability: stageEvents.slice(stageEvents.indexOf("capability_granted")),
  approval: stageEvents.slice(stageEvents.indexOf("approval_matched")),
  output: ["output_allowed"],
};

function isAfter(stage: CheckerStage, events: readonly StageEvent[]): boolean {
  return events.some((event) => laterEvents[stage].includes(event));
}

function committedUnchecked(mover: Mover): readonly Finding[] {
  if (mover.kind === "nobody" || mover.attempt.added.length === 0) return nothing;
  const { attempt } = mover;
  return silencedBeforeExecute(attempt).flatMap((stage) =>
    wentOn(attempt.name, stage, effectKeys(attempt.added)),
  );
}

/** No verdict opens no request for approval. */
function askedUnchecked(mover: Mover, requests: readonly RequestRow[]): readonly Finding[] {
  if (mover.kind === "nobody" || requests.length === 0) return nothing;
  const { attempt } = mover;
  return silencedBeforeExecute(attempt).flatMap((stage) =>
    wentOn(attempt.name, stage, requests.map(({ number }) => `request ${number} was opened`).join(", ")),
  );
}

function silencedBeforeExecute(attempt: Attempt): readonly CheckerStage[] {
  return silencedStages(attempt).filter((stage) => stage !== "output");
}

/** What an attempt that could not tell its caller, because it was lost, wrote of itself. */
function writtenUnchecked(row: ReceiptRow, owner: Attempt | undefined): readonly Finding[] {
  if (owner === undefined) return nothing;
  return silencedStages(owner)
    .filter((stage) => row.status === "accepted" || isAfter(stage, row.events))
    .flatMap((stage) => wentOn(owner.name, stage, receiptText(row)));
}
