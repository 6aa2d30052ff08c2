import { describe, expect, it } from "vitest";
import type { Action, Happening } from "../../src/model/vocabulary.js";
import { reportJson } from "../../src/report/json.js";
import { paintFor } from "../../src/report/paint.js";
import { readReports } from "../../src/report/read-report.js";
import { storeLines } from "../../src/report/store.js";
import { storeChanges } from "../../src/report/store-changes.js";
import { timeline } from "../../src/report/timeline.js";
import {
  decisionRow,
  effectRow,
  ended,
  grant,
  receipt,
  request,
  requestRow,
  stepRow,
  store,
  submit,
  submitted,
  useRow,
} from "./guarded-histories.js";
import { historyOf, observed, parked } from "./histories.js";
import { violated } from "./reports.js";

const canvas = { paint: paintFor("plain"), width: 140 };

function told(actions: readonly Action[], byAction: readonly (readonly Happening[])[]): readonly string[] {
  return timeline({ actions, history: historyOf(byAction) }, canvas);
}

const waiting = receipt(1, "a1", "waiting_for_approval", "approval_required");
const asked = { steps: [stepRow], requests: [requestRow] };
const granted = { ...asked, decisions: [decisionRow] };
const used = { ...granted, uses: [useRow] };
const accepted = receipt(2, "a2", "accepted", "ok");

describe("the timeline of a call that has to be approved", () => {
  it("tells the request, the decision, the use and the commit", () => {
    const lines = told(
      [
        submit("a1"),
        { kind: "finish", attempt: "a1" },
        { kind: "approve", decision: "d1", request: 1, flaw: "none", pace: "at_once" },
        { kind: "retry", attempt: "a2", of: "a1", faults: [] },
        { kind: "finish", attempt: "a2" },
      ],
      [
        [submitted("a1"), parked("a1", "before_request"), observed(store({ steps: [stepRow] }))],
        [
          { kind: "advanced", attempt: "a1" },
          ended(waiting, store(asked, [waiting])),
          observed(store(asked, [waiting])),
        ],
        [{ kind: "decided", ...grant, answer: { kind: "recorded" } }, observed(store(granted, [waiting]))],
        [submitted("a2"), parked("a2", "before_business"), observed(store(granted, [waiting]))],
        [
          { kind: "advanced", attempt: "a2" },
          ended(accepted, store(used, [waiting, accepted])),
          observed(store(used, [waiting, accepted])),
        ],
      ],
    );
    expect(lines).toEqual([
      "        a1 a2",
      `     1  ┬     submit a1 to create_ticket  ${request}`,
      "        ¶       step 0 of r1 begun by c-a1",
      "        ◆       parked at before_request",
      "     2  │     finish a1",
      "        ¶       request 1: create_ticket of r1/c-a1 for p1, role ticket_approver, under policy revision 1, from 0 until 2",
      "        ▪       receipt 1: waiting_for_approval/approval_required, key INC-001, effect does not exist, approval: ask",
      "        ■       ended waiting_for_approval/approval_required, receipt 1, released nothing",
      "     3        approve request 1 as d1",
      "                decision 1: grant of request 1 by approver-1 as ticket_approver, at 0",
      "                approver-1 grants request 1 (create_ticket, call c-a1) — recorded",
      "     4     ┬  retry a1 as a2  (same call, same request)",
      "           ◆    parked at before_business, checked under policy revision 1",
      "     5     │  finish a2",
      "           ●━━  COMMIT POINT  effect INC-001 written under policy revision 1",
      "           ¶    use of r1/c-a1: create_ticket, by request 1",
      "           ▪    receipt 2: accepted/ok, key INC-001, effect exists",
      "           ■    ended accepted/ok, receipt 2, released nothing",
    ]);
  });

  it("puts a fault behind the request that it follows, and the step row first of all", () => {
    const at = "after_request";
    const lines = told(
      [submit("a1")],
      [
        [
          submitted("a1"),
          {
            kind: "fault_fired",
            attempt: "a1",
            fault: { kind: "checker_hangs", stage: "check" },
            at: "check",
          },
          { kind: "fault_fired", attempt: "a1", fault: { kind: "throw_at", at }, at },
          ended(receipt(1, "a1", "error", at), store(asked)),
          observed(store(asked)),
        ],
      ],
    );
    expect(lines.slice(2, -1).map((line) => line.trim().slice(0, 40).trim())).toEqual([
      "¶    step 0 of r1 begun by c-a1",
      "↯    fault checker_hangs at check fires",
      "¶    request 1: create_ticket of r1/c-a1",
      "↯    fault throw_at after_request fires",
    ]);
  });

  it("tells decisions that are flawed, held, refused, unanswered and lost", () => {
    const steps: readonly (readonly [Action, Happening])[] = [
      [
        { kind: "approve", decision: "d1", request: 1, flaw: "none", pace: "held" },
        { kind: "decision_held", ...grant },
      ],
      [
        { kind: "deny", decision: "d2", request: 1, flaw: "role", pace: "at_once" },
        { kind: "decided", ...grant, verdict: "deny", answer: { kind: "refused", code: "not_entitled" } },
      ],
      [
        { kind: "settle", decision: "d1" },
        { kind: "decided", ...grant, answer: { kind: "unknown" } },
      ],
      [
        { kind: "crash", where: { kind: "deciding", decision: "d3", at: "after_decision" } },
        {
          kind: "crashed",
          advancing: { kind: "decision", decision: "d3", at: "after_decision" },
          lost: [],
          lostDecisions: ["d3", "d4"],
        },
      ],
    ];
    const lines = told(
      steps.map(([action]) => action),
      steps.map(([, happening]) => [happening, observed(store({}))]),
    );
    expect(lines).toEqual([
      "     1  approve request 1 as d1, held",
      "          d1 is held before its transaction: approver-1 grants request 1 (create_ticket, call c-a1)",
      "     2  deny request 1 as d2, without the role",
      "          approver-1 denies request 1 (create_ticket, call c-a1) — refused: not_entitled",
      "     3  settle d1",
      "          approver-1 grants request 1 (create_ticket, call c-a1) — nobody knows whether it is recorded",
      "     4  crash: settle d3, killed at after_decision",
      "          d3 is killed at after_decision; the executor is down, never answered: d3, d4",
    ]);
  });

  it("tells the clock, capabilities, round trips, the driver and a crash on the way in", () => {
    const capability = { principal: "p1", tenant: "t1", tool: "draft", resource: "drafts" };
    const steps: readonly (readonly [Action, readonly Happening[]])[] = [
      [{ kind: "advance_clock", by: 2 }, [{ kind: "clock_set", now: 3 }]],
      [
        { kind: "set_capability", capability, held: false },
        [{ kind: "capability_set", capability, held: false }],
      ],
      [
        { kind: "set_capability", capability, held: true },
        [{ kind: "capability_set", capability, held: true }],
      ],
      [
        { kind: "round_trip", tampered: false },
        [{ kind: "round_tripped", tampered: false, answer: "restored" }],
      ],
      [
        { kind: "round_trip", tampered: true },
        [{ kind: "round_tripped", tampered: true, answer: "refused" }],
      ],
      [
        { kind: "round_trip", tampered: true },
        [{ kind: "round_tripped", tampered: true, answer: "restored" }],
      ],
      [
        { kind: "round_trip", tampered: false },
        [{ kind: "round_tripped", tampered: false, answer: "refused" }],
      ],
      [{ kind: "drive", attempt: "a2", of: "a1" }, [{ kind: "driven", of: "a1", answer: "rests" }]],
      [
        { kind: "drive", attempt: "a2", of: "a1" },
        [{ kind: "driven", of: "a1", answer: "repeats" }, submitted("a2"), parked("a2", "before_business")],
      ],
      [
        { kind: "crash", where: { kind: "entering", entry: submit("a1"), at: "after_step" } },
        [
          submitted("a1"),
          {
            kind: "crashed",
            advancing: { kind: "attempt", attempt: "a1", at: "after_step" },
            lost: ["a2", "a1"],
          },
        ],
      ],
      [
        { kind: "change_policy", to: { kind: "limit", maxCopies: 1, approval: "required" } },
        [{ kind: "policy_set", setting: { kind: "limit", maxCopies: 1, approval: "required" } }],
      ],
    ];
    const lines = told(
      steps.map(([action]) => action),
      steps.map(([, happenings]) => [...happenings, observed(store({}))]),
    );
    expect(lines).toEqual([
      "        a2 a1",
      "     1        advance the clock by 2",
      "                the clock is at 3",
      "     2        take from p1 in t1: draft on drafts",
      "     3        give p1 in t1: draft on drafts",
      "     4        round trip of what waits",
      "                restored: what waits is what waited",
      "     5        round trip of what waits, tampered with",
      "                refused: the text was tampered with",
      "     6        round trip of what waits, tampered with",
      "                restored: a tampered text is believed",
      "     7        round trip of what waits",
      "                refused, though nothing was changed",
      "     8        drive a1, as a2 if its call is repeated",
      "                the driver does not repeat the call of a1",
      "     9  ┬     drive a1, as a2 if its call is repeated",
      "        │       the driver repeats the call of a1",
      "        ◆       parked at before_business, checked under policy revision 1",
      `    10  │  ┬  crash: submit a1 to create_ticket  ${request}, killed at after_step`,
      "        ✕  ✕    killed at after_step; the executor is down, lost: a2, a1",
      "    11        change policy: at most 1, approval required",
    ]);
  });

  it("says where a call goes and how an output is spoilt", () => {
    const dispatch = { tool: "draft", step: 1, replaces: "c-a1", sideEffects: "permitted" } as const;
    const action: Action = {
      ...submit("a1"),
      request: "{}",
      context: { ...submit("a1").context, dispatch },
      faults: [
        { kind: "spoilt_output", as: "secret", tries: 1 },
        { kind: "spoilt_output", as: "format", tries: 3 },
      ],
    };
    const lines = told([action], [[submitted("a1"), observed(store({}))]]);
    expect(lines.slice(1)).toEqual([
      "     1  ┬  submit a1 to draft, step 1, in place of c-a1, side effects permitted  {}",
      "        │    planned faults: spoilt_output secret, spoilt_output format, 3 tries",
    ]);
  });
});

describe("storeChanges of consent", () => {
  const texts = (before: typeof used | typeof asked, after: Partial<typeof used>) =>
    storeChanges(store(before), store(after)).map(({ kind, text }) => `${kind}: ${text}`);

  it("tells of rows that nobody may change or take away", () => {
    const longer = { ...requestRow, expiresAt: 9 };
    expect(texts(asked, { ...asked, requests: [longer] })).toEqual(["wrong: request 1 CHANGED in place"]);
    expect(texts(granted, asked)).toEqual(["wrong: decision 1 REMOVED"]);
    expect(texts(asked, { requests: [requestRow] })).toEqual(["wrong: step 0 of r1 REMOVED"]);
    expect(texts(used, { ...used, uses: [useRow, useRow] })).toEqual([
      "wrong: use of r1/c-a1 written A SECOND TIME",
    ]);
  });

  it("tells an escalation, and a use without a request", () => {
    const { tenant, runId, callId } = useRow;
    const escalations = [{ tenant, runId, callId, delivery: "d-a1", layer: "capability" } as const];
    const uses = [{ ...useRow, request: "none" } as const];
    const changes = storeChanges(store(used), store({ ...used, uses: [...used.uses], escalations }));
    expect(changes).toEqual([{ kind: "escalation_written", text: "escalation of r1/c-a1 by capability" }]);
    expect(storeChanges(store(granted), store({ ...granted, uses })).at(-1)?.text).toBe(
      "use of r1/c-a1: create_ticket, by no request",
    );
  });

  it("knows an effect without a business key by its call", () => {
    const sent = { ...effectRow, tool: "notify_oncall", key: "" };
    const before = { ...store({}), effects: [sent] };
    const after = { ...before, effects: [sent, { ...sent, callId: "c-a2" }] };
    expect(storeChanges(before, after)).toEqual([
      {
        kind: "effect_written",
        text: "effect notify_oncall of r1/c-a2 written under policy revision 1",
      },
    ]);
    expect(storeChanges(before, { ...before, effects: [sent, sent] })).toEqual([
      { kind: "wrong", text: "effect notify_oncall of r1/c-a1 written A SECOND TIME" },
    ]);
  });
});

describe("storeLines of consent", () => {
  it("shows its rows between receipts and policy", () => {
    expect(storeLines(store(used, [accepted]), canvas)).toEqual([
      "    effects   INC-001  policy revision 1, by r1/c-a1  {}",
      "    receipts  2  accepted/ok, key INC-001, effect exists, of r1/c-a1",
      "    steps     step 0 of r1 begun by c-a1",
      "    requests  1  create_ticket of r1/c-a1 for p1, role ticket_approver, under policy revision 1, from 0 until 2",
      "    decisions 1  grant of request 1 by approver-1 as ticket_approver, at 0",
      "    uses      r1/c-a1  create_ticket, by request 1",
      "    escalated none",
      "    policy    revision 1, at most 3, approval required",
    ]);
  });

  it("shows none of it for an executor that has none", () => {
    const { consent: _consent, ...bare } = store({});
    expect(storeLines(bare, canvas).join()).not.toMatch(/steps|requests|decisions|uses|escalated/);
  });
});

describe("readReports", () => {
  it("reads every action and event of approvals, runs and capabilities, whole", () => {
    const capability = { principal: "p1", tenant: "t1", tool: "draft", resource: "drafts" };
    const entry = submit("a1");
    const actions: readonly Action[] = [
      { ...entry, faults: [{ kind: "spoilt_output", as: "format", tries: 2 }] },
      { kind: "approve", decision: "d1", request: 1, flaw: "digest", pace: "held" },
      { kind: "settle", decision: "d1" },
      { kind: "advance_clock", by: 1 },
      { kind: "set_capability", capability, held: true },
      { kind: "round_trip", tampered: true },
      { kind: "drive", attempt: "a2", of: "a1" },
      { kind: "crash", where: { kind: "entering", entry, at: "after_step" } },
      { kind: "crash", where: { kind: "deciding", decision: "d1", at: "before_decision" } },
      { kind: "change_policy", to: { kind: "limit", maxCopies: 1, approval: "not_required" } },
    ];
    const { tenant, runId, callId } = useRow;
    const escalations = [{ tenant, runId, callId, delivery: "d-a1", layer: "output" } as const];
    const full = store({ ...used, escalations }, [waiting]);
    const history = historyOf([
      [
        submitted("a1"),
        { kind: "decision_held", ...grant },
        { kind: "decided", ...grant, answer: { kind: "refused", code: "superseded" } },
        { kind: "clock_set", now: 1 },
        { kind: "capability_set", capability, held: false },
        { kind: "round_tripped", tampered: false, answer: "restored" },
        { kind: "driven", of: "a1", answer: "repeats" },
        ended(waiting, full),
        {
          kind: "crashed",
          advancing: { kind: "decision", decision: "d1", at: "after_decision" },
          lost: ["a1"],
          lostDecisions: ["d1"],
        },
        observed(full),
      ],
    ]);
    const [counterexample] = violated.counterexamples;
    if (counterexample === undefined) throw new Error("the fixture has a counterexample");
    const minimal = { ...counterexample.minimal, actions, history };
    const report = { ...violated, counterexamples: [{ ...counterexample, actions, minimal }] };
    expect(readReports(reportJson(report))).toEqual({ kind: "read", reports: [report] });
  });
});
