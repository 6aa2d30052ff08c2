import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  AttemptName,
  CrashPoint,
  Fault,
  Observation,
  Outcome,
  RuleClaim,
  RuleFlaw,
  RuleWord,
  StageEvent,
  TraceFlaw,
} from "../../../src/model/vocabulary.js";
import type { Crashed, Port, Progress, RuledPort, Submission } from "../../../src/sut/port.js";
import { openRuledPort } from "../../../src/sut/ruled/system.js";

type Given = {
  readonly job?: string;
  readonly topic?: string;
  readonly copies?: number;
  readonly tenant?: string;
  readonly faults?: readonly Fault[];
};

/** The built-in ruled executor behind its port, moved by hand, on a store that starts with a limit of 3. */
export type RuledBench = {
  readonly port: Port;
  readonly begin: () => Promise<void>;
  readonly submit: (attempt: AttemptName, given?: Given) => Promise<Progress>;
  readonly advance: (attempt: AttemptName) => Promise<Progress>;
  /** Advances to the end. */
  readonly finish: (attempt: AttemptName) => Promise<string>;
  /** Submits and finishes. */
  readonly call: (attempt: AttemptName, given?: Given) => Promise<string>;
  readonly crash: () => Promise<Crashed>;
  readonly crashAt: (attempt: AttemptName, at: CrashPoint) => Promise<Crashed>;
  readonly crashEntering: (attempt: AttemptName, at: CrashPoint) => Promise<Crashed>;
  readonly restart: () => Promise<"up" | "failed">;
  readonly rules: (to: readonly RuleWord[], flaw?: RuleFlaw) => Promise<"taken" | "refused">;
  readonly say: (...texts: readonly string[]) => Promise<void>;
  readonly reconcile: () => Promise<void>;
  readonly damage: () => Promise<void>;
  readonly gate: (flaw?: TraceFlaw) => Promise<readonly string[]>;
  readonly store: () => Promise<Observation>;
  /** Of the reservations: tenant, key, state and delivery. */
  readonly reservations: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

export function openRuledBench(): RuledBench {
  const directory = mkdtempSync(join(tmpdir(), "ruled-"));
  const port = openRuledPort({ directory, budgetMs: 5000 });
  const ruled = (): RuledPort => {
    if (port.ruled === undefined) throw new Error("the executor has no rules");
    return port.ruled;
  };
  const store = async (): Promise<Observation> => port.observe({ probeLock: true });
  const finish = async (attempt: AttemptName): Promise<string> => {
    let progress = await port.advance(attempt);
    while (progress.kind === "parked") progress = await port.advance(attempt);
    return endingOf(progress);
  };
  const submit = (attempt: AttemptName, given: Given = {}): Promise<Progress> =>
    port.submit(submission(attempt, given));
  return {
    port,
    begin: () => port.start({ policy: { kind: "limit", maxCopies: 3 }, report: () => {} }),
    submit,
    advance: (attempt) => port.advance(attempt),
    finish,
    call: async (attempt, given) => {
      const progress = await submit(attempt, given);
      return progress.kind === "parked" ? finish(attempt) : endingOf(progress);
    },
    crash: () => port.crash({ kind: "parked" }),
    crashAt: (attempt, at) => port.crash({ kind: "at", attempt, at }),
    crashEntering: (attempt, at) => port.crash({ kind: "entering", submission: submission(attempt, {}), at }),
    restart: () => port.restart(),
    rules: (to, flaw = "none") => ruled().setRules(to, flaw),
    say: async (...texts) => {
      for (const text of texts) await ruled().say(text);
    },
    reconcile: () => ruled().reconcile(),
    damage: () => ruled().damageLedger(),
    gate: (flaw = "none") => ruled().gate(flaw),
    store,
    reservations: async () =>
      ((await store()).reservations ?? []).map(
        ({ tenant, key, state, delivery }) => `${tenant} ${key} ${state} ${delivery}`,
      ),
    close: async () => {
      await port.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function submission(attempt: AttemptName, given: Given): Submission {
  const { job = "JOB-001", topic = "river", copies = 2, tenant = "t1", faults = [] } = given;
  return {
    attempt,
    delivery: `d-${attempt}`,
    request: JSON.stringify({ job, topic, copies }),
    context: { tenant, runId: "r1", callId: `c-${attempt}`, principal: "p1" },
    faults,
  };
}

export function endingOf(progress: Progress): string {
  if (progress.kind !== "returned") return progress.kind;
  const { outcome } = progress;
  return outcome.kind === "completed" ? `${outcome.status}/${outcome.code}` : outcome.kind;
}

export function outcomeOf(progress: Progress): Outcome {
  if (progress.kind !== "returned") throw new Error(`the attempt has not ended: ${progress.kind}`);
  return progress.outcome;
}

export function eventsOf(progress: Progress): readonly StageEvent[] {
  const outcome = outcomeOf(progress);
  if (outcome.kind !== "completed") throw new Error(`the attempt ended ${outcome.kind}`);
  return outcome.events;
}

type Condition = { readonly said?: readonly string[]; readonly fromTurn?: number };

export function rule(claim: RuleClaim, { said = [], fromTurn = 0 }: Condition = {}): RuleWord {
  return { name: `${claim.kind}-${said.join("-")}-${fromTurn}`, saidAny: said, fromTurn, claim };
}

export const idempotent = { kind: "idempotent" } as const;
export const forbid = { kind: "forbid" } as const;
export const allowOthers = { kind: "allow_others" } as const;
export const budget = (most: number): RuleClaim => ({ kind: "budget", most });

export function throwAt(at: Extract<Fault, { kind: "throw_at" }>["at"]): readonly Fault[] {
  return [{ kind: "throw_at", at }];
}
