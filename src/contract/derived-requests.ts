import { derivedMistakes } from "./derived-mistakes.js";
import { simplerArguments } from "./derived-simpler.js";
import { textOf, variationsOf } from "./derived-variations.js";
import type { Reading } from "./from-schema.js";
import type { JsonObject } from "./request-text.js";
import type { RequestSource } from "./tool.js";

/** A valid request; `given` is what was written, before the tool's rules made arguments of it. */
export type Known = { readonly given: JsonObject; readonly key: string; readonly digest: string };

/** How many valid requests are derived from the examples. */
const most = 64;

/**
 * Requests made from examples by small changes. Where the examples and their variations have one key only, `rekeyed`
 * hands back the request it was given, and so does `changed` where a key has one request only.
 */
export const derivedRequests = (
  examples: readonly JsonObject[],
  read: (request: string) => Reading,
): RequestSource => {
  const groups = byKey(variedExamples(examples, read));
  const mistakes = derivedMistakes(groups.map(([first]) => first.given).slice(0, 3), read);
  return {
    valid: (key, variant) => {
      const group = at(groups, natural(key));
      const turn = Math.floor(natural(variant) / group.length);
      return rotated(at(group, natural(variant)).given, natural(variant) + turn);
    },
    invalid: (pick) => at(mistakes, natural(pick)),
    changed: (request, pick) => {
      const from = knownOf(request, read) ?? groups[0][0];
      const others = groups.flat().filter(({ key, digest }) => key === from.key && digest !== from.digest);
      const varied = variationsOf(from.given, examples)
        .flatMap((given) => knownOf(textOf(given), read) ?? [])
        .filter(({ key, digest }) => key === from.key && digest !== from.digest);
      const choice = nonEmpty(others.length > 0 ? others : varied);
      return choice === undefined ? request : textOf(at(choice, natural(pick)).given);
    },
    rekeyed: (request, key) => {
      const from = knownOf(request, read) ?? groups[0][0];
      const others = nonEmpty(groups.filter(([first]) => first.key !== from.key));
      if (others === undefined) return request;
      return textOf(withKeyOf(at(others, natural(key))[0], from, read).given);
    },
    simpler: (request) => simplerArguments(request, examples, read),
  };
};
