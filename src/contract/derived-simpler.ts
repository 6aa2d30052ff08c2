import type { Json } from "../model/vocabulary.js";
import { valuesIn, withField, withoutField } from "./derived-variations.js";
import type { Read } from "./reading.js";
import { byLength, isJsonObject, type JsonObject, readRequestText, writtenText } from "./request-text.js";

/**
 * Simpler requests, simplest first: the first example if it is, and the request with one field that is as in an
 * example, smaller, or gone. What was refused stays refused by the same code, or becomes the first example. No chain
 * of steps is endless: an example is simpler than a refused request; otherwise the text becomes shorter, or
 * as long and earlier by code units, or it was valid and only loses an odd spelling.
 */
export const simplerRequests = (
  request: string,
  examples: readonly JsonObject[],
  read: Read,
): readonly string[] => {
  const reading = read(request);
  const plainest = examples.slice(0, 1).map((example) => JSON.stringify(example));
  if (reading.kind === "valid") {
    const ordered = inOrderOf(reading.given, examples);
    const plain = JSON.stringify(ordered);
    const smaller = [...plainest, ...smallerObjects(ordered, examples).flatMap(writtenText)]
      .filter((text) => byLength(text, plain) < 0 && read(text).kind === "valid")
      .sort(byLength);
    return [...new Set(plain === request ? smaller : [...smaller, plain])];
  }
  const sameCode = (text: string): boolean => {
    const other = read(text);
    return other.kind === "invalid" && other.code === reading.code;
  };
  const smaller = smallerRefused(request, examples, read)
    .filter((text) => byLength(text, request) < 0 && sameCode(text))
    .sort(byLength);
  return [...new Set([...plainest, ...smaller])];
};

/** Fields in the order of the first example, then the others in the order of their names. */
const inOrderOf = (object: JsonObject, [first = {}]: readonly JsonObject[]): JsonObject => {
  const entries = Object.entries(object).sort(([left], [right]) => byLength(left, right));
  const isIn = ([name]: readonly [string, Json]): boolean => Object.hasOwn(first, name);
  const places = Object.keys(first);
  return Object.fromEntries([
    ...entries.filter(isIn).sort(([left], [right]) => places.indexOf(left) - places.indexOf(right)),
    ...entries.filter((entry) => !isIn(entry)),
  ]);
};

const smallerObjects = (object: JsonObject, examples: readonly JsonObject[]): readonly JsonObject[] =>
  Object.entries(object).flatMap(([name, value]) => [
    withoutField(object, name),
    ...[...valuesIn(examples, name), ...smallerValues(value)].map((smaller) =>
      withField(object, name, smaller),
    ),
  ]);

const smallerValues = (value: Json): readonly Json[] => {
  if (typeof value === "number") return [0, 1, Math.trunc(value / 2), value - Math.sign(value)];
  if (typeof value === "string") return ["", value.slice(0, Math.ceil(value.length / 2)), value.slice(0, -1)];
  if (Array.isArray(value)) return [[], value.slice(0, 1), value.slice(0, -1)];
  return isJsonObject(value) ? smallerObjects(value, []) : [];
};

/** Ways to make a refused request smaller; some change what is wrong with it, or do not make it smaller. */
const smallerRefused = (request: string, examples: readonly JsonObject[], read: Read): readonly string[] => {
  const text = readRequestText(request);
  if (text.kind === "not_json") return ["", "{"];
  if (!isJsonObject(text.value)) return ["null", "[]", ...writtenText(text.value)];
  const object = text.value;
  const isRight = (name: string, value: Json): boolean =>
    examples.some(
      (example) =>
        Object.hasOwn(example, name) &&
        writtenText(withField(example, name, value)).some((one) => read(one).kind === "valid"),
    );
  const smaller = Object.entries(object).flatMap(([name, value]) => [
    ...valuesIn(examples, name).map((right) => withField(object, name, right)),
    // A right field does not become wrong, or the request would be refused for another reason as well.
    ...(isRight(name, value)
      ? []
      : [withoutField(object, name), ...short.map((one) => withField(object, name, one))]),
  ]);
  return ["{}", ...[object, ...smaller].flatMap(writtenText)];
};

const short: readonly Json[] = [1, "", "x"];
