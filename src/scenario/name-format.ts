import { isMap } from "yaml";
import type { AttemptName, DecisionName } from "../model/vocabulary.js";
import {
  type Named,
  named,
  pairsOf,
  type Read,
  type Reader,
  read,
  report,
  type Schema,
  seen,
  wrong,
} from "./reader.js";
import { text } from "./scalars.js";

export const someText = text(
  "a text that is not empty",
  { minLength: 1 },
  (value): value is string => value !== "",
);

const attemptPattern = "^a[1-9][0-9]{0,5}$";
const decisionPattern = "^d[1-9][0-9]{0,5}$";

export function isAttemptName(name: string): name is AttemptName {
  return new RegExp(attemptPattern).test(name);
}

export function isDecisionName(name: string): name is DecisionName {
  return new RegExp(decisionPattern).test(name);
}

export const attemptName: Named<AttemptName> = named(
  "attempt",
  text("the name of an attempt (a1, a2, ...)", { pattern: attemptPattern }, isAttemptName),
);

export const decisionName: Named<DecisionName> = named(
  "decision",
  text("the name of a decision (d1, d2, ...)", { pattern: decisionPattern }, isDecisionName),
);

/** What the keys of a mapping may be. */
export type KeyFormat<N extends string> = {
  readonly wants: string;
  readonly schema: Schema;
  readonly is: (key: string) => key is N;
};

export const attemptKey: KeyFormat<AttemptName> = {
  wants: attemptName.wants,
  schema: { pattern: attemptPattern },
  is: isAttemptName,
};

export const decisionKey: KeyFormat<DecisionName> = {
  wants: decisionName.wants,
  schema: { pattern: decisionPattern },
  is: isDecisionName,
};

/** What a mapping says of each of its keys, in the order of the file: a mapping in a file, a list in code. */
export function byName<N extends string, T>(
  wants: string,
  key: KeyFormat<N>,
  said: Reader<T>,
): Reader<readonly (readonly [name: N, said: T])[]> {
  return {
    wants,
    schema: { type: "object", propertyNames: key.schema, additionalProperties: said.schema },
    read: (place) => {
      const { node } = place;
      if (!isMap(node)) {
        return report(place, `expected ${wants}, seen ${seen(node)}`);
      }
      const all = pairsOf(place, node).map(({ key: name, at, keyOffset }): Read<readonly [N, T]> => {
        const value = said.read(at);
        if (!key.is(name)) {
          return report({ ...at, offset: keyOffset }, `expected ${key.wants}, seen ${JSON.stringify(name)}`);
        }
        return value.kind === "read" ? read([name, value.value]) : wrong;
      });
      const sound = all.flatMap((each) => (each.kind === "read" ? [each.value] : []));
      return sound.length === node.items.length ? read(sound) : wrong;
    },
  };
}
