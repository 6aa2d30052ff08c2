import type { AuditCause, Code, StageEvent, Status } from "../../model/vocabulary.js";

/** A stage said no. */
export class Refusal extends Error {
  constructor(
    readonly status: Status,
    readonly code: Code,
  ) {
    super(`${status}: ${code}`);
  }
}

/** A stage could not do its work; nothing is to be concluded from it but its code. */
export class Failure extends Error {
  constructor(readonly code: Code) {
    super(code);
  }
}

/** The receipt could not be written. Nothing was released; a committed effect stays. */
export class AuditUnavailable extends Error {
  constructor(
    readonly causes: readonly AuditCause[],
    readonly events: readonly StageEvent[],
    options: { readonly cause: unknown },
  ) {
    super(`no receipt could be written (${causes.join(", ")}); nothing was released`, options);
  }
}

/** The receipt is durable, but the result could not be handed over: the caller cannot know, the store can. */
export class ReleaseFailed extends Error {
  constructor(options: { readonly cause: unknown }) {
    super(
      "the receipt is durable, but the result was not handed over; ask the store before repeating",
      options,
    );
  }
}

/** Why a receipt could not be written, in the vocabulary's order. */
export function auditCausesOf(
  isCancelled: boolean,
  error: unknown,
  isDriver: boolean,
): readonly AuditCause[] {
  const causes: AuditCause[] = isCancelled ? ["cancelled", "receipt_write"] : ["receipt_write"];
  if (isDriver) return [...causes, "driver"];
  return error instanceof Failure ? causes : [...causes, "other"];
}
