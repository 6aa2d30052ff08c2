import { nearest } from "../config/nearest.js";
import type { Action } from "../model/vocabulary.js";
import {
  advanceClock,
  deciding,
  drive,
  roundTrip,
  setCapability,
  settle,
  type WrittenStep,
} from "./consent-format.js";
import { where } from "./crash-format.js";
import { resubmit, retry, submit } from "./entry-format.js";
import { driverFault } from "./fault-format.js";
import { attemptName, decisionName } from "./name-format.js";
import { limit, newPolicy } from "./policy-format.js";
import { byShape, described, made, type Named, named, type Reader, read, report, seen } from "./reader.js";
import { oneKey, record } from "./record.js";
import { changeRules, gateFlaw, say } from "./rules-format.js";

function onAttempt(kind: "advance" | "finish" | "cancel" | "expire"): Reader<Action> {
  return made(attemptName, (attempt) => read<Action>({ kind, attempt }));
}

/** `restart` and the like take nothing: bare, or with an empty mapping. */
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

/** Those that may stand without a value. */
const bare = {
  restart: { kind: "restart" },
  observe: { kind: "observe" },
  reconcile: { kind: "reconcile" },
  damage_ledger: { kind: "damage_ledger" },
  gate: { kind: "gate", flaw: "none" },
} as const satisfies { readonly [kind in Action["kind"]]?: Action };

const consentSteps: { readonly [K in ConsentKind]: Reader<WrittenStep> } = {
  approve: described(deciding("approve"), "Someone entitled grants a request, but for its flaw."),
  deny: described(deciding("deny"), "Someone entitled denies a request, but for its flaw."),
  revoke: described(deciding("revoke"), "The same as deny, after a grant."),
  settle: described(settle, "A held decision goes on to its answer."),
  advance_clock: described(advanceClock, "The clock starts at 0 and never moves by itself."),
  set_capability: described(setCapability, "Gives or takes a capability; durable."),
  round_trip: described(
    roundTrip,
    "What waits is written out and restored from that text; a tampered text names something else.",
  ),
  drive: described(drive, "The executor's driver looks at an ended attempt and repeats its call, or rests."),
};

type ConsentKind =
  | "approve"
  | "deny"
  | "revoke"
  | "settle"
  | "advance_clock"
  | "set_capability"
  | "round_trip"
  | "drive";

const withValue: { readonly [K in Action["kind"]]: Reader<WrittenStep> } = {
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
  ...consentSteps,
  crash: described(
    made(where, (at) => read<Action>({ kind: "crash", where: at })),
    "All attempts in flight and all held decisions are lost.",
  ),
  say: described(say, "A turn of the conversation begins."),
  change_rules: described(changeRules, "A whole rule set; a flawed one has to be refused."),
  reconcile: described(takesNothing(bare.reconcile), "Settles from the effects what nobody will settle."),
  damage_ledger: described(
    takesNothing(bare.damage_ledger),
    "No state of a reservation can be read any more.",
  ),
  gate: described(gateFlaw, "The other exit judges a trace of all calls so far."),
  restart: described(takesNothing(bare.restart), "Opens the store again."),
  observe: described(takesNothing(bare.observe), "Reads the store."),
};

/** A bare word that only makes sense with a value is told so. */
const bareSteps: Reader<Action> = {
  wants: "a step without a value",
  schema: { enum: Object.keys(bare) },
  read: (place) => {
    const said = "value" in place.node ? place.node.value : undefined;
    const step = Object.entries(bare).find(([kind]) => kind === said);
    if (step !== undefined) return read(step[1]);
    const meant = typeof said === "string" ? nearest(said, Object.keys(withValue)) : undefined;
    const hint =
      meant === undefined
        ? ""
        : `; did you mean ${Object.hasOwn(bare, meant) ? meant : `{ ${meant}: ... }`}?`;
    return report(place, `expected a step like { advance: a1 }, seen ${seen(place.node)}${hint}`);
  },
};

/** One step of the interleaving. */
export const step: Named<WrittenStep> = named(
  "step",
  byShape<WrittenStep>("a step like { advance: a1 }", {
    scalar: bareSteps,
    map: oneKey("a step", withValue),
  }),
);

/** What stands in `$defs` of the published schema. */
export const stepDefinitions = [attemptName, decisionName, limit, step];
