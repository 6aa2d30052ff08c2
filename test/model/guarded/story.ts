import type { Consent, Happening } from "../../../src/model/vocabulary.js";
import { page, right } from "./fixture.js";
import {
  accepted,
  advanced,
  decided,
  decisionRow,
  type End,
  effectRow,
  ended,
  genuine,
  layers,
  observed,
  parked,
  receiptRow,
  requestRow,
  stepRow,
  submitted,
  useRow,
  waiting,
} from "./history.js";

/** The story of c-a1, who asks, is granted and pages; and another, who is escalated. */

export const asks: readonly Happening[] = [
  submitted("a1", page),
  parked("a1", "before_request"),
  observed({ steps: [stepRow] }),
  advanced("a1"),
  ended("a1", 1, waiting),
];

export const waits = observed(
  { steps: [stepRow], requests: [requestRow] },
  { receipts: [receiptRow(1, "a1", waiting)] },
);

export const grants: readonly Happening[] = [...asks, waits, decided(genuine("d1"))];

export const executes: readonly Happening[] = [
  ...grants,
  submitted("a2", page, { callId: "c-a1" }),
  parked("a2", "before_business"),
  advanced("a2"),
  parked("a2", "after_business"),
  advanced("a2"),
  parked("a2", "output_check"),
];

export const pages: readonly Happening[] = [...executes, advanced("a2"), ended("a2", 2, accepted)];

export const paged: Consent = {
  steps: [stepRow],
  requests: [requestRow],
  decisions: [decisionRow],
  uses: [useRow],
  escalations: [],
};

export const pagedStore = {
  effects: [effectRow],
  receipts: [receiptRow(1, "a1", waiting), receiptRow(2, "a2", accepted)],
};

export const escalated: End = {
  status: "permission_denied",
  code: "capability",
  events: ["arguments_valid", "input_allowed"],
  layers: layers("allow", "allow", "escalate", "not_reached"),
};

export const loses: Happening = {
  kind: "capability_set",
  capability: right("notify_oncall", "oncall/search"),
  held: false,
};

export const escalation = {
  tenant: "t1",
  runId: "r1",
  callId: "c-a1",
  delivery: "d-a1",
  layer: "capability",
} as const;

export const escalates: readonly Happening[] = [loses, submitted("a1", page), ended("a1", 1, escalated)];
