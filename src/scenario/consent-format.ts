import { type Action, type DecisionName, decisionFlaws } from "../model/vocabulary.js";
import { defaultPrincipal, defaultTenant } from "./dispatch.js";
import { attemptName, decisionName, someText } from "./name-format.js";
import { described, made, type Reader, read } from "./reader.js";
import { record } from "./record.js";
import { truth, whole, word } from "./scalars.js";

type Deciding = Extract<Action, { readonly kind: "approve" | "deny" | "revoke" }>;

/** A step as it is written: a decision without a name of its own takes the next number. */
export type WrittenStep = Action | Unnumbered;
type Unnumbered = Omit<Deciding, "decision"> & { readonly decision: "next" };

/** The actions that steps stand for, their decisions numbered from 1 where the file leaves that out. */
export function numbered(steps: readonly WrittenStep[]): readonly Action[] {
  let last = 0;
  return steps.map((step) => {
    const action = isUnnumbered(step) ? { ...step, decision: nextDecision(last) } : step;
    if (isDeciding(action)) last = Math.max(last, numberOf(action.decision));
    return action;
  });
}

/** The name of a decision that says none, where `last` is the largest number before it, or 0. */
export function nextDecision(last: number): DecisionName {
  return `d${last + 1}`;
}

export function numberOf(decision: DecisionName): number {
  return Number(decision.slice(1));
}

export function isDeciding(action: Action): action is Deciding {
  return action.kind === "approve" || action.kind === "deny" || action.kind === "revoke";
}

function isUnnumbered(step: WrittenStep): step is Unnumbered {
  return "decision" in step && step.decision === "next";
}

/** A decision on a request for approval. */
export function deciding(kind: Deciding["kind"]): Reader<WrittenStep> {
  return made(
    record(
      "the request that is decided on, like { request: 1 }",
      { request: whole("the number of a request, from 1", 1) },
      {
        flaw: described(word(decisionFlaws, "what is wrong with it"), "none if not written"),
        held: described(truth, "Whether it stops before its transaction, until it is settled."),
        decision: described(decisionName, "The next number if not written."),
      },
    ),
    ({ request, flaw = "none", held = false, decision }) => {
      const pace = held ? "held" : "at_once";
      return read<WrittenStep>(
        decision === undefined
          ? { kind, decision: "next", request, flaw, pace }
          : { kind, decision, request, flaw, pace },
      );
    },
  );
}

export const settle: Reader<WrittenStep> = made(decisionName, (decision) =>
  read<WrittenStep>({ kind: "settle", decision }),
);

export const advanceClock: Reader<WrittenStep> = made(
  whole("how far the clock moves, from 1 to 99", 1, 99),
  (by) => read<WrittenStep>({ kind: "advance_clock", by }),
);

export const setCapability: Reader<WrittenStep> = made(
  record(
    "a capability like { tool: draft, resource: drafts, held: false }",
    { tool: someText, resource: someText, held: truth },
    { principal: someText, tenant: someText },
  ),
  ({ tool, resource, held, principal = defaultPrincipal, tenant = defaultTenant }) =>
    read<WrittenStep>({ kind: "set_capability", capability: { principal, tenant, tool, resource }, held }),
);

export const roundTrip: Reader<WrittenStep> = made(word(["genuine", "tampered"], "a text"), (text) =>
  read<WrittenStep>({ kind: "round_trip", tampered: text === "tampered" }),
);

export const drive: Reader<WrittenStep> = made(
  record("a new attempt and the ended one", { attempt: attemptName, of: attemptName }, {}),
  ({ attempt, of }) => read<WrittenStep>({ kind: "drive", attempt, of }),
);
