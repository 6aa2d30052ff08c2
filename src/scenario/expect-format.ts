import { reservationStates, statuses } from "../model/vocabulary.js";
import { promiseIds } from "../properties/verdict.js";
import { attempts, events, excluded, layers, rowNumber } from "./attempt-expect-format.js";
import { consentFields, digest, rows } from "./consent-expect-format.js";
import { jsonValue } from "./json-value.js";
import { someText } from "./name-format.js";
import { approvalRule, copies } from "./policy-format.js";
import { byShape, described, list, made, type Named, named, type Reader, read } from "./reader.js";
import { record } from "./record.js";
import { only, text, truth, whole, word } from "./scalars.js";
import type {
  EffectExpectation,
  Expectation,
  LeftBehind,
  PolicyExpectation,
  ReceiptExpectation,
  ReservationExpectation,
} from "./scenario.js";

const revision = whole("a revision, from 1", 1);

/** `null` where there is no key. */
function orNull(key: Reader<string>): Reader<string | null> {
  return {
    wants: key.wants,
    schema: { ...key.schema, type: ["string", "null"] },
    read: (place) => ("value" in place.node && place.node.value === null ? read(null) : key.read(place)),
  };
}

const effects: Reader<readonly EffectExpectation[]> = list(
  record(
    "an effect",
    { key: described(orNull(someText), "null for a tool without a business key") },
    {
      tool: someText,
      tenant: someText,
      digest,
      body: described(jsonValue, "A text as it is stored, anything else as JSON."),
      revision,
      run: someText,
      call: someText,
    },
  ),
  "the list of all effects",
);

const receiptRow: Reader<ReceiptExpectation> = record(
  "a receipt",
  {},
  {
    number: rowNumber,
    status: word(statuses, "a status"),
    code: someText,
    key: orNull(text("a key, or null")),
    effect_exists: truth,
    events,
    layers,
    run: someText,
    call: someText,
    excludes: described(excluded, "Texts that no column of the row holds."),
  },
);

const receipts: Reader<number | readonly ReceiptExpectation[]> = rows("receipts", receiptRow);

const policy: Reader<PolicyExpectation> = byShape<PolicyExpectation>(
  "a policy like { revision: 2, max_copies: 1 }, or missing",
  {
    scalar: made(only("missing", "a policy like { revision: 2, max_copies: 1 }, or missing"), (kind) =>
      read<PolicyExpectation>({ kind }),
    ),
    map: made(record("a policy", {}, { revision, max_copies: copies, approval: approvalRule }), (said) =>
      read<PolicyExpectation>({ kind: "present", ...said }),
    ),
  },
);

const reservation: Reader<ReservationExpectation> = record(
  "a reservation",
  { key: someText },
  { tenant: someText, state: word(reservationStates, "the state of a reservation") },
);

const leftBehindFields = {
  attempts,
  effects: described(effects, "All effects, in the order of key, then tenant, then tool."),
  receipts: described(receipts, "How many receipts, or all of them in the order of their numbers."),
  policy,
  reservations: described(
    rows("reservations", reservation),
    "How many keys are reserved, or all of them in the order of tenant and key.",
  ),
  gates: described(
    list(list(someText, "a verdict for each call"), "the verdicts of each step gate"),
    "What each step gate was told, call by call.",
  ),
  ...consentFields,
};

const leftBehind: Named<LeftBehind> = named(
  "leftBehind",
  record("what is left behind", {}, leftBehindFields),
);

/** What a scenario expects of its steps. */
export const expectation: Named<Expectation> = named(
  "expectation",
  record(
    "what is expected",
    {},
    {
      ...leftBehindFields,
      any_of: described(
        list(leftBehind, "a list of what may be left behind", 1),
        "At least one of these holds.",
      ),
      violates: described(word(promiseIds, "a promise"), "The promise that the executor breaks here."),
    },
  ),
);

/** What stands in `$defs` of the published schema. */
export const expectDefinitions = [leftBehind, expectation];
