import { createHash } from "node:crypto";
import {
  completed,
  keysOf,
  lastStore,
  observations,
  releasedText,
  storeAfter,
  type WrongFact,
} from "../evidence.js";

/** RFC 8785 sorts the properties by name, whatever the order in the request. */
const canonical = '{"copies":2,"job":"JOB-001","topic":"river"}';
const canonicalDigest = createHash("sha256").update(canonical).digest("hex");

export const effectFacts: readonly WrongFact[] = [
  {
    bug: "inserts-outside-the-transaction",
    because: "the attempt failed inside its transaction, and its effect is there",
    shows: (history) =>
      completed(history, "a1")?.code === "inside_transaction" &&
      keysOf(storeAfter(history, "a1")).includes("JOB-001"),
  },
  {
    bug: "forgets-the-rollback-after-an-error",
    because: "the attempt has ended, and nobody else writes",
    shows: (history) => storeAfter(history, "a1").writeLock === "held",
  },
  {
    bug: "forgets-the-rollback-after-a-refused-commit",
    because: "the attempt has ended, and nobody else writes",
    shows: (history) => storeAfter(history, "a1").writeLock === "held",
  },
  {
    bug: "holds-the-transaction-over-a-checkpoint",
    because: "an attempt that waits holds no lock",
    shows: (history) => observations(history).some(({ writeLock }) => writeLock === "held"),
  },
  {
    bug: "replaces-the-row-on-a-key-conflict",
    because: "the first request keeps its key; the second is a key_conflict",
    shows: (history) =>
      storeAfter(history, "a1").effects.some(({ body }) => body.includes("river")) &&
      storeAfter(history, "a2").effects.every(({ body }) => body.includes("forest")),
  },
  {
    bug: "replays-the-stored-output-on-a-key-conflict",
    because: "a2 asked for forest; right is key_conflict with nothing released",
    shows: (history) => releasedText(history, "a2")?.includes("river / copies=2") === true,
  },
  {
    bug: "digests-in-written-order",
    because: "the digest is that of the canonical text, in which copies comes first",
    shows: (history) => lastStore(history).effects.some(({ digest }) => digest !== canonicalDigest),
  },
  {
    bug: "looks-the-key-up-before-the-checkpoint",
    because: "a2 asks for what a1 has written by then; right is accepted by reuse",
    shows: (history) => completed(history, "a2")?.status === "error",
  },
  {
    bug: "remembers-keys-in-memory-only",
    because: "the restarted process wrote the key a second time",
    shows: (history) => keysOf(lastStore(history)).join() === "JOB-001,JOB-001",
  },
  {
    bug: "retries-under-a-new-key",
    because: "nobody asked for JOB-501",
    shows: (history) => keysOf(storeAfter(history, "a1")).join() === "JOB-001,JOB-501",
  },
];

/** The right answer to each of these requests is input_rejected, and a store without an effect. */
const acceptedKeys: readonly (readonly [bug: string, key: string])[] = [
  ["accepts-true-as-a-count", "JOB-001"],
  ["accepts-a-numeric-string", "JOB-001"],
  ["accepts-an-extra-field", "JOB-001"],
  ["accepts-four-digit-job", "JOB-0011"],
  ["accepts-trailing-newline", "JOB-001\n"],
  ["accepts-full-width-digits", "JOB-００１"],
  ["accepts-proto-key", "JOB-001"],
];

export const argumentFacts: readonly WrongFact[] = acceptedKeys.map(([bug, key]) => ({
  bug,
  because: "the one request that was submitted is invalid, and it has an effect",
  shows: (history) =>
    completed(history, "a1")?.status === "accepted" && keysOf(lastStore(history)).join() === key,
}));
