import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guardedContract } from "../../../src/contract/guarded/toolbox.js";
import type {
  Action,
  AttemptName,
  Consent,
  CrashPoint,
  DecisionName,
  Dispatch,
  Event,
  Fault,
  Observation,
  PolicySetting,
} from "../../../src/model/vocabulary.js";
import { createBudget } from "../../../src/properties/budget.js";
import { executeRun } from "../../../src/properties/run.js";
import { type GuardedVariant, openGuardedPort } from "../../../src/sut/guarded/system.js";

/** Runs action lists on the guarded executor, or a variant of it, each on an empty store under a limit of 3. */
export function openGuardedBench(variant: GuardedVariant = {}) {
  const directory = mkdtempSync(join(tmpdir(), "guarded-"));
  const port = openGuardedPort({ directory, budgetMs: 5000, variant });
  const budget = createBudget(7500);
  return {
    port,
    run: async (
      actions: readonly Action[],
      options: { readonly epilogue: "driven" | "left_out"; readonly policy?: PolicySetting } = {
        epilogue: "driven",
      },
    ) => {
      const policy = options.policy ?? { kind: "limit", maxCopies: 3 };
      const bench = { port, contract: guardedContract, policy, budget };
      return executeRun(bench, actions, { epilogue: options.epilogue });
    },
    close: async () => {
      budget.close();
      await port.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** How an attempt ended: `accepted/ok`, `cancelled`, … ; `not ended` if it did not. */
export function endingOf(history: readonly Event[], attempt: AttemptName): string {
  const ended = history.find((event) => event.kind === "ended" && event.attempt === attempt);
  if (ended?.kind !== "ended") return "not ended";
  const { outcome } = ended;
  return outcome.kind === "completed" ? `${outcome.status}/${outcome.code}` : outcome.kind;
}

/** How a decision was answered: `recorded`, `unknown`, or the reason of its refusal. */
export function answerOf(history: readonly Event[], decision: DecisionName): string {
  const decided = history.find((event) => event.kind === "decided" && event.decision === decision);
  if (decided?.kind !== "decided") return "not answered";
  return decided.answer.kind === "refused" ? decided.answer.code : decided.answer.kind;
}

export function lastObservation(history: readonly Event[]): Observation {
  const observed = history.findLast((event) => event.kind === "observed");
  if (observed?.kind !== "observed") throw new Error("nothing was observed");
  return observed.observation;
}

export function lastConsent(history: readonly Event[]): Consent {
  const { consent } = lastObservation(history);
  if (consent === undefined) throw new Error("no consent was observed");
  return consent;
}

export const ticket = { incident: "INC-001", title: "login fails", details: "see INC-001" };
export const note = { service: "search", message: "down" };
export const river = { job: "JOB-001", topic: "river", copies: 2 };

type Given = {
  readonly call?: string;
  readonly tenant?: string;
  readonly faults?: readonly Fault[];
} & Partial<Omit<Dispatch, "tool">>;

/** A call of a tool in run r1 of tenant t1 by p1, at step 0, which the context does not permit side effects. */
export function submit(
  attempt: AttemptName,
  tool: string,
  args: unknown,
  given: Given = {},
): Extract<Action, { kind: "submit" }> {
  const { call = `c-${attempt}`, tenant = "t1", faults = [], ...rest } = given;
  const dispatch = { tool, step: 0, replaces: "none", sideEffects: "not_permitted", ...rest } as const;
  const context = { tenant, runId: "r1", callId: call, principal: "p1", dispatch };
  return { kind: "submit", attempt, request: JSON.stringify(args), context, faults };
}

export const advance = (attempt: AttemptName): Action => ({ kind: "advance", attempt });
export const finish = (attempt: AttemptName): Action => ({ kind: "finish", attempt });
export const cancel = (attempt: AttemptName): Action => ({ kind: "cancel", attempt });
export const retry = (attempt: AttemptName, of: AttemptName, ...faults: readonly Fault[]): Action => ({
  kind: "retry",
  attempt,
  of,
  faults,
});
export const tick = (by: number): Action => ({ kind: "advance_clock", by });
export const restart: Action = { kind: "restart" };
export const crash: Action = { kind: "crash", where: { kind: "parked" } };
export const crashAt = (attempt: AttemptName, at: CrashPoint): Action => ({
  kind: "crash",
  where: { kind: "at", attempt, at },
});

export function decide(
  kind: "approve" | "deny" | "revoke",
  decision: DecisionName,
  request = 1,
  more: Partial<Pick<Extract<Action, { kind: "approve" | "deny" | "revoke" }>, "flaw" | "pace">> = {},
): Action {
  return { kind, decision, request, flaw: "none", pace: "at_once", ...more };
}

export function changePolicy(maxCopies: number, approval?: "required" | "not_required"): Action {
  return {
    kind: "change_policy",
    to: { kind: "limit", maxCopies, ...(approval === undefined ? {} : { approval }) },
  };
}

export function setCapability(tool: string, resource: string, held: boolean): Action {
  return { kind: "set_capability", capability: { principal: "p1", tenant: "t1", tool, resource }, held };
}

/** A ticket that has been asked about: its attempt has ended and request 1 waits. */
export const asked: readonly Action[] = [submit("a1", "create_ticket", ticket), finish("a1")];
