import fc from "fast-check";
import type { Json } from "../../../src/model/vocabulary.js";
import {
  type Assertion,
  type KeyTemplate,
  type Region,
  type Rule,
  severities,
} from "../../../src/rules/rule.js";
import type { Trace, TracedArguments, TracedCall, TraceItem, Turn } from "../../../src/rules/trace.js";

/** Few names, words and values, so that what is drawn for a trace often meets what is drawn for a rule. */
const tools = ["refund_order", "get_order", "发货"] as const;
const words = ["订单", "Status", "café"] as const;
const fact = ["no nuts", "不吃坚果"] as const;

/** Words whole, in other letter case, decomposed, and cut in two, whose halves must not meet across turns. */
const userTexts = [
  "",
  "帮我查下天气",
  "我想查订单物流",
  "my STATUS, please",
  "at the CAFE\u0301",
  "帮我看下订",
  "单号是多少",
  "sta",
  "tus",
  "I eat no nuts",
  "我不吃坚果",
] as const;
const answers = [" ", "without almonds", "no nuts, as you said", "No Nuts", "好的，不吃坚果"] as const;

/** `1` and `"1"` make one key, and so may not be told apart; `x-y`, `z` must be told from `x`, `y-z`. */
const orderIds: readonly Json[] = ["1", 1, "y-z", "z"];
const tenants: readonly Json[] = ["x", "x-y"];
/** No key can be made of these. */
const unspellable: readonly (Json | undefined)[] = [null, ["1"], undefined];

const orderId = { kind: "argument", name: "order_id" } as const;
const templates: readonly KeyTemplate[] = [
  template([orderId]),
  template([{ kind: "argument", name: "tenant" }, { kind: "text", text: "-" }, orderId]),
  template([{ kind: "text", text: "order " }, orderId]),
];

function template(parts: KeyTemplate["parts"]): KeyTemplate {
  return {
    text: parts.map((part) => (part.kind === "text" ? part.text : `$\{${part.name}}`)).join(""),
    parts,
  };
}

/** A place that is told from every other by its line. */
export function place(file: string, line: number): Region {
  return { file, line, column: 1, endLine: line, endColumn: 2 };
}

const nowhere = place("rules.yaml", 1);
const someTools = fc.subarray([...tools], { minLength: 1, maxLength: 2 });

const assertions: fc.Arbitrary<Assertion> = fc.oneof(
  fc.record({ kind: fc.constant("forbid_tool" as const), tools: someTools, at: fc.constant(nowhere) }),
  fc.record({ kind: fc.constant("allow_tool" as const), tools: someTools, at: fc.constant(nowhere) }),
  fc.record({ kind: fc.constant("require_tool" as const), tools: someTools, at: fc.constant(nowhere) }),
  fc.record({
    kind: fc.constant("max_tool_calls" as const),
    most: fc.integer({ min: 0, max: 6 }),
    at: fc.constant(nowhere),
  }),
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("idempotent" as const),
      tool: fc.constantFrom(tools[0], tools[0], tools[1]),
      key: fc.constantFrom(...templates),
      at: fc.constant(nowhere),
    }),
  },
  fc
    .record({ saidBy: fc.integer({ min: 1, max: 2 }), later: fc.integer({ min: 1, max: 2 }) })
    .map(({ saidBy, later }) => ({
      kind: "memory_persistence" as const,
      fact,
      saidBy,
      stillAt: saidBy + later,
      at: nowhere,
    })),
);

const turnRanges = fc
  .record({ first: fc.integer({ min: 1, max: 4 }), longer: fc.integer({ min: 0, max: 3 }) })
  .map(({ first, longer }) => ({ first, last: Math.min(4, first + longer) }));

const someWords = fc.subarray([...words], { minLength: 1, maxLength: 2 });
const always = { intentAny: [], turnRange: undefined };

const conditions: fc.Arbitrary<Rule["when"]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(always) },
  someWords.map((intentAny) => ({ ...always, intentAny })),
  turnRanges.map((turnRange) => ({ ...always, turnRange })),
  fc.record({ intentAny: someWords, turnRange: turnRanges }),
);

const bothExits = { ci: true, runtime: true };

const unnamedRules: fc.Arbitrary<Omit<Rule, "name">> = fc.record({
  when: conditions,
  // The language has each kind at most once in a rule.
  // biome-ignore lint/suspicious/noThenProperty: a rule says `when` and `then`.
  then: fc.uniqueArray(assertions, { minLength: 1, maxLength: 3, selector: ({ kind }) => kind }),
  where: fc.oneof(
    { weight: 5, arbitrary: fc.constant(bothExits) },
    fc.constantFrom({ ci: true, runtime: false }, { ci: false, runtime: true }),
  ),
  severity: fc.constantFrom(...severities, "critical", "critical", "warning"),
  description: fc.constant(""),
  at: fc.constant(nowhere),
});

/** Two to five rules. */
export const someRules: fc.Arbitrary<readonly Rule[]> = fc
  .array(unnamedRules, { minLength: 2, maxLength: 5 })
  .map((rules) => rules.map((rule, index) => ({ ...rule, name: `rule-${index + 1}` })));

const knownArguments: fc.Arbitrary<TracedArguments> = fc
  .record({ order_id: mostly(orderIds), tenant: mostly(tenants) })
  .map((drawn) => ({ kind: "known", value: withoutGaps(drawn) }));

function mostly(spellable: readonly Json[]): fc.Arbitrary<Json | undefined> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom<Json[]>(...spellable) },
    fc.constantFrom<(Json | undefined)[]>(...unspellable),
  );
}

function withoutGaps(drawn: Readonly<Record<string, Json | undefined>>): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(drawn).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const someArguments: fc.Arbitrary<TracedArguments> = fc.oneof(
  { weight: 10, arbitrary: knownArguments },
  fc.constant<TracedArguments>({ kind: "missing" }),
  fc.constant<TracedArguments>({ kind: "malformed", text: '{"order_id":' }),
);

const calls: fc.Arbitrary<Omit<TracedCall, "at">> = fc.record({
  tool: fc.oneof(
    { weight: 4, arbitrary: fc.constant<string>(tools[0]) },
    { weight: 5, arbitrary: fc.constantFrom<string>(...tools, "log_visit") },
    fc.constant(undefined),
  ),
  arguments: someArguments,
  outcome: fc.constantFrom("done", "done", "unknown", "nothing_happened"),
});

type Drawn = {
  readonly user: string;
  readonly items: readonly (Omit<TracedCall, "at"> | { readonly said: string })[];
};

const items = fc.oneof({ weight: 3, arbitrary: calls }, fc.record({ said: fc.constantFrom(...answers) }));

const turns: fc.Arbitrary<Drawn> = fc.record({
  user: fc.constantFrom(...userTexts),
  items: fc.oneof({ weight: 4, arbitrary: fc.array(items, { minLength: 1, maxLength: 4 }) }, fc.constant([])),
});

/** One to five turns with at most eight calls; each item stands on a line of its own. */
export const someTrace: fc.Arbitrary<Trace> = fc.array(turns, { minLength: 1, maxLength: 5 }).map(traceOf);

function traceOf(drawn: readonly Drawn[]): Trace {
  let line = 0;
  let callsLeft = 8;
  const nextPlace = (): Region => {
    line += 1;
    return place("trace.json", line);
  };
  const itemOf = (item: Drawn["items"][number]): readonly TraceItem[] => {
    if ("said" in item) return [{ kind: "said", text: item.said, at: nextPlace() }];
    callsLeft -= 1;
    return callsLeft < 0 ? [] : [{ kind: "called", call: { ...item, at: nextPlace() } }];
  };
  const made = drawn.map(
    ({ user, items }): Turn => ({ user, at: nextPlace(), items: items.flatMap(itemOf) }),
  );
  return { file: "trace.json", name: "1", format: "plain", turns: made, warnings: [] };
}
