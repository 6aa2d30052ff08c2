import { nearest } from "./nearest.js";
import { UsageError } from "./usage-error.js";

/** A value as someone wrote it, and where: a flag, a variable or a config key. */
export type Given = { readonly text: string; readonly place: string };

/** A whole number between `least` and `most`, written in plain digits. */
export function wholeNumber(given: Given, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const range =
    most === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${least}`
      : `a whole number from ${least} to ${most}`;
  if (!/^[0-9]+$/.test(given.text)) throw refused(given, range, inDigits(given.text));
  const value = Number(given.text);
  if (value < least || value > most) throw refused(given, range, "");
  return value;
}

/** Milliseconds of a time with its unit: `500ms`, `60s`, `1.5m`, `1h`. */
export function duration(given: Given): number {
  const match = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)$/.exec(given.text);
  const unit = match?.[2];
  if (match === null || unit === undefined || !isUnit(unit)) {
    const hint = /^[0-9.]+$/.test(given.text) ? `Write the unit, for example ${given.text}s.` : "";
    throw refused(given, "a time with its unit, such as 500ms, 60s, 5m or 1h", hint);
  }
  const milliseconds = Math.round(Number(match[1]) * unitMs[unit]);
  // A timer cannot wait longer than 2^31 - 1 ms; beyond that Node fires it at once.
  if (milliseconds < 1 || milliseconds > 0x7fff_ffff) throw refused(given, "a time from 1ms to 24 days", "");
  return milliseconds;
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

function isUnit(text: string): text is keyof typeof unitMs {
  return Object.hasOwn(unitMs, text);
}

/** Bytes of a size with its unit, in powers of 1024: `512k`, `500m`, `1.5g`; at least 1m and at most 1024g. */
export function bytes(given: Given): number {
  const match = /^([0-9]+(?:\.[0-9]+)?)([kmg])$/.exec(given.text);
  const unit = match?.[2];
  if (match === null || unit === undefined || !isSizeUnit(unit)) {
    throw refused(given, "a size with its unit, such as 500m or 2g", asSize(given.text));
  }
  const size = Math.round(Number(match[1]) * unitBytes[unit]);
  if (size < unitBytes.m || size > 1024 * unitBytes.g) throw refused(given, "a size from 1m to 1024g", "");
  return size;
}

const unitBytes = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 } as const;

function isSizeUnit(text: string): text is keyof typeof unitBytes {
  return Object.hasOwn(unitBytes, text);
}

/** What someone who wrote `2GB` or `500` probably meant. */
function asSize(text: string): string {
  const match = /^([0-9]+(?:\.[0-9]+)?)\s*([kmg])i?b?$/i.exec(text);
  if (match !== null) return `Write it as ${match[1]}${match[2]?.toLowerCase()}.`;
  return /^[0-9.]+$/.test(text) ? `Write the unit, for example ${text}m.` : "";
}

/** `i/n` with 1 ≤ i ≤ n. */
export function shardOf(given: Given): { index: number; count: number } {
  const match = /^([0-9]+)\/([0-9]+)$/.exec(given.text);
  const index = Number(match?.[1]);
  const count = Number(match?.[2]);
  const sane = match !== null && index >= 1 && index <= count && Number.isSafeInteger(count);
  if (!sane) throw refused(given, "i/n with i from 1 to n, such as 1/4", "");
  return { index, count };
}

/** One of `words`; otherwise the nearest right one is named. */
export function oneOf<Word extends string>(given: Given, what: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === given.text);
  if (found !== undefined) return found;
  const near = nearest(given.text, words);
  throw new UsageError({
    message: `there is no ${what} "${given.text}"${near === undefined ? "" : `; did you mean "${near}"?`}`,
    place: given.place,
    nextStep: near === undefined ? known(words) : "",
  });
}

/** A long list would bury the message. */
function known(words: readonly string[]): string {
  const shown = words.slice(0, 12).join(", ");
  return words.length <= 12 ? `Known: ${shown}.` : `Known: ${shown}, and ${words.length - 12} more.`;
}

function refused(given: Given, expected: string, nextStep: string): UsageError {
  return new UsageError({
    message: `expected ${expected}, got "${given.text}"`,
    place: given.place,
    nextStep,
  });
}

/** What someone who wrote `1e3` or `20_000` probably meant. */
function inDigits(text: string): string {
  const value = Number(text.replaceAll("_", "").replaceAll(",", ""));
  const whole = text.trim() !== "" && Number.isSafeInteger(value) && value >= 0;
  return whole ? `Write it in plain digits: ${value}.` : "";
}
