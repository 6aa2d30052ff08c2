import type { ProgramThread } from "../../src/explore/schedules/executor-program.js";
import type { PromiseId } from "../../src/properties/verdict.js";
import { request } from "../../src/sut/faulty/witness-steps.js";
import { attempt, cancelOf, policy } from "./threads.js";

/** A faulty executor whose bug no attempt shows by itself, and the least that can meet to show it. */
export type Interleaving = {
  readonly name: string;
  /** Fewest threads, and of those the fewest steps; written down before any search was made. */
  readonly threads: readonly ProgramThread[];
  /** Any of them counts as finding the bug. */
  readonly finds: readonly PromiseId[];
  readonly why: string;
};

/**
 * Every faulty executor whose bug needs an interleaving: more than one attempt in flight, or a change of the policy or
 * a cancel while an attempt is under way. Of the other executors a list that ends each attempt before anything else
 * happens shows the bug. Close to the line, and not listed:
 *
 * | executor                              | shown without an interleaving by                                       |
 * | ------------------------------------- | ---------------------------------------------------------------------- |
 * | remembers-keys-in-memory-only         | a crash after the attempt has ended, and the same request again        |
 * | keys-the-receipt-by-the-last-effect   | two keys one after the other, and the first again, which only reuses   |
 * | recreates-the-policy-at-restart       | a policy removed and a crash, with no attempt at all                   |
 * | reuses-a-revision                     | two changes of the policy, with no attempt at all                      |
 * | keeps-one-receipt-per-key             | the same request twice, one after the other                            |
 * | skips-the-output-check-on-reuse       | the same request twice, the second with a bad output                   |
 * | reads-effect-exists-off-its-events    | two requests for one key, one after the other                          |
 * | replaces-the-row-on-a-key-conflict    | likewise                                                               |
 * | replays-the-stored-output-on-a-key-…  | likewise                                                               |
 * | acknowledges-before-the-commit        | one attempt: its writes come after its release, in the same step       |
 * | releases-before-writing-the-receipt   | likewise                                                               |
 *
 * One is listed although a single attempt diverges from the machine: holds-the-transaction-over-a-checkpoint, as the
 * promises that it is named for are broken only by what meets the open transaction.
 */
export const interleavings: readonly Interleaving[] = [
  {
    name: "commits-on-the-snapshot-alone",
    threads: [attempt("a1"), policy(1)],
    finds: ["no-stale-commit"],
    why: "the policy has to change between the check of an attempt and its commit",
  },
  {
    name: "rechecks-the-limit-not-the-revision",
    // The same limit again: it takes a new revision, which alone is not looked at.
    threads: [attempt("a1"), policy(3)],
    finds: ["no-stale-commit"],
    why: "the policy has to change between check and commit and still allow the request",
  },
  {
    name: "takes-a-new-snapshot-without-the-check",
    threads: [attempt("a1"), policy(1)],
    finds: ["no-stale-commit"],
    why: "the policy has to change between the check of an attempt and its commit",
  },
  {
    name: "reads-a-missing-policy-as-no-limit",
    threads: [attempt("a1"), policy("remove")],
    finds: ["no-stale-commit"],
    why: "the policy has to go between the check of an attempt and its commit",
  },
  {
    name: "deletes-the-draft-when-cancelled-after-the-commit",
    threads: [attempt("a1"), cancelOf("a1")],
    finds: ["commit-survives"],
    why: "the cancel has to come between the commit of an attempt and its end",
  },
  {
    name: "swallows-a-cancel-after-the-commit",
    threads: [attempt("a1"), cancelOf("a1")],
    finds: ["cancel-is-not-success"],
    why: "the cancel has to come between the commit of an attempt and its end",
  },
  {
    name: "looks-at-the-signal-only-before-the-business-step",
    threads: [attempt("a1"), cancelOf("a1")],
    finds: ["cancel-is-not-success"],
    why: "the cancel has to come between the business step of an attempt and its end",
  },
  {
    name: "writes-no-receipt-when-cancelled",
    threads: [attempt("a1"), cancelOf("a1")],
    finds: ["one-receipt-per-attempt"],
    why: "the cancel has to come while the attempt is under way",
  },
  {
    name: "loses-the-cancellation-in-an-audit-failure",
    threads: [attempt("a1", request.river, { kind: "receipt_ignored" }), cancelOf("a1")],
    finds: ["audit-failure-is-loud"],
    why: "the cancel has to come while the attempt is under way, whose receipt is lost",
  },
  {
    name: "holds-the-transaction-over-a-checkpoint",
    // A change of the policy takes one step where a second attempt takes four.
    threads: [attempt("a1"), policy(3)],
    finds: ["commit-survives", "rollback-is-complete"],
    why: "something has to meet the transaction that is open while the attempt stands after its business step",
  },
  {
    name: "looks-the-key-up-before-the-checkpoint",
    threads: [attempt("a1"), attempt("a2")],
    finds: ["matches-the-machine"],
    why: "both attempts have to look the key up before either writes it",
  },
  {
    name: "shares-one-events-list",
    threads: [attempt("a1"), attempt("a2", request.otherKey)],
    finds: ["receipt-tells-truth"],
    why: "the second attempt has to begin while the first is under way",
  },
];
