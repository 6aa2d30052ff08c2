import { type Draft, plainText, topics } from "./draft-rules.js";

/**
 * A request that the rules refuse, nearly right in most cases. Every second pick is one of the mistakes that
 * executors are known to let through; `CANARY-<pick>` is planted where an invalid field may hold any text.
 */
export const invalidDraft = (pick: number): string => {
  const mistakes = pick % 2 === 0 ? known : further;
  const turn = Math.floor(pick / 2);
  const round = Math.floor(turn / mistakes.length);
  // Rounds 0–3 go through the variants of a mistake, on the plainest draft; only then the draft varies.
  const base = Math.floor(round / 4);
  const draft: Draft = {
    job: `JOB-00${(base % 3) + 1}`,
    topic: topics[base % 2] ?? "river",
    copies: (Math.floor(base / 2) % 3) + 1,
  };
  const mistake = mistakes[turn % mistakes.length] ?? (() => "");
  return mistake(draft, `CANARY-${pick}`, round);
};

type Mistake = (draft: Draft, canary: string, round: number) => string;

const withField =
  (name: keyof Draft, ...values: readonly ((draft: Draft, canary: string) => unknown)[]): Mistake =>
  (draft, canary, round) =>
    JSON.stringify({ ...draft, [name]: values[round % values.length]?.(draft, canary) });

/** Names and values are written as text: in an object literal `__proto__` would set the prototype. */
const withExtra =
  (...extras: readonly ((canary: string) => string)[]): Mistake =>
  (draft, canary, round) =>
    `${plainText(draft).slice(0, -1)},${extras[round % extras.length]?.(canary)}}`;

const without =
  (name: keyof Draft): Mistake =>
  (draft) =>
    JSON.stringify({ ...draft, [name]: undefined });

const fullWidth = (text: string): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCodePoint((digit.codePointAt(0) ?? 0) + 0xfee0));

const known: readonly Mistake[] = [
  withField("copies", () => true),
  withField("copies", () => "2"),
  withExtra(
    () => '"skip_checks":true',
    () => '"user_role":"admin"',
    () => '"tenant":"t2"',
    (canary) => `"note":"${canary}"`,
  ),
  withField("job", (draft) => `${draft.job}1`),
  withField("job", (draft) => `${draft.job}\n`),
  withField("job", (draft) => fullWidth(draft.job)),
  withExtra(
    () => '"__proto__":{}',
    (canary) => `"__proto__":{"skip_checks":"${canary}"}`,
    () => '"__proto__":null',
  ),
  withField(
    "topic",
    (_, canary) => canary,
    (_, canary) => `river ${canary}`,
  ),
];

const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);

const further: readonly Mistake[] = [
  without("copies"),
  without("job"),
  without("topic"),
  () => "{}",
  () => "null",
  () => "",
  (_, canary) => canary,
  (draft) => plainText(draft).slice(0, -1),
  (draft) => `${plainText(draft).slice(0, -1)},}`,
  (draft) => `\uFEFF${plainText(draft)}`,
  (draft) => `[${plainText(draft)}]`,
  (draft) => JSON.stringify(plainText(draft)),
  (draft) => plainText(draft).replace("job", "Job"),
  (draft) => plainText(draft).replace('"job"', '"__proto__"'),
  withExtra((canary) => `"constructor":{"prototype":{"role":"${canary}"}}`),
  withExtra((canary) => `"context":{"tenant":"t2","notes":["${canary}"]}`),
  withExtra(() => '"toJSON":1'),
  withField("job", (draft) => draft.job.toLowerCase()),
  withField(
    "job",
    () => "../report",
    (_, canary) => `../${canary}/report`,
  ),
  withField("job", (draft) => ` ${draft.job}`),
  withField("job", (draft) => draft.job.slice(0, -1)),
  withField("job", (draft) => `${draft.job}\u0000`),
  withField("job", (draft) => [draft.job]),
  withField("job", () => "JOB-٠٠١"),
  withField(
    "job",
    () => null,
    () => 1,
    () => "",
  ),
  withField("job", () => deep(40)),
  withField("job", () => "JOB-00\ud800"),
  withField("topic", () => "lake"),
  withField("topic", (draft) => [draft.topic]),
  withField("topic", (_, canary) => ["river", canary]),
  withField("topic", (draft) => draft.topic.toUpperCase()),
  withField("topic", (draft) => `${draft.topic}\n`),
  withField(
    "topic",
    () => "constructor",
    () => "__proto__",
    () => "length",
  ),
  withField(
    "topic",
    () => null,
    () => true,
    () => 0,
  ),
  withField("topic", () => "river\udfff"),
  withField("copies", () => 0),
  withField("copies", () => 10),
  withField("copies", () => 2.5),
  withField("copies", () => false),
  withField("copies", () => null),
  withField("copies", () => -1),
  withField("copies", (draft) => [draft.copies]),
  withField("copies", (_, canary) => canary),
  withField("copies", (_, canary) => ({ valueOf: canary })),
  (draft) => plainText(draft).replace(/[0-9]}$/, "1e400}"),
  (draft) => plainText(draft).replace(/[0-9]}$/, "-0}"),
  (draft) => `${plainText(draft).slice(0, -1)},"copies":99}`,
];
