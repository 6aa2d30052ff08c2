import { type Step, step } from "../../../src/model/step.js";
import type {
  Action,
  AttemptName,
  Context,
  CrashPoint,
  DecisionFlaw,
  DecisionName,
  Dispatch,
  Facts,
  Fault,
  Grant,
  PolicySetting,
  Profile,
  StageEvent,
  ToolFacts,
} from "../../../src/model/vocabulary.js";
import { type Attempt, initialWorld, type World } from "../../../src/model/world.js";

/** The guarded profile as the design page states it. */
export const guarded: Profile = {
  name: "guarded",
  layers: ["run", "validate", "check", "capability", "approval", "execute", "output", "receipt"],
  checkpoints: ["before_request", "before_business", "after_business", "output_check"],
  crashPoints: [
    "after_step",
    "after_request",
    "inside_transaction",
    "after_commit",
    "before_receipt",
    "after_receipt",
  ],
  faults: [
    "throw_at",
    "spoilt_output",
    "receipt_ignored",
    "receipt_aborted",
    "effect_ignored",
    "busy",
    "commit_refused",
    "disk_full",
    "read_only",
    "checker_throws",
    "checker_rejects_falsy",
    "checker_hangs",
    "checker_garbled",
  ],
  abilities: [
    "cancel",
    "policy",
    "recheck_at_commit",
    "crash",
    "delivery_ids",
    "snapshot_revision",
    "fault_reports",
    "second_observer",
    "lock_probe",
    "receipts",
    "stage_events",
    "effect_digest",
    "effect_body",
    "effect_revision",
    "effect_call",
    "tenants",
    "approvals",
    "runs",
    "capabilities",
    "clock",
    "separate_approver",
    "round_trip",
    "driver",
    "layer_results",
  ],
  approvalLifetime: 2,
};

export function without<Key extends "layers" | "checkpoints" | "crashPoints" | "abilities">(
  key: Key,
  ...words: readonly string[]
): Profile {
  return { ...guarded, [key]: guarded[key].filter((word) => !words.includes(word)) };
}

/** A request together with the tool that it goes to. */
export type Intent = { readonly tool: string; readonly request: string };

export const river2: Intent = { tool: "draft", request: '{"job":"JOB-001","topic":"river","copies":2}' };
export const river3: Intent = { tool: "draft", request: '{"job":"JOB-001","topic":"river","copies":3}' };
export const river4: Intent = { tool: "draft", request: '{"job":"JOB-001","topic":"river","copies":4}' };
export const forest1: Intent = { tool: "draft", request: '{"job":"JOB-002","topic":"forest","copies":1}' };
export const shapeless: Intent = { tool: "draft", request: '{"job":"JOB-001"}' };
export const page: Intent = { tool: "notify_oncall", request: '{"service":"search","message":"slow"}' };
export const pageBilling: Intent = {
  tool: "notify_oncall",
  request: '{"service":"billing","message":"slow"}',
};
/** The same arguments, so the same digest, for a tool of no known effect class. */
export const odd: Intent = { tool: "odd", request: page.request };
export const region: Intent = { tool: "read_config", request: '{"name":"region"}' };
export const retention: Intent = { tool: "read_config", request: '{"name":"retention"}' };

const drafts: ToolFacts = { effect: "write", resource: "drafts", role: "editor" };
const search: ToolFacts = { effect: "external", resource: "oncall/search", role: "incident_commander" };
const billing: ToolFacts = { ...search, resource: "oncall/billing" };
const strange: ToolFacts = { effect: "unknown", resource: "odd", role: "editor" };
const regionConfig: ToolFacts = { effect: "read", resource: "config/region", role: "none" };
const retentionConfig: ToolFacts = { ...regionConfig, resource: "config/retention" };

type Meaning = readonly [Intent, key: string, digest: string, weight: number, tool: ToolFacts];

const meanings: readonly Meaning[] = [
  [river2, "JOB-001", "river-2", 2, drafts],
  [river3, "JOB-001", "river-3", 3, drafts],
  [river4, "JOB-001", "river-4", 4, drafts],
  [forest1, "JOB-002", "forest-1", 1, drafts],
  [page, "", "page-search", 1, search],
  [pageBilling, "", "page-billing", 1, billing],
  [odd, "", "page-search", 1, strange],
  [region, "", "region", 1, regionConfig],
  [retention, "", "retention", 1, retentionConfig],
];

/** A contract as a table: what is not in it has no shape. */
export function interpret(request: string, { dispatch }: Context): Facts {
  for (const [intent, key, digest, weight, tool] of meanings) {
    if (intent.request === request && intent.tool === dispatch?.tool)
      return { kind: "valid", key, digest, weight, tool };
  }
  return { kind: "invalid", code: "shape" };
}

export function right(tool: string, resource: string, tenant = "t1"): Grant {
  return { principal: "p1", tenant, tool, resource };
}

/** What is held at the start: each tool with its resources, in both tenants. */
export const held: readonly Grant[] = ["t1", "t2"].flatMap((tenant) => [
  right("draft", "drafts", tenant),
  right("notify_oncall", "oncall/search", tenant),
  right("notify_oncall", "oncall/billing", tenant),
  right("odd", "odd", tenant),
  right("read_config", "config/region", tenant),
  right("read_config", "config/retention", tenant),
]);

/** Nobody need be asked for a write that the context permits. */
export const three: PolicySetting = { kind: "limit", maxCopies: 3 };
/** A write has to be approved, too. */
export const asking: PolicySetting = { kind: "limit", maxCopies: 3, approval: "required" };

export const empty: World = initialWorld(guarded, three, "toolbox", held);

/** What a submission may say beyond its intent: call `c-<attempt>` of run r1 in t1, step 0, side effects permitted. */
export type Saying = Partial<Omit<Context, "dispatch">> &
  Partial<Omit<Dispatch, "tool">> & { readonly faults?: readonly Fault[] };

export function contextOf(attempt: AttemptName, { tool }: Intent, saying: Saying = {}): Context {
  const { tenant = "t1", runId = "r1", callId = `c-${attempt}`, principal = "p1" } = saying;
  const { step: place = 0, replaces = "none", sideEffects = "permitted" } = saying;
  return { tenant, runId, callId, principal, dispatch: { tool, step: place, replaces, sideEffects } };
}

export function submit(
  attempt: AttemptName,
  intent: Intent,
  saying: Saying = {},
): Extract<Action, { kind: "submit" }> {
  const { faults = [] } = saying;
  const context = contextOf(attempt, intent, saying);
  return { kind: "submit", attempt, request: intent.request, context, faults };
}

export function advance(attempt: AttemptName): Action {
  return { kind: "advance", attempt };
}

export function finish(attempt: AttemptName): Action {
  return { kind: "finish", attempt };
}

export function cancel(attempt: AttemptName): Action {
  return { kind: "cancel", attempt };
}

export function expire(attempt: AttemptName): Action {
  return { kind: "expire", attempt };
}

export function retry(attempt: AttemptName, of: AttemptName, ...faults: readonly Fault[]) {
  return { kind: "retry", attempt, of, faults } as const;
}

type Deciding = Extract<Action, { kind: "approve" | "deny" | "revoke" }>;

function deciding(kind: Deciding["kind"]) {
  return (
    decision: DecisionName,
    request: number,
    flaw: DecisionFlaw = "none",
    pace: Deciding["pace"] = "at_once",
  ): Deciding => ({ kind, decision, request, flaw, pace });
}

export const approve = deciding("approve");
export const deny = deciding("deny");
export const revoke = deciding("revoke");

export function settle(decision: DecisionName): Action {
  return { kind: "settle", decision };
}

export function tick(by = 1): Action {
  return { kind: "advance_clock", by };
}

export function policy(to: PolicySetting): Action {
  return { kind: "change_policy", to };
}

export const removePolicy: Action = policy({ kind: "remove" });

export function lose(tool: string, resource: string): Action {
  return { kind: "set_capability", capability: right(tool, resource), held: false };
}

export function regain(tool: string, resource: string): Action {
  return { kind: "set_capability", capability: right(tool, resource), held: true };
}

export function drive(attempt: AttemptName, of: AttemptName): Action {
  return { kind: "drive", attempt, of };
}

export function crashAt(attempt: AttemptName, at: CrashPoint): Action {
  return { kind: "crash", where: { kind: "at", attempt, at } };
}

export const restart: Action = { kind: "restart" };

export function throwing(at: Extract<Fault, { kind: "throw_at" }>["at"]): Fault {
  return { kind: "throw_at", at };
}

type Moved = Extract<Step, { kind: "moved" }>;

/** All that the actions bring about, one after the other. A refusal is a mistake of the test. */
export function take(world: World, ...actions: readonly Action[]): Moved {
  let all: Moved = { kind: "moved", world, events: [], transitions: [] };
  for (const action of actions) {
    const next = step(all.world, action, interpret);
    if (next.kind === "refused") throw new Error(`${action.kind} refused: ${next.reason}`);
    all = {
      kind: "moved",
      world: next.world,
      events: [...all.events, ...next.events],
      transitions: [...all.transitions, ...next.transitions],
    };
  }
  return all;
}

export function worldAfter(world: World, ...actions: readonly Action[]): World {
  return take(world, ...actions).world;
}

/** Where the last of the actions led, in the words that a transition ends with. */
export function last(world: World, ...actions: readonly Action[]): string {
  return take(world, ...actions).transitions.at(-1) ?? "nothing";
}

/** Status and code of the last receipt, and the stage events in it. */
export function lastReceipt(world: World): readonly [string, ...StageEvent[]] {
  const receipt = world.receipts.at(-1);
  return receipt === undefined ? ["none"] : [`${receipt.status}/${receipt.code}`, ...receipt.events];
}

export function attemptIn({ attempts }: World, name: AttemptName): Attempt {
  const attempt = attempts.find((one) => one.name === name);
  if (attempt === undefined) throw new Error(`there is no ${name}`);
  return attempt;
}

/** Why an action is refused; `moved` if it is not. */
export function refusal(world: World, action: Action): string {
  const answer = step(world, action, interpret);
  return answer.kind === "refused" ? answer.reason : answer.kind;
}

/** Request 1 is open: c-a1 wants to page. */
export const asked: World = worldAfter(empty, submit("a1", page), finish("a1"));
/** And granted. */
export const granted: World = worldAfter(asked, approve("d1", 1));
/** And spent: a2 has paged. */
export const paged: World = worldAfter(granted, retry("a2", "a1"), finish("a2"));

/** How far the stage events of an attempt go that meets nothing else. */
export const allowed: readonly StageEvent[] = ["arguments_valid", "input_allowed", "capability_granted"];
export const matched: readonly StageEvent[] = [...allowed, "approval_matched"];
