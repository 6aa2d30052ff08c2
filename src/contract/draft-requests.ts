import { invalidDraft } from "./draft-mistakes.js";
import { type Draft, nearestDraft, plainText, topics } from "./draft-rules.js";
import { simplerDrafts } from "./draft-simpler.js";
import { natural } from "./picks.js";
import type { RequestSource } from "./tool.js";

/** Drafts to generate from. Any integer picks; six of seven drafts are within the limit that a store starts with. */
export const draftRequests: RequestSource = {
  valid: (key, variant) => spelled(draftOf(key, variant), natural(variant)),
  invalid: (pick) => invalidDraft(natural(pick)),
  changed: (request, pick) => {
    const draft = nearestDraft(request);
    const { copies, topic } = payload(natural(pick), otherWithinLimit(draft));
    // A pick above the limit may be the very draft that is to be changed.
    const same = copies === draft.copies && topic === draft.topic;
    return plainText({ job: draft.job, topic, copies: same ? copies - 1 : copies });
  },
  rekeyed: (request, key) => {
    const draft = nearestDraft(request);
    const job = jobName(natural(key));
    return plainText({ ...draft, job: job === draft.job ? jobName(natural(key) + 1) : job });
  },
  simpler: simplerDrafts,
};

type Payload = Omit<Draft, "job">;

const withinLimit: readonly Payload[] = [1, 2, 3].flatMap((copies) =>
  topics.map((topic) => ({ topic, copies })),
);

const otherWithinLimit = (draft: Draft): readonly Payload[] =>
  withinLimit.filter(({ topic, copies }) => topic !== draft.topic || copies !== draft.copies);

const jobName = (key: number): string => `JOB-${String((key % 999) + 1).padStart(3, "0")}`;

const draftOf = (key: number, variant: number): Draft => ({
  job: jobName(natural(key)),
  ...payload(natural(variant), withinLimit),
});

/** One of `usual`, or else, once in a round, 4–9 copies. */
const payload = (pick: number, usual: readonly Payload[]): Payload => {
  const round = Math.floor(pick / (usual.length + 1));
  return (
    usual[pick % (usual.length + 1)] ?? {
      topic: topics[Math.floor(round / 6) % 2] ?? "river",
      copies: 4 + (round % 6),
    }
  );
};

const orders = [
  ["job", "topic", "copies"],
  ["copies", "topic", "job"],
  ["topic", "copies", "job"],
  ["job", "copies", "topic"],
  ["copies", "job", "topic"],
  ["topic", "job", "copies"],
] as const satisfies readonly (readonly (keyof Draft)[])[];

const separators = [",", ",", ",", ",", " ,\n "];
const numerals = [".0", "", "", "", "e0", "", "", "", "", "", ""];

/** Rounds of 7 payloads, 6 orders, 5 separators and 11 numerals share no divisor, so every mixture comes up. */
const spelled = (draft: Draft, variant: number): string => {
  if (variant === 0) return plainText(draft);
  const order = orders[variant % orders.length] ?? orders[0];
  const separator = separators[variant % separators.length] ?? ",";
  const numeral = numerals[variant % numerals.length] ?? "";
  const written = { job: `"${draft.job}"`, topic: `"${draft.topic}"`, copies: `${draft.copies}${numeral}` };
  return `{${order.map((name) => `"${name}":${written[name]}`).join(separator)}}`;
};
