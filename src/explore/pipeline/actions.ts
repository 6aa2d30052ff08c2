import type {
  Action,
  AttemptName,
  CrashPoint,
  DriverFault,
  Fault,
  PolicySetting,
} from "../../model/vocabulary.js";
import { sameDriverFault } from "../../sut/fault-kinds.js";
import { type Bounded, onlyContext } from "./bounded.js";
import { nameOf } from "./world-codec.js";

/** What an action of the bounded machine does; `slot` is that of the attempt it moves. */
export type BoundedAction =
  | { readonly kind: "advance" | "cancel" | "expire"; readonly slot: number }
  | { readonly kind: "crash_at"; readonly slot: number; readonly at: CrashPoint }
  | { readonly kind: "submit"; readonly request: number; readonly plan: number }
  | { readonly kind: "change_policy"; readonly to: PolicySetting }
  | { readonly kind: "arm" | "disarm"; readonly fault: DriverFault }
  | { readonly kind: "crash_parked" | "restart" }
  /** Faults are gone, and everything is driven to its end from here on. */
  | { readonly kind: "epilogue" }
  /** One more attempt, once everything is at rest. */
  | { readonly kind: "probe"; readonly request: number };

export const boundedActionKinds = [
  "advance",
  "cancel",
  "expire",
  "crash_at",
  "submit",
  "change_policy",
  "arm",
  "disarm",
  "crash_parked",
  "restart",
  "epilogue",
  "probe",
] as const satisfies readonly BoundedAction["kind"][];

/** Numbers the actions of a bounded machine: first those of each attempt in turn, then those of the surroundings. */
export type ActionTable = {
  readonly actions: readonly BoundedAction[];
  /** Actions of one attempt; the attempt in slot n has the numbers from n times this on. */
  readonly perAttempt: number;
  /** The first action of the surroundings. */
  readonly surroundings: number;
  /** The number of an action of the machine; `none` for one that an exploration leaves out. */
  readonly numberOf: (action: Action) => number | "none";
  /** The same as an action of the machine; a new attempt bears the name given. */
  readonly actionOf: (number: number, newcomer: AttemptName) => Action | "epilogue";
};

export function actionTable({ bounds, requests, profile, workload }: Bounded): ActionTable {
  const { faultPlans, limits, driverFaults } = workload;
  const ofSlot = (slot: number): readonly BoundedAction[] => [
    { kind: "advance", slot },
    { kind: "cancel", slot },
    { kind: "expire", slot },
    ...profile.crashPoints.map((at): BoundedAction => ({ kind: "crash_at", slot, at })),
  ];
  const attempts = Array.from({ length: bounds.attempts }, (_, slot) => ofSlot(slot)).flat();
  const surroundings: readonly BoundedAction[] = [
    ...faultPlans.flatMap((_, plan) =>
      requests.map((__, request): BoundedAction => ({ kind: "submit", request, plan })),
    ),
    ...limits.map((to): BoundedAction => ({ kind: "change_policy", to })),
    ...driverFaults.map((fault): BoundedAction => ({ kind: "arm", fault })),
    ...driverFaults.map((fault): BoundedAction => ({ kind: "disarm", fault })),
    { kind: "crash_parked" },
    { kind: "restart" },
    { kind: "epilogue" },
    ...requests.flatMap(({ kind }, request): readonly BoundedAction[] =>
      kind === "valid" ? [{ kind: "probe", request }] : [],
    ),
  ];
  const actions = [...attempts, ...surroundings];
  const planNumbers = new Map(faultPlans.map((plan, index) => [JSON.stringify(plan), index]));
  const requestNumbers = new Map(requests.map(({ text }, index) => [text, index]));
  const indexWhere = (is: (action: BoundedAction) => boolean): number | "none" => {
    const index = actions.findIndex(is);
    return index < 0 ? "none" : index;
  };
  const slotOf = (attempt: AttemptName): number => Number(attempt.slice(1)) - 1;
  const numberOf = (action: Action): number | "none" => {
    switch (action.kind) {
      case "advance":
      case "cancel":
      case "expire":
        return indexWhere((one) => one.kind === action.kind && one.slot === slotOf(action.attempt));
      case "submit": {
        const [request, plan] = [
          requestNumbers.get(action.request),
          planNumbers.get(JSON.stringify(action.faults)),
        ];
        return indexWhere((one) => one.kind === "submit" && one.request === request && one.plan === plan);
      }
      case "change_policy":
        return indexWhere((one) => one.kind === "change_policy" && sameSetting(one.to, action.to));
      case "arm":
      case "disarm":
        return indexWhere((one) => one.kind === action.kind && sameDriverFault(one.fault, action.fault));
      case "crash": {
        const { where } = action;
        if (where.kind === "parked") return indexWhere(({ kind }) => kind === "crash_parked");
        if (where.kind !== "at") return "none";
        return indexWhere(
          (one) => one.kind === "crash_at" && one.slot === slotOf(where.attempt) && one.at === where.at,
        );
      }
      case "restart":
        return indexWhere(({ kind }) => kind === "restart");
      // A retry is another submission of the same call here, a finish is its advances, and a look changes nothing.
      case "retry":
      case "retry_changed":
      case "resubmit_new_key":
      case "finish":
      case "observe":
        return "none";
      default:
        return "none";
    }
  };
  const submission = (request: number, faults: readonly Fault[], attempt: AttemptName): Action => ({
    kind: "submit",
    attempt,
    request: requests[request]?.text ?? "",
    context: onlyContext,
    faults,
  });
  const actionOf = (number: number, newcomer: AttemptName): Action | "epilogue" => {
    const action = actions[number];
    if (action === undefined) throw new Error(`there is no action ${number}`);
    switch (action.kind) {
      case "advance":
      case "cancel":
      case "expire":
        return { kind: action.kind, attempt: nameOf(action.slot) };
      case "crash_at":
        return { kind: "crash", where: { kind: "at", attempt: nameOf(action.slot), at: action.at } };
      case "submit":
        return submission(action.request, faultPlans[action.plan] ?? [], newcomer);
      case "probe":
        return submission(action.request, [], newcomer);
      case "change_policy":
        return { kind: "change_policy", to: action.to };
      case "arm":
      case "disarm":
        return { kind: action.kind, fault: action.fault };
      case "crash_parked":
        return { kind: "crash", where: { kind: "parked" } };
      case "restart":
        return { kind: "restart" };
      case "epilogue":
        return "epilogue";
    }
  };
  const perAttempt = ofSlot(0).length;
  return { actions, perAttempt, surroundings: attempts.length, numberOf, actionOf };
}

function sameSetting(one: PolicySetting, other: PolicySetting): boolean {
  if (one.kind === "remove" || other.kind === "remove") return one.kind === other.kind;
  return one.maxCopies === other.maxCopies;
}
