import { byName, decisionKey, type KeyFormat, someText } from "./name-format.js";
import { byShape, described, list, made, type Reader, read } from "./reader.js";
import { record } from "./record.js";
import { text, whole, word } from "./scalars.js";
import {
  type DecisionExpectation,
  decisionFates,
  type EscalationExpectation,
  type RequestExpectation,
  type RunExpectation,
  type UseExpectation,
} from "./scenario.js";

export const digest = text(
  "a SHA-256 in hexadecimal",
  { pattern: "^[0-9a-f]{64}$" },
  (value): value is string => /^[0-9a-f]{64}$/.test(value),
);

const number = whole("the number of a request, from 1", 1);
const moment = whole("a moment of the clock, from 0", 0);
const ofCall = { tenant: someText, run: someText, call: someText };

/** How many rows of a kind, or all of them. */
export function rows<Row>(what: string, row: Reader<Row>): Reader<number | readonly Row[]> {
  return byShape<number | readonly Row[]>(`how many ${what}, or the list of all`, {
    scalar: whole(`how many ${what} there are`, 0),
    seq: list(row, `the list of all ${what}`),
  });
}

const request: Reader<RequestExpectation> = record(
  "a request",
  {},
  {
    number,
    ...ofCall,
    principal: someText,
    tool: someText,
    digest,
    revision: described(whole("a revision, from 1", 1), "The one that the approver was shown."),
    role: someText,
    requested_at: moment,
    expires_at: moment,
  },
);

const numberOrNone: Reader<number | "none"> = {
  wants: "the number of a request, or none",
  schema: { anyOf: [number.schema, { const: "none" }] },
  read: (place) =>
    "value" in place.node && place.node.value === "none"
      ? read("none")
      : { ...number, ...whole("the number of a request, or none", 1) }.read(place),
};

const use: Reader<UseExpectation> = record(
  "a use",
  {},
  { ...ofCall, tool: someText, digest, request: numberOrNone },
);

const escalation: Reader<EscalationExpectation> = record(
  "an escalation",
  {},
  { ...ofCall, layer: word(["capability", "output"], "a layer that escalates") },
);

const runKey: KeyFormat<string> = {
  wants: "a run that is not empty",
  schema: { minLength: 1 },
  is: (key): key is string => key !== "",
};

const decisions: Reader<readonly DecisionExpectation[]> = made(
  byName("a mapping from decisions to how they were answered", decisionKey, word(decisionFates, "an answer")),
  (all) => read(all.map(([decision, fate]) => ({ decision, fate }))),
);

const stepsUsed: Reader<readonly RunExpectation[]> = made(
  byName(
    "a mapping from runs to how many steps they used",
    runKey,
    whole("how many steps the run has used", 0),
  ),
  (all) => read(all.map(([run, steps]) => ({ run, steps }))),
);

/** What may be said of consent and of runs. */
export const consentFields = {
  decisions: described(decisions, "The answer to each decision, or held, or lost in a crash."),
  requests: described(rows("requests", request), "How many, or all in the order of their numbers."),
  uses: described(rows("uses", use), "How many, or all in the order of their writing."),
  escalations: described(rows("escalations", escalation), "How many, or all in the order of their writing."),
  steps_used: described(stepsUsed, "By run; t2/r1 is a run of another tenant than the usual one."),
};
