import type {
  AttemptName,
  AuditCause,
  CheckerStage,
  Checkpoint,
  Code,
  LayerResults,
  SnapshotRevision,
  StageEvent,
  Status,
  UnknownCause,
} from "./vocabulary.js";

/**
 * How the machine says a call ends. `unacceptable` is released only where a profile has no output check;
 * error texts and the released value itself are the executor's own.
 */
export type PredictedOutcome =
  | {
      readonly kind: "completed";
      /** 0 where the profile writes no receipts. */
      readonly receiptNumber: number;
      readonly status: Status;
      readonly code: Code;
      readonly events: readonly StageEvent[];
      readonly effectExists: boolean;
      readonly released: "acceptable" | "unacceptable" | "nothing";
      /** With the ability `layer_results`. */
      readonly layers?: LayerResults;
    }
  | { readonly kind: "cancelled"; readonly reason: "callers" }
  | {
      readonly kind: "audit_unavailable";
      readonly causes: readonly AuditCause[];
      readonly events: readonly StageEvent[];
    }
  | { readonly kind: "unknown"; readonly cause: Extract<UnknownCause, "after_receipt"> };

/** What the machine expects in the history after an action. */
export type Predicted =
  | {
      readonly kind: "parked";
      readonly attempt: AttemptName;
      readonly at: Checkpoint;
      readonly snapshotRevision: SnapshotRevision;
    }
  | { readonly kind: "blocked"; readonly attempt: AttemptName; readonly on: CheckerStage }
  | { readonly kind: "cancel_delivered"; readonly attempt: AttemptName; readonly at: Checkpoint }
  | { readonly kind: "cancel_too_late"; readonly attempt: AttemptName }
  | { readonly kind: "ended"; readonly attempt: AttemptName; readonly outcome: PredictedOutcome };
