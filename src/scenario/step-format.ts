import { nearest } from "../config/nearest.js";
import {
  type Action,
  type AttemptName,
  type CrashWhere,
  crashPoints,
  type PolicySetting,
} from "../model/vocabulary.js";
import { driverFault, faultPlan } from "./fault-format.js";
import { jsonObjectText } from "./json-value.js";
import {
  byShape,
  described,
  made,
  type Named,
  named,
  type Place,
  type Read,
  type Reader,
  read,
  report,
  seen,
} from "./reader.js";
import { oneKey, record } from "./record.js";
import { only, text, whole, word } from "./scalars.js";

export const defaultTenant = "t1";
export const defaultRun = "r1";
export const defaultPrincipal = "p1";

/** The call id of an attempt whose submit names none. */
export function defaultCall(attempt: AttemptName): string {
  return `c-${attempt}`;
}

export const attemptPattern = "^a[1-9][0-9]{0,5}$";

export function isAttemptName(name: string): name is AttemptName {
  return new RegExp(attemptPattern).test(name);
}

export const attemptName: Named<AttemptName> = named(
  "attempt",
  text("the name of an attempt (a1, a2, ...)", { pattern: attemptPattern }, isAttemptName),
);

export const someText = text(
  "a text that is not empty",
  { minLength: 1 },
  (value): value is string => value !== "",
);

const limit: Named<PolicySetting> = named(
  "limit",
  made(
    record("a policy like { max_copies: 3 }", { max_copies: whole("a whole number from 0 to 9", 0, 9) }, {}),
    ({ maxCopies }) => read<PolicySetting>({ kind: "limit", maxCopies }),
  ),
);

/** The policy at the start. */
export const startPolicy: Reader<PolicySetting> = byShape("a policy like { max_copies: 3 }, or missing", {
  scalar: made(only("missing", "a policy like { max_copies: 3 }, or missing"), () =>
    read<PolicySetting>({ kind: "remove" }),
  ),
  map: limit,
});

const newPolicy: Reader<PolicySetting> = byShape("a policy like { max_copies: 1 }, or remove", {
  scalar: made(only("remove", "a policy like { max_copies: 1 }, or remove"), () =>
    read<PolicySetting>({ kind: "remove" }),
  ),
  map: limit,
});

const where: Reader<CrashWhere> = byShape("parked, or like { attempt: a1, at: after_commit }", {
  scalar: made(only("parked", "parked, or like { attempt: a1, at: after_commit }"), () =>
    read<CrashWhere>({ kind: "parked" }),
  ),
  map: made(
    record(
      "an attempt and the point at which it is killed",
      { attempt: attemptName, at: word(crashPoints, "a crash point") },
      {},
    ),
    ({ attempt, at }) => read<CrashWhere>({ kind: "at", attempt, at }),
  ),
});

const request = {
  args: described(jsonObjectText, "The arguments; sent as compact JSON text, keys in this order."),
  args_text: described(text("a text"), "The arguments as raw JSON text, which may be anything."),
};

const requestOnce = { oneOf: [{ required: ["args"] }, { required: ["args_text"] }] };

/** Exactly one of `args` and `args_text`. */
function requestOf(
  said: { readonly args?: string; readonly argsText?: string },
  place: Place,
  make: (request: string) => Action,
): Read<Action> {
  if (said.args !== undefined && said.argsText !== undefined) {
    return report(place, "expected either args or args_text, seen both");
  }
  const request = said.args ?? said.argsText;
  return request === undefined
    ? report(place, "expected args or args_text, seen neither")
    : read(make(request));
}

const submit = made(
  record(
    "an attempt and its arguments",
    { attempt: attemptName },
    { ...request, tenant: someText, run: someText, call: someText, principal: someText, faults: faultPlan },
  ),
  (said, place) =>
    requestOf(said, place, (request) => ({
      kind: "submit",
      attempt: said.attempt,
      request,
      context: {
        tenant: said.tenant ?? defaultTenant,
        runId: said.run ?? defaultRun,
        callId: said.call ?? defaultCall(said.attempt),
        principal: said.principal ?? defaultPrincipal,
      },
      faults: said.faults ?? [],
    })),
  requestOnce,
);

const retry = made(
  record(
    "a new attempt of an earlier one's call",
    { attempt: attemptName, of: attemptName },
    { faults: faultPlan },
  ),
  ({ attempt, of, faults }) => read<Action>({ kind: "retry", attempt, of, faults: faults ?? [] }),
);

function resubmit(kind: "retry_changed" | "resubmit_new_key"): Reader<Action> {
  return made(
    record(
      "a new attempt, the earlier one and other arguments",
      { attempt: attemptName, of: attemptName },
      { ...request, faults: faultPlan },
    ),
    (said, place) =>
      requestOf(said, place, (request) => ({
        kind,
        attempt: said.attempt,
        of: said.of,
        request,
        faults: said.faults ?? [],
      })),
    requestOnce,
  );
}

function onAttempt(kind: "advance" | "finish" | "cancel" | "expire"): Reader<Action> {
  return made(attemptName, (attempt) => read<Action>({ kind, attempt }));
}

/** `restart` and `observe` take nothing: bare, or with an empty mapping. */
function takesNothing(action: Action): Reader<Action> {
  const empty = record("nothing", {}, {});
  return {
    wants: "nothing",
    schema: { anyOf: [empty.schema, { type: "null" }] },
    read: (place) => {
      const isEmpty = "value" in place.node && place.node.value === null;
      return isEmpty || empty.read(place).kind === "read" ? read(action) : { kind: "wrong" };
    },
  };
}

const restart: Action = { kind: "restart" };
const observe: Action = { kind: "observe" };

const withValue: { readonly [K in Action["kind"]]: Reader<Action> } = {
  submit: described(submit, "A new call: its attempt runs to its first checkpoint or its end."),
  retry: described(retry, "A new attempt of the same call with the same request."),
  retry_changed: described(resubmit("retry_changed"), "A new attempt of the same call with other arguments."),
  resubmit_new_key: described(
    resubmit("resubmit_new_key"),
    "A new call for the same intent under another key.",
  ),
  advance: described(onAttempt("advance"), "To its next checkpoint, or its end."),
  finish: described(onAttempt("finish"), "To its end."),
  cancel: described(onAttempt("cancel"), "Requests a cancel, delivered when the attempt next moves."),
  expire: described(onAttempt("expire"), "Ends the wait for a checker that hangs."),
  change_policy: described(
    made(newPolicy, (to) => read<Action>({ kind: "change_policy", to })),
    "Always a new revision; a removal takes none.",
  ),
  arm: described(
    made(driverFault, (fault) => read<Action>({ kind: "arm", fault })),
    "From here on for every attempt.",
  ),
  disarm: described(
    made(driverFault, (fault) => read<Action>({ kind: "disarm", fault })),
    "Ends what was armed.",
  ),
  crash: described(
    made(where, (at) => read<Action>({ kind: "crash", where: at })),
    "All attempts in flight are lost.",
  ),
  restart: described(takesNothing(restart), "Opens the store again."),
  observe: described(takesNothing(observe), "Reads the store."),
};

/** A bare word that only makes sense with a value is told so. */
const bareSteps: Reader<Action> = {
  wants: "restart or observe",
  schema: { enum: ["restart", "observe"] },
  read: (place) => {
    const said = "value" in place.node ? place.node.value : undefined;
    if (said === "restart" || said === "observe") {
      return read(said === "restart" ? restart : observe);
    }
    const meant = typeof said === "string" ? nearest(said, Object.keys(withValue)) : undefined;
    const hint =
      meant === undefined
        ? ""
        : `; did you mean ${withoutValue.includes(meant) ? meant : `{ ${meant}: ... }`}?`;
    return report(place, `expected a step like { advance: a1 }, seen ${seen(place.node)}${hint}`);
  },
};

const withoutValue: readonly string[] = ["restart", "observe"];

/** One step of the interleaving. */
export const step: Named<Action> = named(
  "step",
  byShape<Action>("a step like { advance: a1 }", { scalar: bareSteps, map: oneKey("a step", withValue) }),
);

/** What stands in `$defs` of the published schema. */
export const stepDefinitions = [attemptName, limit, step];
