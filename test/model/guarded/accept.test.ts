import { describe, expect, it } from "vitest";
import type { Consent, Happening, Observation } from "../../../src/model/vocabulary.js";
import { forest1, page, region, right, river2, shapeless, without } from "./fixture.js";
import {
  accepted,
  advanced,
  decided,
  decisionRow,
  type End,
  effectRow,
  ended,
  follow,
  genuine,
  layers,
  observed,
  parked,
  receiptRow,
  recorded,
  requestRow,
  settled,
  stepRow,
  submitted,
  unaudited,
  useRow,
  waiting,
} from "./history.js";

const asks: readonly Happening[] = [
  submitted("a1", page),
  parked("a1", "before_request"),
  observed({ steps: [stepRow] }),
  advanced("a1"),
  ended("a1", 1, waiting),
];
const waits = observed(
  { steps: [stepRow], requests: [requestRow] },
  { receipts: [receiptRow(1, "a1", waiting)] },
);
const grants: readonly Happening[] = [...asks, waits, decided(genuine("d1"))];
const executes: readonly Happening[] = [
  ...grants,
  submitted("a2", page, { callId: "c-a1" }),
  parked("a2", "before_business"),
  advanced("a2"),
  parked("a2", "after_business"),
  advanced("a2"),
  parked("a2", "output_check"),
];
const pages: readonly Happening[] = [...executes, advanced("a2"), ended("a2", 2, accepted)];

const all: Consent = {
  steps: [stepRow],
  requests: [requestRow],
  decisions: [decisionRow],
  uses: [useRow],
  escalations: [],
};
const rows = {
  effects: [effectRow],
  receipts: [receiptRow(1, "a1", waiting), receiptRow(2, "a2", accepted)],
};

const escalated: End = {
  status: "permission_denied",
  code: "capability",
  events: ["arguments_valid", "input_allowed"],
  layers: layers("allow", "allow", "escalate", "not_reached"),
};
const loses: Happening = {
  kind: "capability_set",
  capability: right("notify_oncall", "oncall/search"),
  held: false,
};
const escalation = {
  tenant: "t1",
  runId: "r1",
  callId: "c-a1",
  delivery: "d-a1",
  layer: "capability",
} as const;
const escalates: readonly Happening[] = [loses, submitted("a1", page), ended("a1", 1, escalated)];

describe("a right guarded history", () => {
  it("is followed to its end", () => {
    expect(follow([...pages, observed(all, rows)]).kind).toBe("following");
  });

  it("may tell of clock, rights, policy, round trips and the driver between all that", () => {
    const happenings: readonly Happening[] = [
      ...asks,
      { kind: "clock_set", now: 1 },
      { kind: "round_tripped", tampered: false, answer: "restored" },
      { kind: "round_tripped", tampered: true, answer: "refused" },
      { kind: "driven", of: "a1", answer: "rests" },
      loses,
      { kind: "capability_set", capability: right("notify_oncall", "oncall/search"), held: true },
      decided(genuine("d1")),
      { kind: "driven", of: "a1", answer: "repeats" },
      submitted("a2", page, { callId: "c-a1" }),
      parked("a2", "before_business"),
      { kind: "clock_set", now: 2 },
      advanced("a2"),
      ended("a2", 2, {
        status: "approval_refused",
        code: "expired",
        events: [...waiting.events, "approval_matched", "business_started"],
        layers: layers("allow", "allow", "allow", "block"),
      }),
      observed(
        { steps: [stepRow], requests: [requestRow], decisions: [{ ...decisionRow, decidedAt: 1 }] },
        {
          receipts: [
            receiptRow(1, "a1", waiting),
            receiptRow(2, "a2", {
              status: "approval_refused",
              code: "expired",
              events: [...waiting.events, "approval_matched", "business_started"],
              layers: layers("allow", "allow", "allow", "block"),
            }),
          ],
        },
      ),
    ];
    expect(follow(happenings).kind).toBe("following");
  });

  it("shows an escalation with its receipt", () => {
    const stored = observed(
      { steps: [stepRow], escalations: [escalation] },
      { receipts: [receiptRow(1, "a1", escalated)] },
    );
    expect(follow([...escalates, stored]).kind).toBe("following");
    const missing = observed({ steps: [stepRow] }, { receipts: [receiptRow(1, "a1", escalated)] });
    expect(follow([...escalates, missing])).toMatchObject({ kind: "diverged", stage: "store" });
  });

  it.each(["tenant", "runId", "callId", "delivery", "layer"] as const)(
    "shows an escalation in its very %s",
    (column) => {
      const other = { ...escalation, [column]: column === "layer" ? "output" : "other" };
      const stored = { receipts: [receiptRow(1, "a1", escalated)] };
      expect(follow([...escalates, observed({ steps: [stepRow], escalations: [other] }, stored)]).kind).toBe(
        "diverged",
      );
    },
  );
});

type Tables = { readonly [Table in keyof Consent]: Consent[Table][number] };

describe("a look at the store", () => {
  const tables: { readonly [Table in Exclude<keyof Consent, "escalations">]: Tables[Table] } = {
    steps: stepRow,
    requests: requestRow,
    decisions: decisionRow,
    uses: useRow,
  };

  it.each(
    Object.entries(tables).flatMap(([table, row]) =>
      Object.entries(row).map(([column, value]) => [table, column, row, value] as const),
    ),
  )("tells each word of consent: %s %s", (table, column, row, value) => {
    const changed = { ...row, [column]: typeof value === "number" ? value + 1 : `${value}x` };
    const seen = observed({ ...all, [table]: [changed] }, rows);
    expect(follow([...pages, seen])).toMatchObject({
      kind: "diverged",
      position: pages.length,
      stage: "store",
    });
  });

  it.each(Object.entries(tables))("tells a row of %s too few and one too many", (table, row) => {
    expect(follow([...pages, observed({ ...all, [table]: [] }, rows)]).kind).toBe("diverged");
    expect(follow([...pages, observed({ ...all, [table]: [row, row] }, rows)]).kind).toBe("diverged");
  });

  it("tells an escalation too many", () => {
    expect(follow([...pages, observed({ ...all, escalations: [escalation] }, rows)]).kind).toBe("diverged");
  });

  it.each(["schema", "business", "capability", "approval"] as const)(
    "tells what layer %s came to",
    (layer) => {
      const [first] = rows.receipts;
      const other = receiptRow(2, "a2", {
        ...accepted,
        layers: { ...accepted.layers, [layer]: "not_reached" },
      });
      const seen = { ...rows, receipts: first === undefined ? [] : [first, other] };
      expect(follow([...pages, observed(all, seen)])).toMatchObject({ kind: "diverged", stage: "store" });
      const untold = follow([...pages, observed(all, seen)], without("abilities", "layer_results"));
      expect(untold.kind).toBe("following");
    },
  );

  it("tells whether the policy wants writes approved", () => {
    const other = { kind: "present", revision: 1, maxCopies: 3, approval: "required" } as const;
    expect(follow([observed()]).kind).toBe("following");
    expect(follow([observed({}, { policy: other })]).kind).toBe("diverged");
  });

  it("has to show consent where the profile claims it", () => {
    const { consent: _, ...bare } = observed().observation;
    const looks: readonly Happening[] = [{ kind: "observed", observation: bare }];
    expect(follow(looks).kind).toBe("diverged");
    expect(follow(looks, without("abilities", "runs")).kind).toBe("diverged");
    expect(follow(looks, without("abilities", "approvals")).kind).toBe("diverged");
    expect(follow(looks, without("abilities", "approvals", "runs")).kind).toBe("following");
  });

  it("is held against the machine as far as the profile claims", () => {
    const noSteps = [...pages, observed({ ...all, steps: [] }, rows)];
    expect(follow(noSteps).kind).toBe("diverged");
    expect(follow(noSteps, without("abilities", "runs")).kind).toBe("following");
    const noUses = [...pages, observed({ ...all, uses: [] }, rows)];
    expect(follow(noUses, without("abilities", "runs")).kind).toBe("diverged");
    const unseen = observed({ steps: [stepRow] });
    const read: readonly Happening[] = [submitted("a1", page), parked("a1", "before_request")];
    expect(follow([...read, unseen], without("abilities", "approvals")).kind).toBe("following");
    expect(follow([...read, observed()], without("abilities", "approvals")).kind).toBe("diverged");
    expect(follow([...read, observed()], without("abilities", "runs")).kind).toBe("following");
  });

  it("is looked at again when consent changed on either side since the last one", () => {
    const { observation } = waits;
    const again: Happening = { kind: "observed", observation };
    expect(follow([...asks, again, again]).kind).toBe("following");
    // The machine has a decision by now; the very same rows are old ones.
    expect(follow([...asks, again, decided(genuine("d1")), again])).toMatchObject({
      kind: "diverged",
      stage: "store",
    });
    const changed: Observation = { ...observation, consent: { ...all, uses: [] } };
    expect(follow([...asks, again, { kind: "observed", observation: changed }]).kind).toBe("diverged");
  });

  it("says in brief how many rows there should be and are", () => {
    expect(follow([...pages, observed({ ...all, uses: [] }, rows)])).toMatchObject({
      allowed: [
        "receipts 1, 2; effects @r1; policy r1 limit 3; steps 1, requests 1, decisions 1, uses 1, escalations 0",
      ],
      seen: "receipts 1, 2; effects @r1; policy r1 limit 3; steps 1, requests 1, decisions 1, uses 0, escalations 0",
    });
  });

  it("says in full what they say where there are as many", () => {
    const tail = (verdict: string): string =>
      "receipts none; effects none; policy r1 limit 3 approval not_required" +
      "; steps t1 r1 0 c-a1 none; requests 1 t1 r1 c-a1 p1 notify_oncall page-search 1 incident_commander 0 2" +
      `; decisions 1 1 ${verdict} approver-1 incident_commander 0; uses none; escalations none`;
    const happenings: readonly Happening[] = [
      submitted("a1", page, { faults: [{ kind: "receipt_ignored" }] }),
      parked("a1", "before_request"),
      advanced("a1"),
      settled("a1", unaudited(["receipt_write"], waiting.events)),
      decided(genuine("d1")),
      observed({
        steps: [stepRow],
        requests: [requestRow],
        decisions: [{ ...decisionRow, verdict: "deny" }],
      }),
    ];
    expect(follow(happenings)).toMatchObject({
      stage: "store",
      allowed: [tail("grant")],
      seen: tail("deny"),
    });
  });

  it("says of a receipt and an escalation all that they hold", () => {
    const other = { ...escalation, layer: "output" } as const;
    const stored = observed(
      { steps: [stepRow], escalations: [other] },
      { receipts: [receiptRow(1, "a1", escalated)] },
    );
    const text = (layer: string): string =>
      "receipts 1 t1 r1 c-a1 no key permission_denied/capability no effect d-a1 arguments_valid input_allowed" +
      " schema allow business allow capability escalate approval not_reached" +
      "; effects none; policy r1 limit 3 approval not_required" +
      `; steps t1 r1 0 c-a1 none; requests none; decisions none; uses none; escalations t1 r1 c-a1 d-a1 ${layer}`;
    expect(follow([...escalates, stored])).toMatchObject({
      allowed: [text("capability")],
      seen: text("output"),
    });
  });
});

describe("an end that the machine does not expect", () => {
  it.each<readonly [why: string, start: readonly Happening[], wrong: Happening, stage: string]>([
    [
      "a wait that is refused",
      asks.slice(0, -1),
      ended("a1", 1, { ...waiting, status: "approval_refused", code: "denied" }),
      "approval",
    ],
    ["no wait where one is due", [submitted("a1", page)], parked("a1", "before_business"), "approval"],
    [
      "another layer",
      asks.slice(0, -1),
      ended("a1", 1, { ...waiting, layers: layers("allow", "allow", "allow", "block") }),
      "receipt",
    ],
    [
      "a grant that was not matched",
      executes.concat(advanced("a2")),
      ended("a2", 2, {
        ...accepted,
        events: accepted.events.filter((event) => event !== "approval_matched"),
      }),
      "approval",
    ],
    [
      "a grant that was matched, and then nothing started",
      executes.concat(advanced("a2")),
      ended("a2", 2, { ...accepted, events: accepted.events.slice(0, 4) }),
      "execute",
    ],
    [
      "a value that was not made again",
      [
        submitted("a1", region, { faults: [{ kind: "spoilt_output", as: "format", tries: 1 }] }),
        parked("a1", "before_business"),
        advanced("a1"),
        parked("a1", "after_business"),
        advanced("a1"),
        parked("a1", "output_check"),
        advanced("a1"),
      ],
      ended("a1", 1, {
        status: "output_rejected",
        code: "output_contract",
        events: [...waiting.events, "business_started", "output_started", "output_regenerated"],
        layers: accepted.layers,
      }),
      "output",
    ],
  ])("diverges there: %s", (_, start, wrong, stage) => {
    expect(follow(start).kind).toBe("following");
    expect(follow([...start, wrong])).toMatchObject({ kind: "diverged", position: start.length, stage });
  });

  it("is told with its layers", () => {
    const { layers: _, ...untold } = waiting;
    const silent: Happening = settled("a1", {
      kind: "completed",
      receiptNumber: 1,
      effectExists: false,
      ...untold,
      released: { kind: "nothing" },
    });
    const told = (words: string): string =>
      "completed waiting_for_approval/approval_required, events arguments_valid input_allowed capability_granted" +
      `, layers ${words}, effectExists false, receipt 1`;
    expect(follow([...asks.slice(0, -1), silent])).toMatchObject({
      allowed: [told("schema allow business allow capability allow approval ask")],
      seen: told("schema untold business untold capability untold approval untold"),
    });
    expect(follow([...asks.slice(0, -1), silent], without("abilities", "layer_results")).kind).toBe(
      "following",
    );
  });

  it("of one call is not held against another", () => {
    const two: readonly Happening[] = [
      submitted("a1", shapeless),
      ended("a1", 1, {
        status: "input_rejected",
        code: "shape",
        events: [],
        layers: layers("block", "not_reached", "not_reached", "not_reached"),
      }),
      submitted("a2", forest1),
      parked("a2", "before_business"),
      submitted("a3", river2, { step: 1 }),
      ended("a3", 2, {
        status: "blocked",
        code: "run_waiting",
        events: [],
        layers: layers("not_reached", "not_reached", "not_reached", "not_reached"),
      }),
    ];
    expect(follow(two).kind).toBe("following");
  });
});

describe("what is owed", () => {
  const owing: readonly Happening[] = asks.slice(0, 1);

  it.each<readonly [string, Happening]>([
    ["d1 grant of request 1", decided(genuine("d1"))],
    ["decision_held", { kind: "decision_held", ...genuine("d1") }],
    ["round_tripped", { kind: "round_tripped", tampered: false, answer: "restored" }],
    ["driver on a1", { kind: "driven", of: "a1", answer: "rests" }],
    ["clock_set", { kind: "clock_set", now: 1 }],
    ["capability_set", loses],
    ["crashed", { kind: "crashed", advancing: { kind: "idle" }, lost: ["a1"] }],
  ])("comes before %s", (seen, wrong) => {
    expect(follow([...owing, wrong])).toEqual({
      kind: "diverged",
      position: 1,
      stage: "approval",
      allowed: ["a1 parked at before_request, policy r1 seen"],
      seen,
    });
  });
});

describe("an answer that the machine would not give", () => {
  it.each<
    readonly [why: string, start: readonly Happening[], wrong: Happening, allowed: string, seen: string]
  >([
    [
      "a genuine round trip that is refused",
      asks,
      { kind: "round_tripped", tampered: false, answer: "refused" },
      "round_tripped: restored",
      "round_tripped: refused",
    ],
    [
      "a tampered text that is believed",
      asks,
      { kind: "round_tripped", tampered: true, answer: "restored" },
      "round_tripped: refused",
      "round_tripped: restored",
    ],
    [
      "a driver that repeats what waits",
      asks,
      { kind: "driven", of: "a1", answer: "repeats" },
      "driver on a1: rests",
      "driver on a1: repeats",
    ],
    [
      "a driver that rests on a live grant",
      grants,
      { kind: "driven", of: "a1", answer: "rests" },
      "driver on a1: repeats",
      "driver on a1: rests",
    ],
    [
      "a driver that looks at what is not over",
      asks.slice(0, 3),
      { kind: "driven", of: "a1", answer: "rests" },
      "driver on a1: nothing",
      "driver on a1: rests",
    ],
  ])("diverges there: %s", (_, start, wrong, allowed, seen) => {
    expect(follow([...start, wrong])).toEqual({
      kind: "diverged",
      position: start.length,
      stage: "control",
      allowed: [allowed],
      seen,
    });
  });

  it("is said of a decision in the words of its answer", () => {
    expect(follow([...asks, decided(genuine("d1"), { kind: "refused", code: "expired" })])).toEqual({
      kind: "diverged",
      position: asks.length,
      stage: "approval",
      allowed: ["d1 grant of request 1 recorded"],
      seen: "d1 grant of request 1 refused expired",
    });
    expect(follow([...grants, decided(genuine("d2"), recorded)])).toMatchObject({
      allowed: ["d2 grant of request 1 refused already_granted"],
      seen: "d2 grant of request 1 recorded",
    });
    expect(follow([...grants, decided(genuine("d2"), { kind: "refused", code: "expired" })]).kind).toBe(
      "diverged",
    );
    expect(
      follow([...grants, decided(genuine("d2"), { kind: "refused", code: "already_granted" })]).kind,
    ).toBe("following");
  });

  it("is judged by what the history says of the decision", () => {
    const forged = { ...genuine("d1"), request: 7 };
    expect(follow([...asks, decided(forged)]).kind).toBe("diverged");
    expect(follow([...asks, decided(forged, { kind: "refused", code: "no_such_request" })]).kind).toBe(
      "following",
    );
    const roleless = { ...genuine("d1"), by: { approver: "approver-1", tenant: "t1", roles: [] } };
    expect(follow([...asks, decided(roleless, { kind: "refused", code: "not_entitled" })]).kind).toBe(
      "following",
    );
  });
});
