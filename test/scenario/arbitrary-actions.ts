import fc from "fast-check";
import {
  type Action,
  type AttemptName,
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
  outputFindings,
  type PolicySetting,
  type RuleClaim,
  type RuleWord,
  ruleFlaws,
  traceFlaws,
} from "../../src/model/vocabulary.js";
import { isDriverFault, stageOf } from "../../src/sut/fault-kinds.js";

/** Any text that is a sequence of characters; half a surrogate pair cannot be written to a file. */
export const anyText = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
export const someText = anyText.filter((text) => text !== "");

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

export const setting: fc.Arbitrary<PolicySetting> = fc.oneof(
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

const claim: fc.Arbitrary<RuleClaim> = fc.oneof(
  fc.constantFrom("idempotent", "forbid", "allow_others").map((kind) => ({ kind }) as const),
  fc.record({ kind: fc.constant("budget"), most: fc.nat(99) }),
);

const rule: fc.Arbitrary<RuleWord> = fc.record({
  name: someText,
  saidAny: fc.array(someText, { maxLength: 3 }),
  fromTurn: fc.nat(9),
  claim,
});

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
  fc.record({ kind: fc.constant("say"), text: anyText }),
  fc.record({
    kind: fc.constant("change_rules"),
    to: fc.array(rule, { maxLength: 3 }),
    flaw: fc.constantFrom(...ruleFlaws),
  }),
  fc.record({ kind: fc.constant("gate"), flaw: fc.constantFrom(...traceFlaws) }),
  fc.constantFrom({ kind: "reconcile" } as const, { kind: "damage_ledger" } as const),
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
export function actionsIn(profile: string): fc.Arbitrary<readonly Action[]> {
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
export function attemptsOf(actions: readonly Action[]): readonly AttemptName[] {
  return actions.flatMap((action) => {
    if (action.kind === "crash" && action.where.kind === "entering") return [action.where.entry.attempt];
    return "faults" in action || action.kind === "drive" ? [action.attempt] : [];
  });
}

export function decisionsOf(actions: readonly Action[]): readonly DecisionName[] {
  return actions.flatMap((action) => ("pace" in action ? [action.decision] : []));
}
