import { describe, expect, it } from "vitest";
import type { Consent, Happening, Observation } from "../../../src/model/vocabulary.js";
import { page, river2 } from "./fixture.js";
import {
  advanced,
  decided,
  decisionRow,
  type End,
  effectRow,
  ended,
  follow,
  genuine,
  killed,
  layers,
  observed,
  parked,
  receiptRow,
  requestRow,
  restarted,
  settled,
  stepRow,
  submitted,
  timeout,
  useRow,
  waiting,
} from "./history.js";

const asks: readonly Happening[] = [
  submitted("a1", page),
  parked("a1", "before_request"),
  advanced("a1"),
  ended("a1", 1, waiting),
];
const asked: Partial<Consent> = { steps: [stepRow], requests: [requestRow] };
const receipts = [receiptRow(1, "a1", waiting)];
const holds: readonly Happening[] = [...asks, { kind: "decision_held", ...genuine("d1") }];

describe("a held decision", () => {
  it("changes nothing until it is decided", () => {
    expect(follow([...holds, observed(asked, { receipts })]).kind).toBe("following");
    const recorded = observed({ ...asked, decisions: [decisionRow] }, { receipts });
    expect(follow([...holds, recorded]).kind).toBe("diverged");
    expect(follow([...holds, decided(genuine("d1")), recorded]).kind).toBe("following");
  });

  it("is judged by what was held, and held no longer then", () => {
    const late: readonly Happening[] = [...holds, { kind: "clock_set", now: 2 }];
    const expired = { kind: "refused", code: "expired" } as const;
    expect(follow([...late, decided(genuine("d1"), expired)]).kind).toBe("following");
    expect(follow([...late, decided(genuine("d1"))]).kind).toBe("diverged");
    const roleless = { ...genuine("d1"), by: { approver: "approver-1", tenant: "t1", roles: [] } };
    const refused = { kind: "refused", code: "not_entitled" } as const;
    expect(follow([...holds, decided(roleless, refused)]).kind).toBe("diverged");
    // A crash after it loses no decision.
    const crashed: Happening = { kind: "crashed", advancing: { kind: "idle" }, lost: [] };
    expect(follow([...holds, decided(genuine("d1")), crashed]).kind).toBe("following");
  });

  it("is lost in a crash, which says so", () => {
    const crashed: Happening = { kind: "crashed", advancing: { kind: "idle" }, lost: [] };
    expect(follow([...holds, crashed])).toEqual({
      kind: "diverged",
      position: holds.length,
      stage: "control",
      allowed: ["crashed, lost d1"],
      seen: "crashed, lost none",
    });
    const lost: Happening = { ...crashed, lostDecisions: ["d1"] };
    expect(follow([...holds, lost, restarted, observed(asked, { receipts })]).kind).toBe("following");
    expect(follow([...asks, lost]).kind).toBe("diverged");
  });

  it.each([
    ["before_decision", []],
    ["after_decision", [decisionRow]],
  ] as const)("is killed at %s", (at, decisions) => {
    const crashed: Happening = {
      kind: "crashed",
      advancing: { kind: "decision", decision: "d1", at },
      lost: [],
      lostDecisions: ["d1"],
    };
    const start = [...holds, crashed, restarted];
    expect(follow([...start, observed({ ...asked, decisions }, { receipts })]).kind).toBe("following");
    const other = decisions.length === 0 ? [decisionRow] : [];
    expect(follow([...start, observed({ ...asked, decisions: other }, { receipts })]).kind).toBe("diverged");
    expect(follow([...asks, crashed])).toMatchObject({
      kind: "diverged",
      allowed: ["nothing, as d1 is not held"],
    });
  });
});

describe("a decision that got no answer", () => {
  const unanswered: readonly Happening[] = [...asks, decided(genuine("d1"), { kind: "unknown" })];

  it("may have been recorded or not, and nothing else", () => {
    expect(follow([...unanswered, observed(asked, { receipts })]).kind).toBe("following");
    const recorded = observed({ ...asked, decisions: [decisionRow] }, { receipts });
    expect(follow([...unanswered, recorded]).kind).toBe("following");
    const denied = observed({ ...asked, decisions: [{ ...decisionRow, verdict: "deny" }] }, { receipts });
    expect(follow([...unanswered, denied]).kind).toBe("diverged");
  });

  it("is told by what comes of it", () => {
    const next = submitted("a2", page, { callId: "c-a1" });
    expect(follow([...unanswered, next, ended("a2", 2, waiting)]).kind).toBe("following");
    expect(follow([...unanswered, next, parked("a2", "before_business")]).kind).toBe("following");
    const again = decided(genuine("d2"), { kind: "refused", code: "already_granted" });
    expect(follow([...unanswered, next, ended("a2", 2, waiting), again]).kind).toBe("diverged");
    expect(follow([...unanswered, again, next, parked("a2", "before_business")]).kind).toBe("following");
  });

  it("was not recorded where it would have been refused", () => {
    const late: readonly Happening[] = [...asks, { kind: "clock_set", now: 2 }];
    const start = [...late, decided(genuine("d1"), { kind: "unknown" })];
    const recorded = observed({ ...asked, decisions: [{ ...decisionRow, decidedAt: 2 }] }, { receipts });
    expect(follow([...start, observed(asked, { receipts })]).kind).toBe("following");
    expect(follow([...start, recorded]).kind).toBe("diverged");
  });

  it("is over, also if it was held", () => {
    const settledUnknown = [...holds, decided(genuine("d1"), { kind: "unknown" })];
    const crashed: Happening = { kind: "crashed", advancing: { kind: "idle" }, lost: [] };
    expect(follow([...settledUnknown, crashed]).kind).toBe("following");
  });
});

describe("a new attempt that was killed on its way in", () => {
  it("has left what it had written by then", () => {
    const start = [submitted("a1", page), killed("a1", "after_step", "a1"), restarted];
    expect(follow([...start, observed({ steps: [stepRow] })]).kind).toBe("following");
    expect(follow([...start, observed()]).kind).toBe("diverged");
    const retried = [...start, submitted("a2", page, { callId: "c-a1" }), parked("a2", "before_request")];
    expect(follow(retried).kind).toBe("following");
  });

  it("is among the lost, beside what was in flight", () => {
    const beside = [submitted("a1", river2), parked("a1", "before_business"), submitted("a2", page)];
    expect(follow([...beside, killed("a2", "after_step", "a1", "a2")]).kind).toBe("following");
    expect(follow([...beside, killed("a2", "after_step", "a1")])).toMatchObject({
      kind: "diverged",
      stage: "control",
      allowed: ["crashed, lost a1, a2"],
      seen: "crashed, lost a1",
    });
  });

  it.each([
    ["after_request", "approval"],
    ["inside_transaction", "execute"],
    ["before_receipt", "receipt"],
    ["after_receipt", "release"],
  ] as const)("cannot have been killed at %s, which it does not pass", (at, stage) => {
    expect(follow([submitted("a1", page), killed("a1", at, "a1")])).toEqual({
      kind: "diverged",
      position: 1,
      stage,
      allowed: [`a1 passes no ${at}`],
      seen: `crashed at ${at}`,
    });
  });

  it("cannot have been killed there again once its row is written", () => {
    const again = [...asks, submitted("a2", page, { callId: "c-a1" })];
    expect(follow([...again, killed("a2", "after_step", "a2")])).toMatchObject({
      stage: "run",
      allowed: ["a2 passes no after_step"],
    });
    // At its receipt it can: it waits, and ends with that.
    expect(follow([...again, killed("a2", "before_receipt", "a2"), restarted]).kind).toBe("following");
  });

  it("was not on its way in any more when something was heard of it", () => {
    const start = [submitted("a1", page), parked("a1", "before_request")];
    expect(follow([...start, killed("a1", "after_step", "a1")])).toMatchObject({
      kind: "diverged",
      stage: "run",
    });
    expect(follow([...start, killed("a1", "after_request", "a1")]).kind).toBe("following");
  });

  it("owes what it owes where another was killed, or nobody was on the way", () => {
    const beside = [submitted("a1", river2), parked("a1", "before_business"), submitted("a2", page)];
    expect(follow([...beside, killed("a1", "after_commit", "a1", "a2")])).toMatchObject({
      allowed: ["a2 parked at before_request, policy r1 seen"],
      seen: "crashed",
    });
  });
});

describe("a call whose answer got lost", () => {
  type Store = readonly [why: string, Partial<Consent>, Partial<Omit<Observation, "consent">>];
  const events = waiting.events;

  /** Every durable beginning of the way is allowed, and nothing else. */
  function tells(start: readonly Happening[], allowed: readonly Store[], forbidden: readonly Store[]): void {
    it.each(allowed)("may have left %s", (_, consent, stored) => {
      expect(follow([...start, observed(consent, stored)]).kind).toBe("following");
    });
    it.each(forbidden)("cannot have left %s", (_, consent, stored) => {
      expect(follow([...start, observed(consent, stored)])).toMatchObject({
        kind: "diverged",
        stage: "store",
      });
    });
  }

  describe("one that asks", () => {
    tells(
      [submitted("a1", page), settled("a1", timeout)],
      [
        ["nothing", {}, {}],
        ["a step", { steps: [stepRow] }, {}],
        ["a step and a request", asked, {}],
        ["a step, a request and a receipt", asked, { receipts }],
      ],
      [
        ["a request without its step", { requests: [requestRow] }, {}],
        ["a receipt without a request", { steps: [stepRow] }, { receipts }],
        ["a receipt alone", {}, { receipts }],
        ["a decision", { ...asked, decisions: [decisionRow] }, {}],
      ],
    );
  });

  describe("one that asks, having been at its checkpoint", () => {
    tells(
      [submitted("a1", page), parked("a1", "before_request"), advanced("a1"), settled("a1", timeout)],
      [
        ["no more than its step", { steps: [stepRow] }, {}],
        ["a request", asked, {}],
        ["a request and a receipt", asked, { receipts }],
      ],
      [["no step", {}, {}]],
    );
  });

  describe("one that executes", () => {
    const done: End = {
      status: "accepted",
      code: "ok",
      events: [...events, "business_started", "effect_committed", "output_started", "output_allowed"],
      effectExists: true,
      layers: layers("allow", "allow", "allow", "allow"),
    };
    const row = { ...receiptRow(1, "a1", done), key: { kind: "key", key: "JOB-001" } as const };
    const effects = [{ ...effectRow, tool: "draft", key: "JOB-001", digest: "river-2" }];
    const uses = [{ ...useRow, tool: "draft", digest: "river-2", request: "none" as const }];
    const steps = [stepRow];
    tells(
      [submitted("a1", river2), settled("a1", timeout)],
      [
        ["nothing", {}, {}],
        ["a step", { steps }, {}],
        ["a step, an effect and a use", { steps, uses }, { effects }],
        ["all of it", { steps, uses }, { effects, receipts: [row] }],
      ],
      [
        ["an effect without a use", { steps }, { effects }],
        ["a use without an effect", { steps, uses }, {}],
        ["an effect without a step", { uses }, { effects }],
        ["a receipt without an effect", { steps }, { receipts: [row] }],
      ],
    );
  });

  describe("one that is escalated", () => {
    const high: End = {
      status: "escalated",
      code: "impact",
      events: [...events, "business_started", "output_started"],
      layers: layers("allow", "allow", "allow", "allow"),
    };
    const region = { tool: "read_config", request: '{"name":"region"}' };
    const faults = [{ kind: "spoilt_output", as: "impact", tries: 1 }] as const;
    const escalations = [
      { tenant: "t1", runId: "r1", callId: "c-a1", delivery: "d-a1", layer: "output" as const },
    ];
    const steps = [stepRow];
    const written = { receipts: [receiptRow(1, "a1", high)] };
    tells(
      [submitted("a1", region, { faults }), settled("a1", timeout)],
      [
        ["nothing", {}, {}],
        ["a step", { steps }, {}],
        ["a step, a receipt and an escalation", { steps, escalations }, written],
      ],
      [
        ["a receipt without its escalation", { steps }, written],
        ["an escalation without its receipt", { steps, escalations }, {}],
      ],
    );
  });

  describe("one that is proven not to have happened", () => {
    tells(
      [submitted("a1", page), settled("a1", { kind: "refused", proof: "none", errorText: "no" })],
      [["nothing", {}, {}]],
      [["a step", { steps: [stepRow] }, {}]],
    );
  });
});
