import { describe, expect, it } from "vitest";
import type { Observation, Profile } from "../../src/model/vocabulary.js";
import { initialWorld, type World } from "../../src/model/world.js";
import { standing } from "../../src/scenario/standing.js";

const profile: Profile = {
  name: "guarded",
  layers: ["run", "validate", "check", "capability", "approval", "execute", "output", "receipt"],
  checkpoints: [],
  crashPoints: [],
  faults: [],
  abilities: ["approvals", "runs", "clock"],
};

const call = { tenant: "t1", runId: "r1", callId: "c-a1" };
const digest = "0123456789abcdef".repeat(4);
const consent = {
  steps: [
    { ...call, step: 0, replaces: "none" },
    { ...call, callId: "c-a2", step: 1, replaces: "c-a1" },
  ],
  requests: [
    {
      ...call,
      number: 1,
      principal: "p1",
      tool: "notify_oncall",
      digest,
      revision: 1,
      role: "incident_commander",
      requestedAt: 0,
      expiresAt: 2,
    },
  ],
  decisions: [{ number: 1, request: 1, verdict: "grant", approver: "approver-1", role: "x", decidedAt: 1 }],
  uses: [{ ...call, tool: "notify_oncall", digest, request: 1 }],
} as const;

const effect = { ...call, tool: "notify_oncall", key: "", digest, revision: 1 };
const by = { approver: "approver-1", tenant: "t1", roles: ["incident_commander"] };
const shown = { tool: "notify_oncall", runId: "r1", callId: "c-a1", digest };

const world: World = {
  ...initialWorld(profile, { kind: "limit", maxCopies: 3 }, "guarded"),
  effects: [effect],
  consent: { ...consent, escalations: [{ ...call, attempt: "a1", layer: "output" }] },
  held: [{ decision: "d2", request: 1, verdict: "deny", by, shown }],
  clock: 1,
};

const store: Observation = {
  effects: [{ ...effect, body: "{}" }],
  receipts: [],
  policy: { kind: "present", revision: 1, maxCopies: 3, approval: "not_required" },
  writeLock: "free",
  consent: { ...consent, escalations: [{ ...call, delivery: "d-a1", layer: "output" }] },
};

const both = [
  "policy revision 1, at most 3 copies, approval not_required",
  "effect t1/notify_oncall of r1/c-a1 01234567 under revision 1",
  "step 0 begun by t1/r1/c-a1",
  "step 1 begun by t1/r1/c-a2 in place of c-a1",
  "request 1 of t1/r1/c-a1: notify_oncall 01234567, revision 1, from 0 until 2",
  "decision 1: grant of request 1 by approver-1 at 1",
  "use of t1/r1/c-a1: notify_oncall 01234567, request 1",
  "escalation of a1 by output",
];

describe("standing", () => {
  it("says of machine and store what both hold in the same lines", () => {
    const { machine, store: seen } = standing(world, store);
    expect(seen).toEqual(both);
    // No store shows who waits in memory, nor the clock of the harness.
    expect(machine).toEqual([...both, "d2 held, on request 1", "clock at 1", "executor up"]);
  });

  it("says nothing of consent where there is none", () => {
    const ledger: Profile = { ...profile, name: "ledger", layers: ["check"], abilities: [] };
    const { consent: _consent, ...bare } = store;
    const policy = { kind: "present", revision: 1, maxCopies: 3 } as const;
    const empty = initialWorld(ledger, { kind: "limit", maxCopies: 3 }, "draft");
    const { machine, store: seen } = standing(empty, { ...bare, policy, effects: [] });
    expect(seen).toEqual(["policy revision 1, at most 3 copies"]);
    expect(machine).toEqual([...seen, "executor up"]);
  });
});
