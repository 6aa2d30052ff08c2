import { derivedMistakes } from "./derived-mistakes.js";
import { simplerRequests } from "./derived-simpler.js";
import { valuesIn, variationsOf, withField } from "./derived-variations.js";
import { at, type NonEmpty, natural, nonEmpty } from "./picks.js";
import type { Read, ValidReading } from "./reading.js";
import { type JsonObject, writtenText } from "./request-text.js";
import type { RequestSource } from "./tool.js";

/**
 * Requests made from valid examples by small changes. Where examples and variations have one key only, `rekeyed` hands
 * back the request that it was given; so does `changed` where no variation of a request keeps its key.
 */
export const derivedRequests = (examples: NonEmpty<ValidReading>, read: Read): RequestSource => {
  const groups = byKey(varied(examples, read));
  const peers = examples.map(({ given }) => given);
  const mistakes = derivedMistakes(
    groups.slice(0, 3).map(([{ given }]) => given),
    read,
  );
  const nearest = (request: string): ValidReading => {
    const reading = read(request);
    return reading.kind === "valid" ? reading : examples[0];
  };
  return {
    valid: (key, variant) => {
      const group = at(groups, key);
      const turns = natural(variant) + Math.floor(natural(variant) / group.length);
      return JSON.stringify(rotated(at(group, variant).given, turns));
    },
    invalid: (pick) => at(mistakes, pick),
    changed: (request, pick) => {
      const from = nearest(request);
      const isOther = ({ key, digest }: ValidReading): boolean => key === from.key && digest !== from.digest;
      const others =
        nonEmpty(groups.flat().filter(isOther)) ??
        nonEmpty(readAll(variationsOf(from.given, peers), read).filter(isOther));
      return others === undefined ? request : JSON.stringify(at(others, pick).given);
    },
    rekeyed: (request, key) => {
      const from = nearest(request);
      const [asked] = at(groups, key);
      const [to] = asked.key === from.key ? at(groups, natural(key) + 1) : [asked];
      return to.key === from.key ? request : JSON.stringify(withKeyOf(to, from, read));
    },
    simpler: (request) => simplerRequests(request, peers, read),
  };
};

/** How many valid requests are derived from the examples. */
const most = 64;

/** The examples, then their variations, then the variations' variations; each meaning once. */
const varied = (examples: NonEmpty<ValidReading>, read: Read): NonEmpty<ValidReading> => {
  const peers = examples.map(({ given }) => given);
  const found = new Map<string, ValidReading>();
  const pending = [...examples];
  for (const next of pending) {
    if (found.size >= most) break;
    if (found.has(next.digest)) continue;
    found.set(next.digest, next);
    pending.push(...readAll(variationsOf(next.given, peers), read));
  }
  return nonEmpty([...found.values()]) ?? examples;
};

const readAll = (objects: readonly JsonObject[], read: Read): readonly ValidReading[] =>
  objects.flatMap(writtenText).flatMap((text) => {
    const reading = read(text);
    return reading.kind === "valid" ? [reading] : [];
  });

/** Groups of one key each, in the order in which the keys were found. */
const byKey = (readings: NonEmpty<ValidReading>): NonEmpty<NonEmpty<ValidReading>> => {
  const keys = [...new Set(readings.map(({ key }) => key))];
  const groups = keys.flatMap((key) => {
    const group = nonEmpty(readings.filter((reading) => reading.key === key));
    return group === undefined ? [] : [group];
  });
  return nonEmpty(groups) ?? [readings];
};

/** `from` with one field of `to` that gives it the key of `to`; `to` itself where it takes more than one field. */
const withKeyOf = (to: ValidReading, from: ValidReading, read: Read): JsonObject => {
  const swapped = Object.keys(to.given).flatMap((name) =>
    valuesIn([to.given], name).map((value) => withField(from.given, name, value)),
  );
  const fitting = readAll(swapped, read).find(({ key }) => key === to.key);
  return fitting?.given ?? to.given;
};

/** The same fields, of which the first `turns` stand last. */
const rotated = (object: JsonObject, turns: number): JsonObject => {
  const entries = Object.entries(object);
  const cut = turns % Math.max(1, entries.length);
  return Object.fromEntries([...entries.slice(cut), ...entries.slice(0, cut)]);
};
