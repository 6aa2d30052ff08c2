import type { Json } from "../model/vocabulary.js";
import { withField, withoutField } from "./derived-variations.js";
import { type NonEmpty, nonEmpty } from "./picks.js";
import type { Read } from "./reading.js";
import { isJsonObject, type JsonObject } from "./request-text.js";

/**
 * Nearly valid requests that the tool's rules refuse: of each valid object a field missing, superfluous, of another
 * type, past a bound, or looking like the right one; and texts that are no such object at all. `CANARY-<n>` is planted
 * where a text may stand.
 */
export const derivedMistakes = (bases: readonly JsonObject[], read: Read): NonEmpty<string> => {
  const isRefused = (text: string): boolean => read(text).kind === "invalid";
  const texts = bases.flatMap((base) => [
    ...objectMistakes(base, (object) => isRefused(JSON.stringify(object))).map((object) =>
      JSON.stringify(object),
    ),
    ...textMistakes(base),
  ]);
  const refused = [...new Set(texts)].filter(isRefused);
  return nonEmpty(refused.map((text, index) => text.replaceAll(canary, `${canary}-${index}`))) ?? [""];
};

const canary = "CANARY";

const objectMistakes = (
  object: JsonObject,
  isRefused: (object: JsonObject) => boolean,
): readonly JsonObject[] => [
  ...Object.entries(object).flatMap(([name, value]) => [
    withoutField(object, name),
    ...wrongValues(value, (wrong) => isRefused(withField(object, name, wrong))).map((wrong) =>
      withField(object, name, wrong),
    ),
  ]),
  ...extras.map(([name, value]) => withField(object, name, value)),
];

const extras: readonly (readonly [string, Json])[] = [
  ["skip_checks", true],
  ["user_role", "admin"],
  ["tenant", "t2"],
  ["note", canary],
  ["__proto__", {}],
  ["constructor", { prototype: canary }],
];

const wrongValues = (value: Json, isRefused: (wrong: Json) => boolean): readonly Json[] => [
  null,
  canary,
  [value],
  { value },
  ...(isJsonObject(value) ? objectMistakes(value, isRefused) : []),
  ...(typeof value === "number" ? wrongNumbers(value, isRefused) : []),
  ...(typeof value === "string" ? wrongTexts(value, isRefused) : []),
  ...(typeof value === "boolean" ? [String(value), Number(value)] : []),
  ...(Array.isArray(value) ? [[], [...value, ...value], ...value.slice(0, 1)] : []),
];

/** How far a bound is looked for. */
const reach = Array.from({ length: 256 }, (_, index) => index + 1);

/** The nearest number past each bound comes from asking, so that it is found whoever states the rules. */
const wrongNumbers = (value: number, isRefused: (wrong: Json) => boolean): readonly Json[] => [
  true,
  false,
  String(value),
  value + 0.5,
  -value,
  0,
  ...reach.map((step) => value + step).filter(firstOnly(isRefused)),
  ...reach.map((step) => value - step).filter(firstOnly(isRefused)),
];

const wrongTexts = (value: string, isRefused: (wrong: Json) => boolean): readonly Json[] => [
  "",
  0,
  true,
  `${value}1`,
  `${value}\n`,
  `${value}\u0000`,
  ` ${value}`,
  value.toUpperCase(),
  value.toLowerCase(),
  value.slice(0, -1),
  value.replace(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + fullWidth)),
  `../${value}`,
  "__proto__",
  ...reach.map((times) => `${value}${"x".repeat(times)}`).filter(firstOnly(isRefused)),
];

/** From an ASCII digit to the full-width one, which many a digit test takes for the same. */
const fullWidth = 0xff10 - 0x30;

const firstOnly = (isWanted: (value: Json) => boolean): ((value: Json) => boolean) => {
  let found = false;
  return (value) => {
    if (found) return false;
    found = isWanted(value);
    return found;
  };
};

const textMistakes = (base: JsonObject): readonly string[] => {
  const text = JSON.stringify(base);
  return [
    "",
    "null",
    "{}",
    canary,
    text.slice(0, -1),
    `${text.slice(0, -1)},}`,
    `\uFEFF${text}`,
    `[${text}]`,
    JSON.stringify(text),
  ];
};
