import { isMap } from "yaml";
import { auditCauses, type Released, stageEvents, statuses, unknownCauses } from "../model/vocabulary.js";
import { promiseIds } from "../properties/verdict.js";
import { jsonValue } from "./json-value.js";
import {
  byShape,
  described,
  list,
  made,
  type Named,
  named,
  type Place,
  pairsOf,
  type Read,
  type Reader,
  read,
  report,
  seen,
  wrong,
} from "./reader.js";
import { record } from "./record.js";
import { only, text, truth, whole, word } from "./scalars.js";
import {
  type AttemptExpectation,
  type EffectExpectation,
  type Expectation,
  type Fate,
  fates,
  type LeftBehind,
  type PolicyExpectation,
  type ReceiptExpectation,
} from "./scenario.js";
import { attemptName, attemptPattern, isAttemptName, someText } from "./step-format.js";

const events = list(word(stageEvents, "a stage event"), "a list of stage events");
const excluded = list(someText, "a list of texts");
const rowNumber = whole("the number of a receipt, from 1", 1);
const revision = whole("a revision, from 1", 1);

const released: Reader<Released> = {
  ...made(jsonValue, (value) =>
    read<Released>(value === null ? { kind: "nothing" } : { kind: "value", value }),
  ),
  schema: { description: "What reached the caller; null is nothing." },
};

type SaidOfAttempt = Omit<AttemptExpectation, "attempt" | "outcome"> & { readonly outcome?: Fate };

const saidOfAttempt: Reader<SaidOfAttempt> = made(
  record(
    "how the attempt ends",
    {},
    {
      outcome: described(word(fates, "how it ends"), "completed if not written"),
      status: word(statuses, "a status"),
      code: someText,
      events,
      effect_exists: truth,
      released,
      causes: list(word([...auditCauses, ...unknownCauses], "a cause"), "a list of causes"),
      receipt: rowNumber,
      error_excludes: described(excluded, "Texts that the caller's error does not hold."),
    },
  ),
  (said, place) => (fitsOutcome(said, place) ? read(said) : wrong),
);

/** What can be said of an attempt besides its outcome; `released: null` can be said of any. */
const sayable: { readonly [F in Fate]: readonly (keyof SaidOfAttempt)[] } = {
  completed: ["status", "code", "events", "effectExists", "released", "receipt"],
  cancelled: ["errorExcludes"],
  audit_unavailable: ["causes", "events", "errorExcludes"],
  refused: ["errorExcludes"],
  failed: ["errorExcludes"],
  unknown: ["causes", "errorExcludes"],
  lost: [],
  in_flight: [],
};

const fieldsInFile: { readonly [K in keyof SaidOfAttempt]-?: string } = {
  outcome: "outcome",
  status: "status",
  code: "code",
  events: "events",
  effectExists: "effect_exists",
  released: "released",
  causes: "causes",
  receipt: "receipt",
  errorExcludes: "error_excludes",
};

function fitsOutcome(said: SaidOfAttempt, place: Place): boolean {
  const outcome = said.outcome ?? "completed";
  const allowed: readonly string[] = ["outcome", ...sayable[outcome]];
  const releasesNothing = said.released?.kind === "nothing";
  const misplaced = Object.keys(said).filter(
    (key) => !allowed.includes(key) && !(key === "released" && releasesNothing),
  );
  const inFile = Object.entries(fieldsInFile);
  const names = inFile.flatMap(([key, name]) => (misplaced.includes(key) ? [name] : []));
  if (names.length > 0) {
    const known = inFile.flatMap(([key, name]) => (allowed.includes(key) ? [name] : []));
    report(
      place,
      `expected of an attempt that ends ${outcome} only ${known.join(", ")}, seen ${names.join(", ")}`,
    );
  }
  return names.length === 0;
}

/** Attempts by their names; a mapping in a file, a list in code. */
const attempts: Reader<readonly AttemptExpectation[]> = {
  wants: "a mapping from attempts to how they end",
  schema: {
    type: "object",
    propertyNames: { pattern: attemptPattern },
    additionalProperties: saidOfAttempt.schema,
  },
  read: (place) => {
    const { node } = place;
    if (!isMap(node)) {
      return report(place, `expected ${attempts.wants}, seen ${seen(node)}`);
    }
    const all = pairsOf(place, node).map(({ key, at, keyOffset }): Read<AttemptExpectation> => {
      const said = saidOfAttempt.read(at);
      if (!isAttemptName(key)) {
        return report(
          { ...at, offset: keyOffset },
          `expected ${attemptName.wants}, seen ${JSON.stringify(key)}`,
        );
      }
      return said.kind === "read" ? read({ outcome: "completed", ...said.value, attempt: key }) : wrong;
    });
    const sound = all.flatMap((each) => (each.kind === "read" ? [each.value] : []));
    return sound.length === node.items.length ? read(sound) : wrong;
  },
};

const effects: Reader<readonly EffectExpectation[]> = list(
  record(
    "an effect",
    { key: someText },
    {
      tenant: someText,
      digest: text("a SHA-256 in hexadecimal", { pattern: "^[0-9a-f]{64}$" }, (value): value is string =>
        /^[0-9a-f]{64}$/.test(value),
      ),
      body: described(jsonValue, "A text as it is stored, anything else as JSON."),
      revision,
      run: someText,
      call: someText,
    },
  ),
  "the list of all effects",
);

const keyOrNull: Reader<string | null> = {
  wants: "a key, or null",
  schema: { type: ["string", "null"] },
  read: (place) =>
    "value" in place.node && place.node.value === null ? read(null) : text("a key, or null").read(place),
};

const receiptRow: Reader<ReceiptExpectation> = record(
  "a receipt",
  {},
  {
    number: rowNumber,
    status: word(statuses, "a status"),
    code: someText,
    key: keyOrNull,
    effect_exists: truth,
    events,
    run: someText,
    call: someText,
    excludes: described(excluded, "Texts that no column of the row holds."),
  },
);

const receipts: Reader<number | readonly ReceiptExpectation[]> = byShape<
  number | readonly ReceiptExpectation[]
>("how many receipts, or the list of all", {
  scalar: whole("how many receipts there are", 0),
  seq: list(receiptRow, "the list of all receipts"),
});

const policy: Reader<PolicyExpectation> = byShape<PolicyExpectation>(
  "a policy like { revision: 2, max_copies: 1 }, or missing",
  {
    scalar: made(only("missing", "a policy like { revision: 2, max_copies: 1 }, or missing"), (kind) =>
      read<PolicyExpectation>({ kind }),
    ),
    map: made(
      record("a policy", {}, { revision, max_copies: whole("a whole number from 0 to 9", 0, 9) }),
      (said) => read<PolicyExpectation>({ kind: "present", ...said }),
    ),
  },
);

const leftBehindFields = {
  attempts,
  effects: described(effects, "All effects, in the order of key, then tenant."),
  receipts: described(receipts, "How many receipts, or all of them in the order of their numbers."),
  policy,
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
