import type {
  Action,
  AttemptName,
  Checkpoint,
  EffectRow,
  Event,
  Happening,
  Observation,
  Outcome,
  ReceiptRow,
  Status,
} from "../../src/model/vocabulary.js";

/** Hand-made evidence for tests of what people read. */

export const request = '{"job":"JOB-001","topic":"river","copies":2}';

export function submit(attempt: AttemptName, faults: (Action & { kind: "submit" })["faults"] = []): Action {
  return { kind: "submit", attempt, request, context: context(attempt), faults };
}

export function context(attempt: AttemptName) {
  return { tenant: "t1", runId: "r1", callId: `c-${attempt}`, principal: "p1" };
}

export function submitted(attempt: AttemptName, text = request): Happening {
  return {
    kind: "submitted",
    attempt,
    delivery: `d-${attempt}`,
    request: text,
    context: context(attempt),
    faults: [],
    contract: { kind: "valid", key: "JOB-001", digest: "sha256:1", weight: 2 },
    canaries: [],
  };
}

export function parked(attempt: AttemptName, at: Checkpoint, revision = 1): Happening {
  return { kind: "parked", attempt, at, snapshotRevision: { kind: "seen", revision } };
}

export function ended(attempt: AttemptName, outcome: Outcome, atRelease: Observation): Happening {
  return { kind: "ended", attempt, outcome, releasedIs: "nothing", atRelease };
}

export function completed(receiptNumber: number, status: Status, code: string): Outcome {
  return {
    kind: "completed",
    receiptNumber,
    status,
    code,
    events: ["arguments_valid", "input_allowed", "business_started", "effect_committed"],
    effectExists: true,
    released:
      status === "accepted" ? { kind: "value", value: { draft: "JOB-001: river x2" } } : { kind: "nothing" },
  };
}

export function effect(revision: number, attempt: AttemptName, key = "JOB-001"): EffectRow {
  return {
    tenant: "t1",
    tool: "publish_draft",
    key,
    digest: "sha256:1",
    body: '{"draft":"JOB-001: river x2"}',
    revision,
    runId: "r1",
    callId: `c-${attempt}`,
  };
}

export function receipt(number: number, attempt: AttemptName, status: Status, code: string): ReceiptRow {
  return {
    number,
    delivery: `d-${attempt}`,
    tenant: "t1",
    runId: "r1",
    callId: `c-${attempt}`,
    key: { kind: "key", key: "JOB-001" },
    status,
    code,
    effectExists: true,
    events: [],
    raw: `${number}|d-${attempt}`,
  };
}

export function store(
  effects: readonly EffectRow[],
  receipts: readonly ReceiptRow[],
  policy: [revision: number, maxCopies: number] = [1, 3],
): Observation {
  return {
    effects,
    receipts,
    policy: { kind: "present", revision: policy[0], maxCopies: policy[1] },
    writeLock: "free",
  };
}

export function observed(observation: Observation): Happening {
  return { kind: "observed", observation };
}

/** Numbers the events of each action; the list after the last action is the epilogue's. */
export function historyOf(byAction: readonly (readonly Happening[])[]): readonly Event[] {
  const events = byAction.flatMap((happenings, action) =>
    happenings.map((happening) => ({ happening, action })),
  );
  return events.map(({ happening, action }, position) => ({ ...happening, action, position }));
}

/** Checked under revision 1, committed after the limit had been lowered: two attempts, of which the first is stale. */
export const staleCommit = {
  actions: [
    submit("a1"),
    submit("a2", [{ kind: "throw_at", at: "after_commit" }]),
    { kind: "change_policy", to: { kind: "limit", maxCopies: 1 } },
    { kind: "cancel", attempt: "a2" },
    { kind: "finish", attempt: "a1" },
  ] satisfies readonly Action[],
  history: historyOf([
    [submitted("a1"), parked("a1", "before_business"), observed(store([], []))],
    [submitted("a2"), parked("a2", "before_business"), observed(store([], []))],
    [{ kind: "policy_set", setting: { kind: "limit", maxCopies: 1 } }, observed(store([], [], [2, 1]))],
    [{ kind: "cancel_requested", attempt: "a2" }, observed(store([], [], [2, 1]))],
    [
      { kind: "advanced", attempt: "a1" },
      parked("a1", "after_business"),
      observed(store([effect(1, "a1")], [], [2, 1])),
      { kind: "advanced", attempt: "a1" },
      parked("a1", "output_check"),
      observed(store([effect(1, "a1")], [], [2, 1])),
      { kind: "advanced", attempt: "a1" },
      ended(
        "a1",
        completed(1, "accepted", "ok"),
        store([effect(1, "a1")], [receipt(1, "a1", "accepted", "ok")], [2, 1]),
      ),
      observed(store([effect(1, "a1")], [receipt(1, "a1", "accepted", "ok")], [2, 1])),
    ],
    [
      { kind: "epilogue" },
      { kind: "advanced", attempt: "a2" },
      { kind: "cancel_delivered", attempt: "a2", at: "before_business" },
      ended(
        "a2",
        { kind: "cancelled", reason: "callers", errorText: "cancelled" },
        store(
          [effect(1, "a1")],
          [receipt(1, "a1", "accepted", "ok"), receipt(2, "a2", "cancelled", "cancelled")],
          [2, 1],
        ),
      ),
      observed(
        store(
          [effect(1, "a1")],
          [receipt(1, "a1", "accepted", "ok"), receipt(2, "a2", "cancelled", "cancelled")],
          [2, 1],
        ),
      ),
    ],
  ]),
  /** The `observed` that shows the effect: position 11, in step 5. */
  position: 12,
} as const;
