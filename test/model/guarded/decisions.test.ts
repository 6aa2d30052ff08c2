import { describe, expect, it } from "vitest";
import { type Decided, decide } from "../../../src/model/consent/decisions.js";
import type { Action, Decision, DecisionRow } from "../../../src/model/vocabulary.js";
import type { World } from "../../../src/model/world.js";
import {
  advance,
  approve,
  asked,
  asking,
  attemptIn,
  deny,
  empty,
  finish,
  granted,
  last,
  page,
  paged,
  policy,
  refusal,
  removePolicy,
  restart,
  retry,
  revoke,
  river2,
  settle,
  submit,
  take,
  three,
  tick,
  without,
  worldAfter,
} from "./fixture.js";

const firstRow: DecisionRow = {
  number: 1,
  request: 1,
  verdict: "grant",
  approver: "approver-1",
  role: "incident_commander",
  decidedAt: 0,
};

describe("a genuine decision", () => {
  it("is recorded with who, in which role and when", () => {
    const { world, transitions } = take(asked, tick(1), approve("d1", 1));
    expect(transitions.at(-1)).toBe("idle approve recorded");
    expect(world.consent.decisions).toEqual([{ ...firstRow, decidedAt: 1 }]);
    expect(world.decisionsMade).toBe(1);
  });

  it("is numbered on", () => {
    const world = worldAfter(granted, revoke("d2", 1));
    expect(world.consent.decisions).toEqual([firstRow, { ...firstRow, number: 2, verdict: "deny" }]);
  });

  it.each(["deny", "revoke"] as const)("is a deny on the wire: %s", (kind) => {
    const { world, transitions } = take(asked, {
      kind,
      decision: "d1",
      request: 1,
      flaw: "none",
      pace: "at_once",
    });
    expect(transitions).toEqual([`idle ${kind} recorded`]);
    expect(world.consent.decisions.map(({ verdict }) => verdict)).toEqual(["deny"]);
  });
});

/** Two requests of one call, the first expired; nothing is decided. */
const two = worldAfter(asked, tick(2), retry("a2", "a1"), finish("a2"));

/** Each row makes true what it names, and as much as can be of what is looked at after it. */
const refusals: readonly (readonly [
  why: string,
  start: World,
  before: readonly Action[],
  Action,
  code: string,
])[] = [
  ["no such request", asked, [], approve("d1", 2), "no_such_request"],
  ["no such request, by flaw", asked, [], approve("d1", 1, "request"), "no_such_request"],
  ["no request at all", empty, [], deny("d1", 1), "no_such_request"],
  ["another tenant", asked, [], approve("d1", 1, "tenant"), "tenant_mismatch"],
  ["another tenant, after the use", paged, [], deny("d2", 1, "tenant"), "tenant_mismatch"],
  ["without the role", asked, [], approve("d1", 1, "role"), "not_entitled"],
  ["without the role, after the use", paged, [], deny("d2", 1, "role"), "not_entitled"],
  ["the requester", asked, [], approve("d1", 1, "requester"), "not_entitled"],
  ["the requester, for a no", asked, [], deny("d1", 1, "requester"), "not_entitled"],
  ["shown another tool", asked, [], approve("d1", 1, "tool"), "tool_mismatch"],
  ["shown another tool, after the use", paged, [], deny("d2", 1, "tool"), "tool_mismatch"],
  ["shown another call", asked, [], deny("d1", 1, "call"), "call_mismatch"],
  ["shown another call, after the use", paged, [], deny("d2", 1, "call"), "call_mismatch"],
  ["shown another digest", asked, [], deny("d1", 1, "digest"), "digest_mismatch"],
  ["shown another digest, after the use", paged, [], approve("d2", 1, "digest"), "digest_mismatch"],
  ["a no after the use", paged, [], revoke("d2", 1), "already_used"],
  ["a grant after the use", paged, [tick(2)], approve("d2", 1), "already_used"],
  ["a second no", asked, [deny("d1", 1)], deny("d2", 1), "already_denied"],
  ["a grant after a no", asked, [deny("d1", 1), tick(2)], approve("d2", 1), "already_denied"],
  [
    "a grant after a no to another request of the call",
    two,
    [deny("d1", 1)],
    approve("d2", 2),
    "already_denied",
  ],
  ["a no after a no to another request of the call", two, [deny("d1", 2)], deny("d2", 1), "already_denied"],
  ["a grant of an older request", two, [], approve("d1", 1), "superseded"],
  [
    "a grant of an older request, granted before",
    worldAfter(granted, tick(2), retry("a2", "a1"), finish("a2")),
    [],
    approve("d2", 1),
    "superseded",
  ],
  ["a second grant", granted, [], approve("d2", 1), "already_granted"],
  [
    "a second grant, late and under another policy",
    granted,
    [tick(2), policy(three)],
    approve("d2", 1),
    "already_granted",
  ],
  ["a grant at the very tick of expiry", asked, [tick(2)], approve("d1", 1), "expired"],
  ["a grant after it, under another policy", asked, [tick(3), policy(three)], approve("d1", 1), "expired"],
  ["a grant under another policy", asked, [policy(three)], approve("d1", 1), "policy_changed"],
  ["a grant without a policy", asked, [removePolicy], approve("d1", 1), "policy_changed"],
];

describe("a decision", () => {
  it.each(refusals)("is refused and leaves no row: %s", (_, start, before, action, code) => {
    const there = worldAfter(start, ...before);
    const { world, transitions } = take(there, action);
    expect(transitions).toEqual([`idle ${action.kind} refused/${code}`]);
    expect(world).toEqual({ ...there, decisionsMade: there.decisionsMade + 1 });
  });

  it.each<readonly [why: string, start: World, before: readonly Action[], Action]>([
    ["a grant a tick before the expiry", asked, [tick(1)], approve("d1", 1)],
    ["a grant of the latest request", two, [], approve("d1", 2)],
    [
      "a grant of the latest request after one of an older",
      worldAfter(granted, tick(2), retry("a2", "a1"), finish("a2")),
      [],
      approve("d2", 2),
    ],
    [
      "a grant where another call began to wait",
      worldAfter(asked, submit("a2", page), finish("a2")),
      [],
      approve("d1", 1),
    ],
    [
      "a grant where another call was denied",
      worldAfter(asked, submit("a2", page), finish("a2"), deny("d1", 2)),
      [],
      approve("d2", 1),
    ],
    [
      "a grant where another call was used",
      worldAfter(paged, submit("a3", page), finish("a3")),
      [],
      approve("d2", 2),
    ],
    ["a no to an expired request", asked, [tick(5)], deny("d1", 1)],
    ["a no to an older request", two, [], deny("d1", 1)],
    ["a no under another policy", asked, [policy(three)], deny("d1", 1)],
    ["a no without a policy", asked, [removePolicy], deny("d1", 1)],
    ["a no after a grant", granted, [], deny("d2", 1)],
  ])("is recorded: %s", (_, start, before, action) => {
    const there = worldAfter(start, ...before);
    const { world, transitions } = take(there, action);
    expect(transitions).toEqual([`idle ${action.kind} recorded`]);
    expect(world.consent.decisions).toHaveLength(there.consent.decisions.length + 1);
  });

  it("by the requester is recorded where the profile does not want another", () => {
    const alone = { ...asked, profile: without("abilities", "separate_approver") };
    const { world } = take(alone, approve("d1", 1, "requester"));
    expect(world.consent.decisions).toEqual([{ ...firstRow, approver: "p1" }]);
  });

  it.each<readonly [code: string, Partial<Decision>]>([
    ["tenant_mismatch", { by: { approver: "p1", tenant: "t2", roles: [] } }],
    ["not_entitled", { by: { approver: "approver-1", tenant: "t1", roles: ["editor"] } }],
    ["recorded", { by: { approver: "approver-2", tenant: "t1", roles: ["editor", "incident_commander"] } }],
    ["call_mismatch", { shown: { tool: "notify_oncall", runId: "r2", callId: "c-a1", digest: "x" } }],
    ["call_mismatch", { shown: { tool: "notify_oncall", runId: "r1", callId: "c-a2", digest: "x" } }],
    ["tool_mismatch", { shown: { tool: "odd", runId: "r2", callId: "c-a1", digest: "page-search" } }],
  ])("is judged by all that it says, in order: %s", (code, changed) => {
    const genuine: Decision = {
      decision: "d1",
      request: 1,
      verdict: "grant",
      by: { approver: "approver-1", tenant: "t1", roles: ["incident_commander"] },
      shown: { tool: "notify_oncall", runId: "r1", callId: "c-a1", digest: "page-search" },
    };
    const { answer }: Decided = decide(asked, { ...genuine, ...changed });
    expect(answer.kind === "refused" ? answer.code : answer.kind).toBe(code);
  });
});

describe("a held decision", () => {
  const heldGrant = worldAfter(asked, approve("d1", 1, "none", "held"));

  it("stands before its transaction until it is settled", () => {
    expect(last(asked, approve("d1", 1, "none", "held"))).toBe("idle approve held");
    expect(heldGrant.consent.decisions).toEqual([]);
    expect(heldGrant.decisionsMade).toBe(1);
    expect(last(heldGrant, retry("a2", "a1"))).toBe(
      "new submit ended waiting_for_approval/approval_required",
    );
    const { world, transitions } = take(heldGrant, settle("d1"));
    expect(transitions).toEqual(["idle settle grant recorded"]);
    expect(world.consent.decisions).toEqual([firstRow]);
    expect([world.held, world.decisionsMade]).toEqual([[], 1]);
  });

  it("is judged by what holds when it goes on", () => {
    expect(last(heldGrant, tick(2), settle("d1"))).toBe("idle settle grant refused/expired");
    const overtaken = worldAfter(heldGrant, deny("d2", 1, "none", "held"), settle("d2"));
    expect(last(overtaken, settle("d1"))).toBe("idle settle grant refused/already_denied");
    expect(overtaken.held.map(({ decision }) => decision)).toEqual(["d1"]);
    const inTime = worldAfter(asked, tick(2), retry("a2", "a1"), approve("d1", 2, "none", "held"));
    // It was shown nothing, since request 2 was opened later.
    expect(last(inTime, finish("a2"), settle("d1"))).toBe("idle settle grant refused/not_entitled");
  });

  it("is held once, and settled once", () => {
    expect(refusal(heldGrant, approve("d1", 1))).toBe("d1 is held already");
    expect(refusal(heldGrant, settle("d2"))).toBe("d2 is not held");
    expect(refusal(worldAfter(heldGrant, settle("d1")), settle("d1"))).toBe("d1 is not held");
    expect(refusal(heldGrant, approve("d2", 1, "none", "held"))).toBe("moved");
  });

  it("is lost in a crash, with nothing recorded", () => {
    const world = worldAfter(heldGrant, { kind: "crash", where: { kind: "parked" } }, restart);
    expect([world.held, world.consent.decisions]).toEqual([[], []]);
    expect(refusal(world, settle("d1"))).toBe("d1 is not held");
  });

  it.each([
    ["before_decision", []],
    ["after_decision", [firstRow]],
  ] as const)("is killed at %s with its executor and all that is in flight", (at, rows) => {
    const busy = worldAfter(heldGrant, submit("a2", river2), deny("d2", 1, "none", "held"));
    const { world, transitions } = take(busy, {
      kind: "crash",
      where: { kind: "deciding", decision: "d1", at },
    });
    expect(transitions).toEqual([`idle crash:${at} lost`]);
    expect([world.executor, world.held, world.consent.decisions]).toEqual(["down", [], rows]);
    expect(attemptIn(world, "a2").place).toEqual({ kind: "lost" });
    expect(world.crashes).toBe(1);
  });

  it("is killed only if it is held", () => {
    const where = { kind: "deciding", decision: "d2", at: "before_decision" } as const;
    expect(refusal(heldGrant, { kind: "crash", where })).toBe("d2 is not held");
  });

  it("that would be refused leaves no row where it is killed after", () => {
    const late = worldAfter(heldGrant, tick(2), {
      kind: "crash",
      where: { kind: "deciding", decision: "d1", at: "after_decision" },
    });
    expect(late.consent.decisions).toEqual([]);
  });
});

describe("what the decisions make of a call", () => {
  it("no wins over yes until it is used, and stays", () => {
    const world = worldAfter(granted, retry("a2", "a1"), revoke("d2", 1));
    expect(last(world, advance("a2"))).toBe("before_business advance ended approval_refused/revoked");
    expect(last(world, retry("a3", "a1"))).toBe("new submit ended approval_refused/revoked");
  });

  it("is of that call alone", () => {
    const other = worldAfter(asked, submit("a2", page), finish("a2"), deny("d1", 2));
    expect(last(other, retry("a3", "a1"))).toBe("new submit ended waiting_for_approval/approval_required");
    expect(last(other, approve("d2", 1), retry("a3", "a1"))).toBe("new submit parked before_business");
    expect(last(other, retry("a3", "a2"))).toBe("new submit ended approval_refused/denied");
  });

  it("is a plain no where the grant was another call's", () => {
    const other = worldAfter(granted, submit("a2", page), finish("a2"), deny("d2", 2));
    expect(last(other, retry("a3", "a2"))).toBe("new submit ended approval_refused/denied");
  });

  it("outlives a restart", () => {
    const crash: Action = { kind: "crash", where: { kind: "parked" } };
    expect(last(granted, crash, restart, retry("a2", "a1"))).toBe("new submit parked before_business");
    expect(last(granted, revoke("d2", 1), crash, restart, retry("a2", "a1"))).toBe(
      "new submit ended approval_refused/revoked",
    );
  });

  it("holds also when the policy stops asking", () => {
    const world = worldAfter(empty, policy(asking), submit("a1", river2), finish("a1"), deny("d1", 1));
    expect(last(world, policy(three), retry("a2", "a1"))).toBe("new submit ended approval_refused/denied");
  });
});
