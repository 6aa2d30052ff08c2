import { readAnswer } from "../../ledger/guards.js";
import { Refusal } from "../../ledger/refusals.js";
import type { Standing } from "../consent/standing.js";
import { announce, callOf, note, type Passage, validated } from "../passage.js";
import type { Environment } from "../stages.js";

/**
 * Lets a call on that nobody has to be asked about, or that was granted; asks otherwise, which ends the attempt. Which
 * of these it is, is decided again in the transaction that would open a request.
 */
export async function passApproval(passage: Passage, environment: Environment): Promise<void> {
  const { stages: step } = environment;
  const { hooks } = passage.call;
  const first = await readAnswer(
    () => hooks.ask("approval", () => step.standing(passage, environment)),
    hooks.patience("approval"),
    isStanding,
    () => note(passage, "approval", "block", "no_verdict"),
  );
  if (first.kind !== "opens") {
    follow(passage, first);
    return;
  }
  await step.stop(passage, "before_request", environment);
  follow(passage, step.openRequest(passage, environment));
}

function follow(passage: Passage, standing: Standing): void {
  switch (standing.kind) {
    case "passes":
      note(passage, "approval", "allow", "not_needed");
      return;
    case "matches":
      note(passage, "approval", "allow", "matched", [`request ${standing.request.number}`]);
      passage.matched = standing.request;
      passage.events.push("approval_matched");
      return;
    case "refused":
      note(passage, "approval", "block", standing.code);
      throw new Refusal("approval_refused", standing.code);
    case "waits":
      throw waits(passage);
    case "opens":
      if (standing.because === "approval_required") throw waits(passage);
      note(passage, "approval", "block", standing.because);
      throw new Refusal("approval_refused", standing.because);
  }
}

function waits(passage: Passage): Refusal {
  note(passage, "approval", "ask", "approval_required");
  return new Refusal("waiting_for_approval", "approval_required");
}

/** Opens a request unless the second look, in the transaction itself, says that none is due. */
export function openRequest(passage: Passage, environment: Environment): Standing {
  const { store, stages: step, clock, lifetime } = environment;
  const { tool } = validated(passage);
  store.run("begin");
  try {
    const again = step.standing(passage, environment);
    if (again.kind !== "opens") return again;
    const policy = step.policy(store);
    if (policy === undefined || policy.revision !== passage.snapshot?.revision) {
      note(passage, "approval", "block", "policy_changed");
      throw new Refusal("policy_changed", "policy_changed");
    }
    const now = clock();
    store.run("insertRequest", {
      ...callOf(passage),
      principal: passage.call.context.principal,
      tool: tool.name,
      digest: passage.digest,
      revision: policy.revision,
      role: tool.role,
      requestedAt: now,
      expiresAt: now + lifetime,
    });
    store.run("commit");
    announce(passage, "after_request");
    return again;
  } finally {
    if (store.inTransaction()) store.run("rollback");
  }
}

function isStanding(value: unknown): value is Standing {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  const { kind } = value;
  return ["refused", "passes", "opens", "waits", "matches"].some((known) => known === kind);
}
