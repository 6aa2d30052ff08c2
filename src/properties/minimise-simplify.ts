import type { Action, AttemptName, Context, Fault, PolicySetting } from "../model/vocabulary.js";
import { defaultCallId } from "./minimise-repair.js";

/** Simpler requests, simplest first, each smaller in a well-founded order; a tool contract's `requests.simpler`. */
export type Simpler = (request: string) => readonly string[];

/**
 * Every action that is one step simpler than this one. Each step makes the action's measure fall, which is the sum of
 * - the rank of its request in the order of `simpler`;
 * - the number of its planned faults;
 * - the number of fields of its context that are not the default (`t1`, `r1`, `c-<attempt>`, `p1`);
 * - 1 if it is a retry with a request of its own, rather than a plain one;
 * - the distance of its limit from 3, or 10 if it removes the policy;
 * - 1 if it crashes at a point, rather than while parked.
 * `finish` and `advance` are not simpler than each other.
 */
export const simplerActions = (action: Action, simpler: Simpler): readonly Action[] => {
  switch (action.kind) {
    case "submit":
      return [
        ...simpler(action.request).map((request) => ({ ...action, request })),
        ...fewerFaults(action.faults).map((faults) => ({ ...action, faults })),
        ...plainerContexts(action.context, action.attempt).map((context) => ({ ...action, context })),
      ];
    case "retry":
      return fewerFaults(action.faults).map((faults) => ({ ...action, faults }));
    case "retry_changed":
    case "resubmit_new_key":
      return [
        { kind: "retry", attempt: action.attempt, of: action.of, faults: action.faults },
        ...simpler(action.request).map((request) => ({ ...action, request })),
        ...fewerFaults(action.faults).map((faults) => ({ ...action, faults })),
      ];
    case "change_policy":
      return nearerSettings(action.to).map((to) => ({ ...action, to }));
    case "crash":
      return action.where.kind === "at" ? [{ kind: "crash", where: { kind: "parked" } }] : [];
    default:
      return [];
  }
};

/** The context of an attempt that says nothing else. */
export const defaultContext = (attempt: AttemptName): Context => ({
  tenant: "t1",
  runId: "r1",
  callId: defaultCallId(attempt),
  principal: "p1",
});

const fewerFaults = (faults: readonly Fault[]): readonly (readonly Fault[])[] =>
  faults.map((_, index) => faults.filter((__, other) => other !== index));

export const contextFields = [
  "tenant",
  "runId",
  "callId",
  "principal",
] as const satisfies readonly (keyof Context)[];

const plainerContexts = (context: Context, attempt: AttemptName): readonly Context[] => {
  const plain = defaultContext(attempt);
  return contextFields
    .filter((field) => context[field] !== plain[field])
    .map((field) => ({ ...context, [field]: plain[field] }));
};

/** 3 is the limit that the ledger starts with. */
const plainLimit = 3;

const nearerSettings = (setting: PolicySetting): readonly PolicySetting[] => {
  if (setting.kind === "remove") return [limit(plainLimit), limit(0)];
  const { maxCopies } = setting;
  if (maxCopies === plainLimit) return [];
  const nearer = maxCopies + Math.sign(plainLimit - maxCopies);
  return nearer === plainLimit ? [limit(plainLimit)] : [limit(plainLimit), limit(nearer)];
};

const limit = (maxCopies: number): PolicySetting => ({ kind: "limit", maxCopies });
