import type { Json } from "../model/vocabulary.js";
import type {
  AttemptExpectation,
  EffectExpectation,
  Expectation,
  LeftBehind,
  PolicyExpectation,
  ReceiptExpectation,
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
    ...given("receipts", typeof receipts === "object" ? receipts.map(receiptTree) : receipts),
    ...given("policy", policy && policyTree(policy)),
  };
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
    ...given("error_excludes", said.errorExcludes),
  };
}

function effectTree({ key, tenant, digest, body, revision, run, call }: EffectExpectation): Tree {
  return {
    key,
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
    ...given("run", said.run),
    ...given("call", said.call),
    ...given("excludes", said.excludes),
  };
}

function policyTree(policy: PolicyExpectation): Json {
  return policy.kind === "missing"
    ? "missing"
    : { ...given("revision", policy.revision), ...given("max_copies", policy.maxCopies) };
}
