import type {
  Action,
  AttemptName,
  Context,
  Dispatch,
  Fault,
  PolicySetting,
  RuleSetting,
} from "../model/vocabulary.js";
import { defaultCallId } from "./minimise-repair.js";

/** Simpler requests, simplest first, each smaller in a well-founded order; a tool contract's `requests.simpler`. */
export type Simpler = (request: string, context?: Context) => readonly string[];

/**
 * Every action that is one step simpler than this one. Each step makes the action's measure fall, which is the sum of
 * - the rank of its request in the order of `simpler`;
 * - the number of its planned faults;
 * - the number of fields of its context that are not the default (`t1`, `r1`, `c-<attempt>`, `p1`);
 * - 1 if it is a retry with a request of its own, rather than a plain one;
 * - the distance of its limit from 3, or 10 if it removes the policy;
 * - 1 if it crashes at a point, rather than while parked;
 * - the flaw of a decision, 1 if it is held, 1 if it revokes rather than denies, and the number of its request;
 * - the number of rules of a set, of the words and the turns that they wait for and of the calls that they allow, 1 for its flaw or for the flaw of a trace, the length of a text;
 * - the ticks of a clock, 1 for a tampered text, 1 if the driver rather than the harness repeats a call.
 * `finish` and `advance` are not simpler than each other.
 */
export const simplerActions = (action: Action, simpler: Simpler): readonly Action[] => {
  switch (action.kind) {
    case "submit":
      return [
        ...simpler(action.request, action.context).map((request) => ({ ...action, request })),
        ...plainerFaults(action.faults).map((faults) => ({ ...action, faults })),
        ...plainerContexts(action.context, action.attempt).map((context) => ({ ...action, context })),
      ];
    case "retry":
      return plainerFaults(action.faults).map((faults) => ({ ...action, faults }));
    case "retry_changed":
    case "resubmit_new_key":
      return [
        { kind: "retry", attempt: action.attempt, of: action.of, faults: action.faults },
        ...simpler(action.request).map((request) => ({ ...action, request })),
        ...plainerFaults(action.faults).map((faults) => ({ ...action, faults })),
      ];
    case "change_policy":
      return nearerSettings(action.to).map((to) => ({ ...action, to }));
    case "crash":
      return action.where.kind === "parked" ? [] : [{ kind: "crash", where: { kind: "parked" } }];
    case "approve":
    case "deny":
    case "revoke":
      return plainerDecisions(action);
    case "advance_clock":
      return action.by > 1 ? [{ ...action, by: action.by - 1 }] : [];
    case "round_trip":
      return action.tampered ? [{ ...action, tampered: false }] : [];
    case "say":
      return action.text === "" ? [] : [{ ...action, text: "" }];
    case "change_rules":
      return [
        ...plainerRules(action.to).map((to) => ({ ...action, to })),
        ...(action.flaw === "none" ? [] : [{ ...action, flaw: "none" as const }]),
      ];
    case "gate":
      return action.flaw === "none" ? [] : [{ ...action, flaw: "none" }];
    case "drive":
      return [{ kind: "retry", attempt: action.attempt, of: action.of, faults: [] }];
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

const plainerFaults = (faults: readonly Fault[]): readonly (readonly Fault[])[] => [
  ...faults.map((_, index) => faults.filter((__, other) => other !== index)),
  ...faults.flatMap((fault, index) =>
    fault.kind === "spoilt_output" && fault.tries > 1
      ? [faults.with(index, { ...fault, tries: fault.tries === 3 ? 2 : 1 })]
      : [],
  ),
];

const plainerRules = (rules: RuleSetting): readonly RuleSetting[] => [
  ...rules.map((_, index) => rules.toSpliced(index, 1)),
  ...rules.flatMap((rule, index) => [
    ...rule.saidAny.map((_, word) =>
      rules.with(index, { ...rule, saidAny: rule.saidAny.toSpliced(word, 1) }),
    ),
    ...(rule.fromTurn > 0 ? [rules.with(index, { ...rule, fromTurn: rule.fromTurn - 1 })] : []),
    ...(rule.claim.kind === "budget" && rule.claim.most > 0
      ? [rules.with(index, { ...rule, claim: { kind: "budget" as const, most: rule.claim.most - 1 } })]
      : []),
  ]),
];

type Deciding = Extract<Action, { kind: "approve" | "deny" | "revoke" }>;

const plainerDecisions = (action: Deciding): readonly Action[] => [
  ...(action.flaw === "none" ? [] : [{ ...action, flaw: "none" as const }]),
  ...(action.pace === "held" ? [{ ...action, pace: "at_once" as const }] : []),
  ...(action.kind === "revoke" ? [{ ...action, kind: "deny" as const }] : []),
  ...(action.request > 1 ? [{ ...action, request: action.request - 1 }] : []),
];

export const contextFields = ["tenant", "runId", "callId", "principal"] as const satisfies readonly Exclude<
  keyof Context,
  "dispatch"
>[];

const plainerContexts = (context: Context, attempt: AttemptName): readonly Context[] => {
  const plain = defaultContext(attempt);
  return [
    ...contextFields
      .filter((field) => context[field] !== plain[field])
      .map((field) => ({ ...context, [field]: plain[field] })),
    ...plainerDispatches(context.dispatch).map((dispatch) => ({ ...context, dispatch })),
  ];
};

const plainerDispatches = (dispatch: Dispatch | undefined): readonly Dispatch[] => {
  if (dispatch === undefined) return [];
  const { step, replaces, sideEffects } = dispatch;
  return [
    ...(step > 0 ? [{ ...dispatch, step: 0 }] : []),
    ...(replaces === "none" ? [] : [{ ...dispatch, replaces: "none" }]),
    ...(sideEffects === "permitted" ? [{ ...dispatch, sideEffects: "not_permitted" as const }] : []),
  ];
};

/** 3 is the limit that the ledger starts with. */
const plainLimit = 3;

const nearerSettings = (setting: PolicySetting): readonly PolicySetting[] => {
  if (setting.kind === "limit" && setting.approval === "required") {
    const { maxCopies, approval } = setting;
    return [limit(maxCopies), ...(maxCopies === plainLimit ? [] : [{ ...limit(plainLimit), approval }])];
  }
  if (setting.kind === "remove") return [limit(plainLimit), limit(0)];
  const { maxCopies } = setting;
  if (maxCopies === plainLimit) return [];
  const nearer = maxCopies + Math.sign(plainLimit - maxCopies);
  return nearer === plainLimit ? [limit(plainLimit)] : [limit(plainLimit), limit(nearer)];
};

const limit = (maxCopies: number): Extract<PolicySetting, { kind: "limit" }> => ({
  kind: "limit",
  maxCopies,
});
