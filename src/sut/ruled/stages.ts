import type { Code, Json, ReservationRow, TraceFlaw } from "../../model/vocabulary.js";
import type { Rule } from "../../rules/rule.js";
import type { Trace } from "../../rules/trace.js";
import type { Call } from "../ledger/ledger.js";
import type { Ending } from "../ledger/passage.js";
import type { Environment } from "../ledger/stages.js";
import { type Conversation, type ReadRules, readRules, say, setRules } from "./conversation.js";
import { judgeTrace, readTraces } from "./gate-trace.js";
import type { RuledPassage } from "./passage.js";
import {
  insertReservation,
  lookUp,
  putSettled,
  reconcile,
  release,
  reserve,
  type Settling,
  settle,
  settledAs,
} from "./reservations.js";
import type { CallOutcome, RuleText } from "./rows.js";
import { rules } from "./rules-stage.js";
import type { StepStore } from "./store.js";

export type RuledEnvironment = {
  readonly store: StepStore;
  readonly stages: RuledStages;
  /** What the steps that it has in common with the ledger are given. */
  readonly ledger: Environment;
  readonly conversation: Conversation;
  /** Deliveries of attempts that this process has begun and not ended. */
  readonly underWay: Set<string>;
  /** What became of calls, by number, as far as it is known and not written down yet. */
  readonly unwritten: Map<number, CallOutcome>;
};

type RowName = Pick<ReservationRow, "tenant" | "key" | "delivery">;

/** The steps that the ledger does not have, as one record, so that a variant replaces exactly one of them. */
export type RuledStages = {
  readonly enter: (call: Call) => RuledPassage;
  /** From the request to a decision; never throws. */
  readonly pass: (passage: RuledPassage, environment: RuledEnvironment) => Promise<Ending>;
  /** Texts of rules as an operator hands them over, or as they were stored. */
  readonly readRules: (files: readonly RuleText[]) => ReadRules;
  /** The rules as the guard enforces them. */
  readonly guarding: (rules: readonly Rule[]) => readonly Rule[];
  /** What the guard knows of the turns so far. */
  readonly heard: (texts: readonly string[]) => readonly string[];
  readonly setRules: (files: readonly RuleText[], environment: RuledEnvironment) => "taken" | "refused";
  readonly say: (text: string, environment: RuledEnvironment) => void;
  readonly rules: (passage: RuledPassage, environment: RuledEnvironment) => void;
  readonly lookUp: (passage: RuledPassage, environment: RuledEnvironment) => "free" | "done" | "unknown";
  readonly reserve: (passage: RuledPassage, environment: RuledEnvironment) => void;
  readonly insertReservation: (row: RowName, environment: RuledEnvironment) => void;
  readonly release: (passage: RuledPassage, environment: RuledEnvironment) => void;
  readonly settle: (
    passage: RuledPassage,
    execution: "succeeded" | "failed",
    environment: RuledEnvironment,
  ) => void;
  readonly settledAs: (passage: RuledPassage, execution: "succeeded" | "failed") => Settling;
  readonly putSettled: (row: RowName, as: Settling, environment: RuledEnvironment) => void;
  readonly reconcile: (environment: RuledEnvironment) => void;
  /** Of a row that is not done and has no attempt under way. */
  readonly isReconciled: (row: ReservationRow, environment: RuledEnvironment) => boolean;
  readonly judgeTrace: (flaw: TraceFlaw, environment: RuledEnvironment) => readonly Code[];
  readonly readTraces: (text: string) => readonly Trace[];
};

/** The sound pipeline. */
export const ruledStages: RuledStages = {
  enter,
  pass,
  readRules,
  guarding: (all) => all,
  heard: (texts) => texts,
  setRules,
  say,
  rules,
  lookUp,
  reserve,
  insertReservation,
  release,
  settle,
  settledAs,
  putSettled,
  reconcile,
  isReconciled: () => true,
  judgeTrace,
  readTraces,
};

function enter(call: Call): RuledPassage {
  return {
    call,
    events: [],
    args: undefined,
    digest: "",
    snapshot: undefined,
    place: "unforeseen",
    callNumber: undefined,
    holdsKey: false,
  };
}

async function pass(passage: RuledPassage, environment: RuledEnvironment): Promise<Ending> {
  const { stages: step, ledger } = environment;
  const { classify, execute } = ledger.stages;
  try {
    await approach(passage, environment);
  } catch (error) {
    const ending = classify(passage, error);
    leaveToReconciling(() => step.release(passage, environment));
    return ending;
  }
  let stored: Json;
  try {
    stored = await execute(passage, ledger);
  } catch (error) {
    // Its verdict is fixed before its row is settled: nothing that goes wrong there changes it.
    const ending = classify(passage, error);
    leaveToReconciling(() => step.settle(passage, "failed", environment));
    return ending;
  }
  try {
    step.settle(passage, "succeeded", environment);
    return await deliver(passage, stored, environment);
  } catch (error) {
    return classify(passage, error);
  }
}

/** From the request up to the business step. */
async function approach(passage: RuledPassage, environment: RuledEnvironment): Promise<void> {
  const { stages: step, ledger } = environment;
  const { events } = passage;
  passage.args = ledger.stages.validate(passage, ledger);
  passage.digest = ledger.stages.digest(passage.args, passage);
  events.push("arguments_valid");
  await ledger.stages.check(passage, ledger);
  events.push("input_allowed");
  step.rules(passage, environment);
  events.push("rules_passed");
  step.reserve(passage, environment);
  await ledger.stages.stop(passage, "before_business", ledger);
  events.push("business_started");
}

/** From the stored result to what may be released. */
async function deliver(passage: RuledPassage, stored: Json, { ledger }: RuledEnvironment): Promise<Ending> {
  const { events, call } = passage;
  await ledger.stages.stop(passage, "after_business", ledger);
  events.push("output_started");
  const value = call.hooks.returned(stored);
  await ledger.stages.stop(passage, "output_check", ledger);
  await ledger.stages.output(passage, value, ledger);
  events.push("output_allowed");
  return { kind: "finished", status: "accepted", code: "ok", released: value };
}

/** A row that its attempt could not settle stays, which is what reconciling is for. */
function leaveToReconciling(settling: () => void): void {
  try {
    settling();
  } catch {
    return;
  }
}
