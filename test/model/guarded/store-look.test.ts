import { describe, expect, it } from "vitest";
import type { Consent, Happening, Observation } from "../../../src/model/vocabulary.js";
import { page, without } from "./fixture.js";
import {
  accepted,
  advanced,
  decided,
  decisionRow,
  follow,
  genuine,
  observed,
  parked,
  receiptRow,
  requestRow,
  settled,
  stepRow,
  submitted,
  unaudited,
  useRow,
  waiting,
} from "./history.js";
import { asks, escalated, escalates, escalation, paged, pagedStore, pages, waits } from "./story.js";

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
    const seen = observed({ ...paged, [table]: [changed] }, pagedStore);
    expect(follow([...pages, seen])).toMatchObject({
      kind: "diverged",
      position: pages.length,
      stage: "store",
    });
  });

  it.each(Object.entries(tables))("tells a row of %s too few and one too many", (table, row) => {
    expect(follow([...pages, observed({ ...paged, [table]: [] }, pagedStore)]).kind).toBe("diverged");
    expect(follow([...pages, observed({ ...paged, [table]: [row, row] }, pagedStore)]).kind).toBe("diverged");
  });

  it("tells an escalation too many", () => {
    expect(follow([...pages, observed({ ...paged, escalations: [escalation] }, pagedStore)]).kind).toBe(
      "diverged",
    );
  });

  it.each(["schema", "business", "capability", "approval"] as const)(
    "tells what layer %s came to",
    (layer) => {
      const [first] = pagedStore.receipts;
      const other = receiptRow(2, "a2", {
        ...accepted,
        layers: { ...accepted.layers, [layer]: "not_reached" },
      });
      const seen = { ...pagedStore, receipts: first === undefined ? [] : [first, other] };
      expect(follow([...pages, observed(paged, seen)])).toMatchObject({ kind: "diverged", stage: "store" });
      const untold = follow([...pages, observed(paged, seen)], without("abilities", "layer_results"));
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
    const noSteps = [...pages, observed({ ...paged, steps: [] }, pagedStore)];
    expect(follow(noSteps).kind).toBe("diverged");
    expect(follow(noSteps, without("abilities", "runs")).kind).toBe("following");
    const noUses = [...pages, observed({ ...paged, uses: [] }, pagedStore)];
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
    const changed: Observation = { ...observation, consent: { ...paged, uses: [] } };
    expect(follow([...asks, again, { kind: "observed", observation: changed }]).kind).toBe("diverged");
  });

  it("says in brief how many rows there should be and are", () => {
    expect(follow([...pages, observed({ ...paged, uses: [] }, pagedStore)])).toMatchObject({
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
