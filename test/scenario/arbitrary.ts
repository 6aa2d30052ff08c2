import fc from "fast-check";
import {
  type Action,
  type AttemptName,
  auditCauses,
  checkerStages,
  checkpoints,
  crashPoints,
  type DriverFault,
  driverStages,
  type Fault,
  type Json,
  type PolicySetting,
  stageEvents,
  statuses,
} from "../../src/model/vocabulary.js";
import { promiseIds } from "../../src/properties/verdict.js";
import type {
  AttemptExpectation,
  Expectation,
  LeftBehind,
  ScenarioContent,
} from "../../src/scenario/scenario.js";
import { isDriverFault, stageOf } from "../../src/sut/fault-kinds.js";

/** Any text that is a sequence of characters; half a surrogate pair cannot be written to a file. */
const anyText = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
const someText = anyText.filter((text) => text !== "");

const driverFault: fc.Arbitrary<DriverFault> = fc.oneof(
  fc.constantFrom("receipt_ignored", "receipt_aborted", "effect_ignored").map((kind) => ({ kind }) as const),
  fc.record({
    kind: fc.constantFrom("busy", "commit_refused", "disk_full", "read_only"),
    stage: fc.constantFrom(...driverStages),
  }),
);

const fault: fc.Arbitrary<Fault> = fc.oneof(
  driverFault,
  fc.record({
    kind: fc.constantFrom("checker_throws", "checker_rejects_falsy", "checker_hangs", "checker_garbled"),
    stage: fc.constantFrom(...checkerStages),
  }),
  fc.record({ kind: fc.constant("throw_at"), at: fc.constantFrom(...checkpoints, ...crashPoints) }),
  fc.constant({ kind: "bad_output" } as const),
);

/** At most one fault of the store for each stage. */
const plan = fc.array(fault, { maxLength: 4 }).map((faults) =>
  faults.filter((each, index) => {
    const stage = isDriverFault(each) ? stageOf(each) : undefined;
    return !faults
      .slice(0, index)
      .some((other) => stage !== undefined && isDriverFault(other) && stageOf(other) === stage);
  }),
);

const setting: fc.Arbitrary<PolicySetting> = fc.oneof(
  fc.constant({ kind: "remove" } as const),
  fc.integer({ min: 0, max: 9 }).map((maxCopies) => ({ kind: "limit", maxCopies }) as const),
);

/** Well-formed requests, JSON of any kind, and what is no JSON at all. */
const request = fc.oneof(
  fc
    .record({ job: fc.string(), topic: anyText, copies: fc.oneof(fc.integer(), fc.double(), fc.boolean()) })
    .map((args) => JSON.stringify(args)),
  fc.json(),
  fc.json({ stringUnit: "binary", depthSize: "large" }),
  fc.constantFrom(
    '{"copies":1e21}',
    '{"a":-0}',
    '{"2":1,"1":2}',
    '{"1":2,"2":1}',
    '{"__proto__":{"a":1}}',
    '{"a":1,"a":2}',
    '{"a": 1}',
  ),
  fc.constantFrom(
    '{"a":0.1}',
    '{"<<":{"b":1}}',
    '{"a":"\\n"}',
    '{"a":"yes","b":"0x1F","c":"~","":"","d":" e "}',
    "{}",
    "null",
    "",
  ),
  anyText,
);

const context = fc.record({
  tenant: fc.oneof(fc.constant("t1"), someText),
  runId: fc.oneof(fc.constant("r1"), someText),
  callId: fc.oneof(fc.constant("c-a1"), someText),
  principal: fc.oneof(fc.constant("p1"), someText),
});

function submission(attempt: AttemptName, earlier: readonly AttemptName[]): fc.Arbitrary<Action> {
  const submit = fc.record({
    kind: fc.constant("submit"),
    attempt: fc.constant(attempt),
    request,
    context,
    faults: plan,
  });
  if (earlier.length === 0) {
    return submit;
  }
  const of = fc.constantFrom(...earlier);
  return fc.oneof(
    submit,
    fc.record({ kind: fc.constant("retry"), attempt: fc.constant(attempt), of, faults: plan }),
    fc.record({
      kind: fc.constantFrom("retry_changed", "resubmit_new_key"),
      attempt: fc.constant(attempt),
      of,
      request,
      faults: plan,
    }),
  );
}

function other(earlier: readonly AttemptName[]): fc.Arbitrary<Action> {
  const attempt = fc.constantFrom(...earlier);
  return fc.oneof(
    fc.record({ kind: fc.constantFrom("advance", "finish", "cancel", "expire"), attempt }),
    fc.record({ kind: fc.constant("change_policy"), to: setting }),
    fc.record({ kind: fc.constantFrom("arm", "disarm"), fault: driverFault }),
    fc.constant({ kind: "crash", where: { kind: "parked" } } as const),
    fc.record({
      kind: fc.constant("crash"),
      where: fc.record({ kind: fc.constant("at"), attempt, at: fc.constantFrom(...crashPoints) }),
    }),
    fc.constantFrom({ kind: "restart" } as const, { kind: "observe" } as const),
  );
}

/** Up to four attempts, each followed by steps that name those submitted so far. */
const actions: fc.Arbitrary<readonly Action[]> = fc.integer({ min: 1, max: 4 }).chain((count) => {
  const names: AttemptName[] = Array.from({ length: count }, (_unused, index) => `a${index + 1}` as const);
  const parts = names.map((name, index) => {
    const earlier = names.slice(0, index);
    return fc
      .tuple(submission(name, earlier), fc.array(other([...earlier, name]), { maxLength: 4 }))
      .map(([first, rest]) => [first, ...rest]);
  });
  return fc.tuple(...parts).map((lists) => lists.flat());
});

const json: fc.Arbitrary<Json> = fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value)));

/** Numbers beyond the safe integers have no exact JSON text, so no expectation says them. */
function saysItself(value: Json): boolean {
  const text = JSON.stringify(value);
  return !/\d{16,}|e[+-]?\d/.test(text);
}

const partial = { requiredKeys: [] };
const events = fc.subarray([...stageEvents]);

const attemptEnds: fc.Arbitrary<Omit<AttemptExpectation, "attempt">> = fc.oneof(
  fc.record(
    {
      outcome: fc.constant("completed"),
      status: fc.constantFrom(...statuses),
      code: someText,
      events,
      effectExists: fc.boolean(),
      receipt: fc.integer({ min: 1, max: 99 }),
      released: fc.oneof(
        fc.constant({ kind: "nothing" } as const),
        json
          .filter((value) => value !== null && saysItself(value))
          .map((value) => ({ kind: "value", value }) as const),
      ),
    },
    { requiredKeys: ["outcome"] },
  ),
  fc.record(
    {
      outcome: fc.constant("audit_unavailable"),
      causes: fc.subarray([...auditCauses]),
      events,
      errorExcludes: fc.array(someText),
    },
    { requiredKeys: ["outcome"] },
  ),
  fc.constantFrom("lost", "in_flight", "cancelled", "unknown").map((outcome) => ({ outcome })),
);

function leftBehind(attempts: readonly AttemptName[]): fc.Arbitrary<LeftBehind> {
  const receipt = fc.record(
    {
      number: fc.integer({ min: 1, max: 99 }),
      status: fc.constantFrom(...statuses),
      code: someText,
      key: fc.option(anyText),
      effectExists: fc.boolean(),
      events,
      run: someText,
      call: someText,
      excludes: fc.array(someText, { maxLength: 2 }),
    },
    partial,
  );
  const effect = fc.record(
    {
      key: someText,
      tenant: someText,
      digest: fc.stringMatching(/^[0-9a-f]{64}$/),
      body: json.filter(saysItself),
      revision: fc.integer({ min: 1, max: 9 }),
      run: someText,
      call: someText,
    },
    { requiredKeys: ["key"] },
  );
  const ends = fc
    .subarray([...attempts])
    .chain((names) => fc.tuple(...names.map((attempt) => attemptEnds.map((end) => ({ ...end, attempt })))));
  return fc.record(
    {
      attempts: ends,
      effects: fc.array(effect, { maxLength: 3 }),
      receipts: fc.oneof(fc.nat(9), fc.array(receipt, { maxLength: 3 })),
      policy: fc.oneof(
        fc.constant({ kind: "missing" } as const),
        fc
          .record(
            { revision: fc.integer({ min: 1, max: 9 }), maxCopies: fc.integer({ min: 0, max: 9 }) },
            partial,
          )
          .map((said) => ({ kind: "present", ...said }) as const),
      ),
    },
    partial,
  );
}

function expectation(attempts: readonly AttemptName[]): fc.Arbitrary<Expectation> {
  const more = fc.record(
    {
      anyOf: fc.array(leftBehind(attempts), { minLength: 1, maxLength: 2 }),
      violates: fc.constantFrom(...promiseIds),
    },
    partial,
  );
  return fc.tuple(leftBehind(attempts), more).map(([left, rest]) => ({ ...left, ...rest }));
}

/** Everything the format can say. */
export const scenarioContent: fc.Arbitrary<ScenarioContent> = actions.chain((list) =>
  fc.record(
    {
      name: someText,
      profile: fc.constantFrom("ledger", "guarded"),
      executor: fc.oneof(fc.constant("ledger"), someText),
      about: anyText,
      source: anyText,
      notes: anyText,
      policy: setting,
      actions: fc.constant(list),
      expect: expectation(list.flatMap((action) => ("faults" in action ? [action.attempt] : []))),
      found: fc.record({ seed: fc.integer(), path: fc.string(), version: fc.string(), date: fc.string() }),
    },
    { requiredKeys: ["name", "profile", "executor", "about", "source", "policy", "actions", "expect"] },
  ),
);
