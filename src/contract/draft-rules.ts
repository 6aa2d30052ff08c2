import type { Json } from "../model/vocabulary.js";
import { isJsonObject, readRequestText } from "./request-text.js";

export const topics = ["river", "forest"] as const;
export type Topic = (typeof topics)[number];

/** The validated arguments of a draft; `job` is `JOB-` and three ASCII digits, `copies` an integer 1–9. */
export type Draft = { readonly job: string; readonly topic: Topic; readonly copies: number };

export type DraftReading =
  | { readonly kind: "valid"; readonly draft: Draft }
  | { readonly kind: "invalid"; readonly code: "shape" | "job" | "topic" | "copies" };

/** Judges a request's text; the first thing wrong names the code, in the order shape, job, topic, copies. */
export const readDraft = (request: string): DraftReading => {
  const text = readRequestText(request);
  if (text.kind === "not_json" || !isJsonObject(text.value)) return { kind: "invalid", code: "shape" };
  const fields = text.value;
  const exact =
    Object.keys(fields).length === fieldNames.length &&
    fieldNames.every((name) => Object.hasOwn(fields, name));
  if (!exact) return { kind: "invalid", code: "shape" };
  const { job, topic, copies } = fields;
  if (!isJob(job)) return { kind: "invalid", code: "job" };
  if (!isTopic(topic)) return { kind: "invalid", code: "topic" };
  if (!isCopies(copies)) return { kind: "invalid", code: "copies" };
  return { kind: "valid", draft: { job, topic, copies } };
};

const fieldNames = ["job", "topic", "copies"] as const satisfies readonly (keyof Draft)[];

export const isJob = (value: Json | undefined): value is string =>
  typeof value === "string" && /^JOB-[0-9]{3}$/.test(value);

export const isTopic = (value: Json | undefined): value is Topic => topics.some((topic) => topic === value);

export const isCopies = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 9;

/** The text of a draft, both as the store's body and as the output's `text`. */
export const draftText = (draft: Draft): string => `${draft.topic} / copies=${draft.copies}`;

/** A draft as text in the plainest spelling. */
export const plainText = ({ job, topic, copies }: Draft): string => JSON.stringify({ job, topic, copies });

/** The draft a request means, or the nearest one: what is wrong in it is replaced by the plainest right value. */
export const nearestDraft = (request: string): Draft => {
  const text = readRequestText(request);
  const { job, topic, copies } = text.kind === "json" && isJsonObject(text.value) ? text.value : plainest;
  return {
    job: isJob(job) ? job : plainest.job,
    topic: isTopic(topic) ? topic : plainest.topic,
    copies: isCopies(copies) ? copies : plainest.copies,
  };
};

export const plainest = { job: "JOB-001", topic: "river", copies: 1 } as const satisfies Draft;
