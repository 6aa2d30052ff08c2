import type { Json } from "../model/vocabulary.js";
import {
  type Draft,
  isCopies,
  isJob,
  isTopic,
  nearestDraft,
  plainest,
  plainText,
  readDraft,
} from "./draft-rules.js";
import { byLength, isJsonObject, readRequestText, writtenText } from "./request-text.js";

/**
 * Simpler requests, simplest first. Each step falls in a well-founded order, so that no chain of steps is endless:
 * a valid request is simpler than an invalid one; of valid ones the one with smaller arguments, then the plainly
 * spelled one; of invalid ones the shorter text, then the earlier by code units.
 */
export const simplerDrafts = (request: string): readonly string[] => {
  const reading = readDraft(request);
  const texts =
    reading.kind === "valid"
      ? [...smallerDrafts(reading.draft), reading.draft].map(plainText)
      : [
          plainText(nearestDraft(request)),
          ...smallerTexts(request)
            .filter((text) => isShorter(text, request))
            .filter((text) => sameCode(text, reading.code))
            .sort(byLength),
        ];
  return [...new Set(texts)].filter((text) => text !== request);
};

const sameCode = (text: string, code: string): boolean => {
  const reading = readDraft(text);
  return reading.kind === "invalid" && reading.code === code;
};

const isShorter = (text: string, than: string): boolean => byLength(text, than) < 0;

const lowestJobs = ["JOB-001", "JOB-002", "JOB-003"];

/** The plainest draft of all, then each argument made smaller alone; some may be no smaller. */
const smallerDrafts = (draft: Draft): readonly Draft[] => [
  plainest,
  ...lowestJobs.filter((job) => job < draft.job).map((job) => ({ ...draft, job })),
  { ...draft, topic: plainest.topic },
  ...[1, draft.copies - 1].filter((copies) => copies >= 1).map((copies) => ({ ...draft, copies })),
];

/** Ways to make an invalid request smaller; some change what is wrong with it, or do not make it smaller. */
const smallerTexts = (request: string): readonly string[] => {
  const text = readRequestText(request);
  if (text.kind === "not_json") return ["", "{"];
  if (!isJsonObject(text.value)) return ["null", "[]", ...writtenText(text.value)];
  return ["{}", ...smallerEntries(Object.entries(text.value)).map(Object.fromEntries).flatMap(writtenText)];
};

type Entries = readonly (readonly [string, Json])[];

/** A right field gets its plainest value; a wrong or superfluous one a short one, or goes. None becomes wrong. */
const smallerEntries = (entries: Entries): readonly Entries[] => [
  entries,
  ...entries.flatMap(([name, value]) => {
    if (isRight(name, value)) return [replaced(entries, name, plainest[name])];
    return [
      entries.filter(([other]) => other !== name),
      ...placeholders.map((short) => replaced(entries, name, short)),
    ];
  }),
];

const isRight = (name: string, value: Json): name is keyof Draft =>
  (name === "job" && isJob(value)) ||
  (name === "topic" && isTopic(value)) ||
  (name === "copies" && isCopies(value));

const placeholders: readonly Json[] = [1, "", "x"];

const replaced = (entries: Entries, name: string, value: Json): Entries =>
  entries.map(([other, old]) => [other, other === name ? value : old]);
