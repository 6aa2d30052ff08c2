import {
  auditCauses,
  guardLayers,
  layerActions,
  type Released,
  stageEvents,
  statuses,
  unknownCauses,
} from "../model/vocabulary.js";
import { jsonValue } from "./json-value.js";
import { attemptKey, byName, someText } from "./name-format.js";
import { described, list, made, type Place, type Reader, read, report, wrong } from "./reader.js";
import { record } from "./record.js";
import { truth, whole, word } from "./scalars.js";
import { type AttemptExpectation, type Fate, fates, type LayerExpectation } from "./scenario.js";

export const events = list(word(stageEvents, "a stage event"), "a list of stage events");
export const excluded = list(someText, "a list of texts");
export const rowNumber = whole("the number of a receipt, from 1", 1);

const layerAction = word(layerActions, "what the layer answered");
const [schema, business, capability, approval] = guardLayers;

export const layers: Reader<LayerExpectation> = record(
  "what the layers answered",
  {},
  { [schema]: layerAction, [business]: layerAction, [capability]: layerAction, [approval]: layerAction },
);

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
      layers,
      error_excludes: described(excluded, "Texts that the caller's error does not hold."),
    },
  ),
  (said, place) => (fitsOutcome(said, place) ? read(said) : wrong),
);

/** What can be said of an attempt besides its outcome; `released: null` can be said of any. */
const sayable: { readonly [F in Fate]: readonly (keyof SaidOfAttempt)[] } = {
  completed: ["status", "code", "events", "effectExists", "released", "receipt", "layers"],
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
  layers: "layers",
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

/** Attempts by their names. */
export const attempts: Reader<readonly AttemptExpectation[]> = made(
  byName("a mapping from attempts to how they end", attemptKey, saidOfAttempt),
  (all) => read(all.map(([attempt, said]) => ({ outcome: "completed", ...said, attempt }))),
);
