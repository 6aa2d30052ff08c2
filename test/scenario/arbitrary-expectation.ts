import fc from "fast-check";
import {
  type AttemptName,
  auditCauses,
  type DecisionName,
  type Json,
  layerActions,
  reservationStates,
  stageEvents,
  statuses,
} from "../../src/model/vocabulary.js";
import { promiseIds } from "../../src/properties/verdict.js";
import {
  type AttemptExpectation,
  decisionFates,
  type Expectation,
  type LeftBehind,
} from "../../src/scenario/scenario.js";
import { anyText, someText } from "./arbitrary-actions.js";

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

/** What may be said of reservations and of the gate. */
const rulesLeft = fc.record(
  {
    reservations: fc.oneof(
      fc.nat(9),
      fc.array(
        fc.record(
          { key: someText, tenant: someText, state: fc.constantFrom(...reservationStates) },
          { requiredKeys: ["key"] },
        ),
        { maxLength: 3 },
      ),
    ),
    gates: fc.array(fc.array(someText, { maxLength: 3 }), { maxLength: 3 }),
  },
  partial,
);

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
  return fc
    .tuple(rest, consentLeft(decisions), rulesLeft)
    .map(([left, consent, rules]) => ({ ...left, ...consent, ...rules }));
}

/** Whatever may be expected of these attempts and decisions. */
export function expectation(names: Names): fc.Arbitrary<Expectation> {
  const more = fc.record(
    {
      anyOf: fc.array(leftBehind(names), { minLength: 1, maxLength: 2 }),
      violates: fc.constantFrom(...promiseIds),
    },
    partial,
  );
  return fc.tuple(leftBehind(names), more).map(([left, rest]) => ({ ...left, ...rest }));
}
