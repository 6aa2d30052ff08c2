import type { Action, Context, Dispatch, Entry } from "../model/vocabulary.js";
import { defaultCall, defaultDispatch, defaultPrincipal, defaultRun, defaultTenant } from "./dispatch.js";
import { faultPlan } from "./fault-format.js";
import { jsonObjectText } from "./json-value.js";
import { attemptName, someText } from "./name-format.js";
import { described, made, type Place, type Read, type Reader, read, report } from "./reader.js";
import { oneKey, record } from "./record.js";
import { text, whole, word } from "./scalars.js";

const request = {
  args: described(jsonObjectText, "The arguments; sent as compact JSON text, keys in this order."),
  args_text: described(text("a text"), "The arguments as raw JSON text, which may be anything."),
};

const requestOnce = { oneOf: [{ required: ["args"] }, { required: ["args_text"] }] };

/** Exactly one of `args` and `args_text`. */
function requestOf<A>(
  said: { readonly args?: string; readonly argsText?: string },
  place: Place,
  make: (request: string) => A,
): Read<A> {
  if (said.args !== undefined && said.argsText !== undefined) {
    return report(place, "expected either args or args_text, seen both");
  }
  const text = said.args ?? said.argsText;
  return text === undefined ? report(place, "expected args or args_text, seen neither") : read(make(text));
}

const whoAndWhere = { tenant: someText, run: someText, call: someText, principal: someText };

const dispatch = {
  tool: described(someText, `${defaultDispatch.tool} if not written`),
  step: described(whole("the place in its run, from 0", 0, 99), "0 if not written"),
  replaces: described(someText, "The call id whose place this call takes; none if not written."),
  side_effects: described(
    word(["permitted", "not_permitted"], "whether side effects are permitted"),
    `${defaultDispatch.sideEffects} if not written`,
  ),
};

/** What is said of a call's dispatch, completed; nothing where nothing is said. */
function dispatchOf(said: Partial<Dispatch>): Pick<Context, "dispatch"> {
  const { tool, step, replaces, sideEffects } = said;
  if ([tool, step, replaces, sideEffects].every((part) => part === undefined)) return {};
  return {
    dispatch: {
      tool: tool ?? defaultDispatch.tool,
      step: step ?? defaultDispatch.step,
      replaces: replaces ?? defaultDispatch.replaces,
      sideEffects: sideEffects ?? defaultDispatch.sideEffects,
    },
  };
}

/** A new call, still without the dispatch that its profile may have for every call. */
export const submit: Reader<Entry> = made(
  record(
    "an attempt and its arguments",
    { attempt: attemptName },
    { ...request, ...dispatch, ...whoAndWhere, faults: faultPlan },
  ),
  (said, place) =>
    requestOf(
      said,
      place,
      (text): Entry => ({
        kind: "submit",
        attempt: said.attempt,
        request: text,
        context: {
          tenant: said.tenant ?? defaultTenant,
          runId: said.run ?? defaultRun,
          callId: said.call ?? defaultCall(said.attempt),
          principal: said.principal ?? defaultPrincipal,
          ...dispatchOf(said),
        },
        faults: said.faults ?? [],
      }),
    ),
  requestOnce,
);

export const retry: Reader<Entry> = made(
  record(
    "a new attempt of an earlier one's call",
    { attempt: attemptName, of: attemptName },
    { faults: faultPlan },
  ),
  ({ attempt, of, faults }) => read<Entry>({ kind: "retry", attempt, of, faults: faults ?? [] }),
);

/** An attempt that may be killed on its way in. */
export const entry: Reader<Entry> = oneKey("a submit or a retry", { submit, retry });

/** The same intent again, with other arguments. */
export function resubmit(kind: "retry_changed" | "resubmit_new_key"): Reader<Action> {
  return made(
    record(
      "a new attempt, the earlier one and other arguments",
      { attempt: attemptName, of: attemptName },
      { ...request, faults: faultPlan },
    ),
    (said, place) =>
      requestOf(
        said,
        place,
        (text): Action => ({
          kind,
          attempt: said.attempt,
          of: said.of,
          request: text,
          faults: said.faults ?? [],
        }),
      ),
    requestOnce,
  );
}
