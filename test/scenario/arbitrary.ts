import fc from "fast-check";
import {
  type Action,
  type AttemptName,
  auditCauses,
  type Context,
  type CrashWhere,
  checkerStages,
  checkpoints,
  crashPoints,
  type DecisionName,
  type Dispatch,
  type DriverFault,
  decisionFlaws,
  decisionPoints,
  driverStages,
  type Entry,
  type Fault,
  type Json,
  layerActions,
  outputFindings,
  type PolicySetting,
  stageEvents,
  statuses,
} from "../../src/model/vocabulary.js";
import { promiseIds } from "../../src/properties/verdict.js";
import {
  type AttemptExpectation,
  decisionFates,
  type Expectation,
  type LeftBehind,
  type ScenarioContent,
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
  fc.record({
    kind: fc.constant("spoilt_output"),
    as: fc.constantFrom(...outputFindings),
    tries: fc.constantFrom(1, 2, 3),
  }),
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
  fc.record(
    {
      kind: fc.constant("limit"),
      maxCopies: fc.integer({ min: 0, max: 9 }),
      approval: fc.constantFrom("required", "not_required"),
    },
    { requiredKeys: ["kind", "maxCopies"] },
  ),
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

const dispatch: fc.Arbitrary<Dispatch> = fc.record({
  tool: fc.oneof(fc.constantFrom("draft", "create_ticket"), someText),
  step: fc.nat(99),
  replaces: fc.oneof(fc.constant("none"), someText),
  sideEffects: fc.constantFrom("permitted", "not_permitted"),
});

/** In the guarded profile every call goes to a tool. */
function contextIn(profile: string): fc.Arbitrary<Context> {
  return fc.record(
    {
      tenant: fc.oneof(fc.constant("t1"), someText),
      runId: fc.oneof(fc.constant("r1"), someText),
      callId: fc.oneof(fc.constant("c-a1"), someText),
      principal: fc.oneof(fc.constant("p1"), someText),
      dispatch: fc.oneof(
        dispatch,
        fc.constant<Dispatch>({ tool: "draft", step: 0, replaces: "none", sideEffects: "not_permitted" }),
      ),
    },
    {
      requiredKeys: [
        "tenant",
        "runId",
        "callId",
        "principal",
        ...(profile === "guarded" ? (["dispatch"] as const) : []),
      ],
    },
  );
}

function entryOf(
  profile: string,
  attempt: AttemptName,
  earlier: readonly AttemptName[],
): fc.Arbitrary<Entry> {
  const submit: fc.Arbitrary<Entry> = fc.record({
    kind: fc.constant("submit"),
    attempt: fc.constant(attempt),
    request,
    context: contextIn(profile),
    faults: plan,
  });
  if (earlier.length === 0) {
    return submit;
  }
  const of = fc.constantFrom(...earlier);
  return fc.oneof(
    submit,
    fc.record({ kind: fc.constant("retry"), attempt: fc.constant(attempt), of, faults: plan }),
  );
}

/** The first step of an attempt. */
function submission(
  profile: string,
  attempt: AttemptName,
  earlier: readonly AttemptName[],
): fc.Arbitrary<Action> {
  const entry = entryOf(profile, attempt, earlier);
  const killed = fc.record({
    kind: fc.constant("crash"),
    where: fc.record({ kind: fc.constant("entering"), entry, at: fc.constantFrom(...crashPoints) }),
  });
  if (earlier.length === 0) {
    return fc.oneof({ weight: 4, arbitrary: entry }, { weight: 1, arbitrary: killed });
  }
  const of = fc.constantFrom(...earlier);
  return fc.oneof(
    { weight: 4, arbitrary: entry },
    { weight: 1, arbitrary: killed },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom("retry_changed", "resubmit_new_key"),
        attempt: fc.constant(attempt),
        of,
        request,
        faults: plan,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("drive"), attempt: fc.constant(attempt), of }),
    },
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
    control,
  );
}

/** What neither names an attempt nor a decision. */
const control: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant("advance_clock"), by: fc.integer({ min: 1, max: 99 }) }),
  fc.record({
    kind: fc.constant("set_capability"),
    capability: fc.record({
      principal: fc.oneof(fc.constant("p1"), someText),
      tenant: fc.oneof(fc.constant("t1"), someText),
      tool: someText,
      resource: someText,
    }),
    held: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("round_trip"), tampered: fc.boolean() }),
);

/** Up to three decisions under different names, in any order, each followed by steps that name one made so far. */
const decisions: fc.Arbitrary<readonly Action[]> = fc
  .uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 })
  .chain((numbers) => {
    const parts = numbers.map((number, index) => {
      const made: readonly DecisionName[] = numbers.slice(0, index + 1).map((each) => `d${each}` as const);
      const decision = fc.constantFrom(...made);
      const where: fc.Arbitrary<CrashWhere> = fc.record({
        kind: fc.constant("deciding"),
        decision,
        at: fc.constantFrom(...decisionPoints),
      });
      return fc.tuple(
        fc.record({
          kind: fc.constantFrom("approve", "deny", "revoke"),
          decision: fc.constant<DecisionName>(`d${number}`),
          request: fc.integer({ min: 1, max: 9 }),
          flaw: fc.constantFrom(...decisionFlaws),
          pace: fc.constantFrom("at_once", "held"),
        }),
        fc.oneof(
          fc.record({ kind: fc.constant("settle"), decision }),
          fc.record({ kind: fc.constant("crash"), where }),
        ),
      );
    });
    return fc.tuple(...parts).map((pairs) => pairs.flat());
  });

/** Up to four attempts, each followed by steps that name those submitted so far, and then some decisions. */
function actionsIn(profile: string): fc.Arbitrary<readonly Action[]> {
  return fc.integer({ min: 1, max: 4 }).chain((count) => {
    const names: AttemptName[] = Array.from({ length: count }, (_unused, index) => `a${index + 1}` as const);
    const parts = names.map((name, index) => {
      const earlier = names.slice(0, index);
      return fc
        .tuple(submission(profile, name, earlier), fc.array(other([...earlier, name]), { maxLength: 4 }))
        .map(([first, rest]) => [first, ...rest]);
    });
    return fc.tuple(fc.tuple(...parts), decisions).map(([lists, decided]) => [...lists.flat(), ...decided]);
  });
}

/** The attempts that steps submit, in their order. */
function attemptsOf(actions: readonly Action[]): readonly AttemptName[] {
  return actions.flatMap((action) => {
    if (action.kind === "crash" && action.where.kind === "entering") return [action.where.entry.attempt];
    return "faults" in action || action.kind === "drive" ? [action.attempt] : [];
  });
}

function decisionsOf(actions: readonly Action[]): readonly DecisionName[] {
  return actions.flatMap((action) => ("pace" in action ? [action.decision] : []));
}

const json: fc.Arbitrary<Json> = fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value)));

/** Numbers beyond the safe integers have no exact JSON text, so no expectation says them. */
function saysItself(value: Json): boolean {
  const text = JSON.stringify(value);
  return !/\d{16,}|e[+-]?\d/.test(text);
}

const partial = { requiredKeys: [] };
const events = fc.subarray([...stageEvents]);

const layerAction = fc.constantFrom(...layerActions);
const layers = fc.record(
  { schema: layerAction, business: layerAction, capability: layerAction, approval: layerAction },
  partial,
);

const attemptEnds: fc.Arbitrary<Omit<AttemptExpectation, "attempt">> = fc.oneof(
  fc.record(
    {
      outcome: fc.constant("completed"),
      status: fc.constantFrom(...statuses),
      code: someText,
      events,
      effectExists: fc.boolean(),
      receipt: fc.integer({ min: 1, max: 99 }),
      layers,
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

const number = fc.integer({ min: 1, max: 99 });
const digest = fc.stringMatching(/^[0-9a-f]{64}$/);
const ofCall = { tenant: someText, run: someText, call: someText };

/** JavaScript would put keys that are numbers first, and the order means nothing. */
const runName = someText.filter((run) => !/^\d+$/.test(run));

/** What may be said of consent and of runs. */
function consentLeft(decisions: readonly DecisionName[]) {
  const rows = <Row>(row: fc.Arbitrary<Row>) => fc.oneof(fc.nat(9), fc.array(row, { maxLength: 3 }));
  const fates = fc
    .subarray([...decisions])
    .chain((names) =>
      fc.tuple(
        ...names.map((decision) => fc.constantFrom(...decisionFates).map((fate) => ({ decision, fate }))),
      ),
    );
  return fc.record(
    {
      decisions: fates,
      requests: rows(
        fc.record(
          {
            ...ofCall,
            number,
            principal: someText,
            tool: someText,
            digest,
            revision: number,
            role: someText,
            requestedAt: fc.nat(9),
            expiresAt: fc.nat(9),
          },
          partial,
        ),
      ),
      uses: rows(
        fc.record(
          { ...ofCall, tool: someText, digest, request: fc.oneof(number, fc.constant("none" as const)) },
          partial,
        ),
      ),
      escalations: rows(fc.record({ ...ofCall, layer: fc.constantFrom("capability", "output") }, partial)),
      stepsUsed: fc.uniqueArray(fc.record({ run: runName, steps: fc.nat(9) }), {
        selector: ({ run }) => run,
        maxLength: 2,
      }),
    },
    partial,
  );
}

type Names = { readonly attempts: readonly AttemptName[]; readonly decisions: readonly DecisionName[] };

function leftBehind({ attempts, decisions }: Names): fc.Arbitrary<LeftBehind> {
  const receipt = fc.record(
    {
      number: fc.integer({ min: 1, max: 99 }),
      status: fc.constantFrom(...statuses),
      code: someText,
      key: fc.option(anyText),
      effectExists: fc.boolean(),
      events,
      layers,
      run: someText,
      call: someText,
      excludes: fc.array(someText, { maxLength: 2 }),
    },
    partial,
  );
  const effect = fc.record(
    {
      key: fc.oneof(someText, fc.constant(null)),
      tool: someText,
      tenant: someText,
      digest,
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
  const rest = fc.record(
    {
      attempts: ends,
      effects: fc.array(effect, { maxLength: 3 }),
      receipts: fc.oneof(fc.nat(9), fc.array(receipt, { maxLength: 3 })),
      policy: fc.oneof(
        fc.constant({ kind: "missing" } as const),
        fc
          .record(
            {
              revision: fc.integer({ min: 1, max: 9 }),
              maxCopies: fc.integer({ min: 0, max: 9 }),
              approval: fc.constantFrom("required", "not_required"),
            },
            partial,
          )
          .map((said) => ({ kind: "present", ...said }) as const),
      ),
    },
    partial,
  );
  return fc.tuple(rest, consentLeft(decisions)).map(([left, consent]) => ({ ...left, ...consent }));
}

function expectation(names: Names): fc.Arbitrary<Expectation> {
  const more = fc.record(
    {
      anyOf: fc.array(leftBehind(names), { minLength: 1, maxLength: 2 }),
      violates: fc.constantFrom(...promiseIds),
    },
    partial,
  );
  return fc.tuple(leftBehind(names), more).map(([left, rest]) => ({ ...left, ...rest }));
}

/** Everything the format can say. */
export const scenarioContent: fc.Arbitrary<ScenarioContent> = fc
  .constantFrom("ledger", "guarded")
  .chain((profile) => actionsIn(profile).map((actions) => ({ profile, actions })))
  .chain(({ profile, actions }) =>
    fc.record(
      {
        name: someText,
        profile: fc.constant(profile),
        executor: fc.oneof(fc.constantFrom("ledger", "guarded"), someText),
        about: anyText,
        source: anyText,
        notes: anyText,
        policy: setting,
        actions: fc.constant(actions),
        expect: expectation({ attempts: attemptsOf(actions), decisions: decisionsOf(actions) }),
        found: fc.record({ seed: fc.integer(), path: fc.string(), version: fc.string(), date: fc.string() }),
      },
      { requiredKeys: ["name", "profile", "executor", "about", "source", "policy", "actions", "expect"] },
    ),
  );
