import { isJsonObject, readRequestText } from "../contract/request-text.js";
import type { Action } from "../model/vocabulary.js";
import { contextFields, type Simpler, simplerActions } from "./minimise-simplify.js";

/**
 * The neighbours in which one value is simpler in every submission that has it: a failure that needs two attempts
 * of one tenant, or on one key, is lost as soon as one of the two is changed alone.
 */
export const smallerThroughout = (
  actions: readonly Action[],
  simpler: Simpler,
): readonly (readonly Action[])[] => {
  const steps = actions.flatMap((action, index) =>
    simplerActions(action, simpler).flatMap((after) =>
      editsBetween(action, after).map((edit) => ({ edit, index, after })),
    ),
  );
  return shared(steps).map((group) => {
    const afters = new Map(group.map(({ index, after }) => [index, after]));
    return actions.map((action, index) => afters.get(index) ?? action);
  });
};

/** `edit` names what a step replaces by what; it is the same text for the same step of another action. */
type Step = { readonly edit: string; readonly index: number; readonly after: Action };

/** Groups of several steps with one edit, in the order in which the edits were found. */
const shared = (steps: readonly Step[]): readonly (readonly Step[])[] =>
  [...new Set(steps.map(({ edit }) => edit))]
    .map((edit) => steps.filter((step) => step.edit === edit))
    .filter((group) => group.length > 1);

/** The edit that tells `after` from `before`, if it replaces one value of the context or of the request. */
const editsBetween = (before: Action, after: Action): readonly string[] => {
  const edits = [...contextEdits(before, after), ...requestEdits(before, after)];
  return edits.length === 1 ? edits : [];
};

const contextEdits = (before: Action, after: Action): readonly string[] =>
  before.kind === "submit" && after.kind === "submit"
    ? contextFields
        .filter((field) => before.context[field] !== after.context[field])
        .map((field) => JSON.stringify([field, before.context[field], after.context[field]]))
    : [];

const requestEdits = (before: Action, after: Action): readonly string[] => {
  if (!("request" in before && "request" in after)) return [];
  // A decision names its request by a number.
  if (typeof before.request === "number" || typeof after.request === "number") return [];
  const from = fieldsOf(before.request);
  const to = fieldsOf(after.request);
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((name) => from.get(name) !== to.get(name))
    .map((name) => JSON.stringify([name, from.get(name), to.get(name)]));
};

/** Each property of a request's object, its value as JSON text; none of a request that is no object. */
const fieldsOf = (request: string): ReadonlyMap<string, string> => {
  const text = readRequestText(request);
  if (text.kind === "not_json" || !isJsonObject(text.value)) return new Map();
  return new Map(Object.entries(text.value).map(([name, value]) => [name, JSON.stringify(value)]));
};
