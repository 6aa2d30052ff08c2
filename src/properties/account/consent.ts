import type {
  Consent,
  Context,
  Decision,
  DecisionAnswer,
  DecisionRow,
  Grant,
  Policy,
  Profile,
  RequestRow,
  StepRow,
  UseRow,
} from "../../model/vocabulary.js";

/** What names a call: one intention of an agent. */
export type CallName = Pick<Context, "tenant" | "runId" | "callId">;

export function callText({ tenant, runId, callId }: CallName): string {
  return `${tenant}\n${runId}\n${callId}`;
}

/** A decision that was answered since the latest observation, or struck by a crash, and what it ought to have been answered. */
export type JudgedDecision = {
  readonly decision: Decision;
  readonly answer: DecisionAnswer;
  /** `recorded`, or the first reason that speaks against it. */
  readonly due: "recorded" | string;
};

/** What is durable of consent and runs that one read found and the read before it did not. */
export type ConsentChange = {
  readonly requests: readonly RequestRow[];
  readonly decisions: readonly DecisionRow[];
  readonly uses: readonly UseRow[];
  readonly steps: readonly StepRow[];
  /** Rows that were changed or are gone, told in words. */
  readonly lost: readonly string[];
  readonly decided: readonly JudgedDecision[];
};

/** The harness's own account of consent: what was asked, said, used and held, by the history alone. */
export type ConsentAccount = {
  readonly clock: number;
  /** Requests by number, as they were when they were first seen. */
  readonly requests: ReadonlyMap<number, RequestRow>;
  /** Numbers of the requests of each call, in the order in which they were seen. */
  readonly requestsOf: ReadonlyMap<string, readonly number[]>;
  /** Requests that were genuinely granted. */
  readonly granted: ReadonlySet<number>;
  /** Calls to which somebody entitled said no before they were used. */
  readonly noes: ReadonlySet<string>;
  readonly uses: ReadonlyMap<string, UseRow>;
  /** How often a genuine text of what waits was turned away. */
  readonly refusedRoundTrips: number;
  readonly steps: readonly StepRow[];
  /** Calls of which a receipt says that they were accepted. */
  readonly accepted: ReadonlySet<string>;
  readonly capabilities: ReadonlySet<string>;
  readonly change: ConsentChange;
};

type Draft<T> = { -readonly [P in keyof T]: T[P] };

export type ConsentBooks = Draft<Omit<ConsentAccount, "requestsOf" | "steps">> & {
  requests: Map<number, RequestRow>;
  requestsOf: Map<string, number[]>;
  granted: Set<number>;
  noes: Set<string>;
  uses: Map<string, UseRow>;
  steps: StepRow[];
  accepted: Set<string>;
  capabilities: Set<string>;
  decided: JudgedDecision[];
  last: Consent | undefined;
};

const unchanged: ConsentChange = {
  requests: [],
  decisions: [],
  uses: [],
  steps: [],
  lost: [],
  decided: [],
};

export function openConsentBooks(capabilities: readonly Grant[]): ConsentBooks {
  return {
    clock: 0,
    requests: new Map(),
    requestsOf: new Map(),
    granted: new Set(),
    noes: new Set(),
    uses: new Map(),
    refusedRoundTrips: 0,
    steps: [],
    accepted: new Set(),
    capabilities: new Set(capabilities.map(grantText)),
    change: unchanged,
    decided: [],
    last: undefined,
  };
}

export function grantText({ principal, tenant, tool, resource }: Grant): string {
  return `${principal}\n${tenant}\n${tool}\n${resource}`;
}

/** Whether a request can still be granted and used under this policy, by the clock of the harness. */
export function isLive(
  { clock, noes, uses, requestsOf }: ConsentAccount,
  request: RequestRow,
  policy: Policy,
): boolean {
  const call = callText(request);
  return (
    clock < request.expiresAt &&
    policy.kind === "present" &&
    policy.revision === request.revision &&
    requestsOf.get(call)?.at(-1) === request.number &&
    !noes.has(call) &&
    !uses.has(call)
  );
}

/** Whether a call was asked about that was neither used nor refused. */
export function somethingWaits({ requestsOf, noes, uses }: ConsentAccount): boolean {
  return [...requestsOf.keys()].some((call) => !noes.has(call) && !uses.has(call));
}

/** What a call was first asked about, or used for, as far as that was seen. */
export function boundTo(
  { requests, requestsOf, uses }: ConsentAccount,
  call: CallName,
): { readonly tool: string; readonly digest: string } | undefined {
  const [first] = requestsOf.get(callText(call)) ?? [];
  return (first === undefined ? undefined : requests.get(first)) ?? uses.get(callText(call));
}

/** The latest request that was seen of a call. */
export function latestRequest(account: ConsentAccount, call: CallName): RequestRow | undefined {
  const number = account.requestsOf.get(callText(call))?.at(-1);
  return number === undefined ? undefined : account.requests.get(number);
}

/** Enters a decision and its answer; a genuine one counts from here on, whatever became of it in the store. */
export function enterDecision(
  books: ConsentBooks,
  told: { readonly decision: Decision; readonly answer: DecisionAnswer },
  policy: Policy,
  profile: Profile,
): void {
  const { decision, answer } = told;
  const due = dueAnswer(books, decision, policy, profile);
  books.decided.push({ decision, answer, due });
  if (due !== "recorded") return;
  // A no that was turned away was said all the same; where nobody knows, the next read tells.
  const isSaid = answer.kind === "recorded" || (answer.kind === "refused" && decision.verdict === "deny");
  if (isSaid) enterVerdict(books, decision);
}

function enterVerdict(books: ConsentBooks, { request, verdict }: Decision): void {
  const row = books.requests.get(request);
  if (row === undefined) return;
  if (verdict === "grant") books.granted.add(request);
  else books.noes.add(callText(row));
}

/** What a decision ought to be answered, by what the harness has seen. */
function dueAnswer(
  books: ConsentBooks,
  { request, verdict, by, shown }: Decision,
  policy: Policy,
  profile: Profile,
): JudgedDecision["due"] {
  const row = books.requests.get(request);
  if (row === undefined) return "no_such_request";
  if (by.tenant !== row.tenant) return "tenant_mismatch";
  const isRequester = by.approver === row.principal && profile.abilities.includes("separate_approver");
  if (isRequester || !by.roles.includes(row.role)) return "not_entitled";
  if (shown.tool !== row.tool) return "tool_mismatch";
  if (shown.runId !== row.runId || shown.callId !== row.callId) return "call_mismatch";
  if (shown.digest !== row.digest) return "digest_mismatch";
  const call = callText(row);
  if (books.uses.has(call)) return "already_used";
  if (books.noes.has(call)) return "already_denied";
  if (verdict === "deny") return "recorded";
  if (books.requestsOf.get(call)?.at(-1) !== request) return "superseded";
  if (books.granted.has(request)) return "already_granted";
  if (books.clock >= row.expiresAt) return "expired";
  const isCurrent = policy.kind === "present" && policy.revision === row.revision;
  return isCurrent ? "recorded" : "policy_changed";
}

/** Takes in what a read shows of consent, also whether a decision was recorded whose approver heard nothing. */
export function observeConsent(books: ConsentBooks, now: Consent | undefined): void {
  const { decided } = books;
  books.decided = [];
  if (now === undefined || now === books.last) {
    books.change = decided.length === 0 ? unchanged : { ...unchanged, decided };
    return;
  }
  const before = books.last ?? { steps: [], requests: [], decisions: [], uses: [], escalations: [] };
  books.last = now;
  const requests = now.requests.slice(before.requests.length);
  const decisions = now.decisions.slice(before.decisions.length);
  const uses = now.uses.slice(before.uses.length);
  const steps = now.steps.slice(before.steps.length);
  books.change = { requests, decisions, uses, steps, lost: lostRows(before, now), decided };
  for (const row of requests) {
    books.requests.set(row.number, row);
    const call = callText(row);
    const numbers = books.requestsOf.get(call);
    if (numbers === undefined) books.requestsOf.set(call, [row.number]);
    else numbers.push(row.number);
  }
  for (const row of uses) books.uses.set(callText(row), row);
  books.steps.push(...steps);
  for (const { decision, answer, due } of decided) {
    const isRecorded = decisions.some(({ request }) => request === decision.request);
    if (answer.kind === "unknown" && due === "recorded" && isRecorded) enterVerdict(books, decision);
  }
}

function lostRows(before: Consent, now: Consent): readonly string[] {
  const tables = ["steps", "requests", "decisions", "uses", "escalations"] as const;
  return tables.flatMap((table) => {
    const earlier: readonly object[] = before[table];
    const later: readonly object[] = now[table];
    if (earlier === later) return [];
    return earlier.flatMap((row, index) => {
      const other = later[index];
      if (row === other) return [];
      const [was, is] = [rowText(row), other === undefined ? "gone" : rowText(other)];
      return was === is ? [] : [`${table}: ${was}, now ${is}`];
    });
  });
}

function rowText(row: object): string {
  return Object.values(row).join(" ");
}

/** Why a call may not move yet in its run, by the steps that were seen to begin. */
export function runGate(account: ConsentAccount, { tenant, runId, dispatch }: Context): RunGate {
  if (dispatch === undefined) return "open";
  const begun = account.steps.filter((row) => row.tenant === tenant && row.runId === runId);
  const earlier = begun.filter(({ step }) => step < dispatch.step);
  if (earlier.some((row) => account.noes.has(callText(row)))) return "ended";
  const isAccepted = (row: StepRow): boolean => account.accepted.has(callText(row));
  const isPlaceTaken = (row: StepRow): boolean =>
    isAccepted(row) || earlier.some((other) => isAccepted(other) && samePlace(other, row, earlier));
  if (!earlier.every(isPlaceTaken)) return "waiting";
  return chainLength(dispatch.replaces, begun) > 2 ? "repair_limit" : "open";
}

export type RunGate = "open" | "waiting" | "ended" | "repair_limit";

/** Calls of one step are of one place if repairs lead from both to one call. */
function samePlace(one: StepRow, other: StepRow, rows: readonly StepRow[]): boolean {
  return one.step === other.step && firstOf(one, rows) === firstOf(other, rows);
}

function firstOf(row: StepRow, rows: readonly StepRow[]): string {
  const replaced = rows.find(({ callId, step }) => callId === row.replaces && step === row.step);
  return replaced === undefined ? row.callId : firstOf(replaced, rows);
}

function chainLength(replaces: string, rows: readonly StepRow[]): number {
  if (replaces === "none") return 0;
  const row = rows.find(({ callId }) => callId === replaces);
  return row === undefined ? 1 : 1 + chainLength(row.replaces, rows);
}
