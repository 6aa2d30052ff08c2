import type { Code, Status } from "../../../model/vocabulary.js";

/** What the driver knows of an ended attempt, all of it from durable rows. */
export type DriverFacts = {
  /** The call reads, or its effect has a key under which it can be asked about. */
  readonly isIdempotent: boolean;
  readonly receipt:
    | { readonly kind: "none" }
    | {
        readonly kind: "written";
        readonly status: Status;
        readonly code: Code;
        /** The receipt says that there is an effect, or that this attempt met one. */
        readonly showsEffect: boolean;
        /** Receipts of the call that end in an error or a changed policy, this one included. */
        readonly tries: number;
      };
  /** Whether the latest request of the call is granted, live and unspent. */
  readonly isGranted: boolean;
};

/** How often a call may be tried again that failed without a trace. */
export const mostTries = 2;

/**
 * Whether the same call may be tried again. A refusal is never tried again; what waits or was asked anew only once an
 * approver has answered; what nobody can know only where asking and repeating do nothing twice.
 */
export function nextOf({ isIdempotent, receipt, isGranted }: DriverFacts): "repeats" | "rests" {
  const when = (may: boolean) => (may ? "repeats" : "rests");
  if (receipt.kind === "none") return when(isIdempotent);
  const { status, code, showsEffect, tries } = receipt;
  switch (status) {
    case "policy_changed":
      return when(tries <= mostTries);
    case "error":
      return when(tries <= mostTries && (!showsEffect || isIdempotent));
    case "waiting_for_approval":
      return when(isGranted);
    case "approval_refused":
      return when((code === "expired" || code === "policy_changed") && isGranted);
    default:
      return "rests";
  }
}
