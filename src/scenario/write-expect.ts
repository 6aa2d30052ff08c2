import { guardLayers, type Json } from "../model/vocabulary.js";
import type {
  AttemptExpectation,
  EffectExpectation,
  EscalationExpectation,
  Expectation,
  LayerExpectation,
  LeftBehind,
  PolicyExpectation,
  ReceiptExpectation,
  RequestExpectation,
  ReservationExpectation,
  UseExpectation,
} from "./scenario.js";
import { given, type Tree } from "./write-parts.js";

/** An expectation as it stands in a file. */
export function expectTree(expect: Expectation): Tree {
  return {
    ...leftBehindTree(expect),
    ...given("any_of", expect.anyOf?.map(leftBehindTree)),
    ...given("violates", expect.violates),
  };
}

function leftBehindTree(expect: LeftBehind): Tree {
  const { attempts, effects, receipts, policy } = expect;
  return {
    ...given(
      "attempts",
      attempts && Object.fromEntries(attempts.map((each) => [each.attempt, attemptTree(each)])),
    ),
    ...given("effects", effects?.map(effectTree)),
    ...given("receipts", rowsTree(receipts, receiptTree)),
    ...given("policy", policy && policyTree(policy)),
    ...given("reservations", rowsTree(expect.reservations, reservationTree)),
    ...given("gates", expect.gates),
    ...consentTree(expect),
  };
}

function consentTree({ decisions, requests, uses, escalations, stepsUsed }: LeftBehind): Tree {
  return {
    ...given(
      "decisions",
      decisions && Object.fromEntries(decisions.map(({ decision, fate }) => [decision, fate])),
    ),
    ...given("requests", rowsTree(requests, requestTree)),
    ...given("uses", rowsTree(uses, useTree)),
    ...given("escalations", rowsTree(escalations, escalationTree)),
    ...given("steps_used", stepsUsed && Object.fromEntries(stepsUsed.map(({ run, steps }) => [run, steps]))),
  };
}

function reservationTree({ key, tenant, state }: ReservationExpectation): Tree {
  return { key, ...given("tenant", tenant), ...given("state", state) };
}

function rowsTree<Row>(
  rows: number | readonly Row[] | undefined,
  tree: (row: Row) => Tree,
): Json | undefined {
  return typeof rows === "object" ? rows.map(tree) : rows;
}

function attemptTree(said: AttemptExpectation): Tree {
  const { released } = said;
  return {
    ...given("outcome", said.outcome === "completed" ? undefined : said.outcome),
    ...given("status", said.status),
    ...given("code", said.code),
    ...given("events", said.events),
    ...given("effect_exists", said.effectExists),
    ...given("released", released && (released.kind === "value" ? released.value : null)),
    ...given("causes", said.causes),
    ...given("receipt", said.receipt),
    ...given("layers", said.layers && layersTree(said.layers)),
    ...given("error_excludes", said.errorExcludes),
  };
}

function layersTree(layers: LayerExpectation): Tree {
  return Object.fromEntries(
    guardLayers.flatMap((layer) => {
      const action = layers[layer];
      return action === undefined ? [] : [[layer, action]];
    }),
  );
}

function effectTree({ key, tool, tenant, digest, body, revision, run, call }: EffectExpectation): Tree {
  return {
    key,
    ...given("tool", tool),
    ...given("tenant", tenant),
    ...given("digest", digest),
    ...given("body", body),
    ...given("revision", revision),
    ...given("run", run),
    ...given("call", call),
  };
}

function receiptTree(said: ReceiptExpectation): Tree {
  return {
    ...given("number", said.number),
    ...given("status", said.status),
    ...given("code", said.code),
    ...given("key", said.key),
    ...given("effect_exists", said.effectExists),
    ...given("events", said.events),
    ...given("layers", said.layers && layersTree(said.layers)),
    ...given("run", said.run),
    ...given("call", said.call),
    ...given("excludes", said.excludes),
  };
}

function requestTree(said: RequestExpectation): Tree {
  return {
    ...given("number", said.number),
    ...callTree(said),
    ...given("principal", said.principal),
    ...given("tool", said.tool),
    ...given("digest", said.digest),
    ...given("revision", said.revision),
    ...given("role", said.role),
    ...given("requested_at", said.requestedAt),
    ...given("expires_at", said.expiresAt),
  };
}

function useTree(said: UseExpectation): Tree {
  return {
    ...callTree(said),
    ...given("tool", said.tool),
    ...given("digest", said.digest),
    ...given("request", said.request),
  };
}

function escalationTree(said: EscalationExpectation): Tree {
  return { ...callTree(said), ...given("layer", said.layer) };
}

function callTree({ tenant, run, call }: UseExpectation): Tree {
  return { ...given("tenant", tenant), ...given("run", run), ...given("call", call) };
}

function policyTree(policy: PolicyExpectation): Json {
  return policy.kind === "missing"
    ? "missing"
    : {
        ...given("revision", policy.revision),
        ...given("max_copies", policy.maxCopies),
        ...given("approval", policy.approval),
      };
}
