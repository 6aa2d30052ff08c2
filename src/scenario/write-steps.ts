import type {
  Action,
  CrashWhere,
  Dispatch,
  Entry,
  Json,
  PolicySetting,
  RuleWord,
} from "../model/vocabulary.js";
import { isDeciding, nextDecision, numberOf } from "./consent-format.js";
import {
  defaultCall,
  defaultDispatch,
  defaultPrincipal,
  defaultRun,
  defaultTenant,
  dispatchesAlways,
} from "./dispatch.js";
import { faultTree, given, requestTree, type Tree } from "./write-parts.js";

/** Steps as they stand in a file of this profile, one for each action. */
export function stepTrees(actions: readonly Action[], profile: string): readonly Json[] {
  let last = 0;
  return actions.map((action) => {
    const tree = stepTree(action, { profile, last });
    if (isDeciding(action)) last = Math.max(last, numberOf(action.decision));
    return tree;
  });
}

/** A policy as a file sets it. */
export function limitTree({ maxCopies, approval }: Extract<PolicySetting, { kind: "limit" }>): Tree {
  return { max_copies: maxCopies, ...given("approval", approval) };
}

/** What a step leaves out because it follows from the file; `last`: the largest number of a decision before it. */
type Written = { readonly profile: string; readonly last: number };

function stepTree(action: Action, written: Written): Json {
  switch (action.kind) {
    case "submit":
    case "retry":
      return entryTree(action, written.profile);
    case "retry_changed":
    case "resubmit_new_key": {
      const { kind, attempt, of, request } = action;
      return { [kind]: { attempt, of, ...requestTree(request), ...planTree(action) } };
    }
    case "advance":
    case "finish":
    case "cancel":
    case "expire":
      return { [action.kind]: action.attempt };
    case "change_policy":
      return { change_policy: action.to.kind === "remove" ? "remove" : limitTree(action.to) };
    case "arm":
    case "disarm":
      return { [action.kind]: faultTree(action.fault) };
    case "approve":
    case "deny":
    case "revoke":
      return { [action.kind]: decidingTree(action, written.last) };
    case "settle":
      return { settle: action.decision };
    case "advance_clock":
      return { advance_clock: action.by };
    case "set_capability":
      return { set_capability: capabilityTree(action) };
    case "round_trip":
      return { round_trip: action.tampered ? "tampered" : "genuine" };
    case "drive":
      return { drive: { attempt: action.attempt, of: action.of } };
    case "crash":
      return { crash: whereTree(action.where, written.profile) };
    case "say":
      return { say: action.text };
    case "change_rules":
      return {
        change_rules: {
          rules: action.to.map(ruleTree),
          ...given("flaw", unless<string>("none", action.flaw)),
        },
      };
    case "gate":
      return action.flaw === "none" ? "gate" : { gate: action.flaw };
    case "reconcile":
    case "damage_ledger":
    case "restart":
    case "observe":
      return action.kind;
  }
}

/** Nothing where the value is the usual one. */
function unless<V extends string | number>(usual: V, value: V): V | undefined {
  return value === usual ? undefined : value;
}

function entryTree(action: Entry, profile: string): Tree {
  if (action.kind === "retry") {
    return { retry: { attempt: action.attempt, of: action.of, ...planTree(action) } };
  }
  const { attempt, request, context } = action;
  const { tool, ...rest } = context.dispatch === undefined ? {} : dispatchTree(context.dispatch, profile);
  return {
    submit: {
      attempt,
      ...given("tool", tool),
      ...requestTree(request),
      ...rest,
      ...given("tenant", unless(defaultTenant, context.tenant)),
      ...given("run", unless(defaultRun, context.runId)),
      ...given("call", unless(defaultCall(attempt), context.callId)),
      ...given("principal", unless(defaultPrincipal, context.principal)),
      ...planTree(action),
    },
  };
}

/** Where a profile does not dispatch every call, the tool says that this one is. */
function dispatchTree({ tool, step, replaces, sideEffects }: Dispatch, profile: string): Tree {
  return {
    ...given("tool", dispatchesAlways(profile) ? unless(defaultDispatch.tool, tool) : tool),
    ...given("step", unless(defaultDispatch.step, step)),
    ...given("replaces", unless(defaultDispatch.replaces, replaces)),
    ...given("side_effects", unless<string>(defaultDispatch.sideEffects, sideEffects)),
  };
}

function planTree(action: Extract<Action, { faults: unknown }>): Tree {
  return given("faults", action.faults.length > 0 ? action.faults.map(faultTree) : undefined);
}

function decidingTree(
  { request, flaw, pace, decision }: Extract<Action, { kind: "approve" | "deny" | "revoke" }>,
  last: number,
): Tree {
  return {
    request,
    ...given("flaw", unless<string>("none", flaw)),
    ...given("held", pace === "held" ? true : undefined),
    ...given("decision", unless<string>(nextDecision(last), decision)),
  };
}

function capabilityTree({ capability, held }: Extract<Action, { kind: "set_capability" }>): Tree {
  const { principal, tenant, tool, resource } = capability;
  return {
    tool,
    resource,
    ...given("principal", unless(defaultPrincipal, principal)),
    ...given("tenant", unless(defaultTenant, tenant)),
    held,
  };
}

function ruleTree({ name, saidAny, fromTurn, claim }: RuleWord): Tree {
  return {
    rule: name,
    ...given("said_any", saidAny.length === 0 ? undefined : saidAny),
    ...given("from_turn", unless(0, fromTurn)),
    // biome-ignore lint/suspicious/noThenProperty: a word of the rules' language.
    then: claim.kind === "budget" ? { budget: claim.most } : claim.kind,
  };
}

function whereTree(where: CrashWhere, profile: string): Json {
  switch (where.kind) {
    case "parked":
      return "parked";
    case "at":
      return { attempt: where.attempt, at: where.at };
    case "entering":
      return { entering: entryTree(where.entry, profile), at: where.at };
    case "deciding":
      return { deciding: where.decision, at: where.at };
  }
}
