import { describe, expect, it } from "vitest";
import type {
  Consent,
  Decision,
  DecisionAnswer,
  DecisionName,
  Event,
  Happening,
  LayerResults,
  Observation,
} from "../../src/model/vocabulary.js";
import { checkExpectation } from "../../src/scenario/expectation.js";
import { fileWith, scenarioOf, submitA1 } from "./text.js";

const holds = { violations: [], occurred: [], undecided: [] };
const digest = "a".repeat(64);
const call = { tenant: "t1", runId: "r1", callId: "c-a1" };
const other = { tenant: "t2", runId: "r1", callId: "c-a2" };

/** Two requests of one call, out of order as a store may return them; two calls in one step, one in another tenant. */
const consent: Consent = {
  steps: [
    { ...call, step: 0, replaces: "none" },
    { ...call, callId: "c-b", step: 0, replaces: "none" },
    { ...call, callId: "c-c", step: 1, replaces: "none" },
    { ...other, step: 0, replaces: "none" },
  ],
  requests: [2, 1].map((number) => ({
    ...call,
    number,
    principal: "p1",
    tool: "create_ticket",
    digest,
    revision: number,
    role: "ticket_approver",
    requestedAt: number - 1,
    expiresAt: number + 1,
  })),
  decisions: [],
  uses: [
    { ...call, tool: "create_ticket", digest, request: 2 },
    { ...other, tool: "draft", digest, request: "none" },
  ],
  escalations: [{ ...call, delivery: "d-a1", layer: "capability" }],
};

const layers: LayerResults = {
  schema: "allow",
  business: "allow",
  capability: "escalate",
  approval: "not_reached",
};

const store: Observation = {
  effects: ["notify_oncall", "draft"].map((tool) => ({
    ...call,
    tool,
    key: tool === "draft" ? "JOB-001" : "",
    digest,
    body: "{}",
    revision: 1,
  })),
  receipts: [
    {
      ...call,
      number: 1,
      delivery: "d-a1",
      key: { kind: "none" },
      status: "permission_denied",
      code: "capability",
      effectExists: false,
      events: [],
      layers,
      raw: "",
    },
  ],
  policy: { kind: "present", revision: 2, maxCopies: 1, approval: "required" },
  writeLock: "free",
  consent,
};

function decided(decision: DecisionName, answer: DecisionAnswer): Happening {
  return { kind: "decided", answer, ...taken(decision) };
}

function taken(decision: DecisionName): Decision {
  const by = { approver: "approver-1", tenant: "t1", roles: [] };
  const shown = { tool: "create_ticket", runId: "r1", callId: "c-a1", digest };
  return { decision, request: 1, verdict: "grant", by, shown };
}

const ended: Happening = {
  kind: "ended",
  attempt: "a1",
  outcome: {
    kind: "completed",
    receiptNumber: 1,
    status: "permission_denied",
    code: "capability",
    events: [],
    effectExists: false,
    released: { kind: "nothing" },
    layers,
  },
  releasedIs: "nothing",
  atRelease: store,
};

const happenings: readonly Happening[] = [
  ended,
  decided("d1", { kind: "recorded" }),
  decided("d2", { kind: "refused", code: "superseded" }),
  decided("d3", { kind: "unknown" }),
  { kind: "decision_held", ...taken("d4") },
  { kind: "decision_held", ...taken("d5") },
  {
    kind: "crashed",
    advancing: { kind: "decision", decision: "d5", at: "after_decision" },
    lost: [],
    lostDecisions: ["d5"],
  },
  { kind: "decision_held", ...taken("d6") },
  { kind: "observed", observation: store },
];

/** Mismatches as `path: expected / seen`. */
function mismatches(line: string, observation: Observation = store): readonly string[] {
  const approvals = Array.from({ length: 7 }, () => "approve: { request: 1 }");
  const scenario = scenarioOf(fileWith([submitA1, ...approvals], [line]));
  const history = happenings.map((each, position): Event => {
    const happening = each.kind === "observed" ? { ...each, observation } : each;
    return { ...happening, position, action: 0 };
  });
  return checkExpectation(scenario.expect, { history, verdict: holds }).map(
    ({ path, expected, seen }) => `${path}: ${expected} / ${seen}`,
  );
}

describe("an expectation of approvals, runs and layers", () => {
  it.each([
    "attempts: { a1: { status: permission_denied, code: capability, layers: { capability: escalate } } }",
    "receipts: [{ layers: { schema: allow, business: allow, capability: escalate, approval: not_reached } }]",
    // An effect without a key comes before all keys.
    "effects: [{ key: null, tool: notify_oncall }, { key: JOB-001, tool: draft }]",
    "policy: { revision: 2, approval: required }",
    "decisions: { d1: recorded, d2: superseded, d3: unknown, d5: lost, d6: held }",
    "requests: 2",
    // In the order of their numbers, which is not the store's.
    "requests: [{ number: 1, revision: 1, requested_at: 0, expires_at: 2 }, { number: 2, call: c-a1, tool: create_ticket }]",
    `requests: [{ run: r1, tenant: t1, principal: p1, role: ticket_approver, digest: ${digest} }, {}]`,
    "uses: [{ call: c-a1, request: 2 }, { tenant: t2, tool: draft, request: none }]",
    "uses: 2",
    "escalations: [{ call: c-a1, layer: capability }]",
    "escalations: 1",
    // Two calls of one step are one step; a run that nobody began has used none.
    "steps_used: { r1: 2, t2/r1: 1, r2: 0 }",
    "any_of: [{ requests: 1 }, { decisions: { d1: recorded } }]",
  ])("is content with %s", (line) => {
    expect(mismatches(line)).toEqual([]);
  });

  it.each([
    [
      "attempts: { a1: { layers: { schema: allow, capability: block } } }",
      'attempts.a1.layers.capability: "block" / "escalate"',
    ],
    ["receipts: [{ layers: { approval: ask } }]", 'receipts[0].layers.approval: "ask" / "not_reached"'],
    ["effects: []", "effects: none / 2: notify_oncall@r1, JOB-001@r1"],
    ["effects: [{ key: null, tool: draft }, { key: JOB-001 }]", 'effects[0].tool: "draft" / "notify_oncall"'],
    ["effects: [{ key: K }, { key: JOB-001 }]", 'effects[0].key: "K" / null'],
    ["policy: { approval: not_required }", 'policy.approval: "not_required" / "required"'],
    ["decisions: { d1: superseded }", "decisions.d1: superseded / recorded"],
    ["decisions: { d2: recorded }", "decisions.d2: recorded / superseded"],
    ["decisions: { d5: held }", "decisions.d5: held / lost"],
    ["decisions: { d7: recorded }", "decisions.d7: recorded / never taken"],
    ["requests: 1", "requests: 1 / 2"],
    ["requests: [{ call: c-a1 }]", "requests: 1: c-a1 / 2: c-a1, c-a1"],
    ["requests: [{ revision: 2 }, {}]", "requests[0].revision: 2 / 1"],
    ["requests: [{}, { requested_at: 0 }]", "requests[1].requested_at: 0 / 1"],
    ["requests: [{}, { expires_at: 2 }]", "requests[1].expires_at: 2 / 3"],
    ["uses: [{ request: none }, {}]", 'uses[0].request: "none" / 2'],
    ["uses: []", "uses: none / 2: c-a1, c-a2"],
    ["escalations: [{ layer: output }]", 'escalations[0].layer: "output" / "capability"'],
    ["escalations: []", "escalations: none / 1: capability of c-a1"],
    ["steps_used: { r1: 3 }", "steps_used.r1: 3 / 2"],
    ["steps_used: { t2/r1: 2 }", 'steps_used."t2/r1": 2 / 1'],
  ])("finds fault with %s", (line, mismatch) => {
    expect(mismatches(line)).toEqual([mismatch]);
  });

  it("puts effects without a key in the order of their tools, whatever the store's", () => {
    const [keyless] = store.effects;
    const both = ["read_config", "notify_oncall"].flatMap((tool) => (keyless ? [{ ...keyless, tool }] : []));
    const line = "effects: [{ key: null, tool: notify_oncall }, { key: null, tool: read_config }]";
    expect(mismatches(line, { ...store, effects: both })).toEqual([]);
  });

  it("finds that an executor shows no such rows, whatever is expected of them", () => {
    const { consent: _consent, ...bare } = store;
    const seen = "rows of approvals and runs / an executor that shows none";
    expect(mismatches("requests: 0", bare)).toEqual([`requests: ${seen}`]);
    expect(mismatches("steps_used: { r1: 0 }", bare)).toEqual([`steps_used: ${seen}`]);
    expect(mismatches("receipts: 1", bare)).toEqual([]);
  });
});
